// Changes the storage of a running authority, as a second instance of its object would. Then a
// decision from the old table in memory must be neither stored nor confirmed, and the next request
// must be answered from the new storage.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clusterOf } from "./harness/cluster.js";

const NOW_MS = 1_790_000_000_000;
const NOW = NOW_MS - 1_514_764_800_000;
const END = NOW + 300_000;

const TOKEN = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

/** Each shard has one node for batches and one node to grant. */
const boundConfig = (/** @type {number} */ shards) => ({
  layout: "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms",
  first_node: 0,
  node_count: 2 * shards,
  shards,
});

const created = { create: boundConfig(1) };
const acquire = { acquire: { token: TOKEN, incarnation: 1, now_ms: NOW_MS } };
const lease = { token: TOKEN, incarnation: 1, node: 1 };
const renew = { renew: { ...lease, tick: NOW + 1_000, now_ms: NOW_MS } };
const release = { release: { ...lease, until_tick: NOW + 1_000 } };
const prefetch = { prefetch: { incarnation: 1, count: 100, now_ms: NOW_MS } };
const follow = (/** @type {object} */ told) => ({
  follow: { ...boundConfig(2), incarnation: 1, from_tick: 0, life: "active", ...told },
});

const nodeRow = (/** @type {number} */ node) =>
  `SELECT from_tick, until_tick, until_sequence, token FROM node WHERE node = ${node}`;
const sequencerRow =
  "SELECT incarnation, from_tick, life, confirmed, until_tick, node_count, withdrawn, " +
  "(SELECT count(*) FROM node) AS nodes FROM sequencer";

const EARLIER = "UPDATE node SET from_tick = from_tick - 1";
const LONGER = "UPDATE node SET until_tick = until_tick + 5";
const NOT_OF_BATCHES = "UPDATE node SET until_sequence = 1";
const FREE = "UPDATE node SET token = NULL";
const OTHERS = `UPDATE node SET token = '${OTHER}'`;
const GIVEN_UP = "UPDATE sequencer SET node_count = node_count - 1, withdrawn = 1";
const NEXT_INCARNATION = "UPDATE sequencer SET incarnation = incarnation + 1";
const DESTROYING = "UPDATE sequencer SET life = 'destroying'";
const DESTROYED = "UPDATE sequencer SET life = 'destroyed'";
const ENDS_LATER = `until_tick = ${END + 5}`;
const OTHER_SESSION = "UPDATE schema SET session = session + 1";
const inserted = (/** @type {number} */ number, /** @type {number} */ until, sequence = 0) =>
  `INSERT INTO node VALUES (${number}, ${NOW}, ${until}, ${sequence}, '${OTHER}', 0, 0, 0)`;

const ALL_OF_NODE = [EARLIER, LONGER, NOT_OF_BATCHES, FREE, OTHERS];
const GONE = [NEXT_INCARNATION, DESTROYING, DESTROYED];

/**
 * @typedef {object} Operation
 * @property {number} [shard]
 * @property {object[]} before the earlier requests
 * @property {object} asks
 * @property {string} row SQL that selects the written row
 * @property {[kind: string, changes?: Record<string, unknown>]} calm the answer, and the changes in
 *   the row, if the storage was not changed before
 * @property {string[]} behind changes in SQL, each of which makes a decision from the old table
 * wrong
 */

/** @type {Record<string, Operation>} */
const OPERATIONS = {
  "the first grant of a node": {
    before: [created],
    asks: acquire,
    row: nodeRow(1),
    calm: ["granted", { from_tick: NOW, until_tick: END, until_sequence: 0, token: TOKEN }],
    behind: [inserted(1, END + 5), GIVEN_UP, ...GONE],
  },
  "a renewal": {
    before: [created, acquire],
    asks: renew,
    row: nodeRow(1),
    calm: ["renewed", { until_tick: END + 1_000 }],
    behind: [...ALL_OF_NODE, "UPDATE node SET until_tick = until_tick + 5000", ...GONE],
  },
  "a release": {
    before: [created, acquire],
    asks: release,
    row: nodeRow(1),
    calm: ["released", { until_tick: NOW + 1_000, token: null }],
    behind: [...ALL_OF_NODE, `UPDATE node SET from_tick = ${END}`, ...GONE],
  },
  "the first batch": {
    before: [created],
    asks: prefetch,
    row: nodeRow(0),
    calm: ["batched", { from_tick: NOW, until_tick: NOW + 1, until_sequence: 36, token: null }],
    behind: [inserted(0, NOW + 1, 36), ...GONE],
  },
  "the first creation": {
    before: [{ describe: {} }],
    asks: created,
    row: "SELECT incarnation, from_tick, life, node_count FROM sequencer",
    calm: ["described", { incarnation: 1, from_tick: 0, life: "active", node_count: 2 }],
    behind: [
      // Another sequencer was created and destroyed.
      `INSERT INTO sequencer SELECT 1, 7, '${boundConfig(1).layout}', 0, 2, 0, 1, 0, 'destroyed', 0, ${END}, 0`,
      // There are rows of nodes, but no sequencer.
      inserted(1, END),
    ],
  },
  "the end of the only shard": {
    before: [created, acquire],
    asks: { destroy: {} },
    row: sequencerRow,
    calm: ["described", { life: "destroyed", until_tick: END }],
    behind: [
      LONGER,
      inserted(0, END + 5),
      inserted(0, END, 1),
      NEXT_INCARNATION,
      `UPDATE sequencer SET life = 'destroyed', ${ENDS_LATER}`,
      `UPDATE sequencer SET life = 'destroying', confirmed = 1, ${ENDS_LATER}`,
    ],
  },
  "the end of the second of four shards": {
    before: [{ create: boundConfig(4) }, { destroy: {} }],
    asks: { confirm: { incarnation: 1, shard: 1, until_tick: NOW } },
    row: sequencerRow,
    calm: ["described", { confirmed: 2, until_tick: NOW }],
    behind: [
      "UPDATE sequencer SET confirmed = 2",
      `UPDATE sequencer SET ${ENDS_LATER}`,
      NEXT_INCARNATION,
      DESTROYED,
    ],
  },
  "an end that a shard is told of": {
    shard: 1,
    before: [follow({}), acquire],
    asks: follow({ life: "destroyed", until_tick: NOW }),
    row: sequencerRow,
    calm: ["described", { life: "destroyed", until_tick: END }],
    behind: [LONGER, inserted(2, END + 5), NEXT_INCARNATION],
  },
  "a node that is given up": {
    before: [created],
    asks: { shrink: { incarnation: 1, node_count: 1 } },
    row: sequencerRow,
    calm: ["described", { node_count: 1, withdrawn: 1 }],
    behind: [inserted(1, END), inserted(1, NOW), GIVEN_UP, NEXT_INCARNATION, DESTROYED],
  },
  "the next incarnation, with its rows": {
    shard: 1,
    before: [follow({}), acquire],
    asks: follow({ incarnation: 2, from_tick: END }),
    row: sequencerRow,
    calm: ["described", { incarnation: 2, from_tick: END, nodes: 0 }],
    behind: [
      LONGER,
      inserted(2, END, 1),
      "UPDATE sequencer SET incarnation = 3",
      `UPDATE sequencer SET life = 'destroyed', until_tick = ${END}`,
    ],
  },
};

const cluster = clusterOf([[]], { frozen_ms: NOW_MS });

let sequencers = 0;

/** Starts a separate object for each case. @param {Operation} operation */
async function startObject({ shard = 0, before }) {
  const name = `sequencer-${sequencers++}/${shard}`;
  const sql = (/** @type {string} */ sql) => cluster.sql(sql, name);
  /** @param {object} message @returns the answer as [kind, fields] */
  const ask = async (message) => {
    const body = JSON.stringify(message);
    const { status, text } = await cluster.direct(name, "POST", "", body);
    return status === 200 ? Object.entries(JSON.parse(text))[0] : [`${status}`, text];
  };
  for (const message of before) {
    const [kind, answer] = await ask(message);
    assert.ok(!["refused", "500", "507"].includes(kind), `${kind} ${answer}`);
  }
  const stored = async () => {
    const rows = [await sql("SELECT * FROM sequencer"), await sql("SELECT * FROM node")].flat();
    return rows.map(({ write, ...row }) => row);
  };
  const starts = async () => (await cluster.calls()).started[name];
  return { name, sql, ask, stored, starts };
}

for (const [name, operation] of Object.entries(OPERATIONS)) {
  const { asks, row, calm, behind } = operation;
  describe(name, () => {
    test("nothing has changed", async () => {
      const object = await startObject(operation);
      const [left] = await object.sql(row);
      const [kind, answer] = await object.ask(asks);
      assert.equal(kind, calm[0], answer);
      const [stored] = await object.sql(row);
      assert.deepEqual(stored, { ...left, ...calm[1] });
      for (const column of ["from_tick", "until_tick", "until_sequence"]) {
        if (column in answer) assert.equal(answer[column], stored[column], column);
      }
    });

    for (const sql of [...behind, OTHER_SESSION]) {
      test(sql, async () => {
        const [object, begun] = [await startObject(operation), await startObject(operation)];
        await object.sql(sql);
        const stored = await object.stored();
        const [kind, text] = await object.ask(asks);
        assert.equal(kind, "500", `${text} was decided from the old table`);
        assert.deepEqual(await object.stored(), stored, "a row was overwritten");

        await begun.sql(sql);
        await cluster.evict(begun.name);
        assert.deepEqual(await object.ask(asks), await begun.ask(asks));
        assert.deepEqual(await object.stored(), await begun.stored());
        assert.equal(await object.starts(), 1, "the object was started again");
      });
    }
  });
}
