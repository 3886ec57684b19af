// Two layouts beside each other: A, which is pinned, and B, which the visitor changes.

import type { Layout } from "edgeflake";
import { change } from "../history.ts";
import { layout, pinned } from "../session.ts";
import { placesOf } from "../ui/bits.ts";
import { Button } from "../ui/button.tsx";
import { day } from "../ui/words.ts";
import { presetNameOf, titleOf } from "../verdict/systems.ts";
import { differences } from "./layout-facts.ts";

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
