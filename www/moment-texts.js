// A moment as people and programs write it.

/**
 * @param {number} ms in Unix ms
 * @returns {[name: string, text: string][]}
 */
export function momentTexts(ms) {
  const date = new Date(ms);
  const seconds = Math.floor(ms / 1000);
  return [
    ["ISO", date.toISOString()],
    ["local", date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })],
    ["Unix s", String(seconds)],
    ["Unix ms", String(ms)],
    ["<t:…:R>", `<t:${seconds}:R>`],
  ];
}

/** What the system numbers, where its ids are of one thing or few. @type {Map<string, string>} */
const NUMBERS = new Map([
  ["twitter", "post or account"],
  ["discord", "account, message, channel or server"],
  ["instagram", "post"],
  ["mastodon", "post"],
  ["linkedin", "post"],
]);

/**
 * What is numbered, in words: "message", or "account, message, channel or server".
 *
 * @param {string} layout the name of a preset, or a layout string
 * @param {{ layout: string, numbers: string } | undefined} source
 */
export function numbered(layout, source) {
  if (source?.layout === layout && source.numbers !== "") return source.numbers;
  return NUMBERS.get(layout) ?? "";
}
