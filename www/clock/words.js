// The sentences of the playground: on its processes, its costs, and the whole picture.

import { count } from "../time.js";

/** @import { Process, Snapshot, Tally } from "./run.js" */

export const NAMES = ["A", "B", "C"];

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The error in ms below which a clock counts as right, because a message takes as long. */
const RIGHT_MS = 50;

/** @param {number} ms Unix ms */
export function clockTime(ms) {
  return new Date(ms).toISOString().slice(11, 19);
}

/** @param {number} ms Unix ms */
export function preciseTime(ms) {
  return new Date(ms).toISOString().slice(11, 21);
}

/** Formats a length of time: `40 ms`, `5.0 s`, `1 min 20 s`, `1 h`. @param {number} ms */
export function length(ms) {
  const whole = Math.round(ms);
  if (whole < SECOND_MS) return `${whole} ms`;
  if (whole < MINUTE_MS) return `${(whole / SECOND_MS).toFixed(1)} s`;
  const [large, unit, small, rest] =
    whole < HOUR_MS
      ? [Math.floor(whole / MINUTE_MS), "min", "s", (whole % MINUTE_MS) / SECOND_MS]
      : [Math.floor(whole / HOUR_MS), "h", "min", (whole % HOUR_MS) / MINUTE_MS];
  return Math.floor(rest) > 0
    ? `${large} ${unit} ${Math.floor(rest)} ${small}`
    : `${large} ${unit}`;
}

/** Says in a few characters how far a clock is off. @param {Process} process */
export function offset({ offMs, isFrozen }) {
  const off = Math.abs(offMs) < RIGHT_MS ? "" : `${length(Math.abs(offMs))} `;
  if (isFrozen) return off === "" ? "frozen" : `frozen, ${off}${offMs < 0 ? "behind" : "ahead"}`;
  if (off === "") return "right";
  return `${off}${offMs < 0 ? "behind" : "ahead"}`;
}

/** Says what the holder of a process does. @param {Process} process @param {number} trueMs */
export function doing({ isRenewing, why, refusal, aheadMs, lease }, trueMs) {
  if (refusal) return `No ids: ${refusal}.`;
  if (why) return `Waits: ${why}.`;
  if (!lease) return "Asks for a lease.";
  const renews = isRenewing ? " Renews its lease." : "";
  if (lease.untilMs <= trueMs) {
    return `Goes on in its old rectangle, which no other issuer has. It ended ${length(trueMs - lease.untilMs)} ago.${renews}`;
  }
  if (aheadMs > RIGHT_MS) {
    return `Goes on after its newest id, in order, ${length(aheadMs)} ahead of its clock.${renews}`;
  }
  return `Issues from its rectangle, until ${clockTime(lease.untilMs)}.${renews}`;
}

/**
 * Describes the picture in sentences.
 *
 * @param {Snapshot} snapshot
 * @param {boolean} hasClassic
 * @param {number} dots number of visible dots
 */
export function summary(snapshot, hasClassic, dots) {
  const { trueMs, processes, leased, classic, leases, violation } = snapshot;
  const clocks = processes.map((process, i) => {
    const node = process.lease ? `node ${process.lease.node}` : "no node";
    return `${NAMES[i]} (${node}, clock ${offset(process)}): ${doing(process, trueMs)}`;
  });
  const parts = [
    `${clockTime(trueMs)}. edgeflake has issued ${count(leased.issued)} ids, ${twice(leased)}. ` +
      `${count(leases)} rectangles were granted, and ${violation ?? "no two overlap"}.`,
    ...clocks,
  ];
  if (hasClassic) {
    parts.push(`The classic snowflake issued ${count(classic.issued)} ids, ${twice(classic)}.`);
  }
  parts.push(`The picture shows ${count(dots)} ids.`);
  return parts.join(" ");
}

/** @param {Tally} tally */
function twice({ duplicates }) {
  return duplicates === 0 ? "no two of them equal" : `${count(duplicates)} of them duplicates`;
}
