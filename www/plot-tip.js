// The text beside the pointer over a plot.

import { make } from "./dom.js";

/** @import uPlot from "uplot" */

/**
 * @param {(index: number) => string} wordsOf returns the text for an index of the data; empty for
 * none
 * @returns {uPlot.Plugin}
 */
export function tip(wordsOf) {
  const place = make("p", "plot-tip");
  return {
    hooks: {
      init: (plot) => plot.over.append(place),
      setCursor: ({ cursor: { idx, left = -1 }, over }) => {
        const words = typeof idx === "number" && left >= 0 ? wordsOf(idx) : "";
        place.hidden = words === "";
        place.textContent = words;
        const isRight = left > over.clientWidth / 2;
        place.style.left = isRight ? "auto" : `${left + 12}px`;
        place.style.right = isRight ? `${over.clientWidth - left + 12}px` : "auto";
      },
    },
  };
}
