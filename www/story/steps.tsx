// The scenes. A button leads from each scene to the next one, which answers the question of the
// scene before. The lens, an enlarged detail, shows one or two ids with aligned bits, a clock, or
// the costs.

import { Dial } from "./stage.tsx";
import {
  type Action,
  AHEAD_MAX_S,
  clockText,
  type IssuedId,
  labelOf,
  letter,
  type Moment,
  pass,
  secondText,
  WIDTHS,
  waitText,
} from "./world.ts";

export type Focus =
  | {
      rows: [name: string, id: IssuedId | undefined][];
      verdict?: string;
      isWrong?: boolean;
      note?: string;
    }
  | { dial: number; before: number };

export function Lens({ focus }: { focus: Focus }) {
  if ("dial" in focus) {
    return (
      <div class="card lens turned">
        <Dial time={focus.dial} before={focus.before} />
        <p>
          It was <s>{clockText(focus.before)}</s>
          <br />
          Now it says <b>{clockText(focus.dial)}</b>
        </p>
      </div>
    );
  }
  const { rows, verdict, isWrong, note } = focus;
  const [first, second] = rows.map(([, id]) => bitsOf(id));
  return (
    <figure class={`card lens ${isWrong ? "wrong" : ""}`}>
      {rows.map(([name, id]) => id && <Bits key={name} {...{ name, id, first, second }} />)}
      {verdict && <figcaption>{verdict}</figcaption>}
      {note && <p>{note}</p>}
    </figure>
  );
}

interface BitsProps {
  name: string;
  id: IssuedId;
  /** The bits of two ids. The bits that differ are marked. */
  first: string | undefined;
  second: string | undefined;
}

const PIECES = [
  { name: "time", role: "timestamp" },
  { name: "node", role: "node" },
  { name: "number", role: "sequence" },
];

function Bits({ name, id, first = "", second = first }: BitsProps) {
  const bits = bitsOf(id) ?? "";
  const values = [clockText(id.time), letter(id.node), String(id.number)];
  let at = 0;
  const pieces = WIDTHS.map((width, i) => {
    const from = at;
    at += width;
    return { ...PIECES[i], value: values[i], from, until: at };
  });
  const read = `${labelOf(id)}, the number ${id.id}: time ${values[0]}, node ${values[1]}, number ${values[2]}. Its bits: ${bits}`;
  return (
    <div class="whole" role="img" aria-label={`${name}: ${read}`}>
      <p>
        {name} <b>{id.id}</b>
      </p>
      {pieces.map(({ name, role, value, from, until }) => (
        <div key={role} class={`piece ${role}`}>
          <b>{value}</b>
          <span class="bits">
            {[...bits.slice(from, until)].map((bit, i) => (
              <i key={i} class={first[from + i] === second[from + i] ? "" : "differs"}>
                {bit}
              </i>
            ))}
          </span>
          <small>{name}</small>
        </div>
      ))}
    </div>
  );
}

function bitsOf(id: IssuedId | undefined) {
  const width = WIDTHS.reduce((sum, one) => sum + one, 0);
  return id?.id.toString(2).padStart(width, "0");
}

export interface Scene {
  /** The actions that lead from the previous scene to this one, in order. */
  actions: readonly Action[];
  title: string;
  /** A text for each moment, so that the text always fits the picture. */
  words: (moment: Moment) => string;
  question: string;
  /** Answers to choose from, each with the words that the next scene begins with. */
  answers?: (moment: Moment) => [answer: string, reply: string][];
  button: string;
  focus: (moment: Moment) => Focus;
}

/** The reader turns the clock of the first computer back by this many seconds. */
export const TURN_BACK_S = 4;

export const PLAYGROUND_TITLE = "Try to break it";

/** In this scene, the button that leads on is at the clock. */
export const TURNING_SCENE = 2;

export const SCENES: readonly Scene[] = [
  {
    actions: [pass],
    title: "An id is a time, a node and a number",
    words: () =>
      "Every post, order and message gets a name of its own, its id. edgeflake issues such ids. The computer that makes an id writes three things into it: the time on its clock, its own letter (the node), and a number that counts the ids of this second.",
    question: "Two computers make ids at the same time. Can two of their ids be equal?",
    answers: () => [
      ["Yes", "You expected a clash."],
      ["No", "You are right."],
    ],
    button: "Start both computers",
    focus: ({ classic: { ids } }) => ({
      rows: [["the id", ids[0]]],
      verdict: `In short: ${labelOf(ids[0] ?? NONE)}`,
    }),
  },
  {
    actions: Array(5).fill(pass),
    title: "Two computers, no clash",
    words: ({ now }) =>
      `They differ: at ${clockText(now)}, one wrote A and the other wrote B. Two ids of one second and letter have different numbers. With edgeflake, each computer leases its letter for a stretch of seconds, which is shaded, and renews the lease in time. Its pen writes each place once: what is hatched is used up.`,
    question: "What happens to the ids if a clock goes back?",
    button: `Turn back ${TURN_BACK_S} s`,
    focus: ({ classic, now }) => ({
      rows: [
        ["computer 1", classic.ids.find(({ computer, time }) => computer === 0 && time === now)],
        ["computer 2", classic.ids.find(({ computer, time }) => computer === 1 && time === now)],
      ],
      verdict: `Made in the same second, ${clockText(now)}, and still different`,
    }),
  },
  {
    actions: [(world) => world.turn(0, -TURN_BACK_S)],
    title: "You turned a clock back",
    words: ({ computers }) =>
      `Computer 1 believes that it is ${clockText(computers[0]?.clock ?? 0)}. Real clocks go back, too: when they are corrected, or when a machine wakes from a pause. Programs are not told.`,
    question: "A second passes. Does computer 1 make an old id again, or a new one?",
    answers: () => [
      ["An old one again", "With classic snowflake, you are right."],
      ["A new one", "With edgeflake, you are right."],
    ],
    button: "Let a second pass",
    focus: ({ computers, now }) => ({ dial: computers[0]?.clock ?? 0, before: now }),
  },
  {
    actions: [pass],
    title: "One id, twice",
    words: ({ classic, computers, leased }) =>
      `Classic snowflake makes ${labelOf(duplicate(classic.ids))} again: it takes the time from the clock, which said ${clockText(computers[0]?.clock ?? 0)} for the second time. Now two posts have one id: a reader who opens one may see the other. edgeflake has ${leased.ids.length} ids, not ${classic.ids.length}, because computer 1 still waits for its clock there.`,
    question: "The clock cannot be trusted. What can?",
    button: "See how edgeflake does it",
    focus: ({ classic }) => {
      const again = duplicate(classic.ids);
      return {
        rows: [
          ["the first time", classic.ids.find(({ id }) => id === again.id)],
          ["the second time", again],
        ],
        verdict: "Equal in every bit",
        isWrong: true,
      };
    },
  },
  {
    actions: [pass],
    title: "The pen never goes back",
    words: ({ classic, leased, computers }) => {
      const { clock = 0 } = computers[0] ?? {};
      const label = labelOf(penned(classic.ids, leased.ids));
      return `The clock went back, but edgeflake's pen did not. It had to wait, because an id may be at most ${AHEAD_MAX_S} s ahead of the clock. Now the clock says ${clockText(clock)}, so the pen may write up to second ${secondText(clock + AHEAD_MAX_S)}, and has written ${label}. If the wait were longer than a second, the computer would lease another letter, whose pen is not ahead.`;
    },
    question: "Which would you rather pay?",
    answers: ({ classic, leased }) => [
      [
        `A wait, here of at most ${waitText(leased.longestWaitMs)}`,
        "You chose the wait, as edgeflake does.",
      ],
      [
        `${classic.duplicates} equal ids`,
        "You chose equal ids, as classic snowflake does. There are more now.",
      ],
    ],
    button: "Let two more seconds pass",
    focus: ({ classic, leased }) => ({
      rows: [
        ["by the clock", duplicate(classic.ids)],
        ["by the pen", penned(classic.ids, leased.ids)],
      ],
      note: "An authority lends the stretches. Like a notary, it stores each one before it answers, so nobody else gets the same letter and stretch. Its own clock does not matter either, because a new stretch never begins before the last one of its letter ends.",
    }),
  },
  {
    actions: [pass, pass],
    title: "A wait, or a wrong id",
    words: ({ classic, leased }) =>
      `Classic snowflake never waited, and issued ${classic.duplicates} ids twice. edgeflake issued each id once, and here no request waited longer than ${waitText(leased.longestWaitMs)}. A clock can make the pen wait, even longer. It cannot move the pen back, and nobody else gets the same letter and stretch. That is why no clock can repeat an id.`,
    question: "Can you make edgeflake repeat one?",
    button: PLAYGROUND_TITLE,
    focus: ({ classic, leased }) => ({
      rows: [],
      verdict: `Here, a wait of at most ${waitText(leased.longestWaitMs)},\nor ${classic.duplicates} equal ids forever`,
    }),
  },
];

function duplicate(ids: readonly IssuedId[]) {
  return ids.find(({ before }) => before > 0) ?? NONE;
}

/** Returns the first leased id that the classic generators have not issued, too. */
function penned(classic: readonly IssuedId[], leased: readonly IssuedId[]) {
  return leased.find(({ id }) => classic.every((one) => one.id !== id)) ?? NONE;
}

const NONE: IssuedId = { computer: 0, id: 0, time: 0, node: 0, number: 0, before: 0 };
