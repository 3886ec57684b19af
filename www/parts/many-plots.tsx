// The plots of many ids: how many there are over time, and how long after its id each line was
// written.

import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import { Plot } from "../ui/plot.tsx";
import { count, duration, iso } from "../ui/words.ts";
import { lagsOverTime, type Stretch } from "./lag.ts";

const stepped = uPlot.paths.stepped?.({ align: 1 });

/** The width of a bar or step, in px, and the fewest of them. */
const STEP_PX = 4;
const STEPS_MIN = 20;
/** The steps of the axis of ids, which are whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

interface Narrowing {
  stretch: Stretch | undefined;
  onNarrow: (stretch: Stretch | undefined) => void;
}

/** The times are ascending, and no bar is narrower than a tick. */
export function IdPlot(props: { times: Float64Array; tickMs: number } & Narrowing) {
  const { times, tickMs, stretch, onNarrow } = props;
  const data = useMemo(
    () => (width: number) => bins(times, tickMs, stretch, width),
    [times, tickMs, stretch],
  );
  const [first, last] = endsOf(times, stretch);
  if (first === undefined || last === undefined) return null;
  return (
    <Plot
      id="plot"
      label={`ids over time, from ${iso(first)} to ${iso(last)}`}
      data={data}
      onNarrow={onNarrow}
      tip={([moments, ids], index) => {
        const some = ids?.[index] ?? 0;
        return `${iso((moments[index] ?? 0) * 1000)}: ${some === 1 ? "1 id" : `${count(some)} ids`}`;
      }}
      look={(colour) => ({
        axis: { size: 56, incrs: WHOLE, values: (_, splits) => splits.map((ids) => count(ids)) },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
        series: [
          {},
          {
            stroke: colour("--plot-bar"),
            fill: colour("--plot-fill"),
            width: 1,
            ...(stepped && { paths: stepped }),
            points: { show: false },
          },
        ],
      })}
    />
  );
}

function endsOf(times: Float64Array, stretch: Stretch | undefined) {
  return stretch ? [stretch.fromMs, stretch.untilMs] : [times[0], times.at(-1)];
}

/** Returns the moments of the bars in s, and the number of ids in each. */
function bins(
  times: Float64Array,
  tickMs: number,
  stretch: Stretch | undefined,
  px: number,
): uPlot.AlignedData {
  const [fromMs = 0, untilMs = 0] = endsOf(times, stretch);
  const most = Math.max(STEPS_MIN, Math.floor(px / STEP_PX));
  const width = Math.max(tickMs, Math.ceil((untilMs - fromMs + 1) / most / tickMs) * tickMs);
  const begin = fromMs - width;
  const length = Math.floor((untilMs - begin) / width) + 2;
  const moments = Array.from({ length }, (_, i) => (begin + i * width) / 1000);
  const ids: number[] = new Array(length).fill(0);
  for (const ms of times) {
    const bin = Math.floor((ms - begin) / width);
    if (bin >= 0 && bin < length) ids[bin] = (ids[bin] ?? 0) + 1;
  }
  return [moments, ids];
}

export function LagPlot(props: { timestampMs: Float64Array; lags: Float64Array } & Narrowing) {
  const { timestampMs, lags, stretch, onNarrow } = props;
  const data = useMemo(
    () =>
      (px: number): uPlot.AlignedData => {
        const most = Math.max(STEPS_MIN, Math.floor(px / STEP_PX));
        const steps = lagsOverTime(timestampMs, lags, most, stretch);
        return [
          steps.map(({ ms }) => ms / 1000),
          steps.map(({ least }) => least),
          steps.map(({ most: high }) => high),
          steps.map(({ median }) => median),
        ];
      },
    [timestampMs, lags, stretch],
  );
  return (
    <Plot
      id="lag-plot"
      label="time of the line minus time of the id, over time"
      data={data}
      onNarrow={onNarrow}
      tip={([moments, least, most, median], index) => {
        const [low, high] = [least?.[index] ?? 0, most?.[index] ?? 0];
        const middle = signed(median?.[index] ?? 0);
        const range = low === high ? "" : `${signed(low)} to ${signed(high)}, in the median `;
        return `${iso((moments[index] ?? 0) * 1000)}: ${range}${middle}`;
      }}
      look={(colour) => {
        const edge: uPlot.Series = {
          stroke: colour("--plot-fill"),
          width: 1,
          points: { show: false },
        };
        const bar = colour("--plot-bar");
        return {
          axis: { size: 84, values: (_, splits) => splits.map(signed) },
          series: [{}, edge, edge, { stroke: bar, width: 1.5, points: { size: 4, fill: bar } }],
          bands: [{ series: [2, 1], fill: colour("--plot-fill") }],
        };
      }}
    />
  );
}

/** Formats a length of time that may be negative. */
export function signed(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}
