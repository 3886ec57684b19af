// The stage: both ways of issuing ids side by side, their scores, and the computers with their
// clocks. A lane shows the ids of one computer, with a column per second and a row per number. If
// the place of an id is already taken, the id is shown below.

import { type ComponentChildren, Fragment } from "preact";
import { counted } from "../ui/words.ts";
import {
  AHEAD_MAX_S,
  type Computer,
  clockText,
  type IssuedId,
  labelOf,
  letter,
  type Moment,
  OFF_MAX_S,
  secondText,
  stretchText,
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
  <path class={name} stroke-width="1.6" d="M0 0v-9" style={{ rotate: `${time * 6}deg` }} />
);

/** The first second of the first leases. */
const FIRST_SECOND = 8;
/** The numbers of seconds that a lane shows: in all, and from now on. A phone has room for few. */
const secondsShown = () =>
  matchMedia("(max-width: 55.99rem)").matches ? ([12, 3] as const) : ([19, 6] as const);
/** The first second and every fifth one have a label. */
const LABELLED = 5;

interface LaneProps {
  index: number;
  computer: Computer;
  way: Way;
  now: number;
  hasPen: boolean;
}

function Lane({ index, computer, way: { name, isClassic, ids }, now, hasPen }: LaneProps) {
  const [seconds, ahead] = secondsShown();
  const present = Math.max(FIRST_SECOND, now + ahead - seconds);
  // If a clock is far behind, its classic ids are, too, so the lane begins earlier.
  const from = isClassic ? Math.min(present, computer.clock - 1) : present;
  const own = ids.filter((one) => one.computer === index);
  const boxes = placed(own.filter(({ time }) => time >= from && time < from + seconds));
  const lines = Math.max(1, ...boxes.map(({ line }) => line + 1));
  // Their first ids are in another lane, or no longer shown, so no bracket joins them.
  const copies = boxes.filter(({ id, line }) => line === 0 && id.before > 0).length;
  const lease = isClassic ? undefined : computer.lease;
  const pen = lease && own.findLast(({ node, time }) => node === lease.node && time >= lease.from);
  const penTime = pen?.time ?? lease?.from ?? from;
  const column = (time: number) => Math.min(Math.max(time - from, -1), seconds) + 2;
  const columns = (first: number, until: number) => `${column(first)} / ${column(until)}`;
  const clockColumn = Math.min(Math.max(computer.clock - from, 0), seconds - 1);
  const beyond = Math.sign(computer.clock - from - clockColumn);
  const limit = computer.clock + AHEAD_MAX_S - from;
  const read = boxes.map(({ id }) => `${labelOf(id)}${id.before > 0 ? " again" : ""}`);
  return (
    <div class={`lane ${lease && hasPen ? "penned" : ""}`}>
      <p>
        <b>{name}</b> {held(computer, isClassic)}
        {copies > 0 && `; ${counted(copies, "duplicate")}`}
      </p>
      <div
        class="places"
        style={{ "--seconds": seconds }}
        role="img"
        aria-label={`${name}, ids of computer ${index + 1}: ${read.join(", ") || "none"}`}
      >
        {lease && (
          <span
            class={`stretch ${lease.until > from + seconds ? "" : "ends"}`}
            style={{ gridColumn: columns(lease.from, lease.until) }}
          />
        )}
        {lease && hasPen && (
          <span class="spent" style={{ gridColumn: columns(lease.from, penTime + 1) }} />
        )}
        {Array.from({ length: seconds }, (_, i) => (
          <span key={from + i} class="second" style={{ gridColumn: i + 2 }}>
            {(i === 0 || (from + i) % LABELLED === 0) && secondText(from + i)}
          </span>
        ))}
        {boxes.map(({ id, line }, i) => (
          <Fragment key={i}>
            {line > 0 && id.before > 0 && (
              <span
                class={`join ${id.number % 2 === 0 ? "" : "right"}`}
                style={{
                  gridColumn: column(id.time),
                  gridRow: `${rowOf(id, 0)} / ${rowOf(id, line) + 1}`,
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
        <span
          class="mark"
          style={{
            translate: `${clockColumn * 100}%`,
            justifyContent: ["start", "center", "end"][beyond + 1],
          }}
        >
          <b>{["‹ clock", "clock", "clock ›"][beyond + 1]}</b>
        </span>
        {lease && hasPen && penTime - from <= limit && limit >= 0 && limit < seconds && (
          <span class="mark limit" style={{ translate: `${limit * 100}%` }}>
            <b>+{AHEAD_MAX_S} s</b>
          </span>
        )}
        {lease && hasPen && penTime >= from && penTime < from + seconds && (
          <span
            class="mark pen"
            style={{ translate: `${(penTime - from) * 100}%`, gridRow: 2 + 2 * lines }}
          >
            <b>pen</b>
          </span>
        )}
      </div>
    </div>
  );
}

/** Says which node, shown as a letter, a computer may use, and for which stretch. */
function held({ lease, classicNode, waiting }: Computer, isClassic: boolean) {
  if (isClassic) return `letter ${letter(classicNode)}, by its settings`;
  const held = lease
    ? `letter ${letter(lease.node)}, leased for ${stretchText(lease)}`
    : "no lease yet";
  return waiting > 0 ? `${held}; ${waiting} waiting` : held;
}

/** Returns the grid row of an id in a line. A line has two rows; the clock's mark is above them. */
const rowOf = ({ number }: IssuedId, line: number) => 2 + 2 * line + number;

/** Puts each id into the first line in which its place is free. */
function placed(ids: readonly IssuedId[]) {
  const taken = new Map<string, number>();
  return ids.map((id) => {
    const place = `${id.time} ${id.number}`;
    const line = taken.get(place) ?? 0;
    taken.set(place, line + 1);
    return { id, line };
  });
}

interface StageProps {
  moment: Moment;
  /** Whether the lanes show the pens, and the limit up to which these may write. */
  hasPen: boolean;
  /** Returns the buttons of a computer. */
  buttons?: (computer: number) => ComponentChildren;
}

export function Stage({ moment, hasPen, buttons }: StageProps) {
  const { computers, classic, leased, now } = moment;
  const ways = [classic, leased];
  return (
    <section class="stage" aria-label="Both ways at work">
      <div class="scores">
        {ways.map((way) => (
          <Score key={way.name} way={way} />
        ))}
      </div>
      {computers.map((computer, index) => (
        <section class="computer" key={index} aria-label={`Computer ${index + 1}`}>
          <div class="row">
            <Dial time={computer.clock} />
            <h3>Computer {index + 1}</h3>
            <span class="mono">{clockText(computer.clock)}</span>
            <span class="error small">
              {computer.ahead > 0 && `${computer.ahead} s ahead`}
              {computer.ahead < 0 && `${-computer.ahead} s behind`}
            </span>
            {buttons?.(index)}
          </div>
          <p class="error small">{reasonOf(computer)}</p>
          {ways.map((way) => (
            <Lane key={way.name} {...{ index, computer, way, now, hasPen }} />
          ))}
        </section>
      ))}
    </section>
  );
}

/** Says why a computer gets no ids; empty if it gets some. */
function reasonOf({ failure, waiting, ahead }: Computer) {
  if (failure === "" && waiting === 0) return "";
  if (Math.abs(ahead) <= OFF_MAX_S) return failure && `No ids: ${failure}`;
  return `No other stretch: the authority lends none to a clock that is more than ${OFF_MAX_S} s off.`;
}

function Score({ way: { name, ids, duplicates, longestWaitMs } }: { way: Way }) {
  const figures: [name: string, value: number | string, isWrong?: boolean][] = [
    ["ids", ids.length],
    ["duplicates", duplicates, duplicates > 0],
    ["wait", waitText(longestWaitMs)],
  ];
  return (
    <section class="row score" aria-label={`Score of ${name}`}>
      <h3>{name}</h3>
      <dl>
        {figures.map(([name, value, isWrong]) => (
          <div key={name} class={isWrong ? "wrong" : ""}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
