// The colours and shapes of the picture. A process has both, so that it can be recognised without
// colours.

/** The colours that clock.css gives the picture. */
const NAMES = ["a", "b", "c", "text", "quiet", "line", "card", "lane", "error"];

/** @typedef {Record<"a" | "b" | "c" | "text" | "quiet" | "line" | "card" | "lane" | "error", string>} Colours */

/** The colour of each process, by its index. */
export const KEYS = /** @type {const} */ (["a", "b", "c"]);

/** The number of pictures of a flash, and its size in px at the beginning and at the end. */
const FLASH_STEPS = 24;
const FLASH_FROM = 4;
const FLASH_TO = 18;

/** @param {HTMLElement} place @returns {Colours} */
export function coloursOf(place) {
  const style = getComputedStyle(place);
  const entries = NAMES.map((name) => [name, style.getPropertyValue(`--clock-${name}`)]);
  return /** @type {Colours} */ (Object.fromEntries(entries));
}

/**
 * Returns the dots of the processes, that of a duplicate, and the steps of its flash.
 *
 * @param {Colours} colours
 * @param {number} radius in px of the screen
 * @param {number} ratio px of the screen per px
 */
export function spritesOf(colours, radius, ratio) {
  const line = Math.max(1.5, radius * 0.7);
  const side = 2 * Math.ceil(1.5 * radius + 1);
  return {
    dots: KEYS.map((key, process) =>
      sprite(side, colours[key], line, (context) => shape(context, process, radius)),
    ),
    duplicate: sprite(2.5 * side, colours.error, line, (context) => cross(context, 2 * radius)),
    flashes: Array.from({ length: FLASH_STEPS }, (_, step) => {
      const share = step / FLASH_STEPS;
      const reach = (FLASH_FROM + (FLASH_TO - FLASH_FROM) * share) * ratio;
      return sprite(2 * (reach + 2 * ratio), colours.error, 2 * ratio, (context) =>
        flash(context, reach, 1 - share),
      );
    }),
  };
}

/**
 * @param {number} least smallest length of its side, in px of the screen
 * @param {string} colour
 * @param {number} line
 * @param {(context: CanvasRenderingContext2D) => void} draw draws around 0 0
 */
function sprite(least, colour, line, draw) {
  const canvas = document.createElement("canvas");
  const side = 2 * Math.ceil(least / 2);
  canvas.width = side;
  canvas.height = side;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.translate(side / 2, side / 2);
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = line;
  draw(context);
  return canvas;
}

/**
 * Draws a circle, a square or a triangle.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} process
 * @param {number} radius
 */
function shape(context, process, radius) {
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

/** @param {CanvasRenderingContext2D} context @param {number} radius @param {number} strength */
function flash(context, radius, strength) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.globalAlpha = 0.25 * strength;
  context.fill();
  context.globalAlpha = strength;
  context.stroke();
}
