// The other ways in which a message of Discord writes a moment, behind one button.

import { copyOnClick, make } from "./dom.js";
import { discordTexts } from "./moment-texts.js";

/**
 * @param {() => number} ms in Unix ms
 * @returns {[HTMLElement, HTMLElement]} the button, and the menu that it opens
 */
export function discordMenu(ms) {
  const menu = make("div", "menu");
  menu.popover = "auto";
  menu.role = "group";
  menu.ariaLabel = "Forms for Discord";
  const seen = discordTexts(0).map(({ style }, i) => {
    const name = `<t:…:${style}>`;
    const button = make("button", "quiet menu-row");
    button.type = "button";
    const words = make("span", "aside");
    button.append(make("code", "", name), words);
    copyOnClick(button, `${name} for Discord`, () => discordTexts(ms())[i].text, words);
    menu.append(button);
    return words;
  });
  menu.addEventListener("beforetoggle", () => {
    discordTexts(ms()).forEach((text, i) => {
      seen[i].textContent = text.seen;
    });
  });
  const opener = make("button", "quiet chip menu-opener", "▾");
  opener.type = "button";
  opener.ariaLabel = "Other forms for Discord";
  opener.popoverTargetElement = menu;
  return [opener, menu];
}
