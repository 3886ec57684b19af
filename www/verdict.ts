// Decides which system made the ids, and why. The Rust core rates each id; words and links around
// the ids can add evidence.

import { type Candidate, identify, identifyMany, Layout, presets } from "edgeflake";
import type { Reading } from "./read/read.ts";

/** The title of each preset. `identify(0n)` returns all, because any system can have made id 0. */
const titles = new Map(identify(0n).map(({ preset, title }) => [preset as string, title]));

/** Returns the title of a preset, or the name itself. */
export function titleOf(preset: string): string {
  return titles.get(preset) ?? preset;
}

/** Returns the preset of a layout string. Returns any other text, such as a preset's name, unchanged. */
export function presetNameOf(layout: string): string {
  // If several presets have this layout, the first one names it.
  return presets().find((name) => Layout.preset(name).toString() === layout) ?? layout;
}

/** Words that name a system. A space stands for any of `_`, `-`, `.` and a space. */
const WORDS: [words: RegExp, preset: string][] = [
  [/\b(?:discord|guild)\b/g, "discord"],
  [/\b(?:tweets?|twitter|retweet|in reply to status)\b/g, "twitter"],
  [/\b(?:instagram|threads post|media id)\b/g, "instagram"],
  [/\b(?:mastodon|toots?)\b/g, "mastodon"],
  [/\blinkedin\b/g, "linkedin"],
  [/\b(?:tiktok|douyin|aweme)\b/g, "tiktok"],
];

/** Returns the system that some words name. The last name in the words wins. */
function systemNamed(text: string) {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_.-]+/g, " ")
    .toLowerCase();
  const names = WORDS.flatMap(([pattern, preset]) =>
    [...words.matchAll(pattern)].map(({ 0: word, index }) => ({ preset, word, index })),
  );
  return names.sort((a, b) => b.index - a.index).at(0);
}

/** Systems that give an id the same date. */
export interface Fit {
  /** The likeliest of these systems. A unit of Unix time, such as `unix-ms`, has no layout. */
  preset: string;
  title: string;
  /** The titles of the other systems. */
  also: string[];
  /** The sum of the systems' shares, 0 to 1. */
  share: number;
}

export interface Verdict {
  /**
   * "settled" by the text around the ids; "likely" or "perhaps" by the ids alone; "tie" if several
   * systems fit about as well; "none" if no system is likely to have made them; "unasked" without
   * ids.
   */
  kind: "settled" | "likely" | "perhaps" | "tie" | "none" | "unasked";
  /** The reason, in words that follow "because"; empty if there is none. */
  why: string;
  /** The plausible systems: first the answer, then the others, the likeliest first. */
  fits: Fit[];
  /** The preset by which the bits are shown: the answer's, if it has one. */
  layout: string;
}

/** A system with a larger share than this is called likely. */
const LIKELY = 0.85;
/** If the likeliest date has a smaller share than this, it is no answer. */
const UNLIKELY = 0.03;
/** Readings that are at least half as likely as the likeliest one are tied with it. */
const TIED = 0.5;
/** The largest number of tied readings that are shown. */
const TIED_MAX = 3;
/** The largest number of ids that count as evidence for each other. */
const AROUND_MAX = 256;
/** The largest number of ids that are identified, because 200,000 would take too long. */
const LOOKED_AT_MAX = 2048;
const DAY_MS = 86_400_000;
/** A system wins if its dates are this many times nearer to the lines' times than others'. */
const CLEARLY = 10;

/** Judges the ids of a reading by themselves and by the text around them. */
export function verdictOf(reading: Reading): Verdict {
  const { column, around } = reading;
  const source = around[0]?.source;
  const ids = reading.dates ? reading.ids.filter((id) => id !== 0n) : reading.ids;
  if (ids.length === 0) {
    return { kind: "unasked", why: "", fits: [], layout: presetSince(reading.dates) };
  }
  const candidates = candidatesOf(ids);
  const fits = fitsOf(candidates);
  const plain = judged(fits, candidates);
  if (source) return settle(plain, source.layout, `this is ${source.name}`);
  const texts = [column, ...around.map(({ words }) => words)];
  // A word is not proof: the system must also be able to have made the ids.
  const named = texts.map(systemNamed).find((one) => one && fitOf(fits, one.preset));
  if (named) return settle(plain, named.preset, `"${named.word}" stands beside it`);
  const timed = timedFit(fits, reading);
  if (!timed) return plain;
  const what = reading.areDays ? "days" : "times";
  return settle(plain, timed.preset, `its dates match the ${what} of the lines`);
}

/**
 * Judges each id whose system the text around it names by itself, and the other ids together;
 * `undefined` if the text names fewer than two systems that can have made their ids.
 */
export function verdictsOf(reading: Reading): Verdict[] | undefined {
  const { around, ids, times, dates } = reading;
  const named = around.map(({ words, source }) => source?.layout ?? systemNamed(words)?.preset);
  if (dates || new Set(named.filter(Boolean)).size < 2) return undefined;
  const judge = (rows: number[]) =>
    verdictOf({
      ...reading,
      ids: BigUint64Array.from(rows, (row) => ids[row] ?? 0n),
      times: times && Float64Array.from(rows, (row) => times[row] ?? NaN),
      around: rows.flatMap((row) => around[row] ?? []),
      column: "",
    });
  const rows = [...around.keys()];
  const own = rows.map((row) => {
    const verdict = named[row] && judge([row]);
    return verdict && verdict.kind === "settled" ? verdict : undefined;
  });
  if (new Set(own.flatMap((verdict) => verdict?.layout ?? [])).size < 2) return undefined;
  const others = judge(rows.filter((row) => own[row] === undefined));
  return own.map((verdict) => verdict ?? others);
}

/** Returns the layout of the answer; `undefined` if there is no answer, or it has no layout. */
export function layoutOfAnswer({ kind, fits: [fit], layout }: Verdict): Layout | undefined {
  const hasLayout = kind !== "none" && fit !== undefined && isPreset(fit.preset);
  return hasLayout ? Layout.preset(layout) : undefined;
}

/** Names the system of a verdict, or the systems that are tied. */
export function systemOf(verdict: Verdict): string {
  if (verdict.kind === "none") return "none known";
  return answersOf(verdict)
    .map(({ title }) => title)
    .join(" or ");
}

/** Returns some ids, evenly distributed, as evidence for each other. */
export function around(ids: BigUint64Array): bigint[] {
  return spread(ids, AROUND_MAX);
}

/** Returns whether a system can have made the id, judged by its date. */
function isPlausible({ reasons }: Candidate): boolean {
  return reasons.startsWith("date plausible");
}

/** Returns the tied systems of a verdict, or its answer alone. */
export function answersOf({ kind, fits }: Verdict): Fit[] {
  if (kind !== "tie") return fits.slice(0, 1);
  const most = Math.max(...fits.map(({ share }) => share));
  return fits.filter(({ share }) => share >= most * TIED).slice(0, TIED_MAX);
}

/** Returns the candidates of a typical id, with the other ids as evidence. */
function candidatesOf(ids: BigUint64Array): Candidate[] {
  const some = spread(ids, LOOKED_AT_MAX);
  const { preset, systems } = identifyMany(some);
  const typical = some[preset.indexOf(systems[0]?.preset)] ?? some[0];
  return identify(typical, { around: around(ids) });
}

/** Groups candidates that give an id the same date. Each group begins with its likeliest one. */
export function byDate(candidates: Candidate[]): Candidate[][] {
  // A date may be plausible for one system only, because the others began later.
  const groups = Map.groupBy(candidates, (one) => `${one.timestampMs} ${isPlausible(one)}`);
  // A date that several systems share may be likelier than the date of the likeliest system.
  return [...groups.values()].sort((a, b) => shareOf(b) - shareOf(a));
}

/** Returns the sum of the candidates' shares. */
export function shareOf(candidates: Candidate[]): number {
  return candidates.reduce((sum, { share }) => sum + share, 0);
}

function fitsOf(candidates: Candidate[]): Fit[] {
  return byDate(candidates.filter(isPlausible)).map((group) => {
    const [{ preset, title }, ...others] = group;
    return { preset, title, also: others.map(({ title }) => title), share: shareOf(group) };
  });
}

function judged(fits: Fit[], candidates: Candidate[]): Verdict {
  const shown = candidates.find(({ decoded }) => decoded !== undefined)?.preset ?? presetSince();
  const [best, next] = fits;
  if (!best || best.share < UNLIKELY) return { kind: "none", why: "", fits, layout: shown };
  const layout = isPreset(best.preset) ? best.preset : shown;
  const isTie = next !== undefined && next.share >= best.share * TIED;
  const kind = isTie ? "tie" : best.share > LIKELY ? "likely" : "perhaps";
  return { kind, why: "", fits, layout };
}

/** Returns the verdict for a system that the text names, even if its share is small. */
function settle({ fits }: Verdict, preset: string, why: string): Verdict {
  const title = titleOf(preset);
  const found = fitOf(fits, preset);
  const others = fits.filter((fit) => fit !== found);
  const also = found ? [found.title, ...found.also].filter((one) => one !== title) : [];
  const answer = { preset, title, also, share: found?.share ?? 0 };
  return { kind: "settled", why, fits: [answer, ...others], layout: preset };
}

/** Returns the fit that a system belongs to. */
function fitOf(fits: Fit[], preset: string): Fit | undefined {
  return fits.find((fit) => fit.preset === preset || fit.also.includes(titleOf(preset)));
}

/** Returns the system whose dates agree with the times of the lines, if exactly one does. */
function timedFit(fits: Fit[], { ids, times, areDays }: Reading): Fit | undefined {
  if (!times) return undefined;
  const some = around(ids);
  const at = spread(times, AROUND_MAX);
  const lags = fits
    .filter(({ preset }) => isPreset(preset))
    .map((fit) => {
      const { timestampMs } = Layout.preset(fit.preset).decodeMany(some);
      const distances = [...timestampMs].map((ms, i) => {
        const lag = at[i] - ms;
        // If a line has only a day, every moment of that day agrees.
        return areDays && lag <= 0 && lag > -DAY_MS ? 0 : Math.abs(lag);
      });
      return { fit, lag: medianOf(distances) };
    })
    .sort((a, b) => a.lag - b.lag);
  const [best, next] = lags;
  if (!best || best.lag > DAY_MS) return undefined;
  if (next && next.lag <= Math.max(best.lag, areDays ? DAY_MS : 1) * CLEARLY) return undefined;
  return best.fit;
}

/** Returns the median of the values that are numbers; `Infinity` if there are none. */
function medianOf(values: number[]) {
  const known = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return known[Math.floor((known.length - 1) / 2)] ?? Infinity;
}

function spread<T>(all: ArrayLike<T>, most: number): T[] {
  const length = Math.min(most, all.length);
  return Array.from({ length }, (_, i) => all[Math.floor((i * all.length) / length)] as T);
}

export function isPreset(name: string): boolean {
  return presets().includes(name);
}

/** Returns the first preset that can express all dates; without dates, edgeflake's default. */
function presetSince(dates: Float64Array = new Float64Array()): string {
  const firstMs = dates.reduce((least, ms) => (ms < least ? ms : least), Infinity);
  const isSince = (name: string) => Layout.preset(name).epochMs <= firstMs;
  const [first = "", ...others] = presets();
  return [first, "discord", "twitter", ...others].find(isSince) ?? first;
}
