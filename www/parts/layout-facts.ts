// The capacity of a layout in figures, and the differences of two layouts in them.

import type { Layout } from "edgeflake";
import { count, day, duration } from "../ui/words.ts";

export function figuresOf(layout: Layout) {
  const { nodes, idsPerTick, expiresAt, ...info } = layout.info();
  const perSecond = (idsPerTick * 1000) / layout.tickMs;
  return {
    nodes,
    perSecond,
    inAll: nodes * perSecond,
    endMs: expiresAt.getTime(),
    fitsSignedUntilMs: info.fitsSignedUntil.getTime(),
    fitsNumberUntilMs: info.fitsNumberUntil.getTime(),
  };
}

interface Row {
  name: string;
  a: string;
  b: string;
  /** How b differs from a; empty if they are equal. */
  difference: string;
}

export function differences(a: Layout, b: Layout): Row[] {
  const [of, other] = [figuresOf(a), figuresOf(b)];
  return [
    row("Nodes", of.nodes, other.nodes),
    row("Ids per second and node", of.perSecond, other.perSecond),
    row("Ids per second in all", of.inAll, other.inAll),
    {
      name: "Runs out on",
      a: day(of.endMs),
      b: day(other.endMs),
      difference: later(other.endMs - of.endMs),
    },
    said("Fits a signed 64-bit integer", fitsSigned(of), fitsSigned(other)),
    said("Fits a JavaScript number", fitsNumber(of), fitsNumber(other)),
  ];
}

function row(name: string, a: number, b: number): Row {
  const texts = { name, a: count(hundredths(a)), b: count(hundredths(b)) };
  if (a === b) return { ...texts, difference: "" };
  const ratio = hundredths(b > a ? b / a : a / b);
  const times = ratio === 1 ? "slightly" : `${count(ratio)} times`;
  return { ...texts, difference: `${times} ${b > a ? "as many" : "fewer"}` };
}

function hundredths(value: number) {
  return Math.round(value * 100) / 100;
}

function later(ms: number) {
  if (ms === 0) return "";
  return `${duration(Math.abs(ms))} ${ms > 0 ? "later" : "earlier"}`;
}

function said(name: string, a: string, b: string): Row {
  return { name, a, b, difference: a === b ? "" : "different" };
}

type Figures = ReturnType<typeof figuresOf>;

export function fitsSigned({ fitsSignedUntilMs, endMs }: Figures): string {
  return fitsUntil(fitsSignedUntilMs, endMs);
}

export function fitsNumber({ fitsNumberUntilMs, endMs }: Figures): string {
  return fitsUntil(fitsNumberUntilMs, endMs);
}

/** The layout runs out at `endMs`. */
function fitsUntil(untilMs: number, endMs: number) {
  if (untilMs >= endMs) return "always";
  return untilMs > Date.now() ? `until ${day(untilMs)}` : "no";
}
