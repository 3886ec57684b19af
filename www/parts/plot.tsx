// The plot of many ids over time, drawn by uPlot. Dragging narrows it to a range of time, and a
// double click resets it.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useSize } from "../ui/controls.tsx";
import { count, counted, iso } from "../ui/words.ts";
import type { Stretch } from "./statistics.ts";

const HEIGHT_PX = 180;
const FILL = "color-mix(in srgb, var(--accent) 22%, transparent)";
/** The least width of a bar in px. */
const BAR_PX = 4;
/** The possible steps of the axis for numbers of ids. All steps are whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

const scheme = matchMedia("(prefers-color-scheme: dark)");
/** A plot is drawn again when this changes, because a canvas keeps the colours of its drawing. */
const isDark = signal(scheme.matches);
scheme.addEventListener("change", () => (isDark.value = scheme.matches));

interface PlotProps {
  /** The times of the ids in Unix ms, ascending. */
  times: Float64Array;
  /** The length of a tick in ms; no bar is narrower. */
  tickMs: number;
  /** The range of time that is shown; `undefined` shows all of it. */
  stretch: Stretch | undefined;
  onNarrow: (stretch: Stretch | undefined) => void;
}

export function Plot({ times, tickMs, stretch, onNarrow }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useSize(place, ({ clientWidth }) => (width.value = clientWidth));
  const [px, dark] = [width.value, isDark.value];
  const { fromMs: first = times[0] ?? NaN, untilMs: last = times.at(-1) ?? NaN } = stretch ?? {};
  useEffect(() => {
    const { current } = place;
    if (!current || px === 0 || Number.isNaN(first)) return;
    const data = bars(times, tickMs, [first, last], px / BAR_PX);
    const drawn = new uPlot(optionsOf(current, onNarrow), data, current);
    return () => drawn.destroy();
  }, [times, tickMs, first, last, px, dark]);
  if (Number.isNaN(first)) return null;
  const label = `ids over time, from ${iso(first)} to ${iso(last)}`;
  return <div id="plot" class="plot" ref={place} role="img" aria-label={label} />;
}

/** Returns the time of each bar in s, and the number of its ids. */
function bars(
  times: Float64Array,
  tickMs: number,
  [fromMs, untilMs]: [number, number],
  most: number,
): uPlot.AlignedData {
  // Bars are 1, 2 or 5 times a power of ten ticks wide, so that ids at regular times give equal
  // bars.
  const least = Math.max(1, (untilMs - fromMs + 1) / most / tickMs);
  const ten = 10 ** Math.floor(Math.log10(least));
  const width = (WHOLE.find((one) => one * ten >= least) ?? 10) * ten * tickMs;
  const begin = Math.floor(fromMs / width) * width - width;
  const length = Math.floor((untilMs - begin) / width) + 2;
  const moments = Array.from({ length }, (_, i) => (begin + i * width) / 1000);
  const ids: number[] = new Array(length).fill(0);
  for (const ms of times) {
    const bar = Math.floor((ms - begin) / width);
    if (bar >= 0 && bar < length) ids[bar] = (ids[bar] ?? 0) + 1;
  }
  return [moments, ids];
}

const stepped = uPlot.paths.stepped?.({ align: 1 });

function optionsOf(place: HTMLElement, onNarrow: PlotProps["onNarrow"]): uPlot.Options {
  /** Returns a colour of the style sheet in a form that a canvas accepts. */
  const colour = (name: string) => {
    const probe = document.createElement("i");
    probe.style.color = name;
    place.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const axis: uPlot.Axis = {
    stroke: colour("var(--quiet)"),
    grid: { stroke: colour("var(--line)"), width: 1 },
    ticks: { stroke: colour("var(--line)"), width: 1 },
    font: `13px ${getComputedStyle(place).fontFamily}`,
  };
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    axes: [
      { ...axis, space: 84, values: (_, splits, __, ___, step) => labels(splits, step) },
      { ...axis, size: 56, incrs: WHOLE, values: (_, splits) => splits.map((ids) => count(ids)) },
    ],
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    series: [
      {},
      {
        stroke: colour("var(--accent)"),
        fill: colour(FILL),
        width: 1,
        ...(stepped && { paths: stepped }),
        points: { show: false },
      },
    ],
    hooks: {
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
    },
    plugins: [pointerText()],
  };
}

/** A label beside the pointer, with the time and the number of ids. */
function pointerText(): uPlot.Plugin {
  const place = document.createElement("p");
  place.className = "plot-tip";
  return {
    hooks: {
      init: (plot) => plot.over.append(place),
      setCursor: ({ cursor: { idx, left = -1 }, over, data: [moments, ids] }) => {
        place.hidden = typeof idx !== "number" || left < 0;
        if (typeof idx !== "number") return;
        place.textContent = `${iso((moments[idx] ?? 0) * 1000)}: ${counted(ids?.[idx] ?? 0, "id")}`;
        const isRight = left > over.clientWidth / 2;
        place.style.left = isRight ? "auto" : `${left + 12}px`;
        place.style.right = isRight ? `${over.clientWidth - left + 12}px` : "auto";
      },
    },
  };
}

/**
 * Returns the labels of the time axis: a time of day, unless the step is a day or more, and the date
 * where it changes. `moments` are in s, and `step` s apart.
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
