// The system as whose ids many ids are read, and buttons for the others that may have made them.

import { percent } from "./candidates.js";
import { showChips } from "./chips.js";
import { element } from "./dom.js";
import { isWellKnown } from "./moment-texts.js";

/** @import { Fit, Verdict } from "./verdict.js" */

/** The number of systems that are offered, besides the shown one and the well-known ones. */
const OFFERED = 4;

const row = element("systems-row", HTMLElement);
const chips = element("systems", HTMLElement);

/** @param {(preset: string) => void} choose */
export function setUpSystems(choose) {
  chips.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) choose(button.value);
  });
}

/**
 * @param {Verdict} verdict
 * @param {string} shown a preset's name, or a layout string
 */
export function showSystems({ kind, fits, others }, shown) {
  const offered = others.filter(({ preset }, i) => {
    // Unix time has no layout to choose.
    if (preset.startsWith("unix-")) return false;
    return (i < OFFERED && kind !== "timed") || preset === shown || isWellKnown(preset);
  });
  row.hidden = offered.length === 0;
  showChips(
    chips,
    offered.map((fit) => ({
      value: fit.preset,
      text: kind === "timed" ? timed(fit, fits) : `${fit.title} ${percent(fit.share)}`,
      isPressed: fit.preset === shown,
    })),
  );
}

/**
 * Returns the text of a button. If the times of the lines have settled the system, it has no share.
 *
 * @param {Fit} fit
 * @param {Fit[]} settled
 */
function timed({ preset, title }, [settled]) {
  return preset === settled.preset ? `${title}, by the times of the lines` : title;
}
