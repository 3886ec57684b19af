// The stage: both ways side by side, their scores, and the computers with their clocks.

import type { ComponentChildren } from "preact";
import { Dial } from "./dial.tsx";
import { COLUMNS, Lane } from "./lane.tsx";
import { clockText, type Moment, type Way, waitText } from "./world.ts";

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
    <section class="score" aria-label={`Score of ${name}`}>
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
