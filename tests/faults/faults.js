// The faults of the drill: what each does to the storage or the process of an authority, and which
// alerts it must raise.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Drill what a fault may do
 * @property {string} disk the directory that is a disk of its own
 * @property {string} directory the authority's, on that disk
 * @property {() => Promise<void>} kill ends the authority with -9
 * @property {() => Promise<void>} start starts it again
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {(drill: Drill) => Promise<void> | void} begin
 * @property {(drill: Drill) => Promise<void> | void} end
 * @property {string[]} alerts the names of those that must fire while it lasts
 * @property {string[]} codes of the problems that a holder without a lease may get
 */

const FILL = "fill";

/** @param {string} disk */
function fill(disk) {
  for (let length = 65_536; length > 0; length = length === 1 ? 0 : length / 2) {
    for (let count = 0; ; count++) {
      try {
        writeFileSync(join(disk, `${FILL}-${length}-${count}`), Buffer.alloc(length));
      } catch {
        break;
      }
    }
  }
}

/** @param {string} disk */
function empty(disk) {
  for (const name of readdirSync(disk)) if (name.startsWith(FILL)) rmSync(join(disk, name));
}

/** The shard's files. @param {Drill} drill */
const filesOf = ({ directory }) =>
  readdirSync(directory)
    .filter((name) => name.startsWith("default.0.sqlite"))
    .map((name) => join(directory, name));

/** @type {Map<string, Buffer>} */
const kept = new Map();

/** @type {Fault[]} */
export const faults = [
  {
    name: "disk full",
    begin: ({ disk }) => fill(disk),
    end: ({ disk }) => empty(disk),
    alerts: ["EdgeflakeShardUnwritable", "EdgeflakeRefusals"],
    codes: ["authority-unreachable"],
  },
  {
    name: "read-only",
    // The files are open, so the disk cannot be mounted anew; of a file that is immutable, each write
    // fails as it does on a disk that an error has made read-only.
    begin: (drill) => void execFileSync("chattr", ["+i", ...filesOf(drill)]),
    end: (drill) => void execFileSync("chattr", ["-i", ...filesOf(drill)]),
    alerts: ["EdgeflakeShardUnwritable", "EdgeflakeRefusals"],
    codes: ["authority-unreachable"],
  },
  {
    name: "killed",
    begin: ({ kill }) => kill(),
    end: ({ start }) => start(),
    alerts: ["EdgeflakeDown"],
    codes: ["authority-unreachable"],
  },
  {
    name: "corrupted file",
    async begin(drill) {
      await drill.kill();
      for (const file of filesOf(drill)) {
        kept.set(file, readFileSync(file));
        rmSync(file);
      }
      const [file] = [...kept.keys()].sort();
      writeFileSync(file, kept.get(file) ?? "");
      const opened = openSync(file, "r+");
      writeSync(opened, Buffer.alloc(statSync(file).size / 2, "damage"), 0, undefined, 0);
      closeSync(opened);
      await drill.start();
    },
    async end(drill) {
      await drill.kill();
      for (const file of filesOf(drill)) rmSync(file);
      // As it was when the process ended, so no copy that is older.
      for (const [file, bytes] of kept) writeFileSync(file, bytes);
      kept.clear();
      await drill.start();
    },
    alerts: ["EdgeflakeShardUnreadable"],
    codes: ["authority-unreadable"],
  },
];
