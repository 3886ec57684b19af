// A server for the holders of a herd, which start at once. The server grants each request a lease
// at once, and stores nothing. It prints its URL.

import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const EPOCH_MS = Date.UTC(2018, 0);
const LEASE_MS = 300_000;

/** A lease of a sequencer with the default variables, without the lease's token, node and ticks. */
const LEASE = {
  incarnation: 1,
  layout: `unused:1 timestamp:41 sequence:6 node:16 @${EPOCH_MS} tick=1ms`,
  first_node: 0,
  node_count: 65_536,
  shards: 1,
  lease_ms: LEASE_MS,
  allowed_future_ms: 15_000,
  terms: {
    sequence_start: "zero",
    gap_max: 0,
    prefetch_count: 100,
    prefetch_validity_ms: 600_000,
    statistics: true,
  },
  shard: 0,
};

let node = 0;

const server = createServer(async (request, response) => {
  const { token } = JSON.parse(await text(request));
  node += 1;
  const from_tick = Date.now() - EPOCH_MS;
  const granted = { ...LEASE, token, node, from_tick, until_tick: from_tick + LEASE_MS };
  response.setHeader("content-type", "application/json").end(JSON.stringify({ granted }));
});
server.listen(0, "localhost", 4_096, () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`http://localhost:${port}`);
});
