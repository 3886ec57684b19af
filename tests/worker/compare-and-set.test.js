// The storage changes behind a running authority, as a twin of its object would change it. A
// decision from its old table is neither stored nor confirmed, and the next request is answered
// from the storage.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";

const NOW_MS = 1_790_000_000_000;
const NOW = NOW_MS - 1_514_764_800_000;
const END = NOW + 300_000;

const TOKEN = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

/** Each shard has a node for batches and one to grant. */
const boundConfig = (/** @type {number} */ shards) => ({
  layout: "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms",
  first_node: 0,
  node_count: 2 * shards,
  shards,
});

const created = { create: boundConfig(1) };
const acquire = (token = TOKEN) => ({ acquire: { token, incarnation: 1, now_ms: NOW_MS } });
const renew = {
  renew: { token: TOKEN, incarnation: 1, node: 1, tick: NOW + 1_000, now_ms: NOW_MS },
};
const release = (/** @type {number} */ until) => ({
  release: { token: TOKEN, incarnation: 1, node: 1, until_tick: until },
});
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
const inserted = (/** @type {number} */ number, /** @type {number} */ until, sequence = 0) =>
  `INSERT INTO node VALUES (${number}, ${NOW}, ${until}, ${sequence}, '${OTHER}', 0, 0, 0)`;

/**
 * The answer, and the changes in the row.
 *
 * @typedef {[kind: string, changes?: Record<string, unknown>]} Then
 *
 * @typedef {object} Operation
 * @property {number} [shard]
 * @property {object[]} before the earlier requests
 * @property {object} asks
 * @property {string} row SQL that selects the written row
 * @property {Then} calm the outcome when nothing has changed
 * @property {Record<string, Then>} behind the outcomes of a second try, by the SQL of the change
 */

/** @type {Record<string, Operation>} */
const OF_NODES = {
  "the first grant of a node": {
    before: [created],
    asks: acquire(),
    row: nodeRow(1),
    calm: ["granted", { from_tick: NOW, until_tick: END, until_sequence: 0, token: TOKEN }],
    behind: { [inserted(1, END + 5)]: ["refused"], [GIVEN_UP]: ["refused"] },
  },
  "a grant of a node that was released": {
    before: [created, acquire(), release(NOW)],
    asks: acquire(),
    row: nodeRow(1),
    calm: ["granted", { until_tick: END, token: TOKEN }],
    behind: {
      [EARLIER]: ["granted", { from_tick: NOW, until_tick: END, token: TOKEN }],
      [LONGER]: ["granted", { from_tick: NOW + 5, until_tick: END, token: TOKEN }],
      [NOT_OF_BATCHES]: ["507"],
      [OTHERS]: ["granted", { until_tick: END, token: TOKEN }],
    },
  },
  "the same grant again": {
    before: [created, acquire()],
    asks: acquire(),
    row: nodeRow(1),
    calm: ["granted"],
    behind: {
      [EARLIER]: ["granted"],
      [LONGER]: ["granted"],
      [NOT_OF_BATCHES]: ["507"],
      [FREE]: ["refused"],
      [OTHERS]: ["refused"],
    },
  },
  "a renewal": {
    before: [created, acquire()],
    asks: renew,
    row: nodeRow(1),
    calm: ["renewed", { until_tick: END + 1_000 }],
    behind: {
      [EARLIER]: ["renewed", { until_tick: END + 1_000 }],
      [LONGER]: ["renewed", { until_tick: END + 1_000 }],
      "UPDATE node SET until_tick = until_tick + 5000": ["renewed"],
      [NOT_OF_BATCHES]: ["507"],
      [FREE]: ["ended"],
      [OTHERS]: ["ended"],
    },
  },
  "a release": {
    before: [created, acquire()],
    asks: release(NOW + 1_000),
    row: nodeRow(1),
    calm: ["released", { until_tick: NOW + 1_000, token: null }],
    behind: {
      [EARLIER]: ["released", { until_tick: NOW + 1_000, token: null }],
      [`UPDATE node SET from_tick = ${END}`]: ["ended"],
      [LONGER]: ["released", { until_tick: NOW + 1_000, token: null }],
      [NOT_OF_BATCHES]: ["507"],
      [FREE]: ["ended"],
      [OTHERS]: ["ended"],
    },
  },
  "the first batch": {
    before: [created],
    asks: prefetch,
    row: nodeRow(0),
    calm: ["batched", { from_tick: NOW, until_tick: NOW + 1, until_sequence: 36, token: null }],
    behind: {
      [inserted(0, NOW + 1, 36)]: [
        "batched",
        { from_tick: NOW + 1, until_tick: NOW + 3, until_sequence: 8, token: null },
      ],
    },
  },
  "a batch behind another": {
    before: [created, prefetch],
    asks: prefetch,
    row: nodeRow(0),
    calm: ["batched", { from_tick: NOW + 1, until_tick: NOW + 3, until_sequence: 8 }],
    behind: {
      [EARLIER]: ["batched", { from_tick: NOW + 1, until_tick: NOW + 3, until_sequence: 8 }],
      [LONGER]: ["batched", { from_tick: NOW + 6, until_tick: NOW + 8, until_sequence: 8 }],
      "UPDATE node SET until_sequence = until_sequence + 1": [
        "batched",
        { from_tick: NOW + 1, until_tick: NOW + 3, until_sequence: 9 },
      ],
      [OTHERS]: [
        "batched",
        { from_tick: NOW + 1, until_tick: NOW + 3, until_sequence: 8, token: null },
      ],
    },
  },
};

/** Another session has begun. */
const OTHER_SESSION = "UPDATE schema SET session = session + 1";

/**
 * Every request is refused when the sequencer is no longer this one.
 *
 * @type {Operation["behind"]}
 */
const SEQUENCER_GONE = {
  "UPDATE sequencer SET incarnation = 2": ["refused"],
  "UPDATE sequencer SET life = 'destroying'": ["refused"],
  "UPDATE sequencer SET life = 'destroyed'": ["refused"],
};

/** @type {Record<string, Operation>} */
const OF_SEQUENCERS = {
  "the first creation": {
    before: [{ describe: {} }],
    asks: created,
    row: sequencerRow,
    calm: [
      "described",
      {
        incarnation: 1,
        from_tick: 0,
        life: "active",
        confirmed: 0,
        until_tick: 0,
        node_count: 2,
        withdrawn: 0,
        nodes: 0,
      },
    ],
    behind: {
      // Another sequencer was created and destroyed.
      [`INSERT INTO sequencer SELECT 1, 7, '${boundConfig(1).layout}', 0, 2, 0, 1, 0, 'destroyed', 0, ${END}, 0`]:
        ["refused"],
      // There are rows, but no sequencer.
      [inserted(1, END)]: ["507"],
    },
  },
  "the end of the only shard": {
    before: [created, acquire()],
    asks: { destroy: {} },
    row: sequencerRow,
    calm: ["described", { life: "destroyed", until_tick: END }],
    behind: {
      [LONGER]: ["described", { life: "destroyed", until_tick: END + 5 }],
      [inserted(0, END + 5)]: ["described", { life: "destroyed", until_tick: END + 5 }],
      [inserted(0, END, 1)]: ["described", { life: "destroyed", until_tick: END + 1 }],
      "UPDATE sequencer SET incarnation = 2": ["described", { life: "destroyed", until_tick: END }],
      [`UPDATE sequencer SET life = 'destroyed', until_tick = ${END + 5}`]: ["described"],
      [`UPDATE sequencer SET life = 'destroying', confirmed = 1, until_tick = ${END + 5}`]: [
        "described",
      ],
    },
  },
  "the end of the second of four shards": {
    before: [{ create: boundConfig(4) }, { destroy: {} }],
    asks: { confirm: { incarnation: 1, shard: 1, until_tick: NOW } },
    row: sequencerRow,
    calm: ["described", { confirmed: 2, until_tick: NOW }],
    behind: {
      "UPDATE sequencer SET confirmed = 2": ["described"],
      [`UPDATE sequencer SET until_tick = ${END}`]: ["described", { confirmed: 2 }],
      "UPDATE sequencer SET incarnation = 2": ["refused"],
      "UPDATE sequencer SET life = 'destroyed'": ["described"],
    },
  },
  "an end that a shard is told of": {
    shard: 1,
    before: [follow({}), acquire()],
    asks: follow({ life: "destroyed", until_tick: NOW }),
    row: sequencerRow,
    calm: ["described", { life: "destroyed", until_tick: END }],
    behind: {
      [LONGER]: ["described", { life: "destroyed", until_tick: END + 5 }],
      [inserted(2, END + 5)]: ["described", { life: "destroyed", until_tick: END + 5 }],
      "UPDATE sequencer SET incarnation = 2": ["refused"],
    },
  },
  "a node that is given up": {
    before: [created],
    asks: { shrink: { incarnation: 1, node_count: 1 } },
    row: sequencerRow,
    calm: ["described", { node_count: 1, withdrawn: 1 }],
    behind: {
      [inserted(1, END)]: ["refused"],
      [inserted(1, NOW)]: ["refused"],
      [GIVEN_UP]: ["described"],
      "UPDATE sequencer SET incarnation = 2": ["refused"],
      "UPDATE sequencer SET life = 'destroyed'": ["refused"],
    },
  },
  "the next incarnation, with its rows": {
    shard: 1,
    before: [follow({}), acquire()],
    asks: follow({ incarnation: 2, from_tick: END }),
    row: sequencerRow,
    calm: ["described", { incarnation: 2, from_tick: END, nodes: 0 }],
    behind: {
      [LONGER]: ["described", { incarnation: 2, from_tick: END + 5, nodes: 0 }],
      [inserted(2, END, 1)]: ["described", { incarnation: 2, from_tick: END + 1, nodes: 0 }],
      "UPDATE sequencer SET incarnation = 3": ["refused"],
      [`UPDATE sequencer SET life = 'destroyed', until_tick = ${END}`]: [
        "described",
        { incarnation: 2, from_tick: END, life: "active", until_tick: 0, nodes: 0 },
      ],
    },
  },
};

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
before(async () => {
  cluster = await startCluster([]);
  await cluster.turnAll({ frozen_ms: NOW_MS });
});
after(() => cluster.close());

let sequencers = 0;

/** Each case has an object of its own, so that a table is loaded only after a failure. */
function startObject(shard = 0) {
  const object = `sequencer-${sequencers++}/${shard}`;
  return {
    /** @param {object} message */
    async ask(message) {
      const body = JSON.stringify(message);
      const { status, text } = await cluster.direct("POST", `/v1/${object}/`, object, body);
      /** @type {[string, Record<string, unknown>][]} */
      const [[kind, answer]] =
        status === 200 ? Object.entries(JSON.parse(text)) : [[`${status}`, {}]];
      return { kind, answer, text };
    },
    sql: (/** @type {string} */ sql) => cluster.sql(sql, object),
    async stored() {
      return [await this.sql("SELECT * FROM sequencer"), await this.sql("SELECT * FROM node")];
    },
    starts: async () => (await cluster.calls()).started[object],
  };
}

for (const [name, { shard, before, asks, row, calm, behind }] of Object.entries({
  ...OF_NODES,
  ...OF_SEQUENCERS,
})) {
  const common = name in OF_NODES ? SEQUENCER_GONE : {};

  /** @param {(object: ReturnType<typeof startObject>) => Promise<void>} act @param {Then} then */
  const check = async (act, [kind, changes]) => {
    const object = startObject(shard);
    for (const message of before) {
      const { kind, text } = await object.ask(message);
      assert.ok(!["refused", "500", "507"].includes(kind), text);
    }
    await act(object);

    const [left] = await object.sql(row);
    const reply = await object.ask(asks);
    assert.equal(reply.kind, kind, reply.text);
    const [stored] = await object.sql(row);
    assert.deepEqual(stored, changes ? { ...left, ...changes } : left);
    for (const column of ["from_tick", "until_tick", "until_sequence"]) {
      if (column in reply.answer) assert.equal(reply.answer[column], stored[column], column);
    }
    assert.equal(await object.starts(), 1, "it has run on");
  };

  describe(name, () => {
    test("nothing has changed", () => check(async () => {}, calm));

    for (const [sql, then] of Object.entries({ ...behind, ...common, [OTHER_SESSION]: calm })) {
      test(sql, () =>
        check(async (object) => {
          await object.sql(sql);
          const stored = await object.stored();
          const { kind, text } = await object.ask(asks);
          assert.equal(kind, "500", `${text} is decided from the old table`);
          assert.deepEqual(await object.stored(), stored, "nothing is overwritten");
        }, then),
      );
    }
  });
}
