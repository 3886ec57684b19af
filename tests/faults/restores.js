// Faults of the drill in which an operator exchanges the storage of an authority.

import { cpSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** @import { Drill, Fault } from "./faults.js" */

/** Time for grants after a copy, which the restore forgets. */
const GRANTED_MS = 1_000;

const copyOf = (/** @type {string} */ path) => `${path}-copy`;

/**
 * Puts directories back to how they were before the holder elsewhere took its node. The process
 * itself is asked for nothing meanwhile.
 *
 * @param {Drill} drill
 * @param {string[]} paths
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

/** @type {Fault[]} */
export const restores = [
  {
    name: "restored from an older copy",
    async begin(drill) {
      await restore(drill, [drill.directory]);
      drill.issuing.isPaused = false;
    },
    end() {},
    alerts: ["EdgeflakeRolledBack"],
    codes: [],
    refusals: [],
  },
  {
    name: "emptied storage",
    async begin({ authority, directory }) {
      await authority.kill();
      rmSync(directory, { recursive: true });
      await authority.start();
    },
    end() {},
    alerts: ["EdgeflakeRolledBack"],
    codes: [],
    refusals: [],
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
    alerts: ["EdgeflakeSequencerGone"],
    codes: ["sequencer-destroyed"],
    refusals: [],
  },
];
