// The notations in which people and programs write a moment.

import { local } from "./time.js";

/**
 * @param {number} ms in Unix ms
 * @returns {[name: string, text: string][]}
 */
export function momentTexts(ms) {
  const date = new Date(ms);
  const seconds = Math.floor(ms / 1000);
  return [
    ["ISO", date.toISOString()],
    ["local", local(ms)],
    ["Unix s", String(seconds)],
    ["Unix ms", String(ms)],
    ["<t:…:R>", `<t:${seconds}:R>`],
  ];
}

/** The style that Discord has for each letter, as the options of a date that looks alike. */
const DISCORD_STYLES = /** @type {const} @satisfies {[string, Intl.DateTimeFormatOptions][]} */ ([
  ["F", { dateStyle: "full", timeStyle: "short" }],
  ["f", { dateStyle: "long", timeStyle: "short" }],
  ["D", { dateStyle: "long" }],
  ["d", { dateStyle: "short" }],
  ["T", { timeStyle: "medium" }],
  ["t", { timeStyle: "short" }],
]);

/**
 * Returns the timestamps of Discord's messages that are dates, each with the text that readers see.
 *
 * @param {number} ms in Unix ms
 * @returns {{ style: string, text: string, seen: string }[]}
 */
export function discordTexts(ms) {
  return DISCORD_STYLES.map(([style, options]) => ({
    style,
    text: `<t:${Math.floor(ms / 1000)}:${style}>`,
    seen: new Date(ms).toLocaleString(undefined, options),
  }));
}

/**
 * The things that a system numbers, if its ids number one kind or few.
 *
 * @type {Map<string, string>}
 */
const NUMBERS = new Map([
  ["twitter", "post or account"],
  ["discord", "account, message, channel or server"],
  ["instagram", "post"],
  ["mastodon", "post"],
  ["linkedin", "post"],
]);

/**
 * Returns whether people know the system by the things that it numbers.
 *
 * @param {string} preset
 */
export function isWellKnown(preset) {
  return NUMBERS.has(preset);
}

/**
 * Returns the things that the system numbers, in words: "message", or "account, message, channel or
 * server".
 *
 * @param {string} layout the name of a preset, or a layout string
 * @param {{ layout: string, numbers: string } | undefined} source
 */
export function numbered(layout, source) {
  if (source?.layout === layout && source.numbers !== "") return source.numbers;
  return NUMBERS.get(layout) ?? "";
}
