// Computes the widths of a layout's fields, from a required capacity or when a field is added.

import { type Field, Layout } from "edgeflake";
import { ID_BITS } from "../ui/bits.ts";
import { count, duration } from "../ui/words.ts";

export interface Needs {
  nodes: number;
  years: number;
  /** The number of ids of one node; `undefined` for as many as fit. */
  perSecond: number | undefined;
}

/** The largest allowed value of each requirement, and its name. */
const LIMITS = {
  nodes: ["nodes", 1e12],
  years: ["years", 10_000],
  perSecond: ["ids per second", 1e12],
} as const;

/** The highest bit stays 0, so that each id fits a signed 64-bit integer. */
const BITS = 63;
/** By default, a layout has room for as many ids per ms as Twitter's. Further bits stay unused. */
const SEQUENCE_BITS = 12;
const TICK_MS = 1;
const TICKS_PER_SECOND = 1000 / TICK_MS;

/**
 * Returns a layout for the required capacity. If it does not fit into 64 bits, the layout has fewer
 * ids per second or, if that does not suffice, fewer years.
 */
export function layoutFor({ nodes, years, perSecond = 0 }: Needs, epochMs: number): Layout {
  const node = bitsFor(nodes);
  const time = Math.min(bitsFor((endOf(epochMs, years) - epochMs) / TICK_MS), BITS - node - 1);
  const rest = BITS - time - node;
  const needed = bitsFor(Math.ceil(perSecond / TICKS_PER_SECOND));
  const sequence = Math.min(rest, Math.max(SEQUENCE_BITS, needed));
  const fields: Field[] = [
    // The unused bits are above the time, so that the time can grow into them later without a
    // duplicate id.
    { name: "unused", bits: 1 + rest - sequence, role: "unused" },
    { name: "timestamp", bits: time, role: "timestamp" },
    { name: "node", bits: node, role: "node" },
    { name: "sequence", bits: sequence, role: "sequence" },
  ];
  return new Layout({ fields, epochMs, tickMs: TICK_MS });
}

/** Says which requirements a layout of {@link layoutFor} does not meet; empty if it meets all. */
export function missedBy(of: Layout, { years, perSecond = 0 }: Needs): string {
  const { idsPerTick, expiresAt } = of.info();
  const rate = idsPerTick * TICKS_PER_SECOND;
  const endMs = expiresAt.getTime();
  const missed: string[] = [];
  if (rate < perSecond) missed.push(`${count(rate)} ids per second and node`);
  if (endMs < endOf(of.epochMs, years)) missed.push(duration(endMs - of.epochMs));
  if (missed.length === 0) return "";
  return `${BITS} bits do not hold all of this. The nearest layout has only ${missed.join(" and ")}.`;
}

/** Returns the number that the visitor typed; `undefined` for an empty text. */
export function needOf(name: keyof typeof LIMITS, text: string): number | undefined {
  const digits = text.replaceAll(/[\s,_]/g, "");
  if (digits === "") return undefined;
  const [title, most] = LIMITS[name];
  const value = /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
  if (value >= 1 && value <= most) return value;
  throw new RangeError(`${title} must be a whole number from 1 to ${count(most)}, not "${text}"`);
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

/** Returns the fields and a new last field of one bit, taken from another field if none is free. */
export function withField(fields: readonly Field[]): Field[] {
  const names = fields.map(({ name }) => name);
  let name = "tag";
  for (let i = 2; names.includes(name); i++) name = `tag-${i}`;
  const added: Field = { name, bits: 1, role: "tag" };
  const used = fields.reduce((sum, { bits }) => sum + bits, 0);
  if (used < ID_BITS) return [...fields, added];
  // The sign bit stays unused, so that each id fits a signed integer.
  const free = fields.find(({ role, bits }, i) => role === "unused" && (i > 0 || bits > 1));
  const widest = fields.reduce((a, b) => (b.bits > a.bits && b.role !== "timestamp" ? b : a));
  const giver = free ?? widest;
  const rest = fields.with(fields.indexOf(giver), { ...giver, bits: giver.bits - 1 });
  return [...rest.filter(({ bits }) => bits > 0), added];
}
