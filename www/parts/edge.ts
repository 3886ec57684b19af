// The Worker that serves this page, if there is one. The page asks nothing before a button is
// pressed.

import { signal } from "@preact/signals";
import type { DecodedColumns, Layout } from "edgeflake";
import type { Run } from "../ui/leases.tsx";

const SEQUENCER = "v1/sequencers/default";
/** The largest allowed number of nodes of a shard in one answer. */
const PAGE_NODES = 10_000;

/** The token that is sent with each request, and whether the server has asked for one. */
export const token = signal("");
export const needsToken = signal(false);

export interface Issued {
  /** The ids, one per line. */
  text: string;
  /** Node of the last one. */
  node: number;
  /** First tick of the lease, and the tick at which it ends. */
  from: number;
  until: number;
  /** Time by which the last id lies ahead of the server's clock. */
  aheadMs: number;
}

/** The answer to `GET .../nodes`. */
export interface NodesAnswer {
  epoch_ms: number;
  tick_ms: number;
  node_count: number;
  /**
   * Nodes that were ever used, with the number of ticks from `tick` to the end of the last lease of
   * each, which is 0 if it was given back.
   */
  shards: { shard: number; tick: number; node: number[]; until: number[]; held: number[] }[];
  next?: number;
}

export async function issueIds(count: number): Promise<Issued> {
  const answer = await ask(`v1/ids?format=text&count=${count}`, "POST");
  const [from = 0, until = 0] = (answer.headers.get("edgeflake-span") ?? "").split("/").map(Number);
  return {
    text: await answer.text(),
    node: Number(answer.headers.get("edgeflake-node")),
    from,
    until,
    aheadMs: Number(answer.headers.get("edgeflake-ahead-millis")),
  };
}

/** Returns all nodes, by several answers if necessary. */
export async function nodesNow(): Promise<NodesAnswer> {
  let all: NodesAnswer | undefined;
  for (let cursor = 0; ; ) {
    const query = `cursor=${cursor}&limit=${PAGE_NODES}`;
    const answer: NodesAnswer = await (await ask(`${SEQUENCER}/nodes?${query}`, "GET")).json();
    if (all === undefined) all = answer;
    else {
      for (const [i, { node, until, held, tick }] of answer.shards.entries()) {
        const before = all.shards[i];
        if (!before) continue;
        before.node = before.node.concat(node);
        // Ticks count from the shard's now, which has moved.
        const moved = tick - before.tick;
        before.until = before.until.concat(until.map((end) => end + moved));
        before.held = before.held.concat(held);
      }
    }
    if (answer.next === undefined) return all;
    cursor = answer.next;
  }
}

/** Returns the layout string of the server's ids. */
export async function layoutOfServer(): Promise<string> {
  return (await (await ask(SEQUENCER, "GET")).json()).layout;
}

/** Returns the runs of ticks that have ids, which are in the order in which they were issued. */
export function runsOf(
  { timestampMs, node }: DecodedColumns,
  { epochMs, tickMs }: Pick<Layout, "epochMs" | "tickMs">,
): Run[] {
  const runs: Run[] = [];
  for (const [i, one] of node.entries()) {
    const tick = Math.round(((timestampMs[i] ?? NaN) - epochMs) / tickMs);
    const last = runs.at(-1);
    if (last?.node === one && tick >= last.from && tick <= last.until) {
      last.until = Math.max(last.until, tick + 1);
    } else runs.push({ node: one, from: tick, until: tick + 1 });
  }
  return runs;
}

async function ask(path: string, method: string) {
  const headers = token.value ? { authorization: `Bearer ${token.value}` } : undefined;
  let answer: Response;
  try {
    answer = await fetch(path, { method, cache: "no-store", ...(headers && { headers }) });
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
  if (answer.status === 401) needsToken.value = true;
  throw new Error((await answer.json()).detail);
}
