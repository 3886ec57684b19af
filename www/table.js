// A table of any number of rows, of which only the visible ones are in the page.

import { element, make } from "./dom.js";
import { duration, iso } from "./time.js";

/** @import { DecodedColumns } from "edgeflake" */

/** The height of a row in px, as in the style. */
const ROW_HEIGHT = 34;
/** The number of rows above and below the visible ones. */
const SPARE = 8;

const scroller = element("table", HTMLElement);
const body = element("table-rows", HTMLElement);

/** @type {DecodedColumns} */
let columns;
/** @type {number[]} line of each row in the paste */
let lines = [];
/** @type {Float64Array | undefined} ms from each id to the writing of its line */
let lags;
/** @type {Uint32Array | undefined} shown rows; all of them without it */
let wanted;
/** The rows in their order on the page. */
let order = new Uint32Array();
/** @type {{ by: string, down: boolean }} */
let sorting = { by: "row", down: false };
let selected = 0;
let drawn = "";

/** @param {(row: number) => void} select */
export function setUpTable(select) {
  scroller.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(scroller);
  body.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) select(Number(button.value));
  });
  for (const button of scroller.querySelectorAll("thead button")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.addEventListener("click", () => {
      const by = button.value;
      sorting = { by, down: sorting.by === by && !sorting.down };
      sort();
      scroller.scrollTop = 0;
      draw();
    });
  }
}

/**
 * @param {DecodedColumns} decoded
 * @param {number[]} lineOfRow
 * @param {Float64Array | undefined} lagOfRow
 * @param {Uint32Array | undefined} rows shown rows; all of them without it
 * @param {number} row
 */
export function showTable(decoded, lineOfRow, lagOfRow, rows, row) {
  selected = row;
  if (decoded !== columns || rows !== wanted) {
    columns = decoded;
    wanted = rows;
    lines = lineOfRow;
    lags = lagOfRow;
    sort();
    scroller.setAttribute("data-lags", String(lags !== undefined));
    scroller.setAttribute("data-tags", String(decoded.tag.some((tag) => tag > 0)));
  }
  drawn = "";
  draw();
}

function sort() {
  const { id, timestampMs, node, sequence, tag } = columns;
  const keys = { row: undefined, id, date: timestampMs, node, sequence, tag, lag: lags }[
    sorting.by
  ];
  order = wanted ? wanted.slice() : Uint32Array.from(id, (_, i) => i);
  if (keys) {
    // Ids that the layout refuses stand last.
    order.sort((a, b) => {
      if (keys[a] < keys[b]) return -1;
      if (keys[a] > keys[b]) return 1;
      return Number(Number.isNaN(keys[a])) - Number(Number.isNaN(keys[b])) || a - b;
    });
  }
  if (sorting.down) order.reverse();
  drawn = "";
  for (const header of scroller.querySelectorAll("thead th")) {
    const by = header.querySelector("button")?.value;
    header.ariaSort = by !== sorting.by ? "none" : sorting.down ? "descending" : "ascending";
  }
}

function draw() {
  if (!columns || scroller.clientHeight === 0) return;
  const count = order.length;
  const from = Math.max(0, Math.floor(scroller.scrollTop / ROW_HEIGHT) - SPARE);
  const visible = Math.ceil(scroller.clientHeight / ROW_HEIGHT) + 2 * SPARE;
  const until = Math.min(count, from + visible);
  if (drawn === `${from}-${until}`) return;
  drawn = `${from}-${until}`;
  const focused =
    document.activeElement instanceof HTMLButtonElement && body.contains(document.activeElement)
      ? document.activeElement.value
      : undefined;
  const rows = [spacer(from)];
  for (let i = from; i < until; i++) rows.push(row(order[i], i));
  rows.push(spacer(count - until));
  body.replaceChildren(...rows);
  element("ids-table", HTMLTableElement).ariaRowCount = String(count + 1);
  if (focused !== undefined) {
    const again = body.querySelector(`button[value="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/** @param {number} rows */
function spacer(rows) {
  const line = make("tr", "spacer");
  line.ariaHidden = "true";
  line.style.height = `${rows * ROW_HEIGHT}px`;
  return line;
}

/**
 * @param {number} at index of the id
 * @param {number} place index of the row on the page
 */
function row(at, place) {
  const line = make("tr", at === selected ? "selected" : "");
  line.ariaRowIndex = String(place + 2);
  const { id, timestampMs, node, sequence, tag } = columns;
  const button = make("button", "link", id[at]);
  button.type = "button";
  button.value = String(at);
  button.ariaLabel = `take ${id[at]} apart`;
  if (at === selected) button.ariaCurrent = "true";
  const cell = make("td", "");
  cell.append(button);
  const fits = !Number.isNaN(timestampMs[at]);
  line.append(
    make("td", "", lines[at]),
    cell,
    make("td", "", fits ? iso(timestampMs[at]) : "no id of this layout"),
    make("td", "", fits ? node[at] : ""),
    make("td", "", fits ? sequence[at] : ""),
    make("td", "tag-cell", fits ? tag[at] : ""),
    make("td", "lag-cell", lagText(at)),
  );
  return line;
}

/** @param {number} at index of the id */
function lagText(at) {
  const lag = lags?.[at] ?? NaN;
  if (Number.isNaN(lag)) return "";
  return lag < 0 ? `−${duration(-lag)}` : duration(lag);
}
