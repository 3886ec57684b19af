// The sequencer's nodes that were ever used, as squares: held or free, by shard.

import { element, make, say } from "./dom.js";
import { count } from "./time.js";

/** @import { Held } from "./held-nodes.js" */

/** The width of a square and its space, in px. It is smaller when there are many squares. */
const SIDE_PX = 16;
const SMALL_SIDE_PX = 5;
const MANY = 2000;

/** The last drawing, so that an unchanged one is not drawn again. */
let drawn = "";

/** @param {Held} of */
export function drawNodes({ shards, heldCount, freeCount }) {
  const now = JSON.stringify(shards);
  if (now === drawn) return;
  drawn = now;
  const used = shards.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const side = used > MANY ? SMALL_SIDE_PX : SIDE_PX;
  const figures = shards.map(({ shard, nodes, held }) => {
    const figure = make("figure", "shard");
    const holds = held.filter(Boolean).length;
    const ended = nodes.length - holds;
    const name = `${count(holds)} held, ${count(ended)} free again`;
    const caption = make("figcaption", "", shards.length > 1 ? `shard ${shard}: ${name}` : name);
    const canvas = make("canvas", "");
    canvas.role = "img";
    canvas.ariaLabel = `nodes of shard ${shard}: ${name}`;
    figure.append(caption, canvas);
    return { figure, canvas, held };
  });
  element("node-map", HTMLElement).replaceChildren(...figures.map(({ figure }) => figure));
  const holds = `${count(heldCount)} ${heldCount === 1 ? "is" : "are"} held`;
  const wasUsed = `${count(used)} ${used === 1 ? "was" : "were"} ever used`;
  const all = count(heldCount + freeCount);
  say("node-rest", `Of ${all} nodes, ${holds} and ${count(freeCount)} are free; ${wasUsed}.`);
  for (const { canvas, held } of figures) draw(canvas, held, side);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {boolean[]} held
 * @param {number} side
 */
function draw(canvas, held, side) {
  const width = canvas.parentElement?.clientWidth ?? 300;
  const columns = Math.max(1, Math.floor(width / side));
  const height = Math.max(1, Math.ceil(held.length / columns)) * side;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colours = [style.getPropertyValue("--node-free"), style.getPropertyValue("--node-held")];
  context.scale(ratio, ratio);
  held.forEach((holds, place) => {
    context.fillStyle = colours[Number(holds)];
    const left = (place % columns) * side;
    const top = Math.floor(place / columns) * side;
    context.fillRect(left, top, side - side / 5, side - side / 5);
  });
}
