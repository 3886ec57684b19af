// The widths of a layout's fields: those that some needs ask for, and those that an edit leaves.

import { type Field, Layout } from "edgeflake";
import { ID_BITS } from "../ui/bits.ts";
import { count, counted, day, duration } from "../ui/words.ts";

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
  const bits = free === 0 ? "no bit" : counted(free, "bit");
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

/**
 * Returns the fields with one of them as wide as asked. Bits beyond 64 are taken from unused fields
 * first, and then from its neighbours, the nearest ones first and the next before the previous;
 * each keeps a bit. A width that is invalid, or for which there is no room, stays as it was asked.
 */
export function widened(fields: readonly Field[], at: number, bits: number): Field[] {
  const widths = fields.map((field, i) => (i === at ? bits : field.bits));
  const order = [...fields.keys()].filter((i) => i !== at).sort((a, b) => rank(a) - rank(b));
  let over = widths.reduce((sum, width) => sum + width, 0) - ID_BITS;
  for (const i of order) {
    const given = Math.max(0, Math.min(over, (widths[i] ?? 0) - 1));
    widths[i] = (widths[i] ?? 0) - given;
    over -= given;
  }
  if (!Number.isInteger(bits) || bits < 1 || over > 0) {
    return fields.map((field, i) => (i === at ? { ...field, bits } : field));
  }
  return fields.map((field, i) => ({ ...field, bits: widths[i] ?? field.bits }));

  function rank(i: number) {
    if (fields[i]?.role === "unused") return -ID_BITS;
    return i >= at ? i - at : at - i + 0.5;
  }
}

/** Returns the fields with another one at their end, whose bit is one that is free. */
export function withField(fields: readonly Field[]): Field[] {
  const names = fields.map(({ name }) => name);
  let name = "tag";
  for (let i = 2; names.includes(name); i++) name = `tag-${i}`;
  const added: Field = { name, bits: 1, role: "tag" };
  const used = fields.reduce((sum, { bits }) => sum + bits, 0);
  if (used < ID_BITS) return [...fields, added];
  // The sign bit stays unused, so that each id fits a signed integer.
  const free = fields.findIndex(({ role, bits }, i) => role === "unused" && (i > 0 || bits > 1));
  const widest = fields.reduce((a, b) => (b.bits > a.bits && b.role !== "timestamp" ? b : a));
  const giver = free >= 0 ? fields[free] : widest;
  const rest = fields.map((field) =>
    field === giver ? { ...field, bits: field.bits - 1 } : field,
  );
  return [...rest.filter(({ bits }) => bits > 0), added];
}

/** Returns a sentence on the fields from which another one has taken bits; empty if it took none. */
export function takenFrom(before: readonly Field[], after: readonly Field[], at: number): string {
  const given = before.flatMap(({ name, bits }) => {
    const less = bits - (after.find((field) => field.name === name)?.bits ?? 0);
    return name === after[at]?.name || less <= 0 ? [] : [`${counted(less, "bit")} from ${name}`];
  });
  return given.length === 0 ? "" : `${after[at]?.name} has taken ${given.join(" and ")}`;
}
