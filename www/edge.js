// The Worker that serves this page, if there is one.

import { element } from "./dom.js";

/** @import { NodesAnswer } from "./held-nodes.js" */

const SEQUENCER = "v1/sequencers/default";

const token = element("live-token", HTMLInputElement);

/**
 * @typedef {object} Issued
 * @property {string} text the ids, one per line
 * @property {number} node of the last one
 * @property {number} from first tick of the lease
 * @property {number} until tick at which the lease ends
 * @property {number} aheadMs time by which the last id lies ahead of the server's clock
 */

/**
 * @param {number} count
 * @returns {Promise<Issued>}
 */
export async function issueIds(count) {
  const answer = await ask(`v1/ids?format=text&count=${count}`, "POST");
  const [from, until] = (answer.headers.get("edgeflake-span") ?? "0/0").split("/").map(Number);
  return {
    text: await answer.text(),
    node: Number(answer.headers.get("edgeflake-node")),
    from,
    until,
    aheadMs: Number(answer.headers.get("edgeflake-ahead-millis")),
  };
}

/** The largest allowed number of nodes of a shard in one answer. */
const PAGE_NODES = 10_000;

/**
 * Returns all nodes, by several answers if necessary.
 *
 * @returns {Promise<NodesAnswer>}
 */
export async function nodesNow() {
  /** @type {NodesAnswer | undefined} */
  let all;
  for (let cursor = 0; ; ) {
    const query = `cursor=${cursor}&limit=${PAGE_NODES}`;
    const answer = await (await ask(`${SEQUENCER}/nodes?${query}`, "GET")).json();
    if (all === undefined) {
      all = /** @type {NodesAnswer} */ (answer);
    } else {
      for (const [shard, { node, until, held, tick }] of answer.shards.entries()) {
        const { [shard]: before } = all.shards;
        before.node = before.node.concat(node);
        // Ticks count from the shard's now, which has moved.
        const moved = tick - before.tick;
        before.until = before.until.concat(until.map((/** @type {number} */ end) => end + moved));
        before.held = before.held.concat(held);
      }
    }
    if (answer.next === undefined) return all;
    cursor = answer.next;
  }
}

/**
 * Returns the layout string of the server's ids.
 *
 * @returns {Promise<string>}
 */
export async function layoutOfServer() {
  return (await (await ask(SEQUENCER, "GET")).json()).layout;
}

/**
 * @param {string} path
 * @param {string} method
 */
async function ask(path, method) {
  const headers = token.value ? { authorization: `Bearer ${token.value}` } : undefined;
  let answer;
  try {
    answer = await fetch(path, { method, headers, cache: "no-store" });
  } catch {
    throw new Error("the server cannot be reached: go online, or start the server");
  }
  if (answer.ok) return answer;
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("application/problem+json")) {
    throw new Error(
      `no ids here: this page is not served by the edgeflake Worker (it answered ${answer.status}). ` +
        "Deploy the Worker, or start it with npx edgeflake dev, and open the page there",
    );
  }
  element("live-token-row", HTMLElement).hidden &&= answer.status !== 401;
  throw new Error((await answer.json()).detail);
}
