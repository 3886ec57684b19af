// UUIDs of all versions of RFC 9562: their date and their fields.

import type { Kind, KindPart } from "./kinds.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const NOT_A_SNOWFLAKE = "128 bits, not a snowflake";
const NO_TIME = "it carries no time";

/** The ms from the beginning of the Gregorian calendar, 1582-10-15, to that of Unix time. */
const GREGORIAN_MS = 12_219_292_800_000n;
/** UUIDs count units of 100 ns. */
const TICKS_PER_MS = 10_000n;

export function uuidOf(text: string): Kind | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll("-", "").toLowerCase();
  const value = BigInt(`0x${hex}`);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  const base = {
    bits: 128,
    note: "",
    parts: [],
    text: [...groups, hex.slice(20)].join("-"),
    timestampMs: undefined,
  };
  if (value === 0n) return { ...base, title: "nil UUID", note: `all bits are 0: ${NO_TIME}` };
  if (value === 2n ** 128n - 1n) {
    return { ...base, title: "max UUID", note: `all bits are 1: ${NO_TIME}` };
  }
  // The first bit is the most significant one.
  const at: At = (from, bits) => (value >> BigInt(128 - from - bits)) & ((1n << BigInt(bits)) - 1n);
  const version = Number(at(48, 4));
  if (at(64, 2) !== 2n || version === 0 || version > 8) {
    const title = text.includes("-") ? "UUID of another variant" : "128 bits in hex";
    const note = `${NOT_A_SNOWFLAKE}: no version of RFC 9562, so whether it has a date is not defined`;
    return { ...base, title, note };
  }
  return { ...base, title: `UUID version ${version}`, ...VERSIONS[version]?.(at) };
}

type At = (from: number, bits: number) => bigint;
type VersionFields = { note: string; timestampMs?: number; parts: KindPart[] };

const VERSIONS: Record<number, (at: At) => VersionFields> = {
  1: (at) => gregorian((at(52, 12) << 48n) | (at(32, 16) << 32n) | at(0, 32), at),
  2: (at) => ({
    note: `${NOT_A_SNOWFLAKE}: of DCE Security; its date is known to 7 minutes only, and left out`,
    parts: [
      ["local id", 32, String(at(0, 32)), "of a user or group"],
      ["node", 48, mac(at(80, 48)), "the machine"],
    ],
  }),
  3: (at) => hashed("MD5", at),
  4: (at) => ({
    note: "random: carries no time",
    parts: [["random", 122, hex(at(0, 128), 128), "random"]],
  }),
  5: (at) => hashed("SHA-1", at),
  6: (at) => gregorian((at(0, 48) << 12n) | at(52, 12), at),
  7: (at) => {
    const ms = at(0, 48);
    return {
      note: NOT_A_SNOWFLAKE,
      timestampMs: Number(ms),
      parts: [
        ["timestamp", 48, String(ms), "ms since 1970-01-01"],
        ["rand_a", 12, String(at(52, 12)), "random, or a counter, or a fraction of the ms"],
        ["rand_b", 62, hex(at(66, 62), 62), "random"],
      ],
    };
  },
  8: (at) => ({
    note: `${NOT_A_SNOWFLAKE}: version 8 is each program's own, so only that program knows whether it has a date`,
    parts: [["custom", 122, hex(at(0, 128), 128), "what its program says"]],
  }),
};

function gregorian(ticks: bigint, at: At): VersionFields {
  const node = at(80, 48);
  // A node whose multicast bit is set is no machine's address.
  const isRandom = ((node >> 40n) & 1n) === 1n;
  return {
    note: NOT_A_SNOWFLAKE,
    timestampMs: Number(ticks / TICKS_PER_MS - GREGORIAN_MS),
    parts: [
      ["timestamp", 60, String(ticks), "units of 100 ns since 1582-10-15"],
      ["clock sequence", 14, String(at(66, 14)), "changes when the clock was set back"],
      [
        "node",
        48,
        mac(node),
        isRandom ? "random, not a machine's address" : "the MAC address of the machine",
      ],
    ],
  };
}

function hashed(hash: string, at: At): VersionFields {
  return {
    note: `${NOT_A_SNOWFLAKE}: a hash of a name, ${NO_TIME}`,
    parts: [["hash", 122, hex(at(0, 128), 128), `${hash} of a name`]],
  };
}

export function hex(value: bigint, bits: number): string {
  return `0x${value.toString(16).padStart(Math.ceil(bits / 4), "0")}`;
}

function mac(node: bigint) {
  return (node.toString(16).padStart(12, "0").match(/../g) ?? []).join(":");
}
