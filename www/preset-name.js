// What a layout is called.

import { Layout, presets } from "edgeflake";

/** @type {Map<string, string>} */
let names;

/**
 * The preset of a layout string, or the text itself if it is a preset's name or no preset's layout.
 *
 * @param {string} layout a preset's name or a layout string
 */
export function presetNameOf(layout) {
  names ??= new Map(
    presets()
      .map((name) => [Layout.preset(name).toString(), name])
      .reverse(),
  );
  return names.get(layout) ?? layout;
}
