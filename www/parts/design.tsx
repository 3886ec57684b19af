// A layout that the visitor designs: by what it must hold, by its borders, or field by field; its
// capacity, and its code.

import { useSignal } from "@preact/signals";
import { Layout, presets } from "edgeflake";
import { change } from "../history.ts";
import { edit, layout, layoutName, shown } from "../session.ts";
import { state } from "../state.ts";
import { announce, Code, Field, Figures, Fold } from "../ui/controls.tsx";
import { Strip } from "../ui/strip.tsx";
import { iso, today } from "../ui/words.ts";
import { isPreset, titleOf } from "../verdict.ts";
import { Compare, figuresOf } from "./compare.tsx";
import { Share } from "./copy.tsx";
import { Warnings } from "./decode.tsx";
import { LayoutFields } from "./layout-fields.tsx";
import { layoutFor, leftOf, type Needs, needOf } from "./widths.ts";

export function Design() {
  const { pinned } = state.value;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">Design a layout</h1>
        <p class="quiet">Say what it must hold, and its bits follow. Or begin with a known one.</p>
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
              {presets().map((name) => (
                <option key={name} value={name}>
                  {titleOf(name)}
                </option>
              ))}
            </select>
          </label>
          <ShownId />
        </div>
        <Strip
          id={shown.value.id}
          layout={layout.value}
          onChange={(id) => edit(id)}
          onBorder={moveBorder}
        />
        <Figures kind="facts" of={figuresOf(layout.value)} />
        <Warnings />
      </section>
      <div class="folds">
        <Fold id="fields-fold" title="Fields, epoch and tick" isOpen>
          <LayoutFields />
        </Fold>
        <Fold id="code-fold" title="Use it" note="wrangler, JavaScript, Rust" isOpen>
          <Snippets />
        </Fold>
        <Fold id="compare" title="Compare it with another" isOpen={pinned !== ""}>
          {() => <Compare />}
        </Fold>
        <Share />
      </div>
    </div>
  );
}

const NEEDS = [
  ["nodes", "Nodes", "5,000"],
  ["years", "Years", "30"],
  ["perSecond", "Ids per second and node", "as many as fit"],
] as const;

/** The form for the needs of a layout. One number alone changes nothing. */
function NeedsForm() {
  const texts = useSignal({ nodes: "", years: "", perSecond: "" });
  const left = useSignal("");
  const type = (name: keyof Needs) => (text: string) => {
    texts.value = { ...texts.value, [name]: text };
    left.value = "";
    const [nodes, years, perSecond] = NEEDS.map(([one]) => needOf(one, texts.value[one]));
    if (nodes === undefined || years === undefined) return;
    const needs = { nodes, years, perSecond };
    const made = layoutFor(needs, today());
    change({ layout: made.toString() });
    left.value = leftOf(made, needs);
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
      <p id="needs-left" class="quiet" aria-live="polite">
        {left}
      </p>
    </section>
  );
}

/** The id in the strip, which is that of the paste, or that of now. */
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

/** Gives a field bits of the one before it, as many as leave each a bit. */
function moveBorder(field: number, by: number, drag?: object) {
  const { epochMs, tickMs } = layout.value;
  const fields = layout.value.fields.map((one) => ({ ...one }));
  const [left, right] = [fields[field - 1], fields[field]];
  if (!left || !right) return;
  const moved = Math.max(1 - right.bits, Math.min(left.bits - 1, by));
  left.bits -= moved;
  right.bits += moved;
  try {
    change({ layout: new Layout({ fields, epochMs, tickMs }).toString() }, drag);
  } catch (refusal) {
    if (!(refusal instanceof Error)) throw refusal;
    announce(refusal.message);
  }
}

function Snippets() {
  const string = layout.value.toString();
  const name = layoutName.value;
  const isNamed = isPreset(name);
  const value = isNamed ? name : string;
  const js = isNamed ? `Layout.preset("${name}")` : `Layout.parse(\n  "${string}",\n)`;
  return (
    <div class="stack">
      <p class="quiet">
        In your Worker, replace this line of your configuration. The first request binds the layout:
        after that, only a new sequencer can have another.
      </p>
      <div class="halves">
        <Code id="as-toml" name="wrangler.toml, in [vars]" text={`EDGEFLAKE_LAYOUT = "${value}"`} />
        <Code
          id="as-jsonc"
          name='wrangler.jsonc, in "vars"'
          text={`"EDGEFLAKE_LAYOUT": "${value}",`}
        />
        <Code
          id="as-js"
          name="JavaScript"
          text={`import { Layout } from "edgeflake";\n\nconst layout = ${js};`}
        />
        <Code
          id="as-rust"
          name="Rust"
          text={`use edgeflake::Layout;\n\nlet layout: Layout = "${string}".parse()?;`}
        />
      </div>
      <div class="over">
        <Field
          id="layout"
          label="Layout string: the fields from the highest bit on, each role:bits or role.name:bits; then @ and the epoch; then the tick"
          value={string}
          hasCopy
          onInput={(text) => change({ layout: Layout.parse(text).toString() })}
        />
      </div>
    </div>
  );
}
