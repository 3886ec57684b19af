// The scenes. Buttons lead from each scene to the next one, which answers the question of the scene
// before. The lens, an enlarged detail, shows one or two ids with aligned bits, a clock, or the
// authority.

import type { JSX } from "preact";
import { Dial } from "./stage.tsx";
import {
  type Action,
  AHEAD_MAX_S,
  type Computer,
  clockText,
  type IssuedId,
  labelOf,
  letter,
  type Moment,
  pass,
  secondText,
  stretchText,
  WIDTHS,
} from "./world.ts";

function TurnedClock({ time, before }: { time: number; before: number }) {
  return (
    <div class="card lens turned">
      <Dial time={time} before={before} />
      <p>
        It was <s>{clockText(before)}</s>
        <br />
        Now it says <b>{clockText(time)}</b>
      </p>
    </div>
  );
}

/** Shows one or two ids with their names. */
function Ids({ of, verdict }: { of: Record<string, IssuedId>; verdict: string }) {
  const ids = Object.values(of);
  return (
    <figure class={`card lens ${ids[0].id === ids[1]?.id ? "wrong" : ""}`}>
      {Object.entries(of).map(([name, id]) => (
        <Bits key={name} {...{ name, id }} other={ids.find((one) => one !== id) ?? id} />
      ))}
      <figcaption>{verdict}</figcaption>
    </figure>
  );
}

/** Shows what the authority has stored: the letter and the stretch that each computer has. */
function Lending({ computers }: { computers: Computer[] }) {
  const first = computers[0].lease;
  return (
    <figure class="card lens lending">
      <h3>The authority has stored</h3>
      {computers.map(
        ({ lease }, i) =>
          lease && (
            <p key={i}>
              <b class="node">{letter(lease.node)}</b> for computer {i + 1}, {stretchText(lease)}
            </p>
          ),
      )}
      {first && (
        <p>
          {letter(first.node)}'s next stretch begins at {secondText(first.until)} or later
        </p>
      )}
    </figure>
  );
}

/** Marks the bits that differ from those of another id. */
function Bits({ name, id, other }: { name: string; id: IssuedId; other: IssuedId }) {
  const [bits, otherBits] = [bitsOf(id), bitsOf(other)];
  const [timeBits, nodeBits] = WIDTHS;
  const pieces = [
    { name: "time", role: "timestamp", value: clockText(id.time), from: 0 },
    { name: "node", role: "node", value: letter(id.node), from: timeBits },
    { name: "number", role: "sequence", value: id.number, from: timeBits + nodeBits },
  ];
  const values = pieces.map(({ name, value }) => `${name} ${value}`).join(", ");
  const read = `${labelOf(id)}, the number ${id.id}: ${values}. Its bits: ${bits}`;
  return (
    <div class="whole" role="img" aria-label={`${name}: ${read}`}>
      <p>
        {name} <b>{id.id}</b>
      </p>
      {pieces.map(({ name, role, value, from }, piece) => (
        <div key={role} class={`piece ${role}`}>
          <b>{value}</b>
          <span class="bits">
            {[...bits.slice(from, pieces[piece + 1]?.from)].map((bit, i) => (
              <i key={i} class={bit === otherBits[from + i] ? "" : "differs"}>
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

function bitsOf({ id }: IssuedId) {
  const width = WIDTHS.reduce((sum, one) => sum + one, 0);
  return id.toString(2).padStart(width, "0");
}

export interface Scene {
  /** The actions that lead from the previous scene to this one, in order. */
  actions: readonly Action[];
  title: string;
  /** A text for each moment, so that the text always fits the picture. */
  words: (moment: Moment) => string;
  question: string;
  /** The buttons that lead on. If one is an answer, the next scene begins with the reply to it. */
  buttons: readonly [text: string, reply?: string][];
  lens: (moment: Moment) => JSX.Element;
  /**
   * Whether the lanes show the pen, what it has used up, and how far it may be ahead of the clock.
   */
  hasPen?: true;
}

/** The reader turns the clock of the first computer back by this many seconds. */
export const TURN_BACK_S = 4;

export const PLAYGROUND_TITLE = "Try to break it";

export const SCENES: readonly Scene[] = [
  {
    actions: [pass],
    title: "An id is a time, a node and a number",
    words: () =>
      "Every post, order and message has an id, a name of its own. The computer that makes one of the kind called snowflake writes three things into it: the time on its clock, its own letter (the node), and a number that counts the ids of this second.",
    question: "Two computers make ids at the same time. Can two of their ids be equal?",
    buttons: [
      ["Yes", "You expected a clash."],
      ["No", "You are right."],
    ],
    lens: ({ classic: { ids } }) => (
      <Ids of={{ "the id": ids[0] }} verdict={`In short: ${labelOf(ids[0])}`} />
    ),
  },
  {
    actions: Array(5).fill(pass),
    title: "Two computers, no clash",
    words: () =>
      "They differ: one wrote A, the other B. Classic snowflake gives a computer its letter for good. With edgeflake, an authority lends it for a stretch of seconds, the shaded part of the lane.",
    question: "Turn the clock of computer 1 back. What happens to its ids?",
    buttons: [[`Turn back ${TURN_BACK_S} s`]],
    lens: ({ classic: { ids }, now }) => {
      const [one, other] = ids.filter(({ time }) => time === now);
      const both = { "computer 1": one, "computer 2": other };
      return <Ids of={both} verdict="The same second, another letter" />;
    },
  },
  {
    actions: [(world) => world.turn(0, -TURN_BACK_S)],
    title: "You turned a clock back",
    words: ({ computers }) =>
      `Computer 1 believes that it is ${clockText(computers[0].clock)}. Real clocks go back, too: when they are corrected, or when a machine wakes from a pause. Programs are not told.`,
    question: "A second passes. What does classic snowflake make on computer 1?",
    buttons: [
      ["An old id again", "You are right."],
      ["A new id", "No, it trusts its clock: it makes an old one."],
      ["Nothing yet", "No, only edgeflake waits."],
    ],
    lens: ({ computers, now }) => <TurnedClock time={computers[0].clock} before={now} />,
  },
  {
    actions: [pass],
    title: "One id, twice",
    words: ({ classic, computers }) =>
      `Classic snowflake makes ${labelOf(duplicate(classic.ids))} again, because the clock said ${clockText(computers[0].clock)} for the second time. Now two posts have one id: a reader who opens one may see the other. On computer 1, edgeflake makes no id in this second: it waits.`,
    question: "How does edgeflake know better?",
    buttons: [["See how"]],
    lens: ({ classic: { ids } }) => {
      const again = duplicate(ids);
      const [first] = ids.filter(({ id }) => id === again.id);
      const both = { "the first time": first, "the second time": again };
      return <Ids of={both} verdict="Equal in every bit" />;
    },
  },
  {
    actions: [pass],
    title: "The pen never goes back",
    hasPen: true,
    words: ({ computers: [{ clock }] }) =>
      `edgeflake keeps its place like a pen in a book: it only goes forward, and what is hatched is used up. It may be at most ${AHEAD_MAX_S} s ahead of its clock (the mark "+${AHEAD_MAX_S} s"), or ids would tell a wrong time. So on computer 1 it waited, until the clock said ${clockText(clock)}: then it could write in second ${secondText(clock + AHEAD_MAX_S)}.`,
    question: "If computer 1 restarts, is it lent the same stretch again?",
    buttons: [
      ["Yes", "No, that stretch is taken."],
      ["No", "You are right."],
    ],
    lens: ({ leased: { ids } }) => {
      const own = ids.filter(({ computer }) => computer === 0);
      const next = own.findIndex(({ time }) => time === own.at(-1)?.time);
      const [before, after] = own.slice(next - 1);
      const both = { "before the clock went back": before, "after the clock went back": after };
      return <Ids of={both} verdict="The clock went back, the id did not" />;
    },
  },
  {
    actions: [pass, pass],
    title: "One letter, one computer",
    hasPen: true,
    words: () =>
      "The authority lends a letter to one computer only, and stores each stretch. Even if its own clock is wrong, the next one begins later. So no clock can repeat an id. The price: with a wrong clock, requests wait or get an error.",
    question: "Can you make edgeflake repeat one?",
    buttons: [[PLAYGROUND_TITLE]],
    lens: ({ computers }) => <Lending computers={computers} />,
  },
];

function duplicate(ids: readonly IssuedId[]) {
  return ids.filter(({ before }) => before > 0)[0];
}
