// The values that are computed from the state: the reading of its text, the verdict on its ids, the
// layout, and the shown id. Each part of the page renders from these.

import { computed, effect, signal } from "@preact/signals";
import { EdgeflakeError, isId, Layout, presets } from "edgeflake";
import { EXAMPLE, EXAMPLE_LOG } from "./examples.ts";
import { read } from "./read/read.ts";
import { tableOf, tableOfEach } from "./read/table.ts";
import type { Request, Response } from "./read/worker.ts";
import { change, linkProblem, type Part, START, type State, state } from "./state.ts";
import {
  isPreset,
  layoutOfAnswer,
  presetNameOf,
  titleOf,
  verdictOf,
  verdictsOf,
} from "./verdict.ts";

/** A longer text is read in a worker. */
const AT_ONCE_MAX = 200_000;

const openedMs = Date.now();

export const reading = signal(read({ text: "", encoding: "", column: "", key: "" }));
/** Whether the worker is reading a long text. */
export const isReading = signal(false);
/** The layout string of the server, once the page has asked for it. */
export const serverLayout = signal("");
/** The key of public ids. It stays in this tab, and is neither in links nor stored. */
export const publicKey = signal("");

let worker: Worker | undefined;
/** The worker's newest reading, with its verdict. */
let judged: Response | undefined;
let number = 0;

/** The text that is read: the visitor's or, without one, the example of the part. */
export const text = computed(() => {
  const { part, text } = state.value;
  if (text !== EXAMPLE) return text;
  // The designer of layouts has no example.
  return part === "many" ? EXAMPLE_LOG : part === "design" ? "" : text;
});

// These are signals of their own, because other changes of the state cause no new reading.
const encoding = computed(() => state.value.encoding);
const column = computed(() => state.value.column);

effect(() => {
  const wish = {
    text: text.value,
    encoding: encoding.value,
    column: column.value,
    key: publicKey.value,
  };
  number += 1;
  const isLong = wish.text.length > AT_ONCE_MAX;
  isReading.value = isLong;
  if (isLong) reader().postMessage({ ...wish, number, nowMs: Date.now() } satisfies Request);
  else reading.value = read(wish);
});

function reader() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<Response>) => {
    if (data.number !== number) return;
    judged = data;
    isReading.value = false;
    reading.value = data.reading;
  });
  return worker;
}

/** The verdict on each id, if the text names several systems. */
const verdicts = computed(() => verdictsOf(reading.value));
/** Whether the text names several systems, even if the visitor has chosen one layout for all. */
export const hasSeveral = computed(() => verdicts.value !== undefined);
/** The verdict on each row, unless all rows have one layout. */
export const mixed = computed(() => (chosenLayout.value === "" ? verdicts.value : undefined));

/** The verdict on the shown id. */
export const verdict = computed(() => {
  const all = verdicts.value;
  if (all) return all[Math.min(shownRow.value, all.length - 1)];
  return judgedReading()?.verdict ?? verdictOf(reading.value);
});

export const part = computed<Part>(() => {
  const rows = reading.value.ids.length + reading.value.kinds.length;
  return state.value.part || (rows > 1 || isReading.value ? "many" : "decode");
});

/** The layout of the ids: the chosen one or, without a choice, the verdict's. */
export const layout = computed<Layout>(() => {
  const next = layoutOf(chosenLayout.value) ?? verdictLayout.value;
  // An equal layout keeps the same object, so that the ids are not decoded again.
  if (next.toString() !== equalLayout?.toString()) equalLayout = next;
  return equalLayout ?? next;
});
let equalLayout: Layout | undefined;
const chosenLayout = computed(() => state.value.layout);
const shownRow = computed(() => state.value.row);

/** The preset's name, or a layout string. */
export const layoutName = computed(() => presetNameOf(layout.value.toString()));

const verdictLayout = computed(() => Layout.preset(verdict.value.layout));

/** Returns `undefined` for an empty layout, or an invalid one from a link that was edited. */
function layoutOf(text: string) {
  return attempt(
    () => Layout.parse(text),
    () => undefined,
  );
}

/** Returns the result of `call` or, if the package refuses the arguments, that of `refused`. */
function attempt<T, R>(call: () => T, refused: (error: EdgeflakeError) => R): T | R {
  try {
    return call();
  } catch (error) {
    if (error instanceof EdgeflakeError) return refused(error);
    throw error;
  }
}

effect(() => {
  const { layout: chosen } = state.value;
  if (chosen === "" || layoutOf(chosen)) return;
  linkProblem.value = `the layout "${chosen}" in this link cannot be read: it is left out`;
});

/** The ids of the reading, decoded in the layout or, if their systems differ, each in its own. */
export const table = computed(() => {
  if (mixed.value) return tableOfEach(reading.value, mixed.value.map(layoutOfAnswer));
  const isOfVerdict = layout.value.toString() === verdictLayout.value.toString();
  return (isOfVerdict && judgedReading()?.table) || tableOf(reading.value, layout.value);
});

/** Returns the worker's statistics of the present reading; `undefined` if no worker read it. */
export function judgedReading(): Response | undefined {
  return judged?.reading === reading.value ? judged : undefined;
}

/** The shown id, decoded. If the layout refuses the id, `decoded` is `undefined`. */
export const shown = computed(() => {
  const { id: all } = table.value.columns;
  const { row: wantedRow, id: edited } = state.value;
  const row = Math.max(0, Math.min(wantedRow, all.length - 1));
  const isChanged = isId(edited);
  const id = isChanged ? BigInt(edited) : (all[row] ?? idOfOpening());
  const decoded = attempt(
    () => ({ decoded: layout.value.decode(id), refusal: "" }),
    ({ message }) => ({ decoded: undefined, refusal: message }),
  );
  return { id, row, count: all.length, isChanged, ...decoded };
});

/** Without ids, the page shows an example: an id of the time at which the page was opened. */
function idOfOpening() {
  return attempt(
    () => layout.value.encode({ timestampMs: openedMs }),
    () => 0n,
  );
}

/** Whether the shown id has a date: a system fits, or the reader has chosen a layout. */
export const isDated = computed(() => state.value.layout !== "" || verdict.value.kind !== "none");

/** Whether the text can be read as an id, but is probably none, as a small negative number. */
export const isDoubtful = computed(() => {
  const isSmall = /^\s*-\d{1,12}\s*$/.test(text.value);
  return !isDated.value && (isSmall || verdict.value.fits.length > 0);
});

/** Whether the layout was chosen because this server issues ids of it. */
export const isServers = computed(
  () => chosenLayout.value !== "" && chosenLayout.value === serverLayout.value,
);

export function nameOfLayout(): string {
  const name = layoutName.value;
  if (isServers.value) return "edgeflake on this server";
  const isDefault = verdict.value.kind === "unasked" && name === presets()[0];
  if (isDefault && state.value.layout === "") return "edgeflake's default layout";
  return isPreset(name) ? titleOf(name) : "your own layout";
}

/** Replaces the shown id by another one. The verdict stays, because it depends on the text alone. */
export function edit(id: bigint): void {
  change({ id: String(id) });
}

/** Opens a text as a paste does, in the part that suits it. The designer of layouts stays open. */
export function open(text: string, changes: Partial<State> = {}): void {
  const { part: now, layout: chosen } = state.value;
  const kept = now === "design" ? { part: now, layout: chosen } : {};
  change({ ...START, ...kept, text, ...changes });
}
