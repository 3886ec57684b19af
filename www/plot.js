// The plot of the number of ids over time. A drag narrows it to a span of time, and a double click
// shows all of it again.

import uPlot from "uplot";
import { element } from "./dom.js";
import { tip } from "./plot-tip.js";
import { count, iso } from "./time.js";

/** @import { Range } from "./rows-shown.js" */

const place = element("plot", HTMLElement);
const HEIGHT_PX = 180;
/** The width of a bar, in px. */
const BAR_PX = 4;

/** The steps of the axis of ids, which are whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

/** @type {uPlot | undefined} */
let plot;
/** @type {Float64Array} ascending, in Unix ms */
let times = new Float64Array();
let tickMs = 1;
/** @type {Range | undefined} the part that is shown */
let shownRange;
/** @type {(range: Range | undefined) => void} */
let narrow;

const scheme = matchMedia("(prefers-color-scheme: dark)");
scheme.addEventListener("change", () => {
  plot?.destroy();
  plot = undefined;
  draw();
});
new ResizeObserver(() => {
  if (place.clientWidth === 0 || plot?.width === place.clientWidth) return;
  plot?.setSize({ width: place.clientWidth, height: HEIGHT_PX });
  draw();
}).observe(place);

/** @param {(range: Range | undefined) => void} onNarrow */
export function setUpPlot(onNarrow) {
  narrow = onNarrow;
}

/**
 * @param {Float64Array} ascending
 * @param {number} tick length of a tick in ms; no bar is narrower
 * @param {Range | undefined} range
 */
export function showPlot(ascending, tick, range) {
  if (ascending === times && range === shownRange) return;
  times = ascending;
  tickMs = tick;
  shownRange = range;
  draw();
}

function draw() {
  if (times.length === 0 || place.clientWidth === 0) return;
  const { fromMs: first, untilMs: last } = shownRange ?? {
    fromMs: times[0],
    untilMs: times[times.length - 1],
  };
  const data = bins(first, last);
  place.ariaLabel =
    `ids over time, from ${iso(first)} to ${iso(last)}, ` +
    `at most ${count(data[1].reduce((a, b) => Math.max(a, b), 0))} in one bar`;
  plot ??= new uPlot(options(), data, place);
  plot.setData(data);
}

/**
 * Returns the number of ids of each bar between two moments.
 *
 * @param {number} fromMs
 * @param {number} untilMs
 * @returns {[number[], number[]]} the moments in s, as uPlot wants them
 */
function bins(fromMs, untilMs) {
  const most = Math.max(20, Math.floor(place.clientWidth / BAR_PX));
  const width = Math.max(tickMs, Math.ceil((untilMs - fromMs + 1) / most / tickMs) * tickMs);
  const begin = fromMs - width;
  const length = Math.floor((untilMs - begin) / width) + 2;
  const moments = Array.from({ length }, (_, i) => (begin + i * width) / 1000);
  const ids = new Array(length).fill(0);
  for (let i = lowerBound(begin); i < times.length && times[i] <= untilMs + width; i++) {
    const bin = Math.floor((times[i] - begin) / width);
    if (bin < length) ids[bin] += 1;
  }
  return [moments, ids];
}

/** @param {number} ms */
function lowerBound(ms) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (times[middle] < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @param {HTMLElement} of the plot
 * @param {string} name
 */
export function colour(of, name) {
  return getComputedStyle(of).getPropertyValue(name);
}

/**
 * Returns the axis of time, and an axis with the properties that all other axes share.
 *
 * @param {HTMLElement} of the plot
 * @returns {[uPlot.Axis, uPlot.Axis]}
 */
export function axesOf(of) {
  const axis = {
    stroke: colour(of, "--plot-text"),
    grid: { stroke: colour(of, "--plot-line"), width: 1 },
    ticks: { stroke: colour(of, "--plot-line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  return [{ ...axis, space: 84, values: (_, splits, __, ___, step) => labels(splits, step) }, axis];
}

/** @returns {uPlot.Options} */
function options() {
  const [time, axis] = axesOf(place);
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    axes: [
      time,
      { ...axis, size: 56, incrs: WHOLE, values: (_, splits) => splits.map((ids) => count(ids)) },
    ],
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    series: [
      {},
      {
        stroke: colour(place, "--plot-bar"),
        fill: colour(place, "--plot-fill"),
        width: 1,
        paths: uPlot.paths.stepped?.({ align: 1 }),
        points: { show: false },
      },
    ],
    hooks: narrowing((range) => narrow(range)),
    plugins: [
      tip((index) => {
        const [moments, ids] = plot?.data ?? [];
        const some = ids?.[index] ?? 0;
        return `${iso((moments?.[index] ?? 0) * 1000)}: ${some === 1 ? "1 id" : `${count(some)} ids`}`;
      }),
    ],
  };
}

/**
 * Returns the labels of the moments of the axis: a time, and a date wherever the date changes.
 *
 * @param {number[]} moments in s
 * @param {number} step s between two moments
 */
function labels(moments, step) {
  const [hasTime, long] = [step < 86_400, step >= 28 * 86_400];
  const end = step < 1 ? 23 : step < 60 ? 19 : 16;
  let before = "";
  return moments.map((moment) => {
    const text = iso(moment * 1000);
    const [date, time] = [text.slice(0, long ? 7 : 10), text.slice(11, end)];
    const again = date === before;
    before = date;
    if (!hasTime) return again ? "" : date;
    return again ? time : `${time}\n${date}`;
  });
}

/**
 * Makes a drag over a plot narrow its range, and a double click show all of it again.
 *
 * @param {(range: Range | undefined) => void} onNarrow
 * @returns {uPlot.Hooks.Arrays}
 */
export function narrowing(onNarrow) {
  return {
    setSelect: [
      (self) => {
        const { left, width } = self.select;
        if (width < 2) return;
        const fromMs = Math.floor(self.posToVal(left, "x") * 1000);
        const untilMs = Math.ceil(self.posToVal(left + width, "x") * 1000);
        onNarrow({ fromMs, untilMs });
      },
    ],
    init: [(self) => self.over.addEventListener("dblclick", () => onNarrow(undefined))],
  };
}
