// The built Worker, and a Worker that has `edgeflake/lease` inside and binds the objects of the
// built one.

import { createTestHarness } from "wrangler";

const root = new URL("../../..", import.meta.url);
const classes = ["Authority", "Directory"];
const ADMIN = { Authorization: "Bearer admin-token-of-tests" };

export const TOKEN = "lease-token-of-tests";

/**
 * @param {"edgeflake" | "embedding"} listening the Worker that has a URL of its own
 * @param {string[]} sequencers created at the start; "silent" has two shards, all others one
 */
export async function startCluster(listening, sequencers) {
  const compatibility_date = "2026-10-01";
  const workers = [
    {
      config: {
        name: "edgeflake",
        main: "tests/worker/harness/entry.js",
        compatibility_date,
        vars: { EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests", EDGEFLAKE_LEASE_TOKEN: TOKEN },
        durable_objects: {
          bindings: classes.map((name) => ({ name: name.toUpperCase(), class_name: name })),
        },
        migrations: [{ tag: "v1", new_sqlite_classes: classes }],
      },
    },
    {
      config: {
        name: "embedding",
        main: "tests/package/harness/embedding.js",
        compatibility_date,
        vars: { EDGEFLAKE_LEASE_TOKEN: TOKEN },
        services: [{ binding: "IDS", service: "edgeflake" }],
        durable_objects: {
          bindings: [{ name: "AUTHORITY", class_name: "Authority", script_name: "edgeflake" }],
        },
      },
    },
  ];
  if (listening === "embedding") workers.reverse();
  const harness = createTestHarness({ root: root.pathname, workers });
  const { url } = await harness.listen();
  const edgeflake = harness.getWorker("edgeflake");
  for (const name of sequencers) {
    const shards = name === "silent" ? 2 : 1;
    const init = { method: "PUT", headers: ADMIN, body: JSON.stringify({ shards }) };
    const { status } = await edgeflake.fetch(`/v1/sequencers/${name}`, init);
    if (status === 201) continue;
    await harness.close();
    throw new Error(`${name} was not created: ${status}`);
  }

  /** @returns {Promise<Record<string, number>>} the calls that all objects have had, by kind */
  async function counts() {
    const response = await edgeflake.fetch("/test", { method: "POST" });
    return /** @type {any} */ (await response.json()).counts;
  }
  const before = await counts();

  return {
    /** The URL of the listening Worker. */
    url: url.origin,

    /** @param {string} path @returns {Promise<any>} the answer of the embedding Worker */
    async ask(path) {
      const response = await harness.getWorker("embedding").fetch(path);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    },

    /** @param {Record<string, number>} handles those of edgeflake's Worker, see its `entry.js` */
    async turn(handles) {
      const pairs = Object.entries(handles).map(([name, value]) => [name, `${value}`]);
      await edgeflake.fetch(`/test?${new URLSearchParams(pairs)}`, { method: "POST" });
    },

    /**
     * Returns the calls that the shard of a sequencer has had since its creation, by kind.
     *
     * @param {string} sequencer
     */
    async calls(sequencer) {
      /** @type {Record<string, number>} */
      const calls = {};
      for (const [kind, count] of Object.entries(await counts())) {
        const [object, name] = kind.split(" ");
        const since = count - (before[kind] ?? 0);
        if (object === `${sequencer}/0` && since > 0) calls[name] = since;
      }
      return calls;
    },

    close: () => harness.close(),
  };
}
