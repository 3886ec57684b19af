// The parts of the page, of which one is shown. Links lead to them. They share one strip, which
// stands in the shown part.

import { element, say } from "./dom.js";
import { PARTS, partOf } from "./state.js";

/** @import { Part } from "./state.js" */

/** @type {Record<Part, string>} */
const TITLES = {
  decode: "Take an id apart",
  many: "Compare many ids",
  design: "Design a layout",
  live: "Ids of this server",
  clock: "Break the clock",
};

const links = [...document.querySelectorAll("#parts a")].filter(
  (link) => link instanceof HTMLAnchorElement,
);
const sections = [...document.querySelectorAll("[data-parts]")];

/** @type {Part | undefined} */
let shown;

/** @param {(part: Part) => void} choose */
export function setUpParts(choose) {
  for (const link of links) {
    link.addEventListener("click", (event) => {
      // With one of these keys the browser opens the link elsewhere.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const part = partOf(link.hash.slice(1));
      if (part === "") return;
      event.preventDefault();
      choose(part);
      scrollTo({ top: 0 });
    });
  }
}

/**
 * @param {Part} part
 * @param {(part: Part) => string} fragmentOf returns the fragment of a link to a part
 */
export function showPart(part, fragmentOf) {
  for (const [i, link] of links.entries()) link.href = `#${fragmentOf(PARTS[i])}`;
  if (part === shown) return;
  shown = part;
  document.body.dataset.part = part;
  document.title = `edgeflake: ${TITLES[part].toLowerCase()}`;
  say("title", TITLES[part]);
  for (const section of sections) {
    section.classList.toggle(
      "away",
      !section.getAttribute("data-parts")?.split(" ").includes(part),
    );
  }
  for (const [i, link] of links.entries()) link.ariaCurrent = PARTS[i] === part ? "page" : null;
  const place = document.querySelector(`[data-answer~="${part}"]`);
  const answer = element("answer", HTMLElement);
  if (answer.parentElement !== place) place?.append(answer);
}
