// The playground is a module of its own, which is loaded when its part is first shown.

import { element, make } from "./dom.js";

/** This module is built beside the page's own script. */
const MODULE = "./clock/clock.js";

let isShown = false;

/** @param {(id: bigint, layout: string) => void} showId shows an id in the strip */
export async function showPlayground(showId) {
  if (isShown) return;
  isShown = true;
  const section = element("clock", HTMLElement);
  try {
    const { mount } = await import(MODULE);
    section.replaceChildren();
    await mount(section, { showId });
  } catch (error) {
    isShown = false;
    section.replaceChildren(
      make("p", "error", "The playground could not be loaded: go online, then open Clock again."),
    );
    // A module that cannot be fetched is a TypeError.
    if (!(error instanceof TypeError)) throw error;
  }
}
