// The layout for a number of nodes and of years, from an epoch of today on.

import { type Field, Layout } from "edgeflake";
import { count, day, duration } from "../ui/words.ts";

export interface Needs {
  nodes: number;
  years: number;
  /** Ids of one node; `undefined` for as many as there is room for. */
  perSecond: number | undefined;
}

/** The largest allowed value of each need, and its name. */
const LIMITS = {
  nodes: ["nodes", 1e12],
  years: ["years", 10_000],
  perSecond: ["ids per second", 1e12],
} as const;

/** The highest bit stays 0, so that each id fits a signed 64-bit integer. */
const BITS = 63;
/** There are as many ids per ms as Twitter has. More room is left for later. */
const SEQUENCE_BITS = 12;
const TICK_MS = 1;
const TICKS_PER_SECOND = 1000 / TICK_MS;

/**
 * Returns the layout for some needs; if they do not fit together, the nearest one that does: with
 * fewer ids per second, or else with fewer years.
 */
export function layoutFor({ nodes, years, perSecond = 0 }: Needs, epochMs: number): Layout {
  const node = bitsFor(nodes);
  const time = Math.min(bitsFor((endOf(epochMs, years) - epochMs) / TICK_MS), BITS - node - 1);
  const rest = BITS - time - node;
  const needed = bitsFor(Math.ceil(perSecond / TICKS_PER_SECOND));
  const sequence = Math.min(rest, Math.max(SEQUENCE_BITS, needed));
  const fields: Field[] = [
    // The unused bits stand above the time, so that the time can have them later without a
    // duplicate id.
    { name: "unused", bits: 1 + rest - sequence, role: "unused" },
    { name: "timestamp", bits: time, role: "timestamp" },
    { name: "node", bits: node, role: "node" },
    { name: "sequence", bits: sequence, role: "sequence" },
  ];
  return new Layout({ fields, epochMs, tickMs: TICK_MS });
}

/** Says in sentences what a layout that {@link layoutFor} made misses, and has beyond the needs. */
export function leftOf(layout: Layout, { nodes, years, perSecond = 0 }: Needs): string {
  const info = layout.info();
  const rate = info.idsPerTick * TICKS_PER_SECOND;
  const moreMs = info.expiresAt.getTime() - endOf(layout.epochMs, years);
  const missing = [
    ...(rate < perSecond ? [`${count(rate)} ids per second and node`] : []),
    ...(moreMs < 0 ? [`${duration(info.expiresAt.getTime() - layout.epochMs)}`] : []),
  ];
  const more = [
    ...(info.nodes > nodes ? [`${count(info.nodes - nodes)} nodes`] : []),
    ...(moreMs > 0 ? [duration(moreMs)] : []),
    ...(perSecond > 0 && rate > perSecond
      ? [`${count(rate - perSecond)} ids per second and node`]
      : []),
  ];
  const free = (layout.fields[0]?.bits ?? 1) - 1;
  const bits = free === 0 ? "no bit" : free === 1 ? "1 bit" : `${free} bits`;
  const nearest =
    missing.length === 0
      ? ""
      : `${BITS} bits do not hold all of this. The nearest layout has ${missing.join(" and ")}. `;
  return (
    `${nearest}It begins on ${day(layout.epochMs)}, and the sign bit stays 0. ` +
    `Left over: ${[...more, bits].join(", ")}.`
  );
}

/** Returns the number of a need that is typed; `undefined` for an empty text. */
export function needOf(name: keyof typeof LIMITS, text: string): number | undefined {
  const digits = text.replaceAll(/[\s,_]/g, "");
  if (digits === "") return undefined;
  const [title, most] = LIMITS[name];
  const value = /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
  if (value >= 1 && value <= most) return value;
  throw new RangeError(`"${text}" ${title}: a whole number from 1 to ${count(most)} is allowed`);
}

function endOf(epochMs: number, years: number) {
  const end = new Date(epochMs);
  return end.setUTCFullYear(end.getUTCFullYear() + years);
}

function bitsFor(values: number) {
  let bits = 1;
  while (2 ** bits < values) bits += 1;
  return bits;
}
