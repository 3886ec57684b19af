// What an id says above its strip: of which system it is, when it was made, and by which node.

import { element, say } from "./dom.js";
import { ago, iso } from "./time.js";

/** @import { Decoded } from "edgeflake" */

/**
 * @param {string} system
 * @param {string} which of how many ids it is; empty for one
 * @param {Decoded | undefined} decoded
 * @param {string} refusal why it is no id of the layout; empty if it is one
 */
export function showMade(system, which, decoded, refusal) {
  say("system", system);
  say("which", which);
  say("refusal", refusal && `This is no id of the layout: ${refusal}.`);
  const time = element("time", HTMLTimeElement);
  if (!decoded) {
    // What was said stands empty, so that the strip below does not move.
    time.removeAttribute("datetime");
    say("time", "no id of this layout");
    say("local-time", "");
    for (const part of ["node", "sequence", "tag"]) say(part, "–");
    return;
  }
  const { timestampMs, date, node, sequence, tag } = decoded;
  time.dateTime = iso(timestampMs);
  say("time", iso(timestampMs));
  const local = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
  say("local-time", `${ago(timestampMs)} · here ${local}`);
  say("node", node);
  say("sequence", sequence);
  say("tag", tag);
  element("tag-part", HTMLElement).hidden = !decoded.fields.some(({ role }) => role === "tag");
}
