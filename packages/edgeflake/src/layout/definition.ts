// The module keeps the layouts. This file has it make one: of a preset, of a layout string, or of
// fields.

import { EdgeflakeError } from "../error.js";
import { refusal, wasm, write } from "../module/exchange.js";
import { integer, type Moment } from "../number.js";
import { known, refused } from "../options.js";
import type { Field } from "./fields.js";

/** In characters; a layout of 16 fields with the longest names has 700. */
const LAYOUT_STRING_MAX = 1024;

/** The hint of errors that mean that no layout was given. */
export const EXAMPLE = 'Layout.preset("twitter") gives a known layout';

/** The options that a preset's software leaves to its users. */
export interface PresetOptions {
  /** The start of tick 0; of all presets but `twitter`, `discord` and those of other services. */
  epochMs?: Moment | undefined;
  /**
   * Number of nodes, of `snowcast`: 128 to 8,192, rounded up to a power of two. Bits that the nodes
   * do not need are the counter's.
   */
  nodes?: number | undefined;
  /** Hazelcast's `bits-sequence`. Default: 6. */
  bitsSequence?: number | undefined;
  /** Hazelcast's `bits-node-id`. Default: 16. The timestamp gets the other bits of 63. */
  bitsNodeId?: number | undefined;
  /**
   * Allows an `epochMs` with which ids may be equal to old ones: of `baidu`, `resource-type` and
   * `worker-queue`, which have ended.
   */
  overlapsOldIds?: boolean | undefined;
}

/** A layout by its fields. */
export interface LayoutOptions {
  fields: readonly Field[];
  epochMs: Moment;
  tickMs?: number | undefined;
}

/** The words of the module for the options of a preset. */
const PRESET_OPTIONS = {
  epochMs: "epoch",
  nodes: "nodes",
  bitsSequence: "bits-sequence",
  bitsNodeId: "bits-node-id",
};

/** Returns a preset with its options as text. */
export function presetText(name: unknown, options: PresetOptions = {}): string {
  const names = [...Object.keys(PRESET_OPTIONS), "overlapsOldIds"];
  const { overlapsOldIds = false, ...chosen } = known("Layout.preset", options, names);
  if (typeof overlapsOldIds !== "boolean") {
    throw refused("overlapsOldIds", overlapsOldIds, "true and false are allowed");
  }
  if (typeof name !== "string" || !/^[\w-]+$/.test(name)) {
    throw refused("the preset", name, "a name that presets() lists is allowed", "unknown-preset");
  }
  let text = overlapsOldIds ? `${name} overlaps-old-ids` : name;
  for (const [option, word] of Object.entries(PRESET_OPTIONS)) {
    const value = chosen[option as keyof typeof chosen];
    if (value !== undefined) text += ` ${word}=${integer(option, value)}`;
  }
  return text;
}

export function checkedText(text: unknown): string {
  if (typeof text === "string") return text;
  const allowed = 'a text such as "twitter" or "timestamp:41 node:22 @2020-01-01" is allowed';
  throw refused("the layout", text, allowed, "invalid-layout");
}

/** Has the module make a layout of a text, and returns its number there. */
export function numberOf(text: string): number {
  if (text.length > LAYOUT_STRING_MAX) {
    throw new EdgeflakeError(
      "invalid-layout",
      `a layout string of ${text.length} characters: at most ${LAYOUT_STRING_MAX} are allowed`,
    );
  }
  const number = wasm.parseLayout(write(text));
  if (number) return number;
  throw refusal();
}

/** Prints fields as a layout string; the module finds what is wrong with them when it reads it. */
export function printed(options: LayoutOptions): string {
  const names = ["fields", "epochMs", "tickMs"];
  const { fields, epochMs, tickMs = 1 } = known("new Layout", options, names, `; ${EXAMPLE}`);
  if (!Array.isArray(fields)) {
    const allowed = `an array of { name, bits, role } is allowed; ${EXAMPLE}`;
    throw refused("fields", fields, allowed, "invalid-layout");
  }
  const words = fields.map((field) => {
    const { name, bits, role } = known("a field", Object(field), ["name", "bits", "role"]);
    if (typeof name !== "string" || /[\s:]/.test(name)) {
      const allowed = "a-z, A-Z, 0-9, - and _ are allowed";
      throw refused("the name of a field", name, allowed, "invalid-layout");
    }
    return `${String(role)}.${name}:${integer(`bits of field ${name}`, bits)}`;
  });
  words.push(`@${integer("epochMs", epochMs)}`, `tick=${integer("tickMs", tickMs)}ms`);
  return words.join(" ");
}
