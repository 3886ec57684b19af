// Isolates a, b and c of the Worker in one workerd. The Durable Object is a's; b and c bind it.

const root = new URL("../../..", import.meta.url);

/** The Durable Objects. */
const classes = ["Authority", "Directory"];

/** @typedef {"a" | "b" | "c"} Name */

/**
 * @param {Record<string, string>} [vars] without more, ids are for everybody
 * @param {number} [limit] how many requests for ids a client has in 10 s; any number without it
 * @returns the three isolates, started with empty storage; close them
 */
export async function startIsolates(vars = {}, limit) {
  // A command that uses this file is loaded before its set-up installs wrangler.
  const { createTestHarness } = await import("wrangler");
  const harness = createTestHarness({
    root: root.pathname,
    workers: ["a", "b", "c"].map((name) => ({
      config: {
        name,
        main: "tests/worker/harness/entry.js",
        compatibility_date: "2026-10-01",
        vars: { EDGEFLAKE_PUBLIC_ISSUE: "true", EDGEFLAKE_PUBLIC_READ: "true", ...vars },
        ratelimits: limit
          ? [{ name: "ISSUE_RATE_LIMIT", namespace_id: "1", simple: { limit, period: 10 } }]
          : [],
        durable_objects: {
          bindings: classes.map((className) => ({
            name: className.toUpperCase(),
            class_name: className,
            ...(name === "a" ? {} : { script_name: "a" }),
          })),
        },
        migrations: name === "a" ? [{ tag: "v1", new_sqlite_classes: classes }] : [],
      },
    })),
  });
  const { url } = await harness.listen();

  return {
    /** Where a listens. */
    url,

    /**
     * @param {Name} name
     * @param {string} path
     * @param {string} [method]
     * @param {Record<string, string>} [headers]
     * @param {string} [body]
     */
    fetch: (name, path, method = "POST", headers = {}, body = undefined) =>
      harness.getWorker(name).fetch(path, { method, headers, body }),

    /**
     * Ids, or an error if there are none.
     *
     * @param {Name} name
     * @param {number} count
     * @returns {Promise<bigint[]>}
     */
    async ids(name, count) {
      const response = await this.fetch(name, `/v1/ids?count=${count}`);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body}`);
      return JSON.parse(body).ids.map(BigInt);
    },

    /** The calls that the authority has had. */
    async calls() {
      const response = await this.fetch("a", "/test");
      return (await json(response)).calls;
    },

    /**
     * Runs SQL in the authority's storage.
     *
     * @param {string} statement
     * @returns {Promise<Record<string, unknown>[]>}
     */
    async sql(statement) {
      const storage = await harness
        .getWorker("a")
        .getDurableObjectStorage("AUTHORITY", { name: "default/0" });
      return storage.exec(statement);
    },

    close: () => harness.close(),
  };
}

/**
 * @param {{ json(): Promise<unknown> }} response
 * @returns {Promise<any>} its body; what it holds is for the test to check
 */
export const json = (response) => response.json();
