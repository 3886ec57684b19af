// A date with a button for each way to copy it.

import { discordMenu } from "./discord-menu.js";
import { copyButton, make } from "./dom.js";
import { momentTexts } from "./moment-texts.js";

/** The uses of the ways to copy whose names do not say them. @type {Record<string, string>} */
const LABELS = { local: "local time", "<t:…:R>": "<t:…:R> for Discord" };

/**
 * @param {HTMLElement} place
 * @param {() => number} ms in Unix ms
 */
export function addCopies(place, ms) {
  const words = make("span", "", "Copy");
  words.append(make("span", "more-words", " the date as"));
  place.append(words);
  momentTexts(0).forEach(([name], i) => {
    const label = LABELS[name] ?? `${name} date`;
    const button = copyButton(label, () => momentTexts(ms())[i][1], name);
    button.classList.add("chip");
    place.append(button);
  });
  place.append(...discordMenu(ms));
}
