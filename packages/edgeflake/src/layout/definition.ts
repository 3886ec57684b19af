// Makes a layout from a preset, a layout string or fields. The WebAssembly module stores layouts;
// JavaScript refers to them by number.

import { EdgeflakeError } from "../error.js";
import { refusal, wasm, writeText } from "../module/exchange.js";
import { BOOLEAN, integer, known, type Moment, refused } from "../options.js";
import type { Field } from "./fields.js";

/** Largest length of a layout string in characters; 16 fields with the longest names need 700. */
const LENGTH_MAX = 1024;

/** The text at the end of an error message if an argument is not a layout. */
export const EXAMPLE = 'Layout.preset("twitter") gives a known layout';

/** The options of a preset: the values that users of the preset's software can choose. */
export interface PresetOptions {
  /** The start of tick 0. Not allowed for services such as `twitter`, whose epoch is fixed. */
  epochMs?: Moment | undefined;
  /** Only for `snowcast`: number of nodes, 128 to 8,192, which is rounded up to a power of two. */
  nodes?: number | undefined;
  /** Only for `hazelcast`: its setting `bits-sequence`. Default: 6. */
  bitsSequence?: number | undefined;
  /**
   * Only for `hazelcast`: its setting `bits-node-id`. Default: 16. The timestamp has the rest of 63
   * bits.
   */
  bitsNodeId?: number | undefined;
  /**
   * Only for `baidu`, `resource-type` and `worker-queue`, whose timestamps have run out: `true`
   * allows an `epochMs` with which new ids may equal old ones. Default: `false`.
   */
  overlapsOldIds?: boolean | undefined;
}

export interface LayoutOptions {
  fields: readonly Field[];
  epochMs: Moment;
  tickMs?: number | undefined;
}

/** The name of each option in the text that `presetText` returns. */
const PRESET_OPTIONS = {
  epochMs: "epoch",
  nodes: "nodes",
  bitsSequence: "bits-sequence",
  bitsNodeId: "bits-node-id",
};

/** Returns a preset and its options as text, such as `snowcast nodes=129`. */
export function presetText(name: unknown, options: PresetOptions = {}): string {
  const names = [...Object.keys(PRESET_OPTIONS), "overlapsOldIds"];
  const checks = { overlapsOldIds: BOOLEAN };
  const { overlapsOldIds = false, ...chosen } = known("Layout.preset", options, names, checks);
  if (typeof name !== "string" || !/^[\w-]+$/.test(name)) {
    throw refused("the preset", name, "give a name that presets() lists", "unknown-preset");
  }
  let text = overlapsOldIds ? `${name} overlaps-old-ids` : name;
  for (const [option, word] of Object.entries(PRESET_OPTIONS)) {
    const value = chosen[option as keyof typeof chosen];
    if (value !== undefined) text += ` ${word}=${integer(option, value)}`;
  }
  return text;
}

/** Makes a layout in the WebAssembly module from a text, and returns the layout's number. */
export function numberOf(text: unknown): number {
  if (typeof text !== "string") {
    const allowed = 'give a text such as "twitter" or "timestamp:41 node:22 @2020-01-01"';
    throw refused("the layout", text, allowed, "invalid-layout");
  }
  if (text.length > LENGTH_MAX) {
    const found = `the layout has ${text.length} characters`;
    throw new EdgeflakeError("invalid-layout", `${found}: at most ${LENGTH_MAX} are allowed`);
  }
  const number = wasm.parseLayout(writeText(text));
  if (number) return number;
  throw refusal();
}

/** Prints fields as a layout string; the WebAssembly module validates it later. */
export function printed(options: LayoutOptions): string {
  const names = ["fields", "epochMs", "tickMs"];
  const { fields, epochMs, tickMs = 1 } = known("new Layout", options, names, {}, `; ${EXAMPLE}`);
  if (!Array.isArray(fields)) {
    const allowed = `give an array of { name, bits, role }; ${EXAMPLE}`;
    throw refused("fields", fields, allowed, "invalid-layout");
  }
  const words = fields.map((field) => {
    const { name, bits, role } = known("a field", Object(field), ["name", "bits", "role"]);
    if (typeof name !== "string" || /[\s:]/.test(name)) {
      const allowed = "use a-z, A-Z, 0-9, - and _";
      throw refused("the name of a field", name, allowed, "invalid-layout");
    }
    return `${String(role)}.${name}:${integer(`bits of field ${name}`, bits)}`;
  });
  words.push(`@${integer("epochMs", epochMs)}`, `tick=${integer("tickMs", tickMs)}ms`);
  return words.join(" ");
}
