// Starts the built Worker as the examples use it: at a URL, or bound by an example's own Worker.

import { bound, harnessOf, migrations } from "../../harness/wrangler.js";

/** The secrets, as the examples name them. */
export const SECRETS = {
  EDGEFLAKE_ADMIN_TOKEN: "keep-this-secret",
  EDGEFLAKE_LEASE_TOKEN: "secret-for-leases",
};

/** The examples also use the token of `edgeflake dev`. */
const ADMIN_TOKENS = `${SECRETS.EDGEFLAKE_ADMIN_TOKEN} edgeflake-dev-token`;

/**
 * @param {string} [embedding] the file of a Worker that binds edgeflake's Worker
 * @param {string[]} [sequencers] to be created
 */
export async function startWorker(embedding, sequencers = []) {
  const edgeflake = {
    main: "build/worker/index.js",
    vars: {
      ...SECRETS,
      EDGEFLAKE_ADMIN_TOKEN: ADMIN_TOKENS,
      EDGEFLAKE_PUBLIC_ISSUE: "true",
      EDGEFLAKE_PUBLIC_READ: "true",
    },
    durable_objects: bound(),
    migrations,
  };
  const embedded = {
    main: embedding,
    services: [{ binding: "IDS", service: "edgeflake" }],
    d1_databases: [{ binding: "DB", database_name: "orders", database_id: "orders" }],
    durable_objects: { bindings: bound("edgeflake").bindings.slice(0, 1) },
  };
  const harness = harnessOf({ edgeflake, ...(embedding && { embedding: embedded }) });
  const { url } = await harness.listen();
  for (const name of sequencers) {
    const { status } = await fetch(`${url.origin}/v1/sequencers/${name}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${SECRETS.EDGEFLAKE_ADMIN_TOKEN}` },
    });
    if (status === 201) continue;
    await harness.close();
    throw new Error(`${name} was not created: ${status}`);
  }
  return {
    url: url.origin,

    /** @param {string} path of the embedding Worker */
    async ask(path) {
      const response = await harness.getWorker("embedding").fetch(path);
      return { status: response.status, text: await response.text() };
    },

    close: () => harness.close(),
  };
}
