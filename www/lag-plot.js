// The plot of the differences between the times of the lines and of their ids, over time. A drag
// narrows it to a span of time.

import uPlot from "uplot";
import { element } from "./dom.js";
import { lagsOverTime } from "./lag.js";
import { axesOf, colour, narrowing } from "./plot.js";
import { tip } from "./plot-tip.js";
import { count, duration, iso } from "./time.js";

/** @import { Range } from "./rows-shown.js" */

const place = element("lag-plot", HTMLElement);
const HEIGHT_PX = 180;
/** The width of a step, in px. */
const STEP_PX = 4;

/** @type {uPlot | undefined} */
let plot;
/** @type {{ timestampMs: Float64Array, lags: Float64Array, range: Range | undefined } | undefined} */
let shown;
/** @type {ReturnType<typeof lagsOverTime>} */
let steps = [];
/** @type {(range: Range | undefined) => void} */
let narrow;

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
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
export function setUpLagPlot(onNarrow) {
  narrow = onNarrow;
}

/**
 * @param {Float64Array} timestampMs of the ids
 * @param {Float64Array} lags in ms
 * @param {Range | undefined} range
 */
export function showLagPlot(timestampMs, lags, range) {
  if (shown?.lags === lags && shown.range === range) return;
  shown = { timestampMs, lags, range };
  draw();
}

function draw() {
  if (!shown || place.clientWidth === 0) return;
  const most = Math.max(20, Math.floor(place.clientWidth / STEP_PX));
  steps = lagsOverTime(shown.timestampMs, shown.lags, most, shown.range);
  /** @type {uPlot.AlignedData} */
  const data = [
    steps.map(({ ms }) => ms / 1000),
    steps.map(({ least }) => least),
    steps.map(({ most: high }) => high),
    steps.map(({ median }) => median),
  ];
  plot ??= new uPlot(options(), data, place);
  plot.setData(data);
}

/** @returns {uPlot.Options} */
function options() {
  const [x, y] = axesOf(place);
  const bar = colour(place, "--plot-bar");
  const edge = { stroke: colour(place, "--plot-fill"), width: 1, points: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    axes: [x, { ...y, size: 84, values: (_, splits) => splits.map(signed) }],
    series: [{}, edge, edge, { stroke: bar, width: 1.5, points: { size: 4, fill: bar } }],
    bands: [{ series: [2, 1], fill: colour(place, "--plot-fill") }],
    hooks: narrowing((range) => narrow(range)),
    plugins: [tip((index) => wordsOf(steps[index]))],
  };
}

/** @param {typeof steps[number] | undefined} step */
function wordsOf(step) {
  if (step === undefined) return "";
  const { ms, least, median, most, lines } = step;
  if (lines === 1) return `${iso(ms)}: ${signed(median)}`;
  const of = `${iso(ms)}, ${count(lines)} lines`;
  return `${of}: ${signed(least)} to ${signed(most)}, ${signed(median)} in the median`;
}

/** @param {number} ms */
export function signed(ms) {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}
