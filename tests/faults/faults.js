// The faults of the drill: what each does to the storage or the process of an authority, and which
// alerts it must raise.
//
// A slow disk is frozen again and again: each write to it waits until the disk is thawed.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * @import { Authority } from "./authority.js"
 * @import { Issuing } from "./issuing.js"
 *
 * @typedef {object} Drill the arguments of a fault
 * @property {string} disk a directory that is a disk of its own
 * @property {string} directory the authority's directory, on this disk
 * @property {string} witness the directory of the authority's witnesses
 * @property {Authority} authority
 * @property {Issuing} issuing
 * @property {number} reachMs how far a lease can reach ahead of the clock
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {(drill: Drill) => Promise<void> | void} begin
 * @property {(drill: Drill) => Promise<void> | void} [end]
 * @property {string} alert the alert that must fire while the fault lasts
 * @property {string} [readiness] the code with which `/readyz` must answer while the fault lasts
 * @property {string} [code] the problem code that callers must get while the fault lasts
 * @property {string} [refusal] the problem code that the metrics must count
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

/** Number of holders that start at once, twice as many as get a lease within a second. */
const HERD = 300;

/** A write to a slow disk waits at most this long. */
const FROZEN_MS = 8_000;
const THAWED_MS = 50;

/** Ends the freezing of the disk. @type {AbortController | undefined} */
let freezing;
/** @type {Promise<void>} */
let frozen = Promise.resolve();

/** @param {string} disk @param {AbortSignal} signal */
async function freeze(disk, signal) {
  while (!signal.aborted) {
    execFileSync("fsfreeze", ["-f", disk]);
    await wait(FROZEN_MS, undefined, { signal }).catch(() => {});
    execFileSync("fsfreeze", ["-u", disk]);
    await wait(THAWED_MS);
  }
}

/** Ends the freezing. After that no write waits, so the process can end. */
export async function thaw() {
  freezing?.abort();
  await frozen;
}

/** Lists the shard's files. @param {Drill} drill */
const filesOf = ({ directory }) =>
  readdirSync(directory)
    .filter((name) => name.startsWith("default.0.sqlite"))
    .map((name) => join(directory, name));

/** Time for grants after the copy, in ms. The restore forgets these grants. */
const GRANTED_MS = 1_000;

const copyOf = (/** @type {string} */ path) => `${path}-copy`;

/**
 * Restores directories to their state before the holder in the drill's process took another node.
 * Until the caller resets `isPaused`, the authority's own process is not asked for ids.
 *
 * @param {Drill} drill @param {string[]} paths
 */
async function restore({ authority, issuing }, paths) {
  issuing.isPaused = true;
  await authority.kill();
  for (const path of paths) cpSync(path, copyOf(path), { recursive: true });
  await authority.start();
  await issuing.move();
  await wait(GRANTED_MS);
  await authority.kill();
  for (const path of paths) {
    rmSync(path, { recursive: true });
    cpSync(copyOf(path), path, { recursive: true });
    rmSync(copyOf(path), { recursive: true });
  }
  await authority.start();
}

/** @param {Drill} drill @param {string} method */
async function change({ authority }, method) {
  const response = await authority.ask(method, "/v1/sequencers/default");
  if (!response.ok) throw new Error(`${method}: ${await response.text()}`);
}

/** @type {Map<string, Buffer>} */
const kept = new Map();

const UNWRITABLE = {
  alert: "EdgeflakeShardUnwritable",
  readiness: "authority-unreachable",
  code: "authority-unreachable",
  refusal: "authority-unreachable",
};

/** @type {Fault[]} */
export const faults = [
  {
    name: "disk full",
    begin: ({ disk }) => fill(disk),
    end: ({ disk }) => empty(disk),
    ...UNWRITABLE,
  },
  {
    name: "read-only",
    // The files are open, so the disk cannot be remounted read-only. A write to an immutable file
    // fails as it does on a disk that an error has made read-only.
    begin: (drill) => void execFileSync("chattr", ["+i", ...filesOf(drill)]),
    end: (drill) => void execFileSync("chattr", ["-i", ...filesOf(drill)]),
    ...UNWRITABLE,
  },
  {
    name: "slow disk",
    begin({ disk }) {
      freezing = new AbortController();
      frozen = freeze(disk, freezing.signal);
    },
    end: thaw,
    alert: "EdgeflakeSlow",
  },
  {
    // The process is gone for longer than a lease, and then a herd of holders comes back. Refused
    // holders raise no alert.
    name: "killed, then a herd",
    begin: ({ authority }) => authority.kill(),
    async end({ authority }) {
      await authority.start();
      await authority.serveHerd(HERD);
    },
    alert: "EdgeflakeDown",
    code: "authority-unreachable",
  },
  {
    // Requests wait in the kernel, and are answered as overload when the process goes on.
    name: "stopped",
    begin: ({ authority }) => authority.signal("SIGSTOP"),
    end: ({ authority }) => authority.signal("SIGCONT"),
    alert: "EdgeflakeDown",
    code: "authority-unreachable",
  },
  {
    name: "corrupted file",
    async begin(drill) {
      await drill.authority.kill();
      for (const file of filesOf(drill)) {
        kept.set(file, readFileSync(file));
        rmSync(file);
      }
      const [file] = [...kept.keys()].sort();
      writeFileSync(file, kept.get(file) ?? "");
      const opened = openSync(file, "r+");
      writeSync(opened, Buffer.alloc(statSync(file).size / 2, "damage"), 0, undefined, 0);
      closeSync(opened);
      await drill.authority.start();
    },
    async end(drill) {
      await drill.authority.kill();
      for (const file of filesOf(drill)) rmSync(file);
      // These bytes were read after the process had ended, so they are not an older copy.
      for (const [file, bytes] of kept) writeFileSync(file, bytes);
      kept.clear();
      await drill.authority.start();
    },
    alert: "EdgeflakeShardUnreadable",
    readiness: "authority-unreadable",
    code: "authority-unreadable",
  },
  // In the following faults, an operator exchanges the storage.
  {
    name: "restored from an older copy",
    async begin(drill) {
      await restore(drill, [drill.directory]);
      drill.issuing.isPaused = false;
    },
    alert: "EdgeflakeRolledBack",
  },
  {
    name: "emptied storage",
    async begin({ authority, directory }) {
      await authority.kill();
      rmSync(directory, { recursive: true });
      await authority.start();
    },
    alert: "EdgeflakeRolledBack",
  },
  {
    // No fence notices this, so the operator acts, as docs/OPERATING.md says.
    name: "restored with its witness",
    async begin(drill) {
      await restore(drill, [drill.directory, drill.witness]);
      await change(drill, "DELETE");
      drill.issuing.isPaused = false;
    },
    async end(drill) {
      await wait(drill.reachMs);
      await change(drill, "PUT");
    },
    alert: "EdgeflakeSequencerGone",
    code: "sequencer-destroyed",
  },
];
