// An id of another kind, such as a UUID: its date and its fields.

import { showChips } from "./chips.js";
import { element, make, say } from "./dom.js";
import { addCopies } from "./moment.js";
import { ago, count, iso } from "./time.js";

/** @import { Kind } from "./kinds.js" */
/** @import { State } from "./state.js" */

/** The largest number of ids that can be chosen. */
const LISTED_MAX = 200;

const card = element("kind", HTMLElement);
const list = element("kind-list", HTMLElement);
let timeMs = 0;

/** @param {(changes: Partial<State>) => void} change */
export function setUpKind(change) {
  addCopies(element("kind-copies", HTMLElement), () => timeMs);
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLButtonElement) change({ row: Number(target.value) });
  });
}

/**
 * @param {Kind[]} kinds an empty list hides the card
 * @param {number} row number of the shown one
 */
export function showKind(kinds, row) {
  card.hidden = kinds.length === 0;
  if (kinds.length === 0) return;
  const at = Math.min(row, kinds.length - 1);
  const { title, bits, note, text, timestampMs, parts } = kinds[at];
  say("kind-title", title);
  say("kind-which", kinds.length > 1 ? `id ${count(at + 1)} of ${count(kinds.length)}` : "");
  say("kind-text", text);
  say("kind-note", /\d+ bits/.test(note) ? `${note}.` : `${bits} bits, ${note}.`);
  const hasTime = timestampMs !== undefined;
  element("kind-made", HTMLElement).hidden = !hasTime;
  if (hasTime) {
    timeMs = timestampMs;
    const time = element("kind-time", HTMLTimeElement);
    time.dateTime = iso(timeMs);
    say("kind-time", iso(timeMs));
    const date = new Date(timeMs);
    const local = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
    say("kind-ago", `${ago(timeMs)} · here ${local}`);
  }
  element("kind-table", HTMLElement).hidden = parts.length === 0;
  element("kind-parts", HTMLElement).replaceChildren(
    ...parts.map(({ name, bits: width, value, meaning }) => {
      const line = make("tr", "");
      const header = make("th", "", name);
      header.scope = "row";
      line.append(header, make("td", "bits", width), make("td", "bits", value));
      line.append(make("td", "meaning", meaning));
      return line;
    }),
  );
  const listed = kinds.length > 1 ? kinds.slice(0, LISTED_MAX) : [];
  showChips(
    list,
    listed.map((one, i) => ({
      value: String(i),
      text: one.timestampMs === undefined ? one.text : `${one.text}  ${iso(one.timestampMs)}`,
      isPressed: i === at,
    })),
  );
  const rest = kinds.length - listed.length;
  say("kind-rest", listed.length > 0 && rest > 0 ? `and ${count(rest)} more` : "");
}
