// Shows many ids at once: their system and time range, plots, a table, a file, and one id decoded.

import { EXAMPLE, EXAMPLE_LOG } from "../examples.ts";
import {
  hasSeveral,
  isReading,
  layout,
  mixed,
  nameOfLayout,
  open,
  reading,
  shown,
  table,
  verdict,
} from "../session.ts";
import { change, state } from "../state.ts";
import { Button, type Figure, Figures, Fold } from "../ui/controls.tsx";
import { count, duration, iso } from "../ui/words.ts";
import { dateText, Sureness } from "./answer.tsx";
import { AnswerCard, Folds } from "./decode.tsx";
import { KindCard } from "./kind.tsx";
import { lags, Rows, signed, statistics, stretch } from "./many-table.tsx";
import { Paste } from "./paste.tsx";
import { Plot } from "./plot.tsx";
import type { Pairs } from "./statistics.ts";

export function Many() {
  const ids = shown.value.count;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">When were these ids made?</h1>
        <p class="quiet">
          Paste a list, CSV, JSON, a dump of SQL or a log, or open a file.
          {state.value.text === EXAMPLE && " Here is an example: the log of a chat."}
        </p>
      </div>
      <Paste />
      {ids > 1 && <ManyIds />}
      <KindCard />
      {ids < 2 && reading.value.kinds.length === 0 && !isReading.value && (
        <p id="no-many" class="row">
          <span class="quiet">
            Paste two ids or more to see when they were made, by how many nodes, what repeats, and
            what is out of order.
          </span>
          <Button onClick={() => open(EXAMPLE_LOG)}>Try it with a log</Button>
        </p>
      )}
      {ids > 1 && (
        <>
          <Rows />
          <AnswerCard />
          <Folds>
            <Irregular />
          </Folds>
        </>
      )}
    </div>
  );
}

/** Shows the system of the ids and their time range. */
function ManyIds() {
  const { columns } = table.value;
  const { times } = statistics.value;
  const { kind } = verdict.value;
  const isChosen = state.value.layout !== "";
  const isTie = kind === "tie" && !isChosen && !mixed.value;
  const isNone = kind === "none" && !isChosen;
  const [first, last] = [times[0], times[times.length - 1]];
  const spanMs = last - first;
  // Dates have no time of day if the ids span years, and have ms if they span seconds.
  const length = spanMs > 100 * 86_400_000 ? 10 : spanMs > 10_000 ? 19 : 23;
  const dateOf = (ms: number) => dateText(ms).slice(0, length);
  const misfits = columns.refused.length;
  return (
    <section id="many" class="card stack" aria-label="All ids">
      <div class="stack tight">
        <p class="of">
          <strong>
            <span id="many-title">
              {count(columns.id.length)} ids
              {misfits > 0 && `, and ${count(misfits)} do not fit`}
            </span>
          </strong>{" "}
          <span>
            of {mixed.value ? "several systems" : isNone ? "no known system" : nameOfLayout()}
            {isTie && ", or of another below"}
          </span>
          {(isChosen || !hasSeveral.value) && <Sureness />}
        </p>
        {times.length > 0 && (
          <>
            <p class="when span">
              <time id="many-first" dateTime={iso(first)}>
                {dateOf(first)}
              </time>{" "}
              <span class="quiet">to</span>{" "}
              <time id="many-last" dateTime={iso(last)}>
                {dateOf(last)}
              </time>
            </p>
            <p>
              <span id="many-length">{duration(spanMs)}</span>{" "}
              <span class="quiet">from first to last, in UTC</span>
            </p>
          </>
        )}
      </div>
      <Figures of={figuresNow()} />
      <Plot
        times={times}
        tickMs={layout.value.tickMs}
        stretch={stretch.value}
        onNarrow={(to) => (stretch.value = to)}
      />
    </section>
  );
}

/** If the ids come from several systems, leaves out what can only be counted within one system. */
function figuresNow(): Figure[] {
  const { duplicates, backwards, nodeCount } = statistics.value;
  const figures: Figure[] = [["many-duplicates", "Duplicates", count(duplicates.count)]];
  if (!mixed.value) {
    figures.unshift(["many-nodes", "Nodes", count(nodeCount)]);
    figures.push(["many-backwards", "Out of order", count(backwards.count)]);
  }
  if (lags.value) {
    const { least, median, most } = lags.value;
    const half = `half of the lines came within about ${signed(median)} of their id`;
    figures.push(["many-delay", "Log delay", `${signed(least)} to ${signed(most)}`, half]);
  }
  return figures;
}

/** Shows the lines whose ids are repeated or out of order. */
function Irregular() {
  const { duplicates, backwards } = statistics.value;
  if (duplicates.count + backwards.count === 0) return null;
  return (
    <Fold id="irregular" title="Duplicates, and ids out of order">
      {() => (
        <div class="halves">
          <PairList id="duplicates" title="Duplicates" pairs={duplicates} words="repeats" />
          <PairList id="backwards" title="Out of order" pairs={backwards} words="is smaller than" />
        </div>
      )}
    </Fold>
  );
}

function PairList(props: { id: string; title: string; pairs: Pairs; words: string }) {
  const { id, title, pairs, words } = props;
  const { rows: lines } = table.value;
  if (pairs.count === 0) return null;
  const more = pairs.count - pairs.first.length;
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <ul id={id} class="row">
        {pairs.first.map(([row, before]) => (
          <li key={row}>
            <Button kind="plain" onClick={() => change({ row, id: "" })}>
              Line {count(lines[row] ?? 0)}
            </Button>{" "}
            {words} line {count(lines[before] ?? 0)}
          </li>
        ))}
        {more > 0 && <li class="quiet">and {count(more)} more</li>}
      </ul>
    </div>
  );
}
