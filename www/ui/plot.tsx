// A plot over time, by uPlot. A drag narrows it to a stretch of time, and a double click shows all
// of it again.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { iso } from "./words.ts";

const HEIGHT_PX = 180;

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
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const onScheme = () => (isDark.value = scheme.matches);
    onScheme();
    scheme.addEventListener("change", onScheme);
    const observer = new ResizeObserver(() => (width.value = current.clientWidth));
    observer.observe(current);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", onScheme);
    };
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
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name);
  const shared: uPlot.Axis = {
    stroke: colour("--plot-text"),
    grid: { stroke: colour("--plot-line"), width: 1 },
    ticks: { stroke: colour("--plot-line"), width: 1 },
    font: `12px ${style.fontFamily}`,
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
