// The stage: both ways side by side, their scores, and the computers with their clocks. A lane
// shows the ids of one computer, with a column per second and a row per number. If the place of an
// id is already taken, the id is shown below.

import { type ComponentChildren, Fragment } from "preact";
import {
  type Computer,
  clockText,
  type IssuedId,
  labelOf,
  letter,
  type Moment,
  secondText,
  type Way,
  waitText,
} from "./world.ts";

/** A clock with its second hand, and a paler hand that shows an earlier time. */
export function Dial({ time, before }: { time: number; before?: number }) {
  return (
    <svg class="dial" viewBox="-12 -12 24 24" aria-hidden="true">
      <circle r="11" />
      <path d="M0-10v2M10 0h-2M0 10v-2M-10 0h2" />
      {before !== undefined && <Hand time={before} name="before" />}
      <Hand time={time} name="hand" />
    </svg>
  );
}

// The angle is not reduced to one turn, so that the hand never turns the long way round.
const Hand = ({ time, name }: { time: number; name: string }) => (
  <path class={name} d="M0 0v-9" style={{ rotate: `${time * 6}deg` }} />
);

/** The seconds that a lane shows. */
export const COLUMNS = 11;

interface LaneProps {
  index: number;
  computer: Computer;
  ids: readonly IssuedId[];
  isClassic: boolean;
  /** The first second that is shown. */
  from: number;
}

export function Lane({ index, computer, ids, isClassic, from }: LaneProps) {
  const own = ids.filter((one) => one.computer === index);
  const boxes = placed(own.filter(({ time }) => time >= from && time < from + COLUMNS));
  const lines = Math.max(1, ...boxes.map(({ line }) => line + 1));
  const lease = isClassic ? undefined : computer.lease;
  const pen = lease && own.findLast(({ node, time }) => node === lease.node && time >= lease.from);
  const penTime = pen?.time ?? lease?.from ?? from;
  const column = (time: number) => Math.min(Math.max(time - from, -1), COLUMNS) + 2;
  const columns = (first: number, until: number) => `${column(first)} / ${column(until)}`;
  const clockColumn = Math.min(Math.max(computer.clock - from, 0), COLUMNS - 1);
  const beyond = Math.sign(computer.clock - from - clockColumn);
  const read = boxes.map(({ id }) => `${labelOf(id)}${id.before > 0 ? " again" : ""}`);
  const name = isClassic ? "Classic snowflake" : "edgeflake";
  return (
    <div class={`lane ${isClassic ? "classic" : "leased"}`}>
      <p>
        <b>{name}</b> {held(computer, isClassic)}
      </p>
      <div
        class="places"
        role="img"
        aria-label={`${name}, ids of computer ${index + 1}: ${read.join(", ") || "none"}`}
      >
        {lease && (
          <>
            <span class="stretch" style={{ gridColumn: columns(lease.from, lease.until) }} />
            <span class="spent" style={{ gridColumn: columns(lease.from, penTime + 1) }} />
          </>
        )}
        {Array.from({ length: COLUMNS }, (_, i) => (
          <span key={from + i} class="second" style={{ gridColumn: i + 2 }}>
            {secondText(from + i)}
          </span>
        ))}
        {boxes.map(({ id, line, order }) => (
          <Fragment key={order}>
            {line > 0 && id.before > 0 && (
              <span
                class="join"
                style={{
                  gridColumn: column(id.time),
                  gridRow: `${rowOf(id, 0)} / ${rowOf(id, line)}`,
                }}
              />
            )}
            <span
              class={`written ${id.before > 0 ? "wrong" : ""}`}
              style={{ gridColumn: column(id.time), gridRow: rowOf(id, line) }}
            >
              <span class="timestamp">{secondText(id.time)}</span>
              <span class="node">{letter(id.node)}</span>
              <span class="sequence">{id.number}</span>
            </span>
          </Fragment>
        ))}
        <span class="mark" style={{ translate: `${clockColumn * 100}%` }}>
          {["‹ clock", "clock", "clock ›"][beyond + 1]}
        </span>
        {lease && penTime >= from && penTime < from + COLUMNS && (
          <span
            class="mark pen"
            style={{ translate: `${(penTime - from) * 100}%`, gridRow: 2 + 2 * lines }}
          >
            {computer.waiting > 0 ? "waits" : "pen"}
          </span>
        )}
      </div>
    </div>
  );
}

/** Says which places a computer may use. */
function held({ lease, classicNode }: Computer, isClassic: boolean) {
  if (isClassic) return `letter ${letter(classicNode)}, by its settings`;
  if (!lease) return "no lease yet";
  return `letter ${letter(lease.node)}, leased until ${clockText(lease.until)}`;
}

/** Returns the row of a place in a line of the grid, below the clock's mark. */
const rowOf = ({ number }: IssuedId, line: number) => 2 + 2 * line + number;

/** Puts each id into the first line in which its place is free. */
function placed(ids: readonly IssuedId[]) {
  const taken = new Map<string, number>();
  return ids.map((id, order) => {
    const place = `${id.time} ${id.number}`;
    const line = taken.get(place) ?? 0;
    taken.set(place, line + 1);
    return { id, line, order };
  });
}

interface StageProps {
  moment: Moment;
  /** The first second that is shown. It grows with the time once the story is over. */
  from: number;
  /** Returns the buttons of a computer. */
  buttons: (computer: number) => ComponentChildren;
}

/** Returns the first second that is shown after the story: with the present and the slowest clock. */
export function firstShown({ now, computers }: Moment) {
  const slowest = Math.min(...computers.map(({ clock }) => clock));
  return Math.max(now + 2 - COLUMNS, Math.min(now + 5 - COLUMNS, slowest - 1));
}

export function Stage({ moment, from, buttons }: StageProps) {
  const { computers, classic, leased } = moment;
  return (
    <section class="stage" aria-label="Both ways at work">
      <div class="scores">
        <Score name="Classic snowflake" way={classic} />
        <Score name="edgeflake" way={leased} />
      </div>
      {computers.map((computer, index) => (
        <section class="computer" key={index} aria-label={`Computer ${index + 1}`}>
          <div class="row">
            <Dial time={computer.clock} />
            <h3>Computer {index + 1}</h3>
            <span class="mono">{clockText(computer.clock)}</span>
            <span class="error small">{offText(computer.ahead)}</span>
            {buttons(index)}
          </div>
          {computer.failure !== "" && <p class="error small">No ids: {computer.failure}</p>}
          {[classic, leased].map(({ isClassic, ids }) => (
            <Lane key={isClassic} {...{ index, computer, ids, isClassic, from }} />
          ))}
        </section>
      ))}
    </section>
  );
}

function Score({ name, way }: { name: string; way: Way }) {
  const { ids, duplicates, longestWaitMs } = way;
  return (
    <section class="row score" aria-label={`Score of ${name}`}>
      <h3>{name}</h3>
      <dl>
        <div>
          <dt>ids</dt>
          <dd>{ids.length}</dd>
        </div>
        <div class={duplicates > 0 ? "wrong" : ""}>
          <dt>duplicates</dt>
          <dd>{duplicates}</dd>
        </div>
        <div>
          <dt>waited</dt>
          <dd>{waitText(longestWaitMs)}</dd>
        </div>
      </dl>
    </section>
  );
}

function offText(ahead: number) {
  if (ahead === 0) return "";
  return ahead > 0 ? `${ahead} s ahead` : `${-ahead} s behind`;
}
