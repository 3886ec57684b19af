// A link to the present state, or a file if the link would be too long.

import { element, say } from "./dom.js";
import { writeFragment } from "./state.js";
import { count } from "./time.js";

/** @import { State } from "./state.js" */

/**
 * The most characters of a link, because chats, mail programs and servers cut or refuse longer
 * ones.
 */
const COPIED_MAX = 8000;
const COPIED_MS = 1500;

const copy = element("link-copy", HTMLButtonElement);
const save = element("save", HTMLButtonElement);

/** @param {() => State} stateNow */
export function setUpShare(stateNow) {
  copy.addEventListener("click", async () => {
    // The address is not used, because it is written a moment after an edit.
    const fragment = await writeFragment(stateNow());
    const link = `${location.origin}${location.pathname}#${fragment ?? ""}`;
    if (fragment === undefined || link.length > COPIED_MAX) {
      const length = fragment === undefined ? "" : ` of ${count(link.length)} characters`;
      say(
        "link-note",
        `A link${length} is too long to send: at most ${count(COPIED_MAX)} are copied. ` +
          "Save the text as a file instead, and open it here again.",
      );
      save.hidden = false;
      return;
    }
    let title = "Copied";
    try {
      await navigator.clipboard.writeText(link);
      say("status", "link copied");
    } catch {
      say("status", "this browser does not let the page copy: copy the address instead");
      title = "Not allowed";
    }
    copy.textContent = title;
    setTimeout(() => {
      copy.textContent = "Copy link";
    }, COPIED_MS);
  });
  save.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([stateNow().text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "ids.txt";
    link.click();
    URL.revokeObjectURL(address);
    say("status", "saved as ids.txt");
  });
}

/** @param {boolean} isTooLong whether the address leaves the text out */
export function showAddress(isTooLong) {
  save.hidden = true;
  say("link-note", isTooLong ? "This is too much for a link, so the address leaves it out." : "");
}
