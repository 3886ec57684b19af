// Ids of this very edge: what its isolate holds, and the sequencer's nodes. Nothing is asked before
// a button is pressed.

import { element, make, put, say } from "./dom.js";
import { drawLeases } from "./lease-plot.js";
import { drawNodes } from "./node-map.js";
import { count, iso } from "./time.js";

/** @import { Lease } from "./lease-plot.js" */
/** @import { NodesAnswer } from "./node-map.js" */

const SEQUENCER = "v1/sequencers/default";
/** How often it asks while it goes on. */
const PERIOD_MS = 1000;
/** How many leases and lines of what happened are kept. */
const KEPT_MAX = 8;

const amount = element("live-count", HTMLSelectElement);
const issueButton = element("live-issue", HTMLButtonElement);
const goOnButton = element("live-go-on", HTMLButtonElement);
const token = element("live-token", HTMLInputElement);
const error = element("live-error", HTMLElement);
const ids = element("live-ids", HTMLTextAreaElement);

/** @type {Lease[]} the newest last */
const leases = [];
/** @type {{ nodes: NodesAnswer, layout: string } | undefined} */
let sequencer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {(text: string, layout: string) => void} open takes ids apart above */
export function setUpLive(open) {
  element("live-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    issue();
  });
  goOnButton.addEventListener("click", () => (timer === undefined ? goOn() : stop()));
  element("live-open", HTMLButtonElement).addEventListener("click", () => {
    if (sequencer) open(ids.value, sequencer.layout);
  });
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
    const answer = await ask(`v1/ids?format=text&count=${amount.value}`, "POST");
    const text = await answer.text();
    put(ids, text);
    const nodes = await (await ask(`${SEQUENCER}/nodes`, "GET")).json();
    sequencer ??= { nodes, layout: (await (await ask(SEQUENCER, "GET")).json()).layout };
    sequencer.nodes = nodes;
    follow(answer.headers, nodes, text.trimEnd().split("\n").length);
    element("live-answer", HTMLElement).hidden = false;
    drawLeases(leases, nodes);
    drawNodes(nodes);
  } catch (refusal) {
    if (!(refusal instanceof Error)) throw refusal;
    error.textContent = refusal.message;
    stop();
  } finally {
    issueButton.disabled = false;
  }
}

/**
 * @param {string} path
 * @param {string} method
 */
async function ask(path, method) {
  const headers = token.value ? { authorization: `Bearer ${token.value}` } : undefined;
  let answer;
  try {
    answer = await fetch(path, { method, headers, cache: "no-store" });
  } catch {
    throw new Error("the server cannot be reached: this panel needs a network");
  }
  if (answer.ok) return answer;
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("application/problem+json")) {
    throw new Error(
      `no ids here: this page is not served by the edgeflake Worker (it answered ${answer.status}). ` +
        "Deploy the Worker, or start it with npx edgeflake dev, and open the page there",
    );
  }
  element("live-token-row", HTMLElement).hidden &&= answer.status !== 401;
  throw new Error((await answer.json()).detail);
}

/**
 * Notes what the answer says of the lease.
 *
 * @param {Headers} headers
 * @param {NodesAnswer} nodes
 * @param {number} issued
 */
function follow(headers, nodes, issued) {
  const node = Number(headers.get("edgeflake-node"));
  const [from, until] = (headers.get("edgeflake-span") ?? "0/0").split("/").map(Number);
  const aheadMs = Number(headers.get("edgeflake-ahead-millis"));
  const nowMs = Date.now();
  const tick = Math.floor((nowMs + aheadMs - nodes.epoch_ms) / nodes.tick_ms);
  const end = iso(nodes.epoch_ms + until * nodes.tick_ms);
  const last = leases.at(-1);
  const same = leases.find((lease) => lease.node === node && lease.from === from);
  if (same === undefined) {
    leases.push({ node, from, until, tick, issued });
    if (leases.length > KEPT_MAX) leases.shift();
    const how = last === undefined ? "this isolate holds" : "another lease:";
    note(`${how} node ${node} until ${end}`);
  } else {
    if (until > same.until) note(`node ${node} renewed until ${end}`);
    same.until = until;
    same.tick = tick;
    same.issued += issued;
  }
  say("live-node", node);
  say("live-until", end);
  say("live-ahead", `${count(aheadMs)} ms`);
  say("live-issued", count(leases.reduce((sum, lease) => sum + lease.issued, 0)));
}

/** @param {string} line */
function note(line) {
  const log = element("live-log", HTMLElement);
  log.prepend(make("li", "", `${new Date().toISOString().slice(11, 19)} ${line}`));
  while (log.children.length > KEPT_MAX) log.lastElementChild?.remove();
}
