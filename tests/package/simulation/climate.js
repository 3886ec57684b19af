// Draws the settings of a world, which stay the same until it ends.

/** @import { Random } from "./random.js" */

/** Layouts with so few nodes and ids that they run out, and one ordinary layout. */
const LAYOUTS = [
  "timestamp:41 unused:1 node:3 sequence:2 @1780000000000 tick=1ms",
  "timestamp:41 sequence:3 node:3 @1780000000000 tick=1ms",
  "timestamp:40 unused:1 node:4 sequence:6 @1780000000000 tick=10ms",
  "unused:1 timestamp:41 node:10 sequence:12 @1780000000000 tick=1ms",
];

/** @param {Random} random */
export function drawClimate(random) {
  const futureMs = random.pick([0, 1, 60, 500]);
  const leaseMs = 2 * futureMs + 20 + random.pick([1_500, 3_000, 6_000]);
  const layout = random.pick(LAYOUTS);
  // In some worlds, several machines share a volume, and each caches its file names.
  const isVolume = random.oneIn(3);
  const shards = random.pick([1, 1, 1, 2]);
  const storms = random.oneIn(4) ? 1 : 4;
  return {
    hasWitness: random.oneIn(2),
    leaseMs,
    futureMs,
    processes: random.pick([2, 3, 3, 5]),
    /** The number of stores that the processes share. */
    stores: random.pick([1, 1, 2]),
    machines: isVolume ? 2 : 1,
    isVolume,
    /** Whether machines that share a volume have different names. */
    hasHosts: random.oneIn(2),
    /** Whether a process can see which other processes run. */
    hasProc: random.oneIn(2),
    paceMs: random.pick([40, 120, 400]),
    faultMs: random.pick([150, 400, 1_500, 6_000]),
    lossOf: 6 * storms,
    clockErrorMs: random.pick([5, 300, 1_500, 20_000]),
    /** On average, a clock steps once in this many readings. */
    stepOf: random.pick([40, 400, 1_000_000]),
    /** One in this many faults fills the disk of the authority. */
    fullOf: random.pick([3, 30]),
    /** One in this many disk calls meets a fault. */
    diskOf: random.pick([30, 120, 1_000]),
    leave: random.pick([3, 12, 60]),
    lengthMs: 8_000 + 2 * leaseMs,
    variables: {
      EDGEFLAKE_LAYOUT: layout,
      EDGEFLAKE_SHARDS: `${shards}`,
      EDGEFLAKE_LEASE_MILLIS: `${leaseMs}`,
      EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${futureMs}`,
      EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: random.pick(["1000", "10000"]),
      EDGEFLAKE_PREFETCH_COUNT: random.pick(["1", "20"]),
      EDGEFLAKE_PREFETCH_VALIDITY_MILLIS: random.pick(["0", "1000"]),
      EDGEFLAKE_SEQUENCE_START: random.pick(["zero", "zero", "rotating"]),
      EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
      EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
    },
  };
}

/** @typedef {ReturnType<typeof drawClimate>} Climate */
