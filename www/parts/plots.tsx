// The plots of many ids, by uPlot: how many there are over time, and how long after its id each line
// was written. A drag narrows a plot to a stretch of time, and a double click shows all of it again.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useSize } from "../ui/controls.tsx";
import { count, counted, duration, iso } from "../ui/words.ts";
import { lagsOverTime, type Stretch } from "./statistics.ts";

const HEIGHT_PX = 180;
const FILL = "color-mix(in srgb, var(--timestamp) 22%, transparent)";

export interface PlotProps {
  id: string;
  /** Says what is seen, for a screen reader. */
  label: string;
  /** Returns the moments in s, and the series, for a width in px. */
  data: (width: number) => uPlot.AlignedData;
  /** Returns the series and the axis of values in the colours of the page. */
  look: (colour: (name: string) => string) => Pick<uPlot.Options, "series" | "bands" | "scales"> & {
    axis: uPlot.Axis;
  };
  /** Returns the text for an index of the data; empty for none. */
  tip: (data: uPlot.AlignedData, index: number) => string;
  /** `undefined` shows all of it. */
  onNarrow: (stretch: { fromMs: number; untilMs: number } | undefined) => void;
}

export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef(props);
  newest.current = props;
  const width = useSignal(0);
  const isDark = useSignal(false);
  useSize(place, ({ clientWidth }) => (width.value = clientWidth));
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const onScheme = () => (isDark.value = scheme.matches);
    onScheme();
    scheme.addEventListener("change", onScheme);
    return () => scheme.removeEventListener("change", onScheme);
  }, []);
  const { data } = props;
  const [px, dark] = [width.value, isDark.value];
  useEffect(() => {
    const { current } = place;
    if (!current || px === 0) return;
    const drawn = new uPlot(optionsOf(current, newest), data(px), current);
    return () => drawn.destroy();
  }, [data, px, dark]);
  return <div id={props.id} class="plot" ref={place} role="img" aria-label={props.label} />;
}

function optionsOf(place: HTMLElement, newest: { current: PlotProps }): uPlot.Options {
  const colour = (name: string) => colourOf(place, name);
  const shared: uPlot.Axis = {
    stroke: colour("var(--quiet)"),
    grid: { stroke: colour("var(--line)"), width: 1 },
    ticks: { stroke: colour("var(--line)"), width: 1 },
    font: `12px ${getComputedStyle(place).fontFamily}`,
  };
  const { axis, ...look } = newest.current.look(colour);
  const time: uPlot.Axis = {
    ...shared,
    space: 84,
    values: (_, splits, __, ___, step) => labels(splits, step),
  };
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    axes: [time, { ...shared, ...axis }],
    ...look,
    hooks: {
      setSelect: [
        (self) => {
          const { left, width } = self.select;
          if (width < 2) return;
          const fromMs = Math.floor(self.posToVal(left, "x") * 1000);
          const untilMs = Math.ceil(self.posToVal(left + width, "x") * 1000);
          newest.current.onNarrow({ fromMs, untilMs });
        },
      ],
      init: [
        (self) => self.over.addEventListener("dblclick", () => newest.current.onNarrow(undefined)),
      ],
    },
    plugins: [pointerText((data, index) => newest.current.tip(data, index))],
  };
}

/** Returns a colour of the style as a canvas takes it. */
function colourOf(place: HTMLElement, colour: string) {
  const probe = document.createElement("i");
  probe.style.color = colour;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The text beside the pointer. */
function pointerText(wordsOf: PlotProps["tip"]): uPlot.Plugin {
  const place = document.createElement("p");
  place.className = "plot-tip";
  return {
    hooks: {
      init: (plot) => plot.over.append(place),
      setCursor: ({ cursor: { idx, left = -1 }, over, data }) => {
        const words = typeof idx === "number" && left >= 0 ? wordsOf(data, idx) : "";
        place.hidden = words === "";
        place.textContent = words;
        const isRight = left > over.clientWidth / 2;
        place.style.left = isRight ? "auto" : `${left + 12}px`;
        place.style.right = isRight ? `${over.clientWidth - left + 12}px` : "auto";
      },
    },
  };
}

/**
 * Returns the labels of the moments of the axis, which are in s and `step` s apart: a time, and a
 * date wherever the date changes.
 */
function labels(moments: number[], step: number) {
  const [hasTime, isLong] = [step < 86_400, step >= 28 * 86_400];
  const end = step < 1 ? 23 : step < 60 ? 19 : 16;
  let before = "";
  return moments.map((moment) => {
    const text = iso(moment * 1000);
    const [date, time] = [text.slice(0, isLong ? 7 : 10), text.slice(11, end)];
    const isAgain = date === before;
    before = date;
    if (!hasTime) return isAgain ? "" : date;
    return isAgain ? time : `${time}\n${date}`;
  });
}

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
        return `${iso((moments[index] ?? 0) * 1000)}: ${counted(ids?.[index] ?? 0, "id")}`;
      }}
      look={(colour) => ({
        axis: { size: 56, incrs: WHOLE, values: (_, splits) => splits.map((ids) => count(ids)) },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
        series: [
          {},
          {
            stroke: colour("var(--timestamp)"),
            fill: colour(FILL),
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
          stroke: colour(FILL),
          width: 1,
          points: { show: false },
        };
        const bar = colour("var(--timestamp)");
        return {
          axis: { size: 84, values: (_, splits) => splits.map(signed) },
          series: [{}, edge, edge, { stroke: bar, width: 1.5, points: { size: 4, fill: bar } }],
          bands: [{ series: [2, 1], fill: colour(FILL) }],
        };
      }}
    />
  );
}

/** Formats a length of time that may be negative. */
export function signed(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : duration(ms);
}
