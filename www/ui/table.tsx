// A table for any number of rows. Only the visible rows are in the page.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useSize } from "./controls.tsx";

/** The height of a row in px, as in the style sheet. On a phone, a row has two lines. */
const rowPx = () => (matchMedia("(max-width: 39.99rem)").matches ? 60 : 36);
/** The number of rows that are rendered above and below the visible ones. */
const SPARE = 8;

export interface Column {
  key: string;
  title: string;
  cell: (row: number) => ComponentChildren;
  /** The values by which the rows are sorted; without them, the rows keep their order. */
  values?: ArrayLike<number | bigint>;
}

interface TableProps {
  label: string;
  columns: Column[];
  count: number;
  /** The rows that are shown; without it, all rows. */
  rows: Uint32Array | undefined;
  selected: number;
}

export function Table({ label, columns, count, rows, selected }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useSignal({ top: 0, height: 400 });
  const sorting = useSignal({ by: columns[0]?.key ?? "", isDown: false });
  const { by, isDown } = sorting.value;
  const values = columns.find(({ key }) => key === by)?.values;
  const order = useMemo(
    () => ordered(rows ?? upTo(count), values, isDown),
    [rows, values, isDown, count],
  );
  const look = ({ scrollTop: top, clientHeight: height }: Element) =>
    (seen.value = { top, height });
  useSize(scroller, look);
  const px = rowPx();
  const from = Math.max(0, Math.floor(seen.value.top / px) - SPARE);
  const until = Math.min(order.length, from + Math.ceil(seen.value.height / px) + 2 * SPARE);
  return (
    <section
      class="table"
      id="table"
      ref={scroller}
      aria-label={label}
      onScroll={({ currentTarget }) => look(currentTarget)}
    >
      <table aria-label={label} aria-rowcount={order.length + 1}>
        <thead>
          <tr>
            {columns.map(({ key, title }) => (
              <th
                key={key}
                class={`${key}-cell`}
                style={{ gridArea: key }}
                scope="col"
                aria-sort={key !== by ? "none" : isDown ? "descending" : "ascending"}
              >
                <button
                  type="button"
                  class="button plain"
                  value={key}
                  onClick={() => {
                    sorting.value = { by: key, isDown: by === key && !isDown };
                    scroller.current?.scrollTo({ top: 0 });
                  }}
                >
                  {title}
                  {key === by && <span aria-hidden="true">{isDown ? "↓" : "↑"}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody id="table-rows">
          <Spacer px={from * px} />
          {[...order.subarray(from, until)].map((row, i) => (
            <tr key={row} class={row === selected ? "selected" : ""} aria-rowindex={from + i + 2}>
              {columns.map(({ key, cell }) => (
                <td key={key} class={`${key}-cell`} style={{ gridArea: key }}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer px={(order.length - until) * px} />
        </tbody>
      </table>
    </section>
  );
}

/** An empty row in place of rows that are not rendered. It is as high as they would be. */
function Spacer({ px }: { px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus.
    <tr class="spacer" aria-hidden="true" style={{ height: `${px}px` }} />
  );
}

function upTo(count: number) {
  const rows = new Uint32Array(count);
  // `Uint32Array.from` takes ten times as long.
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** Returns the rows in the order in which they are shown. Rows without a value come last. */
function ordered(rows: Uint32Array, values: Column["values"], isDown: boolean) {
  const order = rows.slice();
  if (values) {
    order.sort((a, b) => {
      const [one, other] = [values[a] ?? NaN, values[b] ?? NaN];
      if (one < other) return -1;
      if (one > other) return 1;
      const isMissing = (value: number | bigint) => Number(Number.isNaN(value));
      return isMissing(one) - isMissing(other) || a - b;
    });
  }
  return isDown ? order.reverse() : order;
}
