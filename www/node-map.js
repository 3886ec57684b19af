// The sequencer's nodes that were ever used, a square each: held or free, by shard.

import { element, make } from "./dom.js";
import { count } from "./time.js";

/**
 * @typedef {object} NodesAnswer what `GET .../nodes` answers
 * @property {number} epoch_ms
 * @property {number} tick_ms
 * @property {number} node_count
 * @property {{ shard: number, node: number[], until: number[], held: number[] }[]} shards
 */

/** In px, with the space between squares; small when there are many. */
const SIDE_PX = 16;
const SMALL_SIDE_PX = 5;
const MANY = 2000;

/** @param {NodesAnswer} nodes */
export function drawNodes({ node_count, shards }) {
  const used = shards.reduce((sum, { node }) => sum + node.length, 0);
  const side = used > MANY ? SMALL_SIDE_PX : SIDE_PX;
  const figures = shards.map(({ shard, node, held }) => {
    const figure = make("figure", "shard");
    const holds = held.filter(Boolean).length;
    const name = `${count(holds)} held, ${count(node.length - holds)} free`;
    const caption = make("figcaption", "", shards.length > 1 ? `shard ${shard}: ${name}` : name);
    const canvas = make("canvas", "");
    canvas.role = "img";
    canvas.ariaLabel = `nodes of shard ${shard}: ${name}`;
    figure.append(caption, canvas);
    return { figure, canvas, node, held };
  });
  element("node-map", HTMLElement).replaceChildren(...figures.map(({ figure }) => figure));
  const rest = `${count(used)} of ${count(node_count)} nodes were ever used`;
  element("node-rest", HTMLElement).textContent = rest;
  for (const { canvas, node, held } of figures) draw(canvas, node, held, side);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} nodes
 * @param {number[]} held
 * @param {number} side
 */
function draw(canvas, nodes, held, side) {
  const width = canvas.parentElement?.clientWidth ?? 300;
  const columns = Math.max(1, Math.floor(width / side));
  const height = Math.max(1, Math.ceil(nodes.length / columns)) * side;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colours = [style.getPropertyValue("--node-free"), style.getPropertyValue("--node-held")];
  context.scale(ratio, ratio);
  const order = Array.from(nodes, (_, i) => i).sort((a, b) => nodes[a] - nodes[b]);
  order.forEach((i, place) => {
    context.fillStyle = colours[held[i]];
    const left = (place % columns) * side;
    const top = Math.floor(place / columns) * side;
    context.fillRect(left, top, side - side / 5, side - side / 5);
  });
}
