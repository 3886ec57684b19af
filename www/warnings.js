import { element, make } from "./dom.js";

/** @param {string[]} messages */
export function showWarnings(messages) {
  const list = element("warnings", HTMLElement);
  // The same ones are not read out again.
  if ([...list.children].map(({ textContent }) => textContent).join("\n") === messages.join("\n")) {
    return;
  }
  list.replaceChildren(...messages.map((message) => make("li", "", message)));
}
