// Colours and shapes of the picture. A process has both, so that it is told apart without colours.

/** The colours that clock.css gives the picture. */
const NAMES = ["a", "b", "c", "text", "quiet", "line", "card", "lane", "error"];

/** @typedef {Record<"a" | "b" | "c" | "text" | "quiet" | "line" | "card" | "lane" | "error", string>} Colours */

/** Of each process, by its index. */
export const KEYS = /** @type {const} */ (["a", "b", "c"]);

/** @param {HTMLElement} place @returns {Colours} */
export function coloursOf(place) {
  const style = getComputedStyle(place);
  const entries = NAMES.map((name) => [name, style.getPropertyValue(`--clock-${name}`)]);
  return /** @type {Colours} */ (Object.fromEntries(entries));
}

/**
 * The dots of the processes, and that of a duplicate.
 *
 * @param {Colours} colours
 * @param {number} radius in px of the screen
 */
export function spritesOf(colours, radius) {
  return {
    dots: KEYS.map((key, process) =>
      sprite(radius, (context) => shape(context, process, radius), colours[key]),
    ),
    duplicate: sprite(2.5 * radius, (context) => cross(context, 2 * radius), colours.error),
  };
}

/**
 * @param {number} radius
 * @param {(context: CanvasRenderingContext2D) => void} draw around 0 0
 * @param {string} colour
 */
function sprite(radius, draw, colour) {
  const canvas = document.createElement("canvas");
  const side = 2 * Math.ceil(1.5 * radius + 1);
  canvas.width = side;
  canvas.height = side;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.translate(side / 2, side / 2);
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1.5, radius * 0.7);
  draw(context);
  return canvas;
}

/**
 * A circle, a square, a triangle.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} process
 * @param {number} radius
 */
export function shape(context, process, radius) {
  context.beginPath();
  if (process === 0) context.arc(0, 0, radius, 0, 2 * Math.PI);
  else if (process === 1) context.rect(-0.9 * radius, -0.9 * radius, 1.8 * radius, 1.8 * radius);
  else {
    context.moveTo(0, -1.25 * radius);
    context.lineTo(1.2 * radius, radius);
    context.lineTo(-1.2 * radius, radius);
    context.closePath();
  }
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} radius */
function cross(context, radius) {
  context.beginPath();
  context.moveTo(-radius, -radius);
  context.lineTo(radius, radius);
  context.moveTo(radius, -radius);
  context.lineTo(-radius, radius);
  context.stroke();
}
