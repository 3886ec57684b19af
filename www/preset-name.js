// The name of a layout.

import { Layout, presets } from "edgeflake";

/** @type {Map<string, string> | undefined} */
let names;

/**
 * Returns the preset of a layout string. If there is none, or the text is a preset's name, it
 * returns the text.
 *
 * @param {string} layout a preset's name or a layout string
 */
export function presetNameOf(layout) {
  if (names === undefined) {
    names = new Map();
    // Of presets with the same layout, the first one names it.
    for (const name of presets().reverse()) names.set(Layout.preset(name).toString(), name);
  }
  return names.get(layout) ?? layout;
}
