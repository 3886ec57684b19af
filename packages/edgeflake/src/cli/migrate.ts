// Runs `edgeflake migrate check`. It compares the ids that a new layout will have with the ids that
// an old system has issued: whether every new id is larger than every old id, and whether a new id
// may equal an old one.

import { readFileSync } from "node:fs";
import { joined } from "../halves.js";
import { type Field, placesOf } from "../layout/fields.js";
import { Layout } from "../layout/layout.js";
import { jsonReplacer } from "../text/json.js";
import { parse } from "../text/text.js";
import { moment, type Options, Usage, whole } from "./arguments.js";

/** Default of `--ahead`, in ms. Hazelcast issues ids this far ahead of its clock by default. */
const AHEAD_MS = 15_000;

/** Tick lengths, in ms, that are tried when the old layout must be found from ids. */
const TICKS_MS = [1, 10, 100, 1_000];

/** Largest number of bits below the timestamp that is tried when the old layout must be found. */
const LOW_BITS_MAX = 40;

/** The user may give an old id a time that is earlier than its timestamp, by this and `aheadMs`. */
const TOLERANCE_MS = 2_000;

/** Largest error of given times, as a fraction of the time between the first and the last id. */
const TOLERANCE_SHARE = 0.01;

/** Finding a layout needs at least this many ids with times, which span `FOUND_OVER_MS` or more. */
const FOUND_FROM = 3;
const FOUND_OVER_MS = 3_600_000;

/** Layouts are tried with at most this number of ids, which are spread over all ids. */
const TRIED_MOST = 1_000;

const DAY_MS = 86_400_000;
const DATE_MAX_MS = 8_640_000_000_000_000;

/** An old id, with the time of its issue in Unix ms if this time is known. */
interface OldId {
  id: bigint;
  timestampMs: number | undefined;
}

/** Runs the command with the arguments after `migrate`; returns its output and its exit code. */
export function migrate(args: string[], values: Options) {
  if (args.length !== 1 || args[0] !== "check") {
    throw new Usage(
      `migrate got ${args.join(" ") || "no argument"}: write "migrate check", and then its options`,
    );
  }
  if (values.to === undefined) throw new Usage("migrate needs --to, the layout of the new ids");
  const to = Layout.parse(values.to);
  const given = values.from === undefined ? undefined : Layout.parse(values.from);
  const ids = values.ids === undefined ? [] : oldIds(readFileSync(values.ids, "utf8"));
  const atMs = values.at === undefined ? Date.now() : moment(values.at);
  const aheadMs = whole("--ahead", values.ahead) ?? AHEAD_MS;
  const report = compare(given ?? foundFrom(ids, aheadMs), to, ids, atMs, aheadMs);
  const text = values.json ? `${JSON.stringify(report, jsonReplacer)}\n` : described(to, report);
  return { text, code: report.isAbove ? 0 : 1 };
}

/**
 * Reads one id per line. The id's time may follow after a comma, a semicolon, a tab or a space, and
 * other columns after a comma, a semicolon or a tab.
 */
function oldIds(text: string): OldId[] {
  return text.split("\n").flatMap((line, index) => {
    // A date and its time may have a space between them.
    const [, id = "", time] = /^([^,;\t ]*)[,;\t ]*([^,;\t]*)/.exec(line.trim()) ?? [];
    // Skips empty lines, and a first line without digits, which may be the header of a table.
    if (id === "" || (index === 0 && !/\d/.test(id))) return [];
    try {
      return [{ id: parse(id, "decimal"), timestampMs: time ? moment(time.trim()) : undefined }];
    } catch (error) {
      throw new Usage(`line ${index + 1} of the ids: ${(error as Error).message}`);
    }
  });
}

function described(to: Layout, report: ReturnType<typeof compare>) {
  const { from, largestOld, smallestNew, aboveFrom, isAbove, repeated } = report;
  const above =
    aboveFrom === undefined
      ? "no, never"
      : isAbove
        ? `yes, from ${iso(aboveFrom)} on, if the old system issues no id after --at`
        : `no, only from ${iso(aboveFrom)} on`;
  let repeats = "none";
  if (repeated) {
    const { from, until, given } = repeated;
    repeats = `new ids may be equal to old ones of ${iso(from)} to ${iso(until)}`;
    if (given > 0) repeats += `, among them ${given} of the given ids`;
  }
  const [until, positiveUntil] = [report.until, report.positiveUntil].map(iso);
  const lines = [
    ["old", `${from}`],
    ["", `the largest id is ${largestOld}`],
    ["new", `${to}`],
    ["", `the smallest id is ${smallestNew}`],
    ["above all old ids", above],
    ["repeated", repeats],
    ["new ids until", `${until}; in a signed column, positive until ${positiveUntil}`],
    ...report.remedies.map((remedy, index) => [index === 0 ? "do one of" : "", remedy]),
  ];
  return lines.map(([name, value]) => `${name.padEnd(19)}${value}\n`).join("");
}

/**
 * Compares old ids with new ids. The new ids are those of the layout `to` from `atMs` on (in Unix
 * ms). The old ids are `ids`, and all ids of the layout `from` up to `atMs` plus `aheadMs`.
 */
function compare(from: Layout, to: Layout, ids: OldId[], atMs: number, aheadMs: number) {
  for (const old of ids) requireOf(from, old, aheadMs);
  const lastMs = Math.min(atMs + aheadMs, from.info().expiresAt.getTime() - from.tickMs);
  if (lastMs < from.epochMs) {
    throw new Usage(
      `the old layout begins at ${iso(from.epochMs)}, after the new system takes over: give ` +
        "another --from, or a later --at",
    );
  }
  let largestOld = idsAt(from, lastMs).max;
  for (const { id } of ids) if (id > largestOld) largestOld = id;
  const firstMs = Math.max(atMs, to.epochMs);
  const { expiresAt: until, fitsSignedUntil: positiveUntil, largestId } = to.info();
  if (firstMs >= until.getTime()) {
    throw new Usage(
      `the new layout ends at ${iso(until)}, before the new system takes over: give another ` +
        "--to, or an earlier --at",
    );
  }
  const smallestNew = idsAt(to, firstMs).min;
  const aboveFrom = firstAbove(to, largestOld, firstMs);
  // Old ids may be up to `aheadMs` ahead of the clock. So the new ids may need this time, and a
  // tick, until they are larger than all old ids.
  const startMs = firstMs + aheadMs + to.tickMs;
  const isAbove = aboveFrom !== undefined && aboveFrom.getTime() <= startMs;
  const unused = unusedBits(to);
  const isNew = (id: bigint) => id >= smallestNew && id <= largestId && (id & unused) === 0n;
  const id = isAbove ? undefined : firstCommon(smallestNew, unusedBits(from) | unused);
  const meets = id !== undefined && id <= largestOld && id <= largestId;
  /** The old ids that new ids may equal: the smallest, their times, and how many were in `ids`. */
  const repeated = meets
    ? {
        id,
        from: from.decode(id).date,
        until: new Date(Math.min(lastMs, from.decode(largestOld).timestampMs)),
        given: ids.filter(({ id }) => isNew(id)).length,
      }
    : undefined;
  const remedies: string[] = [];
  if (!isAbove) {
    const isSoon = aboveFrom !== undefined && aboveFrom.getTime() - firstMs <= DAY_MS;
    if (isSoon) remedies.push(`issue no new id before ${iso(aboveFrom)}`);
    else remedies.push(...layoutRemedy(from, to, largestOld, startMs));
    if (repeated) remedies.push("store the new ids in another column, or in another table");
    else remedies.push("sort by another column than the id");
  }
  const report = { from, largestOld, smallestNew, aboveFrom, isAbove, repeated };
  return { ...report, until, positiveUntil, remedies };
}

/**
 * Proposes a layout whose ids from `startMs` on are larger than `largestOld`, and which lasts more
 * than a day. It has the fields of `to`, if necessary with the sign bit as part of the timestamp.
 * It keeps the old epoch if that is early enough; otherwise it has the latest epoch that is.
 */
function layoutRemedy(from: Layout, to: Layout, largestOld: bigint, startMs: number) {
  const { tickMs } = to;
  for (const fields of [to.fields, withSignBit(to.fields)]) {
    const since0 = new Layout({ fields, epochMs: 0, tickMs });
    if (largestOld > since0.info().largestId) continue;
    const ticksMs = since0.decode(largestOld & ~unusedBits(since0)).timestampMs + tickMs;
    if (ticksMs > startMs) continue;
    const epochMs = Math.min(from.epochMs, startMs - ticksMs);
    const layout = new Layout({ fields, epochMs, tickMs });
    const { expiresAt, fitsSignedUntil } = layout.info();
    if (expiresAt.getTime() <= startMs + DAY_MS) continue;
    const epoch = epochMs === from.epochMs ? "keep the old epoch" : "set an earlier epoch";
    const isPositive = fitsSignedUntil.getTime() > startMs;
    return [`${epoch}${isPositive ? "" : ", in an unsigned column"}: "${layout}"`];
  }
  return [];
}

/** Adds the sign bit to the timestamp if the bit is unused; otherwise returns the same fields. */
function withSignBit(fields: readonly Field[]) {
  const [top, timestamp, ...rest] = fields;
  if (top.role !== "unused" || top.bits !== 1 || timestamp.role !== "timestamp") return fields;
  return [{ ...timestamp, bits: timestamp.bits + 1 }, ...rest];
}

/** Returns the smallest and the largest id of the tick at the time `ms`. */
function idsAt(layout: Layout, ms: number) {
  const startMs = ms - ((ms - layout.epochMs) % layout.tickMs);
  return layout.range(startMs, startMs + layout.tickMs);
}

/** Returns the first time from `firstMs` on at which all ids are larger than `id`, if any. */
function firstAbove(layout: Layout, id: bigint, firstMs: number) {
  const ticks = Math.floor((layout.info().expiresAt.getTime() - layout.epochMs) / layout.tickMs);
  const startMs = (tick: number) => layout.epochMs + tick * layout.tickMs;
  let [low, high] = [Math.floor((firstMs - layout.epochMs) / layout.tickMs), ticks];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (idsAt(layout, startMs(middle)).min > id) high = middle;
    else low = middle + 1;
  }
  return low < ticks ? new Date(startMs(low)) : undefined;
}

/** Returns a mask of the bits that are 0 in every id of a layout. */
function unusedBits(layout: Layout) {
  const { unusedLow, unusedHigh } = placesOf(layout.fields);
  return joined(unusedLow, unusedHigh);
}

/** Returns the smallest number from `least` on in which all bits of the mask `without` are 0. */
function firstCommon(least: bigint, without: bigint) {
  let value = least;
  while ((value & without) !== 0n) {
    // Clears the highest bit that must be 0, by a carry into the bit above it.
    const highest = 1n << BigInt((value & without).toString(2).length - 1);
    value = (value | (highest - 1n)) + 1n;
  }
  return value;
}

/** Finds the layout of ids whose times are known. All bits below the timestamp become one field. */
function foundFrom(ids: readonly OldId[], aheadMs: number) {
  const timed = ids.filter(({ timestampMs }) => timestampMs !== undefined);
  const [first, last] = ends(timed.map(({ timestampMs }) => Number(timestampMs)));
  if (timed.length < FOUND_FROM || last - first < FOUND_OVER_MS) {
    throw new Usage(
      `--from is missing, and ${timed.length} ids have times: give --from, or ` +
        `at least ${FOUND_FROM} ids with their times, the first and the last an hour apart`,
    );
  }
  const tolerance = Math.min(aheadMs + TOLERANCE_MS, (last - first) * TOLERANCE_SHARE);
  /** Returns the earliest and the latest epoch that the times of some ids stand for. */
  const epochsOf = (some: OldId[], lowBits: number, tickMs: number) => {
    const tickOf = (id: bigint) => Number(id >> BigInt(lowBits));
    return ends(some.map(({ id, timestampMs }) => Number(timestampMs) - tickOf(id) * tickMs));
  };
  const every = Math.ceil(timed.length / TRIED_MOST);
  const tried = timed.filter((_, index) => index % every === 0);
  let best: { spread: number; lowBits: number; tickMs: number } | undefined;
  for (let lowBits = 0; lowBits <= LOW_BITS_MAX; lowBits++) {
    for (const tickMs of TICKS_MS) {
      const [earliest, latest] = epochsOf(tried, lowBits, tickMs);
      const spread = latest - earliest;
      if (spread < (best?.spread ?? tolerance)) best = { spread, lowBits, tickMs };
    }
  }
  const [earliest, latest] = best ? epochsOf(timed, best.lowBits, best.tickMs) : [];
  if (!best || latest - earliest >= tolerance) {
    throw new Usage(
      "the times beside the ids do not match their bits: correct the times, or give --from if " +
        "the ids contain a time",
    );
  }
  const { lowBits, tickMs } = best;
  // Times are noted after the issue of ids, so the earliest epoch is closest to the true one. It is
  // before 1970 if times without ms stand beside ids that are Unix times.
  const epochMs = Math.max(0, earliest);
  // Wider timestamps would reach past the last date that JavaScript has.
  const widest = Math.floor(Math.log2((DATE_MAX_MS - epochMs) / tickMs));
  const bits = Math.min(63 - lowBits, widest);
  const fields: Field[] = [
    { name: "unused", bits: 64 - bits - lowBits, role: "unused" },
    { name: "timestamp", bits, role: "timestamp" },
  ];
  if (lowBits > 0) fields.push({ name: "node", bits: lowBits, role: "node" });
  return new Layout({ fields, epochMs, tickMs });
}

/** Returns the smallest and the largest number. */
function ends(numbers: number[]) {
  return numbers.reduce(
    ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
    [Infinity, -Infinity],
  );
}

/** Throws if an id does not fit the old layout, or if its given time contradicts its timestamp. */
function requireOf(from: Layout, { id, timestampMs }: OldId, aheadMs: number) {
  const found = from.decode(id);
  if (timestampMs === undefined) return;
  const offMs = timestampMs - found.timestampMs;
  if (offMs >= -aheadMs - TOLERANCE_MS && offMs <= DAY_MS) return;
  throw new Usage(
    `the old layout says ${iso(found.date)} for ${id}, but the time beside it is ` +
      `${iso(timestampMs)}: correct the times (are they UTC?) or --from; without --from, the ` +
      "layout is found from these times",
  );
}

const iso = (time: number | Date) => new Date(time).toISOString();
