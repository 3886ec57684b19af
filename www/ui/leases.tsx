// Leases as rectangles over nodes and time, with a mark where ids lie in them.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useSize } from "./controls.tsx";
import { iso } from "./words.ts";

/** A run of ticks of one node. `until` is the tick after the last one. */
export interface Run {
  node: number;
  from: number;
  until: number;
}

/** A lease, the runs of its ticks of which this page has ids, and the number of these ids. */
export interface Lease extends Run {
  runs: Run[];
  issued: number;
}

interface LeasesProps {
  id: string;
  leases: readonly Lease[];
  epochMs: number;
  tickMs: number;
  nowMs: number;
  /** Least width of a mark in px, because a tick of a long lease is too narrow to see. */
  mark?: number;
  isUndecided?: boolean;
}

/** These sizes are in px. */
const LANE = 48;
const LEFT = 96;
const AXIS = 24;
/** The approximate width of a text of the axis. */
const TEXT = 64;

export function Leases(props: LeasesProps) {
  const { id, leases, epochMs, tickMs, nowMs, mark = 2, isUndecided = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const px = useSignal(0);
  useSize(place, ({ clientWidth }) => (px.value = clientWidth));
  const width = px.value;
  const clock = (tick: number) => iso(epochMs + tick * tickMs).slice(11, 19);
  const label = leases
    .map(({ node, from: first, until: end, runs }) => {
      const last = runs.at(-1);
      const ids = last ? `, last id at ${clock(last.until - 1)}` : "";
      return `node ${node} from ${clock(first)} until ${clock(end)}${ids}`;
    })
    .join("; ");

  const nodes = [...new Set(leases.map(({ node }) => node))].sort((a, b) => a - b);
  const nowTick = Math.floor((nowMs - epochMs) / tickMs);
  const from = Math.min(...leases.map((lease) => lease.from));
  const until = Math.max(nowTick, ...leases.map((lease) => lease.until));
  const bottom = nodes.length * LANE;
  const x = (tick: number) =>
    LEFT + ((width - LEFT - 1) * (tick - from)) / Math.max(1, until - from);
  const at = x(nowTick);
  const hasNow = at > LEFT + 1.5 * TEXT && at < width - 1.5 * TEXT;
  return (
    <div
      id={id}
      ref={place}
      class={isUndecided ? "leases undecided" : "leases"}
      role="img"
      aria-label={label}
    >
      {width > 0 && (
        <svg viewBox={`0 0 ${width} ${bottom + AXIS}`} aria-hidden="true">
          {leases.map((lease) => {
            const box = { y: nodes.indexOf(lease.node) * LANE + 8, height: LANE - 16, rx: 5 };
            const [left, right] = [x(lease.from), x(lease.until)];
            return (
              <g key={`${lease.node} ${lease.from}`}>
                <rect {...box} class="lease" x={left} width={right - left} />
                {lease.runs.map((run) => {
                  const wide = Math.max(mark, x(run.until) - x(run.from));
                  // A mark at the end of its lease still lies within the lease.
                  const begin = Math.min(x(run.from), right - wide);
                  return <rect key={run.from} {...box} rx={0} class="ids" x={begin} width={wide} />;
                })}
              </g>
            );
          })}
          {nodes.map((node, i) => (
            <text key={node} x={0} y={i * LANE + LANE / 2 + 5}>
              node {node}
            </text>
          ))}
          <line class="now" x1={at} x2={at} y1={0} y2={bottom} />
          <text x={LEFT} y={bottom + AXIS - 6}>
            {clock(from)}
          </text>
          <text x={width} y={bottom + AXIS - 6} text-anchor="end">
            {clock(until)}
          </text>
          {hasNow && (
            <text x={at} y={bottom + AXIS - 6} text-anchor="middle">
              {clock(nowTick)}
            </text>
          )}
        </svg>
      )}
    </div>
  );
}
