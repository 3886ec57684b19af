// The state of the page, in one place. Every part of the page renders from it, and the address
// restores it.

import { signal } from "@preact/signals";

/** The parts of the page. An address can name each of them. */
export const PARTS = ["decode", "many", "design", "live", "story"] as const;

export type Part = (typeof PARTS)[number];

export interface State {
  /** The shown part; empty for the part that suits the text. */
  part: Part | "";
  text: string;
  /** The encoding of the ids; empty for the likeliest. */
  encoding: string;
  /** The column of the ids; empty for the likeliest. */
  column: string;
  /** A preset's name or a layout string; empty for the layout of the verdict. */
  layout: string;
  /** The row of the shown id. */
  row: number;
  /** The edited id, in decimal; empty for the id of the row. */
  id: string;
  /** The range of time whose ids are shown. */
  from: string;
  until: string;
  /** The scene of the story, counted from 1; 0 for its beginning. */
  scene: number;
}

/**
 * The example text, with which the page opens. It is a link, because its id alone could also be a
 * Discord id: Discord's epoch is 4.15 years after Twitter's, so a tweet of that age decodes to the
 * present there.
 */
export const EXAMPLE = "https://x.com/i/status/1593572310593806338";

export const START: State = {
  part: "",
  text: "",
  encoding: "",
  column: "",
  layout: "",
  row: 0,
  id: "",
  from: "",
  until: "",
  scene: 0,
};

/** The present state. Only `history.ts` sets it, so that each change has its address. */
export const state = signal<State>(START);

/** The reason why a part of the opened link cannot be read; empty if all can. */
export const linkProblem = signal("");
