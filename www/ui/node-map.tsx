// The nodes of a shard that were ever used, as squares: held or free again.

import { useEffect, useRef } from "preact/hooks";

/** The width of a square and its space, in px. It is smaller when there are many squares. */
const SIDE_PX = 16;
const SMALL_SIDE_PX = 5;
const MANY = 2000;

interface NodeMapProps {
  label: string;
  /** Whether each node is held, in the order of the nodes. */
  held: readonly boolean[];
}

export function NodeMap({ label, held }: NodeMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // An unchanged picture is not drawn again.
  const drawn = held.map(Number).join("");
  useEffect(() => {
    if (canvas.current) draw(canvas.current, held);
  }, [drawn]);
  return <canvas class="node-map" ref={canvas} role="img" aria-label={label} />;
}

function draw(canvas: HTMLCanvasElement, held: readonly boolean[]) {
  const side = held.length > MANY ? SMALL_SIDE_PX : SIDE_PX;
  const width = canvas.parentElement?.clientWidth ?? 300;
  const columns = Math.max(1, Math.floor(width / side));
  const height = Math.max(1, Math.ceil(held.length / columns)) * side;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(canvas);
  context.scale(devicePixelRatio, devicePixelRatio);
  for (const [place, isHeld] of held.entries()) {
    context.fillStyle = style.getPropertyValue(isHeld ? "--plot-bar" : "--plot-line");
    const [left, top] = [(place % columns) * side, Math.floor(place / columns) * side];
    context.fillRect(left, top, side * 0.8, side * 0.8);
  }
}
