// The table of many ids, the file of its rows, and the lines that were written late.

import { computed, effect, signal } from "@preact/signals";
import { change } from "../history.ts";
import { CSV_COLUMNS, csvOf } from "../read/table.ts";
import { judgedReading, reading, shown, table } from "../session.ts";
import { Button, download } from "../ui/controls.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { count, counted, duration, iso } from "../ui/words.ts";
import { LagPlot, signed } from "./plots.tsx";
import { lagsOf, lateFrom, rowsWithin, type Stretch, statisticsOf } from "./statistics.ts";

export const statistics = computed(() => {
  const judged = judgedReading();
  if (judged?.table === table.value) return judged.statistics;
  // Dates have other ids in another layout.
  return statisticsOf(table.value.columns, reading.value.dates ? undefined : judged?.statistics);
});
const measured = computed(() => {
  const judged = judgedReading();
  return judged?.table === table.value ? judged.lags : lagsOf(reading.value, table.value);
});
/** The ms from each id to the writing of its line, if lines have times of day. */
export const lags = computed(() => measured.value?.lags);

export const stretch = signal<Stretch | undefined>(undefined);
export const lateMs = signal(0);
export const isLateOnly = signal(false);

// Other ids begin with all of them.
effect(() => {
  stretch.value = undefined;
  isLateOnly.value = false;
  lateMs.value = measured.value ? lateFrom(measured.value.summary.median) : 0;
});

export const rows = computed(() => {
  const late = isLateOnly.value ? lateMs.value : undefined;
  return rowsWithin(table.value.columns.timestampMs, lags.value, stretch.value, late);
});

/** The largest number of late lines that are named. */
const NAMED_MAX = 6;
/** The column of the file; empty for all of them. */
const exported = signal("");

/** How long after its id each line was written, and the lines that were late. */
export function Lags() {
  if (!measured.value) return null;
  const { lags: of, summary } = measured.value;
  const { columns, rows: lines } = table.value;
  const late = rowsWithin(of, of, undefined, lateMs.value) ?? new Uint32Array();
  const latest = largest(late, of);
  return (
    <div id="lag" class="stack tight">
      <h2>From id to line</h2>
      <p id="lag-words" class="quiet">
        {count(summary.count)} lines have times of their own, written {signed(summary.least)} to{" "}
        {signed(summary.most)} after their ids, {signed(summary.median)} in the median. A time
        without a zone is read as UTC.
      </p>
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
          {counted(late.length, "line")}
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
      <ul id="late" class="row lines">
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

/** Returns the rows with the largest lags. Sorting all of 200,000 would take long. */
function largest(rows: Uint32Array, lags: Float64Array) {
  const found: number[] = [];
  const lag = (row: number | undefined) => lags[row ?? -1] ?? -Infinity;
  for (const row of rows) {
    if (found.length === NAMED_MAX && lag(row) <= lag(found.at(-1))) continue;
    const at = found.findIndex((one) => lag(one) < lag(row));
    found.splice(at < 0 ? found.length : at, 0, row);
    found.length = Math.min(found.length, NAMED_MAX);
  }
  return found;
}

/** A button that shows the id of a line. */
export function Line({ row, lines }: { row: number; lines: Uint32Array }) {
  return (
    <Button kind="plain" onClick={() => change({ row, id: "" })}>
      Line {count(lines[row] ?? 0)}
    </Button>
  );
}

/** The table, and the file of its rows. */
export function Rows() {
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
