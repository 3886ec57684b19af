// What people know of the systems: their titles, the words that name them, and what they number.

import { identify, Layout, presets } from "edgeflake";

/** The name of each system, because an id of 0 may come from all of them. */
const titles = new Map(identify(0n).map(({ preset, title }) => [preset as string, title]));

/** Returns the title of a preset, or the name itself. */
export function titleOf(preset: string): string {
  return titles.get(preset) ?? preset;
}

let layouts: Map<string, string> | undefined;

/** Returns the preset of a layout string. Returns any other text, such as a preset's name, unchanged. */
export function presetNameOf(layout: string): string {
  if (layouts === undefined) {
    // Of presets with the same layout, the first one names it.
    layouts = new Map();
    for (const name of presets().reverse()) layouts.set(Layout.preset(name).toString(), name);
  }
  return layouts.get(layout) ?? layout;
}

/** Words that name a system. Their spaces may be any of `_`, `-` and `.`. */
const WORDS: [words: RegExp, preset: string][] = [
  [/\b(?:discord|guild)\b/g, "discord"],
  [/\b(?:tweets?|twitter|retweet|in reply to status)\b/g, "twitter"],
  [/\b(?:instagram|threads post|media id)\b/g, "instagram"],
  [/\b(?:mastodon|toots?)\b/g, "mastodon"],
  [/\blinkedin\b/g, "linkedin"],
  [/\b(?:tiktok|douyin|aweme)\b/g, "tiktok"],
];

/** Returns the system that words name, with the naming word nearest to their end. */
export function systemNamed(text: string): { preset: string; word: string } | undefined {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_.-]+/g, " ")
    .toLowerCase();
  let [found, place]: [{ preset: string; word: string } | undefined, number] = [undefined, -1];
  for (const [pattern, preset] of WORDS) {
    for (const { 0: word, index } of words.matchAll(pattern)) {
      if (index > place) [found, place] = [{ preset, word }, index];
    }
  }
  return found;
}

/** The things that a system numbers, if its ids number one kind or few. */
const NUMBERS = new Map([
  ["twitter", "post or account"],
  ["discord", "account, message, channel or server"],
  ["instagram", "post"],
  ["mastodon", "post"],
  ["linkedin", "post"],
  ["tiktok", "video"],
]);

/** Returns the things that a system numbers; empty if they are of many kinds. */
export function numbered(preset: string): string {
  return NUMBERS.get(preset) ?? "";
}
