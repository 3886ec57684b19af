// Many ids at once: their system and the time that they span, plots, a table, a file, and one of
// them taken apart.

import { computed, effect, signal } from "@preact/signals";
import { change } from "../history.ts";
import { isReading, layout, nameOfLayout, reading, shown, table, verdict } from "../session.ts";
import { state } from "../state.ts";
import { Button } from "../ui/button.tsx";
import { download } from "../ui/download.ts";
import { Fold } from "../ui/fold.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { count, duration, iso } from "../ui/words.ts";
import { Sureness } from "./answer.tsx";
import { CSV_COLUMNS, csvOf } from "./csv.ts";
import { AnswerCard, Folds } from "./decode.tsx";
import { KindCard } from "./kind.tsx";
import { lagSummary, lateFrom, rowsWithin, type Stretch } from "./lag.ts";
import { IdPlot, LagPlot, signed } from "./many-plots.tsx";
import { Paste } from "./paste.tsx";
import { type Pairs, type Statistics, statisticsOf } from "./statistics.ts";

/** The largest number of late lines that are named. */
const NAMED_MAX = 6;

const statistics = computed(() => statisticsOf(table.value.columns));

/** The ms from each id to the writing of its line, if lines have times of day. */
const lags = computed(() => {
  const { times, areDays } = reading.value;
  const { columns } = table.value;
  // Dates that the layout does not have would shift the rows.
  if (!times || areDays || columns.id.length !== times.length) return undefined;
  const found = columns.timestampMs.map((ms, row) => (times[row] ?? NaN) - ms);
  return lagSummary(found) ? found : undefined;
});

const stretch = signal<Stretch | undefined>(undefined);
const lateMs = signal(0);
const isLateOnly = signal(false);
const exported = signal("");

// Other ids begin with all of them.
effect(() => {
  stretch.value = undefined;
  isLateOnly.value = false;
  lateMs.value = lags.value ? lateFrom(lags.value) : 0;
});

const rows = computed(() => {
  const late = isLateOnly.value ? lateMs.value : undefined;
  return rowsWithin(table.value.columns.timestampMs, lags.value, stretch.value, late);
});

export function Many() {
  const ids = shown.value.count;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">When were these ids made?</h1>
        <p class="quiet">Paste a list, CSV, JSON, a dump of SQL or a log, or open a file.</p>
      </div>
      <Paste />
      {ids > 1 && <ManyIds />}
      {reading.value.kinds.length > 0 && <KindCard />}
      {ids < 2 && reading.value.kinds.length === 0 && !isReading.value && (
        <p id="no-many" class="card quiet">
          There are not two ids yet. This part compares many: when they were made, by which nodes,
          what repeats, and what is out of order.
        </p>
      )}
      {ids > 1 && <Rows />}
      {ids > 1 && <AnswerCard />}
      {ids > 1 && <More />}
    </div>
  );
}

/** The system and the time that the ids span. */
function ManyIds() {
  const { columns } = table.value;
  const { times, busiest, duplicates, backwards, nodeCount } = statistics.value;
  const { kind, fits, why } = verdict.value;
  const isChosen = state.value.layout !== "";
  const isTie = kind === "tie" && !isChosen;
  const [first, last] = [times[0], times.at(-1)];
  const misfits = columns.refused.length;
  return (
    <section id="many" class="card stack" aria-label="All ids">
      <div class="answer">
        <p class="of">
          <strong>
            <span id="many-title">
              {count(columns.id.length)} ids
              {misfits > 0 && `, of which ${count(misfits)} do not fit`}
            </span>
          </strong>{" "}
          <span>
            of {kind === "none" && !isChosen ? "no known system" : nameOfLayout()}
            {isTie && ", or of another below"}
          </span>
          <Sureness
            kind={isChosen ? "unasked" : kind}
            fit={fits[0]}
            why={why}
            isChosen={isChosen}
          />
        </p>
        {first !== undefined && last !== undefined && (
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
              <span id="many-length">{duration(last - first)}</span>{" "}
              <span class="quiet">from first to last, in UTC</span>
            </p>
          </>
        )}
      </div>
      <dl class="figures">
        <Figure id="many-nodes" name="Nodes" value={count(nodeCount)} />
        <Figure id="many-duplicates" name="Duplicates" value={count(duplicates.count)} />
        <Figure id="many-backwards" name="Out of order" value={count(backwards.count)} />
        <Figure id="many-most" name="Ids in the busiest tick" value={count(busiest.ids)} />
      </dl>
      <IdPlot
        times={times}
        tickMs={layout.value.tickMs}
        stretch={stretch.value}
        onNarrow={(to) => (stretch.value = to)}
      />
      {lags.value && <Lags of={lags.value} />}
    </section>
  );
}

/** Without the time if the ids span years. */
function dateOf(ms: number) {
  const { times } = statistics.value;
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 100 * 86_400_000;
  return isLong ? iso(ms).slice(0, 10) : iso(ms).slice(0, 19).replace("T", " ");
}

function Figure({ id, name, value }: { id: string; name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd id={id}>{value}</dd>
    </div>
  );
}

/** How long after its id each line was written, and the lines that were late. */
function Lags({ of }: { of: Float64Array }) {
  const { columns, rows: lines } = table.value;
  const summary = lagSummary(of);
  const late = rowsWithin(of, of, undefined, lateMs.value) ?? new Uint32Array();
  const latest = [...late].sort((a, b) => (of[b] ?? 0) - (of[a] ?? 0)).slice(0, NAMED_MAX);
  return (
    <div id="lag" class="stack tight">
      <h2>From id to line</h2>
      {summary && (
        <p id="lag-words" class="quiet">
          {count(summary.count)} lines have times of their own, written {signed(summary.least)} to{" "}
          {signed(summary.most)} after their ids, {signed(summary.median)} in the median. A time
          without a zone is read as UTC.
        </p>
      )}
      <LagPlot
        timestampMs={columns.timestampMs}
        lags={of}
        stretch={stretch.value}
        onNarrow={(to) => (stretch.value = to)}
      />
      <p class="row">
        <label for="late-ms">Late by more than</label>
        <input
          id="late-ms"
          type="number"
          min="0"
          value={lateMs.value}
          onInput={({ currentTarget }) => {
            lateMs.value = Math.max(0, Number(currentTarget.value) || 0);
          }}
        />
        ms:
        <strong id="late-count" aria-live="polite">
          {late.length === 1 ? "1 line" : `${count(late.length)} lines`}
        </strong>
        {(late.length > 0 || isLateOnly.value) && (
          <Button
            id="late-only"
            kind="plain"
            onClick={() => {
              isLateOnly.value = !isLateOnly.value;
            }}
          >
            {isLateOnly.value ? "Show all lines" : "Show only these"}
          </Button>
        )}
      </p>
      <ul id="late" class="lines">
        {latest.map((row) => (
          <li key={row}>
            <Line row={row} lines={lines} /> {duration(of[row] ?? 0)}
          </li>
        ))}
        {late.length > latest.length && (
          <li class="quiet">and {count(late.length - latest.length)} more</li>
        )}
      </ul>
    </div>
  );
}

function Line({ row, lines }: { row: number; lines: Uint32Array }) {
  return (
    <Button kind="plain" onClick={() => change({ row, id: "" })}>
      Line {count(lines[row] ?? 0)}
    </Button>
  );
}

/** The table, and the file of its rows. */
function Rows() {
  const { columns, rows: lines } = table.value;
  const all = count(columns.id.length);
  const narrowed = rows.value;
  const late = isLateOnly.value ? `more than ${duration(lateMs.value)} late` : "";
  const when = stretch.value
    ? `from ${iso(stretch.value.fromMs)} to ${iso(stretch.value.untilMs)}`
    : "";
  const title = narrowed ? `${count(narrowed.length)} of ${all} ids` : `All ${all} ids`;
  return (
    <div class="stack tight">
      <div class="row apart">
        <h2 id="table-title" aria-live="polite">
          {title}
        </h2>
        {narrowed && (
          <p class="row">
            <span id="rows-words" class="quiet small">
              {[when, late].filter(Boolean).join(", ")}
            </span>
            <Button
              id="all-rows"
              kind="plain"
              onClick={() => {
                stretch.value = undefined;
                isLateOnly.value = false;
              }}
            >
              Show all
            </Button>
          </p>
        )}
        <p class="row">
          <select
            id="export-columns"
            aria-label="Columns of the file"
            value={exported.value}
            onChange={({ currentTarget }) => (exported.value = currentTarget.value)}
          >
            <option value="">all columns</option>
            {CSV_COLUMNS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <Button
            id="export"
            icon="download"
            onClick={() => {
              const parts = csvOf({
                columns,
                lines,
                lags: lags.value,
                rows: narrowed,
                only: exported.value,
              });
              download("ids.csv", "text/csv", parts);
            }}
          >
            CSV
          </Button>
        </p>
      </div>
      <Table
        label={title}
        columns={columnsOfTable.value}
        count={columns.id.length}
        rows={narrowed}
        selected={shown.value.row}
      />
    </div>
  );
}

const columnsOfTable = computed((): Column[] => {
  const { columns, rows: lines } = table.value;
  const { id, timestampMs, node, sequence, tag } = columns;
  const of = lags.value;
  const isFit = (row: number) => !Number.isNaN(timestampMs[row]);
  const field = (key: string, title: string, values: Float64Array): Column => ({
    key,
    title,
    values,
    cell: (row) => (isFit(row) ? values[row] : ""),
  });
  const found: Column[] = [
    { key: "row", title: "Line", cell: (row) => lines[row] },
    {
      key: "id",
      title: "Id",
      values: id,
      cell: (row) => (
        <button
          type="button"
          class="button plain mono"
          aria-label={`take ${id[row]} apart`}
          onClick={() => change({ row, id: "" })}
        >
          {String(id[row])}
        </button>
      ),
    },
    {
      key: "date",
      title: "Date in UTC",
      values: timestampMs,
      cell: (row) =>
        isFit(row)
          ? iso(timestampMs[row] ?? NaN)
              .replace("T", " ")
              .replace("Z", "")
          : "no id of this layout",
    },
    field("node", "Node", node),
    field("sequence", "Sequence", sequence),
  ];
  if (tag.some((value) => value > 0)) found.push(field("tag", "Tag", tag));
  if (of) {
    found.push({
      key: "lag",
      title: "Logged after",
      values: of,
      cell: (row) => (Number.isNaN(of[row]) ? "" : signed(of[row] ?? 0)),
    });
  }
  return found;
});

/** What is asked for rarely. */
function More() {
  const { nodes, gaps, duplicates, backwards } = statistics.value;
  return (
    <div>
      <div class="folds open-end">
        <Fold id="details" title="Nodes, gaps, repeated ids" note={noteOf(statistics.value)}>
          {() => (
            <div class="halves">
              <Bars
                id="nodes"
                title="Ids per node"
                bars={nodes.map(({ node, ids }) => ({
                  name: `node ${node}`,
                  value: ids === 1 ? "1 id" : `${count(ids)} ids`,
                  size: ids,
                }))}
              />
              <Bars
                id="gaps"
                title="Longest gaps, and when they begin"
                bars={gaps.map(({ fromMs, untilMs }) => ({
                  name: iso(fromMs),
                  value: duration(untilMs - fromMs),
                  size: untilMs - fromMs,
                }))}
              />
              <PairList id="duplicates" title="Duplicates" pairs={duplicates} words="repeats" />
              <PairList
                id="backwards"
                title="Out of order"
                pairs={backwards}
                words="is smaller than"
              />
            </div>
          )}
        </Fold>
      </div>
      <Folds />
    </div>
  );
}

function noteOf({ nodeCount, duplicates, ticks }: Statistics) {
  const nodes = nodeCount === 1 ? "1 node" : `${count(nodeCount)} nodes`;
  return `${nodes}, ${count(ticks)} ticks, ${count(duplicates.count)} duplicates`;
}

interface BarsProps {
  id: string;
  title: string;
  bars: { name: string; value: string; size: number }[];
}

function Bars({ id, title, bars }: BarsProps) {
  const most = bars[0]?.size || 1;
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <ol id={id} class="bars">
        {bars.map(({ name, value, size }) => (
          <li key={name} class="bar-row" style={{ "--share": size / most }}>
            <span>{name}</span>
            <span>{value}</span>
          </li>
        ))}
      </ol>
    </div>
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
      <ul id={id} class="lines">
        {pairs.first.map(([row, before]) => (
          <li key={row}>
            <Line row={row} lines={lines} /> {words} line {count(lines[before] ?? 0)}
          </li>
        ))}
        {more > 0 && <li class="quiet">and {count(more)} more</li>}
      </ul>
    </div>
  );
}
