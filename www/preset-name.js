// What a layout is called.

import { Layout, presets } from "edgeflake";

/** @type {Map<string, string> | undefined} */
let names;

/**
 * The preset of a layout string, or the text itself if it is a preset's name or no preset's layout.
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
