// The difference between the times of the lines and of their ids, over time.

import uPlot from "uplot";
import { element } from "./dom.js";
import { lagsOverTime } from "./lag.js";
import { axesOf, colour } from "./plot.js";
import { duration } from "./time.js";

const place = element("lag-plot", HTMLElement);
const HEIGHT_PX = 180;
/** In px: the width of a step. */
const STEP_PX = 4;

/** @type {uPlot | undefined} */
let plot;
/** @type {{ timestampMs: Float64Array, lags: Float64Array } | undefined} */
let shown;

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
new ResizeObserver(() => {
  if (plot && place.clientWidth > 0 && plot.width !== place.clientWidth) draw();
}).observe(place);

/**
 * @param {Float64Array} timestampMs of the ids
 * @param {Float64Array} lags in ms
 */
export function showLagPlot(timestampMs, lags) {
  shown = { timestampMs, lags };
  draw();
}

function draw() {
  plot?.destroy();
  plot = undefined;
  if (!shown || place.clientWidth === 0) return;
  const steps = Math.max(20, Math.floor(place.clientWidth / STEP_PX));
  const found = lagsOverTime(shown.timestampMs, shown.lags, steps);
  /** @type {uPlot.AlignedData} */
  const data = [
    found.map(({ ms }) => ms / 1000),
    found.map(({ least }) => least),
    found.map(({ most }) => most),
    found.map(({ median }) => median),
  ];
  plot = new uPlot(options(), data, place);
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
    cursor: { show: false },
    axes: [x, { ...y, size: 84, values: (_, splits) => splits.map(signed) }],
    series: [{}, edge, edge, { stroke: bar, width: 1.5, points: { size: 4, fill: bar } }],
    bands: [{ series: [2, 1], fill: colour(place, "--plot-fill") }],
  };
}

/** @param {number} ms */
export function signed(ms) {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}
