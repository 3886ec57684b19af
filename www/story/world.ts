// The running world of the story. It gives names to the module's numbers.

import init, { World } from "../../build/module/edgeflake_story/edgeflake_story.js";

await init({ module_or_path: new URL("edgeflake_story_bg.wasm", import.meta.url) });

/** The widths of an id's fields in bits: time, node and number. */
export const WIDTHS = [...new World().widths()];

/** Two limits in s: how far an id may be ahead of its clock, and how far a clock may be off. */
export const [AHEAD_MAX_S, OFF_MAX_S] = new World().limits();

/** Times are seconds since noon. */
export interface IssuedId {
  computer: number;
  id: number;
  time: number;
  node: number;
  number: number;
  /** How many times the same id was issued before. */
  before: number;
}

export interface Computer {
  clock: number;
  /** How far the computer's clock is ahead of the true time, in s. */
  ahead: number;
  /** The number of requests that wait for their ids. */
  waiting: number;
  /** The node of the computer's classic generator. */
  classicNode: number;
  lease: { node: number; from: number; until: number } | undefined;
  /** The reason why the computer's newest request failed; empty if it did not. */
  failure: string;
}

/** One of the two ways of issuing ids. */
export interface Way {
  name: string;
  isClassic: boolean;
  ids: IssuedId[];
  duplicates: number;
  longestWaitMs: number;
}

export interface Moment {
  now: number;
  computers: Computer[];
  classic: Way;
  leased: Way;
}

export type Action = (world: World) => void;

export const pass: Action = (world) => world.pass();

export function worldAfter(actions: readonly Action[]): World {
  const world = new World();
  for (const action of actions) action(world);
  return world;
}

export function momentOf(world: World): Moment {
  const now = world.now();
  const names = ["clock", "classicNode", "waiting", "node", "from", "until"] as const;
  const computers = rows(world.computers(), names).map(({ node, from, until, ...own }, index) => ({
    ...own,
    ahead: own.clock - now,
    lease: until === 0 ? undefined : { node, from, until },
    failure: world.failure(index),
  }));
  return { now, computers, classic: wayOf(world, true), leased: wayOf(world, false) };
}

function wayOf(world: World, isClassic: boolean): Way {
  const names = ["computer", "id", "time", "node", "number", "before"] as const;
  const ids = rows(world.ids(isClassic), names);
  const duplicates = ids.filter(({ before }) => before > 0).length;
  const name = isClassic ? "Classic snowflake" : "edgeflake";
  const longestWaitMs = isClassic ? 0 : world.longest_wait();
  return { name, isClassic, ids, duplicates, longestWaitMs };
}

/** Returns an object for each row of the module's numbers. `names` are those of a row's numbers. */
function rows<Name extends string>(numbers: Uint32Array, names: readonly Name[]) {
  return Array.from({ length: numbers.length / names.length }, (_, row) => {
    const entries = names.map((name, i) => [name, numbers[row * names.length + i]]);
    return Object.fromEntries(entries) as Record<Name, number>;
  });
}

export const letter = (node: number) => "ZABCDEFGHIJKLMNO"[node];

/** Returns a time as a clock shows it, such as `12:00:09`. */
export function clockText(time: number) {
  const [minutes, seconds] = [Math.floor(time / 60), time % 60];
  return `12:${String(minutes).padStart(2, "0")}:${secondText(seconds)}`;
}

/** Returns the seconds of a time, such as `09`. */
export const secondText = (time: number) => String(time % 60).padStart(2, "0");

/** Returns the first and the last second of a stretch, such as `08 … 25`. */
export const stretchText = ({ from, until }: { from: number; until: number }) =>
  `${secondText(from)} … ${secondText(until - 1)}`;

/** Returns the label of an id, such as `09A0`. */
export function labelOf({ time, node, number }: Pick<IssuedId, "time" | "node" | "number">) {
  return `${secondText(time)}${letter(node)}${number}`;
}

/** Returns a wait in seconds, with a decimal if it needs one. */
export const waitText = (ms: number) => `${Math.round(ms / 100) / 10} s`;
