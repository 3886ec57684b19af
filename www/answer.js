// The answer: the time and the system of an id, and how sure they are.

import { Layout } from "edgeflake";
import { percent } from "./candidates.js";
import { element, make, say } from "./dom.js";
import { addCopies } from "./moment.js";
import { numbered } from "./moment-texts.js";
import { ago, count, iso, local } from "./time.js";

/** @import { DecodedId } from "edgeflake" */
/** @import { Source } from "./links.js" */
/** @import { Fit, Verdict } from "./verdict.js" */

/**
 * @typedef {object} Answer
 * @property {bigint} id
 * @property {Verdict} verdict
 * @property {Source | undefined} source
 * @property {string} chosen the layout that the reader chose; empty for the verdict's layout
 * @property {string} layout the shown layout: a preset's name, or a layout string
 * @property {string} name the name of this layout
 * @property {DecodedId | undefined} decoded undefined if the layout refuses the id
 * @property {string} refusal
 * @property {number} ids the number of ids
 * @property {number} row the number of this id among them
 * @property {boolean} isChanged
 */

const tiles = element("tiles", HTMLElement);
let timeMs = 0;
/**
 * @type {Verdict | undefined} the verdict whose tiles are shown; they stay while the layout is
 * edited
 */
let asked;

/** @param {(preset: string) => void} choose */
export function setUpAnswer(choose) {
  addCopies(element("copies", HTMLElement), () => timeMs);
  tiles.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) choose(button.value);
  });
}

/** @param {Answer} answer */
export function showAnswer(answer) {
  const { verdict, chosen, layout, name, decoded, refusal, ids, row, isChanged, id } = answer;
  const [fit] = verdict.fits;
  const isUnix = chosen === "" && verdict.kind === "sure" && fit.preset.startsWith("unix-");
  const kind = chosen === "" ? verdict.kind : "unasked";
  const isOpen = chosen === "" || verdict.fits.some(({ preset }) => preset === chosen);
  const isTie = verdict.kind === "tie" && (isOpen || asked === verdict);
  asked = isTie ? verdict : undefined;
  const system = kind === "none" ? "No known system fits" : isUnix ? fit.title : name;
  say("system", kind === "tie" ? "" : system);
  say("share", shareOf(kind, fit));
  element("share-of", HTMLElement).hidden = kind !== "sure";
  const changed = isChanged ? ", changed" : "";
  say("which", ids > 1 ? `id ${count(row + 1)} of ${count(ids)}${changed}` : "");
  element("tie", HTMLElement).hidden = !isTie;
  if (isTie) showTiles(verdict.fits, id, chosen);
  say("cut-as", cutAs(kind, isUnix, name));
  say("refusal", refusal && kind === "unasked" ? `This is no id of the layout: ${refusal}.` : "");
  const isMade = kind !== "tie" && kind !== "none";
  element("made", HTMLElement).hidden = !isMade;
  element("figures", HTMLElement).hidden = !isMade || isUnix;
  element("date-row", HTMLElement).hidden = kind === "none" || isUnix;
  // This keeps its place, so that the strip below does not move.
  element("copies", HTMLElement).inert = !decoded && !isUnix;
  const time = element("time", HTMLTimeElement);
  if (!decoded) {
    // The texts become empty, so that the strip below does not move.
    time.removeAttribute("datetime");
    say("time", "no id of this layout");
    say("local-time", "");
    for (const part of ["node", "sequence", "tag"]) say(part, "–");
    return;
  }
  timeMs = isUnix ? unixMs(fit.preset, id) : decoded.timestampMs;
  time.dateTime = iso(timeMs);
  say("time", iso(timeMs));
  const what = ids > 0 ? numbered(layout, answer.source) : "";
  const past = ago(timeMs);
  const known = what && !isUnix && past.endsWith("ago") ? `${capital(what)} made ${past}` : past;
  const made = ids === 0 ? "The first id of this moment" : known;
  say("local-time", `${made} · here ${local(timeMs)}`);
  say("node", decoded.node);
  say("sequence", decoded.sequence);
  say("tag", decoded.tag);
  element("tag-part", HTMLElement).hidden = !decoded.fields.some(({ role }) => role === "tag");
}

/**
 * @param {Verdict["kind"]} kind
 * @param {Fit} fit
 */
function shareOf(kind, fit) {
  if (kind === "timed") return "its dates match the times of the lines";
  return kind === "sure" ? `${percent(fit.share)} likely` : "";
}

/**
 * @param {Fit[]} fits
 * @param {bigint} id
 * @param {string} chosen
 */
function showTiles(fits, id, chosen) {
  const names = fits.map(({ title }) => title);
  const all = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  say("tie-title", `${all}: each fits about as well. Which one made it?`);
  while (tiles.children.length > fits.length) tiles.lastElementChild?.remove();
  while (tiles.children.length < fits.length) {
    const item = make("li", "");
    const button = make("button", "tile");
    button.type = "button";
    for (const name of ["title", "date", "local", "when"]) button.append(make("span", name));
    item.append(button);
    tiles.append(item);
  }
  fits.forEach(({ preset, title, also, share }, i) => {
    const button = tiles.children[i].querySelector("button");
    if (!button) return;
    const ms = dateIn(preset, id);
    // Unix time has no layout to choose.
    button.disabled = preset.startsWith("unix-");
    button.value = preset;
    button.ariaPressed = String(preset === chosen);
    const others = also.length > 0 ? ` with ${also.join(", ")}` : "";
    const likely = `${percent(share)}${others}`;
    const texts =
      ms === undefined
        ? [title, "no id of its layout", "", likely]
        : [title, iso(ms), `here ${local(ms)}`, `${ago(ms)} · ${likely}`];
    texts.forEach((text, at) => {
      button.children[at].textContent = text;
    });
  });
}

/**
 * Returns `undefined` if the layout refuses the id.
 *
 * @param {string} preset
 * @param {bigint} id
 */
function dateIn(preset, id) {
  if (preset.startsWith("unix-")) return unixMs(preset, id);
  const [ms] = Layout.preset(preset).decodeMany(BigUint64Array.of(id)).timestampMs;
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Returns a sentence on the layout of the strip if this layout is not the answer.
 *
 * @param {Verdict["kind"]} kind
 * @param {boolean} isUnix
 * @param {string} name
 */
function cutAs(kind, isUnix, name) {
  const cut = `The bits are cut as ${name} cuts them`;
  if (kind === "tie") return `${cut}, until you choose.`;
  if (kind === "none") {
    return (
      "In each of them its date would be in the future, before the system began, or at its epoch. " +
      `${cut}; choose another system, or a layout of your own.`
    );
  }
  return isUnix ? `A time has no fields. ${cut}.` : "";
}

/**
 * @param {string} unit such as "unix-us"
 * @param {bigint} number
 */
function unixMs(unit, number) {
  if (unit === "unix-s") return Number(number) * 1000;
  return Number(unit === "unix-ms" ? number : number / (unit === "unix-us" ? 1_000n : 1_000_000n));
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
