// What `edgeflake/lease` must do on every platform, of an authority that is played here.

import { EdgeflakeError } from "edgeflake";
import { LeasedGenerator, EdgeflakeError as LeaseError } from "edgeflake/lease";
import { HAZELCAST, LEASE_MS, namespace, service } from "./authority.js";
import { equal, throws } from "./expect.js";

/** @import { LeasedGeneratorOptions } from "edgeflake/lease" */

const CALLERS = 50;

/**
 * Why there is no id.
 *
 * @param {LeasedGenerator} ids
 */
async function failure(ids) {
  try {
    await ids.next();
  } catch (error) {
    if (error instanceof EdgeflakeError) return error;
  }
  throw new Error("an EdgeflakeError was expected");
}

/** @type {[string, () => unknown][]} */
export const tests = [
  [
    "many callers, one call of an object",
    async () => {
      const authority = namespace();
      const ids = new LeasedGenerator({ authority, sequencer: "orders" });
      equal([ids.state, ids.lease, ids.layout], ["acquiring", undefined, undefined]);
      const issued = await Promise.all(Array.from({ length: CALLERS }, () => ids.next()));
      equal(new Set(issued).size, CALLERS);
      equal(
        issued.every((id) => HAZELCAST.decode(id).node === 7),
        true,
      );
      equal(authority.calls, [["orders/0", "https://authority/v1/orders/0/", "acquire"]]);
      const { lease } = ids;
      equal([ids.state, ids.layout, lease?.node], ["attached", `${HAZELCAST}`, 7]);
      equal(Number(lease?.untilTick) - Number(lease?.fromTick), LEASE_MS);

      const batch = await ids.batch(100_000);
      equal([batch.constructor, batch.length], [BigUint64Array, 100_000]);
      equal(new Set([...issued, ...batch]).size, CALLERS + 100_000);
      equal(authority.calls.length, 1);
    },
  ],

  [
    "one that is shared",
    async () => {
      const authority = namespace();
      const ids = LeasedGenerator.shared({ authority, sequencer: "orders" });
      equal(LeasedGenerator.shared({ authority, sequencer: "orders" }), ids);
      equal(LeasedGenerator.shared({ authority }) === ids, false);
      equal(LeasedGenerator.shared({ authority: namespace(), sequencer: "orders" }) === ids, false);
      throws(() => LeasedGenerator.shared({ authority, sequencer: "orders", token: "t" }), {
        code: "invalid-option",
        message: "token is not what this generator was made with: give the same everywhere",
      });
      const url = { authority: "https://ids.example", token: "t" };
      equal(LeasedGenerator.shared(url), LeasedGenerator.shared(url));
      equal(await ids.next(), (await ids.next()) - (1n << 16n));
    },
  ],

  [
    "detached, and attached again at the nearest shard",
    async () => {
      const authority = namespace();
      const ids = new LeasedGenerator({ authority });
      await ids.next();
      await ids.detach();
      equal([ids.state, ids.lease], ["detached", undefined]);
      const { code, message, retryInMs } = await failure(ids);
      equal([code, retryInMs], ["detached", undefined]);
      equal(message, "the holder is detached: attach it to issue ids");
      await ids.detach();
      await ids.attach();
      await ids.next();
      equal(
        authority.calls.map(([, , name]) => name),
        ["acquire", "release", "acquire"],
      );
      const [, [released], [acquired]] = authority.calls;
      // Node 7 is of the first of four shards of 16; who asks is near to any of them.
      equal([released, /^default\/[0-3]$/.test(acquired)], ["default/0", true]);
      await ids[Symbol.asyncDispose]();
      equal(ids.state, "detached");
    },
  ],

  [
    "one holder an authority, sequencer and mode",
    async () => {
      const authority = service();
      const make = (/** @type {Partial<LeasedGeneratorOptions>} */ options) =>
        new LeasedGenerator({ authority, token: "secret", ...options });
      const [one, same] = [make({}), make({ sequencer: "default" })];
      const [first, second] = [await one.next(), await same.next()];
      equal(second > first, true);
      equal(authority.calls.length, 1);
      await make({ sequencer: "orders" }).next();
      await make({ mode: "batch" }).next();
      equal(authority.calls.length, 3);
      await same.detach();
      equal([one.state, make({ mode: "batch" }).state], ["detached", "acquiring"]);
      equal(
        authority.calls.map(({ url }) => new URL(url).pathname),
        [
          "/v1/sequencers/default/leases",
          "/v1/sequencers/orders/leases",
          "/v1/sequencers/default/batches",
          "/v1/sequencers/default/leases/release",
        ],
      );
      equal(new Set(authority.calls.map(({ token }) => token)), new Set(["Bearer secret"]));
      equal(authority.calls[3].fields.shard, 0);
    },
  ],

  [
    "prefetched batches",
    async () => {
      const authority = namespace();
      const ids = new LeasedGenerator({ authority, mode: "batch" });
      const issued = new Set();
      for (let i = 0; i < 60; i++) issued.add(await ids.next());
      equal(issued.size, 60);
      // The second one was fetched when half of the first was used.
      equal(
        authority.calls.map(([, , name]) => name),
        ["prefetch", "prefetch"],
      );
      equal(ids.lease, undefined);
    },
  ],

  [
    "what is refused",
    async () => {
      const refused = { refusal: "sequencer-destroyed", incarnation: 3 };
      for (const [problem, code, message] of [
        [{ refused }, "sequencer-destroyed", "the sequencer was destroyed"],
        [
          { type: "/problems/unknown-sequencer" },
          "unknown-sequencer",
          "there is no sequencer of this name",
        ],
      ]) {
        const authority = service(() => Response.json(problem, { status: 404 }));
        const error = await failure(new LeasedGenerator({ authority }));
        equal([error.code, error.message], [code, message]);
        equal(Number(error.retryInMs) > 0, true);
        equal(authority.calls.length, 1);
      }
    },
  ],

  [
    "a token that may not lease",
    async () => {
      const detail = "the token is that of ISSUE_TOKEN: LEASE_TOKEN or ADMIN_TOKEN is allowed";
      for (const code of ["forbidden", "unauthorized"]) {
        let isDenied = true;
        const problem = { type: `/problems/${code}`, detail };
        const authority = service(() =>
          isDenied ? Response.json(problem, { status: 403 }) : undefined,
        );
        const ids = new LeasedGenerator({ authority });
        const error = await failure(ids);
        equal([error.code, error.message, error.retryInMs], [code, detail, undefined]);
        equal(authority.calls.length, 1);
        // The authority knows the token by now.
        isDenied = false;
        let id;
        while (id === undefined) id = await ids.next().catch(() => undefined);
        equal(HAZELCAST.decode(id).node, 7);
      }
    },
  ],

  [
    "options that are none",
    () => {
      equal(LeaseError === EdgeflakeError, true);
      const authority = service();
      for (const [options, message] of /** @type {[LeasedGeneratorOptions, string][]} */ ([
        [{}, "authority is undefined: a URL, a namespace and a service are allowed"],
        [
          { authority, sequencer: "a".repeat(64) },
          `sequencer is "${"a".repeat(64)}": 1 to 63 of a-z, 0-9 and - are allowed`,
        ],
        [{ authority, sequencer: "" }, 'sequencer is "": 1 to 63 of a-z, 0-9 and - are allowed'],
        [{ authority, mode: "fast" }, "mode is fast: lease and batch are allowed"],
        // A service has no name to be known by after a restart.
        [
          { authority, store: "file" },
          "store is file: a path, in Node, Deno and Bun, with a URL and mode lease, is allowed",
        ],
        [
          { authority: "https://ids.example.com", mode: "batch", store: "file" },
          "store is file: a path, in Node, Deno and Bun, with a URL and mode lease, is allowed",
        ],
        [
          { authority: "https://ids.example.com", store: "" },
          "store is : a path, in Node, Deno and Bun, with a URL and mode lease, is allowed",
        ],
      ])) {
        throws(() => new LeasedGenerator(options), { code: "invalid-option", message });
      }
      new LeasedGenerator({ authority, sequencer: "a".repeat(63) });
    },
  ],

  [
    "counts that are none",
    async () => {
      const ids = new LeasedGenerator({ authority: service() });
      for (const count of [0, -1, 1.5, 100_001, Number.NaN]) {
        const error = await ids.batch(count).catch((error) => error);
        equal(error.code, "invalid-number");
        equal(error.message, `count is ${count}: an integer of 1 to 100000 is allowed`);
      }
    },
  ],
];
