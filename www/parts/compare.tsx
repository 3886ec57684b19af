// Two layouts beside each other: A, which is pinned, and B, which the visitor changes.

import type { Layout } from "edgeflake";
import { change } from "../history.ts";
import { layout, pinned } from "../session.ts";
import { placesOf } from "../ui/bits.ts";
import { Button, type Figure } from "../ui/controls.tsx";
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
              {figuresOf(a).map(([id, name, value, , amount = NaN], i) => {
                const [, , other = "", , otherAmount = NaN] = figuresOf(b)[i] ?? [];
                const changed = value === other ? "the same" : difference(id, amount, otherAmount);
                return (
                  <tr key={id}>
                    <th scope="row">{name}</th>
                    <td>{value}</td>
                    <td>
                      {other} <span class="quiet">{changed}</span>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
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

/** Returns what a layout holds, with the numbers by which two layouts are compared. */
export function figuresOf(layout: Layout): Figure[] {
  const info = layout.info();
  const endMs = info.expiresAt.getTime();
  const leftMs = endMs - Date.now();
  const left = leftMs > 0 ? `in ${duration(leftMs)}` : "it has run out";
  const passed = `${left}, ${Math.floor(info.used * 100)} % has passed`;
  const perSecond = (info.idsPerTick * 1000) / layout.tickMs;
  const all = info.nodes * perSecond;
  const fits = (until: Date) => {
    if (until.getTime() >= endMs) return "always";
    return until.getTime() > Date.now() ? `until ${day(until.getTime())}` : "no";
  };
  const signed = fits(info.fitsSignedUntil);
  const number = fits(info.fitsNumberUntil);
  return [
    ["layout-nodes", "Nodes", count(info.nodes), "", info.nodes],
    ["layout-rate", "Ids per second and node", count(hundredths(perSecond)), "", perSecond],
    ["layout-all", "Ids per second in all", count(Math.round(all)), "", all],
    ["layout-signed", "Fits a signed 64-bit integer", signed],
    ["layout-number", "Fits a JavaScript number", number],
    ["layout-end", "Runs out on", day(endMs), passed, endMs],
  ];
}

/** Returns how much more or less `b` is than `a`. The end of a layout is a moment. */
function difference(id: string, a: number, b: number) {
  if (Number.isNaN(a)) return "different";
  if (id === "layout-end") return `${duration(Math.abs(b - a))} ${b > a ? "later" : "earlier"}`;
  const ratio = hundredths(b > a ? b / a : a / b);
  const times = ratio === 1 ? "slightly" : `${count(ratio)} times`;
  return `${times} ${b > a ? "as many" : "fewer"}`;
}

function hundredths(value: number) {
  return Math.round(value * 100) / 100;
}
