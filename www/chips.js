// Buttons of which one or none is pressed. They stay where they are, and so does the focus.

import { make } from "./dom.js";

/** @typedef {{ value: string, text: string, label?: string, isPressed?: boolean }} Chip */

/**
 * @param {HTMLElement} place
 * @param {Chip[]} chips
 */
export function showChips(place, chips) {
  while (place.children.length > chips.length) place.lastElementChild?.remove();
  while (place.children.length < chips.length) {
    const button = make("button", "chip");
    button.type = "button";
    place.append(button);
  }
  chips.forEach(({ value, text, label, isPressed }, i) => {
    const button = place.children[i];
    if (!(button instanceof HTMLButtonElement)) return;
    button.value = value;
    if (button.textContent !== text) button.textContent = text;
    button.ariaLabel = label ?? null;
    button.ariaPressed = isPressed === undefined ? null : String(isPressed);
  });
}
