// A layout that the visitor designs: its fields, epoch and tick, its capacity, and its code for
// other libraries.

import { Layout, presets } from "edgeflake";
import { titleOf } from "./candidates.js";
import { copyButton, element, put, say } from "./dom.js";
import { figuresOf, fitsNumber, fitsSigned } from "./layout-facts.js";
import { fieldsOfRows, setUpRows, showRows } from "./layout-rows.js";
import { count, day, duration, iso, neededMoment, today } from "./time.js";

const preset = element("preset", HTMLSelectElement);
const text = element("layout", HTMLTextAreaElement);
const epoch = element("epoch", HTMLInputElement);
const tick = element("tick", HTMLInputElement);
const error = element("layout-error", HTMLElement);

/** @type {Layout} */
let shown;

/** @param {(layout: string) => void} choose a preset's name or a layout string */
export function setUpLayout(choose) {
  preset.append(...presets().map((name) => new Option(titleOf(name), name)));
  preset.addEventListener("change", () => {
    if (preset.value) choose(preset.value);
  });
  text.addEventListener("input", () => attempt(() => Layout.parse(text.value)));
  for (const input of [epoch, tick]) input.addEventListener("input", fromRows);
  element("epoch-today", HTMLButtonElement).addEventListener("click", () => {
    epoch.value = iso(today());
    fromRows();
  });
  setUpRows(fromRows);
  element("layout-copy", HTMLElement).append(copyButton("layout string", () => shown.toString()));
  for (const [id, name] of Object.entries(SNIPPETS)) {
    element(`${id}-copy`, HTMLElement).append(
      copyButton(name, () => element(id, HTMLElement).textContent ?? ""),
    );
  }

  function fromRows() {
    attempt(() => {
      const epochMs = neededMoment(epoch.value, "the epoch");
      return new Layout({ fields: fieldsOfRows(), epochMs, tickMs: Number(tick.value) });
    });
  }

  /** @param {() => Layout} read */
  function attempt(read) {
    error.textContent = "";
    try {
      choose(read().toString());
    } catch (refusal) {
      if (!(refusal instanceof Error)) throw refusal;
      error.textContent = refusal.message;
    }
  }
}

/**
 * Returns the layout whose field gains bits from the one before it, as a layout string. If that is
 * not valid, it returns the layout unchanged.
 *
 * @param {Layout} layout
 * @param {number} field
 * @param {number} by
 */
export function withBorder(layout, field, by) {
  const fields = layout.fields.map((one) => ({ ...one }));
  const most = fields[field - 1].bits - 1;
  const least = 1 - fields[field].bits;
  const moved = Math.max(least, Math.min(most, by));
  fields[field - 1].bits -= moved;
  fields[field].bits += moved;
  try {
    return new Layout({ fields, epochMs: layout.epochMs, tickMs: layout.tickMs }).toString();
  } catch (refusal) {
    if (!(refusal instanceof Error)) throw refusal;
    say("status", refusal.message);
    return layout.toString();
  }
}

/**
 * @param {Layout} layout
 * @param {string} chosen a preset's name or a layout string
 */
export function showLayout(layout, chosen) {
  const string = layout.toString();
  preset.value = presets().includes(chosen) ? chosen : "";
  if (string !== shown?.toString()) {
    error.textContent = "";
    showRows(layout.fields);
  }
  shown = layout;
  put(text, string);
  put(epoch, iso(layout.epochMs));
  put(tick, layout.tickMs);

  const { expiresAt, used } = layout.info();
  const figures = figuresOf(layout);
  const { nodes, perSecond, inAll } = figures;
  say("layout-nodes", count(nodes));
  say("layout-rate", count(Math.round(perSecond * 100) / 100));
  say("layout-all", count(Math.round(inAll)));
  say("layout-end", day(expiresAt.getTime()));
  const left = expiresAt.getTime() - Date.now();
  say("layout-left", left > 0 ? `in ${duration(left)}` : "it has run out");
  element("layout-used", HTMLMeterElement).value = used;
  say("layout-share", `${Math.floor(used * 100)} % of its time has passed`);
  say("layout-signed", fitsSigned(figures));
  say("layout-number", fitsNumber(figures));
  snippets(layout, chosen);
}

/** The texts that can be copied, by the ids of their places. */
const SNIPPETS = {
  "as-toml": "variables of wrangler.toml",
  "as-js": "JavaScript",
  "as-rust": "Rust",
};

/**
 * @param {Layout} layout
 * @param {string} chosen
 */
function snippets(layout, chosen) {
  const string = layout.toString();
  const named = presets().includes(chosen);
  say("as-toml", `[vars]\nEDGEFLAKE_LAYOUT = "${named ? chosen : string}"`);
  const js = named ? `Layout.preset("${chosen}")` : `Layout.parse(\n  "${string}",\n)`;
  say("as-js", `import { Layout } from "edgeflake";\n\nconst layout = ${js};`);
  say("as-rust", `use edgeflake::Layout;\n\nlet layout: Layout = "${string}".parse()?;`);
}
