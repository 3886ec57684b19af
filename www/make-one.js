// Makes one id, on the server or here, and shows how it is decided: field by field, and then in the
// rectangle of its lease.

import { Generator, Layout } from "edgeflake";
import { decisionsOf } from "./decided.js";
import { element, make, say } from "./dom.js";
import { issueIds, layoutOfServer } from "./edge.js";
import { runsOf } from "./id-runs.js";
import { drawLeases } from "./lease-plot.js";
import { showUndecided } from "./strip.js";

/**
 * @typedef {object} Made
 * @property {bigint} id
 * @property {Layout} layout
 * @property {{ node: number, from: number, until: number }} lease in ticks
 * @property {string} by maker of the id, for people
 */

/** The time for which each decision is shown, in ms. */
const STEP_MS = 700;
/**
 * The least width of the mark, in px, because one tick of a lease of minutes would be too narrow to
 * see.
 */
const MARK = 6;
/** The lease time that a Worker has by default. */
const LEASE_MS = 300_000;

const button = element("make-one", HTMLButtonElement);
const steps = element("make-steps", HTMLElement);
const how = element("made-how", HTMLElement);
const picture = element("make-lease", HTMLElement);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Made | undefined} */
let last;
/** The width for which its lease was drawn. */
let drawnWidth = 0;

/** @param {(id: bigint, layout: string) => void} show takes it apart */
export function setUpMakeOne(show) {
  new ResizeObserver(() => {
    if (last && picture.clientWidth !== drawnWidth) draw(last);
  }).observe(picture);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const made = await fromServer().catch((refusal) => {
      if (!(refusal instanceof Error)) throw refusal;
      return madeHere(refusal.message);
    });
    button.disabled = false;
    button.focus();
    button.textContent = "Make another";
    show(made.id, made.layout.toString());
    play(made);
  });
}

/** @returns {Promise<Made>} */
async function fromServer() {
  const { text, node, from, until } = await issueIds(1);
  const layout = Layout.parse(await layoutOfServer());
  return {
    id: BigInt(text.trim()),
    layout,
    lease: { node, from, until },
    by: "Made by the server.",
  };
}

/**
 * @param {string} why reason why the server made none
 * @returns {Made}
 */
function madeHere(why) {
  const layout = Layout.preset("hazelcast");
  const node = crypto.getRandomValues(new Uint32Array(1))[0] % layout.info().nodes;
  const generator = new Generator({ layout, node });
  const id = generator.next();
  generator.close();
  const from = Math.floor((layout.decode(id).timestampMs - layout.epochMs) / layout.tickMs);
  const until = from + LEASE_MS / layout.tickMs;
  const by =
    "Made in this browser by the same generator, in a lease that only this page knows. " +
    `The server made none: ${why}.`;
  return { id, layout, lease: { node, from, until }, by };
}

/** @param {Made} made */
function play(made) {
  const { id, layout, by } = made;
  clearTimeout(timer);
  const decisions = decisionsOf(layout);
  const decoded = layout.decode(id);
  const lines = decisions.map(({ role, words }) => {
    const names = layout.fields.filter((field) => field.role === role).map(({ name }) => name);
    const line = make("li", role);
    line.append(make("strong", "swatch", names.join(" and ")), ` by ${words}`);
    line.firstElementChild?.classList.add(role);
    return line;
  });
  steps.replaceChildren(...lines);
  how.hidden = false;
  last = made;
  draw(made);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  decide(isStill ? decisions.length : 0);

  /** @param {number} done number of decisions so far */
  function decide(done) {
    const rest = decisions.slice(done).map(({ role }) => role);
    showUndecided(rest);
    for (const [i, line] of lines.entries()) line.classList.toggle("undecided", i >= done);
    picture.classList.toggle("undecided", rest.length > 0);
    if (rest.length > 0) timer = setTimeout(() => decide(done + 1), STEP_MS);
    else say("make-by", `${by} Node ${decoded.node}, ${decoded.date.toISOString()}.`);
  }
}

/** @param {Made} made */
function draw({ id, layout, lease }) {
  drawnWidth = picture.clientWidth;
  if (drawnWidth === 0) return;
  const runs = runsOf(layout.decodeMany([id]), layout);
  const ticks = { epoch_ms: layout.epochMs, tick_ms: layout.tickMs };
  drawLeases(picture, [{ ...lease, runs, issued: 1 }], ticks, MARK);
}
