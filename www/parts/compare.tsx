// Two layouts beside each other: A, which is pinned, and B, which the visitor changes.

import type { Layout } from "edgeflake";
import { change } from "../history.ts";
import { layout, pinned } from "../session.ts";
import { placesOf } from "../ui/bits.ts";
import { Button } from "../ui/controls.tsx";
import { count, day, duration } from "../ui/words.ts";
import { presetNameOf, titleOf } from "../verdict.ts";

export function Compare() {
  const [a, b] = [pinned.value, layout.value];
  return (
    <div class="stack">
      <p class="row">
        <Button id="pin" onClick={() => change({ pinned: b.toString() })}>
          Pin this layout as A
        </Button>
        {a ? (
          <Button id="unpin" kind="plain" onClick={() => change({ pinned: "" })}>
            Unpin A
          </Button>
        ) : (
          <span class="quiet">Then change it, or choose another: that one is B.</span>
        )}
      </p>
      {a && (
        <div id="comparison" class="stack">
          <LayoutBar letter="A" of={a} />
          <LayoutBar letter="B" of={b} />
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">
                  <span class="unseen">What it holds</span>
                </th>
                <th scope="col">A</th>
                <th scope="col">B, compared with A</th>
              </tr>
            </thead>
            <tbody id="compare-rows">
              {differences(a, b).map(({ name, a: of, b: other, difference }) => (
                <tr key={name} class={difference === "" ? "" : "differs"}>
                  <th scope="row">{name}</th>
                  <td>{of}</td>
                  <td>
                    {other} <span class="quiet">{difference || "the same"}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Lifetimes of={[a, b]} />
        </div>
      )}
    </div>
  );
}

function LayoutBar({ letter, of }: { letter: string; of: Layout }) {
  const { places, outside } = placesOf(of);
  const string = of.toString();
  const name = presetNameOf(string);
  return (
    <div>
      <p class="compare-name">
        {letter}: {name === string ? name : titleOf(name)}
      </p>
      <ol class="compare-bar" aria-label={`${letter}, fields from the highest bit on`}>
        {outside > 0 && (
          <li class="outside" style={{ "--bits": outside }}>
            <span class="unseen">{outside} bits outside the layout</span>
          </li>
        )}
        {places.map(({ name: field, bits, className, start }) => (
          <li
            key={start}
            class={`field-bar ${className}`}
            style={{ "--bits": bits }}
            title={`${field}, ${bits} bits`}
          >
            <span>{field}</span> <span>{bits}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The lives of the layouts on one scale of time. */
function Lifetimes({ of }: { of: [Layout, Layout] }) {
  const lives = of.map((one) => ({ from: one.epochMs, until: one.info().expiresAt.getTime() }));
  const nowMs = Date.now();
  const fromMs = Math.min(nowMs, ...lives.map(({ from }) => from));
  const untilMs = Math.max(nowMs, ...lives.map(({ until }) => until));
  const share = (ms: number) => (ms - fromMs) / (untilMs - fromMs);
  const label = lives
    .map(({ from, until }, i) => `${"AB"[i]} from ${day(from)} until ${day(until)}`)
    .join("; ");
  return (
    <div>
      <h3>Lifetimes, to scale</h3>
      <div id="lifetimes" class="lifetimes" role="img" aria-label={label}>
        {lives.map(({ from, until }, i) => (
          <div key={i} class="life-row">
            <span
              class="life"
              style={{ "--left": share(from), "--width": share(until) - share(from) }}
            >
              {"AB"[i]}
            </span>
          </div>
        ))}
        <span class="life-now" style={{ "--left": share(nowMs) }} />
        <p class="row apart small quiet">
          <span>{day(fromMs)}</span>
          <span>{day(untilMs)}</span>
        </p>
      </div>
    </div>
  );
}

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

function differences(a: Layout, b: Layout): Row[] {
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
