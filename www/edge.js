// The Worker that serves this page, if one does.

import { element } from "./dom.js";

/** @import { NodesAnswer } from "./held-nodes.js" */

const SEQUENCER = "v1/sequencers/default";

const token = element("live-token", HTMLInputElement);

/**
 * @typedef {object} Issued
 * @property {string} text the ids, a line each
 * @property {number} node of the last one
 * @property {number} from the lease's first tick
 * @property {number} until the tick at which it ends
 * @property {number} aheadMs how far the last id lies ahead of the server's clock
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

/** Nodes of a shard in one answer, the most that are allowed. */
const PAGE_NODES = 10_000;

/**
 * All nodes, of as many answers as they take.
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
 * The layout string of its ids.
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
