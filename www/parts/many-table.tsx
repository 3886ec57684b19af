// The table of many ids, and its download as a file.

import { computed, effect, signal } from "@preact/signals";
import { Layout } from "edgeflake";
import { pastedColumns } from "../read/read.ts";
import { csvOf } from "../read/table.ts";
import { judgedReading, layout, mixed, reading, shown, table, text } from "../session.ts";
import { change } from "../state.ts";
import { Button, download } from "../ui/controls.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { count, duration, iso } from "../ui/words.ts";
import { systemOf } from "../verdict.ts";
import { dateText } from "./answer.tsx";
import { lagsOf, rowsWithin, type Stretch, statisticsOf } from "./statistics.ts";

export const statistics = computed(() => {
  const judged = judgedReading();
  if (judged?.table === table.value) return judged.statistics;
  // If rows are dates, their ids depend on the layout, so the worker's statistics are not reused.
  const found = statisticsOf(
    table.value.columns,
    reading.value.dates ? undefined : judged?.statistics,
  );
  // Ids of different systems have no order.
  return mixed.value ? { ...found, backwards: { count: 0, first: [] } } : found;
});
export const lags = computed(() => {
  const judged = judgedReading();
  return judged?.table === table.value ? judged.lags : lagsOf(reading.value, table.value);
});

/** The range of time to which the visitor has narrowed the plot. */
export const stretch = signal<Stretch | undefined>(undefined);

// When other ids are read, the plot and the table show all of them again.
effect(() => {
  reading.value;
  stretch.value = undefined;
});

const narrowed = computed(
  () => stretch.value && rowsWithin(table.value.columns.timestampMs, stretch.value),
);

/** The table, and the file of its rows. */
export function Rows() {
  const { columns, rows: lines } = table.value;
  const all = count(columns.id.length);
  const rows = narrowed.value;
  const title = rows ? `${count(rows.length)} of ${all} ids` : `All ${all} ids`;
  const save = () => {
    const systems = mixed.value?.map(systemOf);
    const pasted = pastedColumns(text.value);
    const csv = csvOf({ columns, lines, lags: lags.value?.lags, rows, systems, pasted });
    download("ids.csv", "text/csv", csv);
  };
  return (
    <div class="stack tight">
      <div class="row apart">
        <h2 id="table-title" aria-live="polite">
          {title}
        </h2>
        {stretch.value && (
          <p class="row">
            <span id="rows-words" class="quiet small">
              from {iso(stretch.value.fromMs)} to {iso(stretch.value.untilMs)}
            </span>
            <Button id="all-rows" kind="plain" onClick={() => (stretch.value = undefined)}>
              Show all
            </Button>
          </p>
        )}
        <Button id="export" icon="download" onClick={save}>
          CSV
        </Button>
      </div>
      <Table
        label={title}
        columns={columnsOfTable.value}
        count={columns.id.length}
        rows={rows}
        selected={shown.value.row}
      />
    </div>
  );
}

const columnsOfTable = computed((): Column[] => {
  const { columns, rows: lines } = table.value;
  const { id, timestampMs, node, sequence, tag } = columns;
  const plain = (value: number) => String(value);
  const numbers = (key: string, title: string, values: Float64Array, text = plain): Column => ({
    key,
    title,
    values,
    cell: (row) => (Number.isNaN(values[row]) ? "" : text(values[row])),
  });
  const all = mixed.value;
  const layoutAt = (row: number) => (all ? Layout.preset(all[row].layout) : layout.value);
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
      title: "UTC date",
      values: timestampMs,
      cell: (row) => {
        if (Number.isNaN(timestampMs[row])) return all ? "" : "no id of this layout";
        const date = dateText(timestampMs[row]);
        const { warnings } = layoutAt(row).decode(id[row]);
        return warnings.some(({ code }) => code === "future") ? `${date}, in the future` : date;
      },
    },
    numbers("node", "Node", node),
    numbers("sequence", "Sequence", sequence),
  ];
  const systems = all?.map(systemOf);
  if (systems) found.splice(2, 0, { key: "system", title: "System", cell: (row) => systems[row] });
  if (tag.some((value) => value > 0)) found.push(numbers("tag", "Tag", tag));
  if (lags.value) found.push(numbers("lag", "Delay", lags.value.lags, signed));
  return found;
});

/** Formats a duration, which may be negative. */
export function signed(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}
