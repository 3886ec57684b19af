// The lens: one id or two with their bits aligned, a clock, or the costs.

import { Dial } from "./dial.tsx";
import {
  clockText,
  type IssuedId,
  labelOf,
  letter,
  type Moment,
  WIDTHS,
  waitText,
} from "./world.ts";

export type Focus =
  | { rows: [name: string, id: IssuedId | undefined][]; verdict?: string; isWrong?: boolean }
  | { dial: number; before: number }
  | { isCost: true };

export function Lens({ focus, moment }: { focus: Focus; moment: Moment }) {
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
  if ("isCost" in focus) {
    return (
      <dl class="card lens costs">
        <div class="wrong">
          <dt>Classic snowflake costs</dt>
          <dd>
            <b>{moment.classic.duplicates}</b> ids that two posts share for ever
          </dd>
        </div>
        <div>
          <dt>edgeflake costs</dt>
          <dd>
            <b>{waitText(moment.leased.longestWaitMs)}</b> of waiting, at most
          </dd>
        </div>
      </dl>
    );
  }
  const { rows, verdict, isWrong } = focus;
  const [first, second] = rows.map(([, id]) => bitsOf(id));
  return (
    <figure class={`card lens ${isWrong ? "wrong" : ""}`}>
      {rows.map(([name, id]) => id && <Bits key={name} {...{ name, id, first, second }} />)}
      {verdict && <figcaption>{verdict}</figcaption>}
    </figure>
  );
}

interface BitsProps {
  name: string;
  id: IssuedId;
  /** The bits of both ids, of which those that differ are marked. */
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
