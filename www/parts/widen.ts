// Fields of a layout whose widths give way to each other, so that they stay within 64 bits.

import type { Field } from "edgeflake";
import { ID_BITS } from "../ui/bits.ts";

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
    return name === after[at]?.name || less <= 0
      ? []
      : [`${less === 1 ? "1 bit" : `${less} bits`} from ${name}`];
  });
  return given.length === 0 ? "" : `${after[at]?.name} has taken ${given.join(" and ")}`;
}
