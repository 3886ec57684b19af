// The designer of layouts. The visitor says what a layout must hold, or edits its fields, and sees
// its capacity and code.

import { useSignal } from "@preact/signals";
import { Layout, presets } from "edgeflake";
import { edit, layout, layoutName, shown } from "../session.ts";
import { change } from "../state.ts";
import { Code, Field, type Figure, Figures, Fold } from "../ui/controls.tsx";
import { Strip } from "../ui/strip.tsx";
import { count, day, duration, iso } from "../ui/words.ts";
import { isPreset, titleOf } from "../verdict.ts";
import { Share } from "./copy.tsx";
import { Warnings } from "./decode.tsx";
import { LayoutFields } from "./layout-fields.tsx";
import { layoutFor, missedBy, type Needs, needOf } from "./widths.ts";

export function Design() {
  const isWide = matchMedia("(min-width: 40rem)").matches;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">Design a layout</h1>
        <p class="quiet">
          A layout says which of an id's 64 bits are its time, its node and its number. Say what it
          must hold, or begin with a known one.
        </p>
      </div>
      <NeedsForm />
      <section id="layout-card" class="card stack" aria-label="The layout">
        <div class="row apart">
          <label class="row" for="preset">
            <span class="quiet">Layout</span>
            <select
              id="preset"
              value={isPreset(layoutName.value) ? layoutName.value : ""}
              onChange={({ currentTarget }) => {
                if (currentTarget.value) change({ layout: currentTarget.value });
              }}
            >
              <option value="">your own</option>
              {presets().map((name, i) => (
                <option key={name} value={name}>
                  {i === 0 ? `edgeflake's default (${titleOf(name)})` : titleOf(name)}
                </option>
              ))}
            </select>
          </label>
          <ShownId />
        </div>
        <Strip id={shown.value.id} layout={layout.value} onChange={(id) => edit(id)} />
        <Figures kind="facts" of={figuresOf(layout.value)} />
        <Warnings />
      </section>
      <div class="folds">
        <Fold id="fields-fold" title="Fields, epoch and tick" isOpen={isWide}>
          <LayoutFields />
        </Fold>
        <Fold id="code-fold" title="Use it" note="wrangler, JavaScript, Rust" isOpen={isWide}>
          <Snippets />
        </Fold>
        <Share />
      </div>
    </div>
  );
}

/** Returns the capacity of a layout, in the units of the form's inputs. */
function figuresOf(of: Layout): Figure[] {
  const { nodes, idsPerTick, used, expiresAt, fitsSignedUntil, fitsNumberUntil } = of.info();
  const endMs = expiresAt.getTime();
  const leftMs = endMs - Date.now();
  const left = leftMs > 0 ? `in ${duration(leftMs)}` : "it has run out";
  const perSecond = (idsPerTick * 1000) / of.tickMs;
  const fits = (until: Date) => {
    if (until.getTime() >= endMs) return "always";
    return until.getTime() > Date.now() ? `until ${day(until.getTime())}` : "no";
  };
  return [
    ["layout-nodes", "Nodes", count(nodes)],
    ["layout-rate", "Ids per second and node", count(Math.round(perSecond * 100) / 100)],
    ["layout-all", "Ids per second in all", count(Math.round(nodes * perSecond))],
    ["layout-signed", "Fits a signed 64-bit integer", fits(fitsSignedUntil)],
    ["layout-number", "Fits a JavaScript number", fits(fitsNumberUntil)],
    ["layout-end", "Runs out on", day(endMs), `${left}, ${Math.floor(used * 100)} % has passed`],
  ];
}

const NEEDS = [
  ["nodes", "Nodes", "such as 5,000"],
  ["years", "Years", "such as 30"],
  ["perSecond", "Ids per second and node", "as many as fit"],
] as const;

/** The form for the required capacity. The layout changes only when nodes and years are given. */
function NeedsForm() {
  const texts = useSignal({ nodes: "", years: "", perSecond: "" });
  const missed = useSignal("");
  const type = (name: keyof Needs) => (text: string) => {
    missed.value = "";
    const typed = { ...texts.value, [name]: text };
    const [nodes, years, perSecond] = NEEDS.map(([one]) => needOf(one, typed[one]));
    texts.value = typed;
    if (nodes === undefined || years === undefined) return;
    const needs = { nodes, years, perSecond };
    const made = layoutFor(needs, new Date().setUTCHours(0, 0, 0, 0));
    change({ layout: made.toString() });
    missed.value = missedBy(made, needs);
  };
  return (
    <section id="needs" class="stack tight" aria-label="What it must hold">
      <div class="thirds">
        {NEEDS.map(([need, label, placeholder]) => (
          <Field
            key={need}
            id={`needs-${need}`}
            label={label}
            value={texts.value[need]}
            isNumber
            placeholder={placeholder}
            onInput={type(need)}
          />
        ))}
      </div>
      <p id="needs-missed" class="quiet" aria-live="polite">
        {missed}
      </p>
    </section>
  );
}

/** The id shown in the strip: the pasted one or, without one, an id of the present time. */
function ShownId() {
  const { id, decoded, refusal, count: ids } = shown.value;
  return (
    <p class="quiet">
      <span id="id" class="mono">
        {String(id)}
      </span>{" "}
      <span id="shown-date">
        {decoded ? iso(decoded.timestampMs) : refusal && "is no id of this layout"}
        {ids === 0 && decoded && ", now"}
      </span>
    </p>
  );
}

function Snippets() {
  const string = layout.value.toString();
  const name = layoutName.value;
  const isNamed = isPreset(name);
  const value = isNamed ? name : string;
  const js = isNamed ? `Layout.preset("${name}")` : `Layout.parse(\n  "${string}",\n)`;
  const codes = [
    ["as-toml", "wrangler.toml, in [vars]", `EDGEFLAKE_LAYOUT = "${value}"`],
    ["as-jsonc", 'wrangler.jsonc, in "vars"', `"EDGEFLAKE_LAYOUT": "${value}",`],
    ["as-js", "JavaScript", `import { Layout } from "edgeflake";\n\nconst layout = ${js};`],
    ["as-rust", "Rust", `use edgeflake::Layout;\n\nlet layout: Layout = "${string}".parse()?;`],
  ] as const;
  return (
    <div class="stack">
      <p class="quiet">
        In your Worker, replace this line of your configuration. The first request binds the layout:
        after that, only a new sequencer can have another.
      </p>
      <div class="halves">
        {codes.map(([id, name, text]) => (
          <Code key={id} {...{ id, name, text }} />
        ))}
      </div>
      <p class="quiet">
        The layout string has the fields from the highest bit on, each as role:bits or
        role.name:bits. Then follow @ with the epoch, and the tick.
      </p>
      <Field
        id="layout"
        label="Layout string"
        value={string}
        hasCopy
        onInput={(text) => change({ layout: Layout.parse(text).toString() })}
      />
    </div>
  );
}
