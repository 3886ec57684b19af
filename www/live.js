// Ids of the Worker that serves this page: the lease of its isolate, and the sequencer's nodes. The
// page asks nothing before a button is pressed.

import { Layout } from "edgeflake";
import { element, make, put, say } from "./dom.js";
import { issueIds, layoutOfServer, nodesNow } from "./edge.js";
import { heldNodes } from "./held-nodes.js";
import { runsOf } from "./id-runs.js";
import { drawLeases } from "./lease-plot.js";
import { drawNodes } from "./node-map.js";
import { count, iso } from "./time.js";

/** @import { Issued } from "./edge.js" */
/** @import { NodesAnswer } from "./held-nodes.js" */
/** @import { Lease } from "./lease-plot.js" */

/** The time between two requests while it goes on, in ms. */
const PERIOD_MS = 1000;
/** The time between two drawings of the picture, in ms. */
const REDRAW_MS = 1000;
/** The largest number of leases, and of lines in the log, that are kept. */
const KEPT_MAX = 8;
/**
 * The largest number of ids that are listed, because a text area of 100,000 lines would stop the
 * page for seconds.
 */
const LISTED_MAX = 1000;

const amount = element("live-count", HTMLSelectElement);
const issueButton = element("live-issue", HTMLButtonElement);
const goOnButton = element("live-go-on", HTMLButtonElement);
const error = element("live-error", HTMLElement);
const listed = element("live-ids", HTMLTextAreaElement);
const picture = element("leases", HTMLElement);

/** @type {Lease[]} newest last */
const leases = [];
/** @type {NodesAnswer | undefined} */
let nodes;
/** @type {Layout | undefined} layout of the server's ids */
let layout;
/** The ids of the last answer, one per line. */
let issued = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {(text: string, layout: string) => void} open takes ids apart */
export function setUpLive(open) {
  element("live-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    issue();
  });
  goOnButton.addEventListener("click", () => (timer === undefined ? goOn() : stop()));
  element("live-open", HTMLButtonElement).addEventListener("click", () => {
    if (layout) open(issued, layout.toString());
  });
  setInterval(draw, REDRAW_MS);
}

/** Returns the layout string of the server's ids, once it was asked for it. */
export function serverLayout() {
  return layout?.toString();
}

async function goOn() {
  goOnButton.textContent = "Stop";
  timer = setTimeout(() => {}, 0);
  await issue();
  if (timer !== undefined) timer = setTimeout(goOn, PERIOD_MS);
}

function stop() {
  clearTimeout(timer);
  timer = undefined;
  goOnButton.textContent = "Go on each second";
}

async function issue() {
  error.textContent = "";
  issueButton.disabled = true;
  try {
    const answer = await issueIds(Number(amount.value));
    nodes = await nodesNow();
    layout ??= Layout.parse(await layoutOfServer());
    issued = answer.text;
    list(issued.trimEnd().split("\n"));
    follow(answer, nodes, layout);
    element("live-answer", HTMLElement).hidden = false;
    draw();
  } catch (refusal) {
    if (!(refusal instanceof Error)) throw refusal;
    error.textContent = refusal.message;
    stop();
  } finally {
    issueButton.disabled = false;
  }
}

/** Draws the known leases and nodes at the present time, which goes on between two answers. */
function draw() {
  if (nodes === undefined || picture.clientWidth === 0) return;
  drawLeases(picture, leases, nodes);
  drawNodes(heldNodes(nodes, Date.now()));
}

/** @param {string[]} ids */
function list(ids) {
  const few = ids.slice(-LISTED_MAX);
  const all = ids.length > few.length ? ` of ${count(ids.length)}` : "";
  say(
    "live-ids-title",
    few.length === 1 ? "The last id" : `The last ${count(few.length)}${all} ids`,
  );
  put(listed, few.join("\n"));
}

/**
 * Notes the lease that an answer names, and the places of its ids.
 *
 * @param {Issued} answer
 * @param {NodesAnswer} nodes
 * @param {Layout} layout
 */
function follow({ text, node, from, until, aheadMs }, { epoch_ms, tick_ms }, layout) {
  const columns = layout.decodeMany(text.trimEnd());
  const end = iso(epoch_ms + until * tick_ms);
  const last = leases.at(-1);
  let lease = leases.find((one) => one.node === node && one.from === from);
  if (lease === undefined) {
    lease = { node, from, until, runs: [], issued: 0 };
    leases.push(lease);
    if (leases.length > KEPT_MAX) leases.shift();
    const how = last === undefined ? "this isolate holds" : "another lease:";
    note(`${how} node ${node} until ${end}`);
  } else {
    if (until > lease.until) note(`node ${node} renewed until ${end}`);
    lease.until = until;
  }
  lease.issued += columns.id.length;
  // One answer may have used up a lease and begun another.
  for (const run of runsOf(columns, layout)) {
    const of = leases.findLast((one) => one.node === run.node && one.from <= run.from);
    of?.runs.push(run);
  }
  say("live-node", node);
  say("live-until", end);
  say("live-ahead", `${count(aheadMs)} ms`);
  say("live-issued", count(leases.reduce((sum, one) => sum + one.issued, 0)));
}

/** @param {string} line */
function note(line) {
  const log = element("live-log", HTMLElement);
  log.prepend(make("li", "", `${new Date().toISOString().slice(11, 19)} ${line}`));
  while (log.children.length > KEPT_MAX) log.lastElementChild?.remove();
}
