// The Worker that serves this page, if there is one, and an id that it makes, or that is made here: how
// it is decided, field by field, and the rectangle of its lease. The page asks nothing before a button
// is pressed.

import { signal } from "@preact/signals";
import { type DecodedColumns, Generator, Layout, type Role } from "edgeflake";
import { type Lease, Leases, type Run } from "../ui/leases.tsx";
import { Strip } from "../ui/strip.tsx";
import { iso } from "../ui/words.ts";

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

/** The time for which each decision is shown, in ms. */
const STEP_MS = 700;
/** The least width of the mark of one id, in px. */
const MARK_PX = 6;
/** The lease time that a Worker has by default. */
const LEASE_MS = 300_000;

interface Made {
  id: bigint;
  layout: Layout;
  lease: Lease;
  /** Maker of the id, for people. */
  by: string;
}

/** The decisions about the fields of an id, in their order. */
const DECISIONS: { role: Role; words: string }[] = [
  { role: "unused", words: "the layout: it is always 0" },
  { role: "node", words: "the lease, when it was granted" },
  { role: "timestamp", words: "the clock, within the time of the lease" },
  { role: "sequence", words: "the generator: the next place that is free in this tick" },
  { role: "tag", words: "the caller, who gave none" },
];

const made = signal<Made | undefined>(undefined);
const isMaking = signal(false);
/** The number of decisions that are shown. */
const decided = signal(0);
let timer: ReturnType<typeof setTimeout> | undefined;

async function make() {
  isMaking.value = true;
  made.value = await fromServer().catch((refusal) => {
    if (!(refusal instanceof Error)) throw refusal;
    return madeHere(refusal.message);
  });
  isMaking.value = false;
  clearTimeout(timer);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  decided.value = isStill ? DECISIONS.length : 0;
  if (!isStill) timer = setTimeout(decideNext, STEP_MS);
}

function decideNext() {
  decided.value += 1;
  if (decided.value < DECISIONS.length) timer = setTimeout(decideNext, STEP_MS);
}

async function fromServer(): Promise<Made> {
  const { text, node, from, until } = await issueIds(1);
  const layout = Layout.parse(await layoutOfServer());
  const id = BigInt(text.trim());
  const lease = { node, from, until, issued: 1, runs: runsOf(layout.decodeMany([id]), layout) };
  return { id, layout, lease, by: "Made by the server." };
}

/** `why` says why the server made none. */
function madeHere(why: string): Made {
  const layout = Layout.preset("hazelcast");
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const node = random % layout.info().nodes;
  const generator = new Generator({ layout, node });
  const id = generator.next();
  generator.close();
  const runs = runsOf(layout.decodeMany([id]), layout);
  const from = runs[0]?.from ?? 0;
  const lease = { node, from, until: from + LEASE_MS / layout.tickMs, issued: 1, runs };
  const by =
    "Made in this browser by the same generator, in a lease that only this page knows. " +
    `The server made none: ${why}.`;
  return { id, layout, lease, by };
}

export function MakeOne() {
  return (
    <section id="make" class="stack" aria-labelledby="title">
      <div class="intro">
        <h1 id="title">Make an id, bit by bit</h1>
        <p class="quiet">
          Watch what decides each of its fields. It is made by the server, or here if there is none.
        </p>
      </div>
      <p>
        <button
          type="button"
          id="make-one"
          class="button accent"
          aria-disabled={isMaking.value ? "true" : undefined}
          onClick={() => isMaking.value || make()}
        >
          {made.value ? "Make another" : "Make one now"}
        </button>
      </p>
      {made.value && <Decisions of={made.value} />}
    </section>
  );
}

function Decisions({ of }: { of: Made }) {
  const { id, layout, lease, by } = of;
  const decisions = DECISIONS.filter(({ role }) => layout.fields.some((one) => one.role === role));
  const undecided = decisions.slice(decided.value).map(({ role }) => role);
  const isDone = undecided.length === 0;
  const decoded = layout.decode(id);
  return (
    <div class="card stack" id="made">
      <p id="make-by" role="status">
        {isDone ? `${by} Node ${decoded.node}, ${iso(decoded.timestampMs)}.` : "Deciding …"}
      </p>
      <Strip
        id={id}
        layout={layout}
        undecided={undecided}
        onChange={(changed) => {
          made.value = { ...of, id: changed };
        }}
      />
      <ol id="make-steps" class="steps">
        {decisions.map(({ role, words }, i) => {
          const names = layout.fields.filter((one) => one.role === role).map(({ name }) => name);
          return (
            <li key={role} class={i >= decided.value ? "undecided" : ""}>
              <strong class={`swatch dot ${role}`}>{names.join(" and ")}</strong> by {words}
            </li>
          );
        })}
      </ol>
      <div class="stack tight">
        <h2>Its rectangle</h2>
        <Leases
          id="make-lease"
          leases={[lease]}
          epochMs={layout.epochMs}
          tickMs={layout.tickMs}
          nowMs={Date.now()}
          mark={MARK_PX}
          isUndecided={!isDone}
        />
        <p class="quiet">
          A lease is one node for one stretch of time, granted once. The id stands inside it, and no
          other lease reaches in: so no clock can make two ids equal.
        </p>
      </div>
    </div>
  );
}

/** Stops the decisions, when the part is left. */
export function stopMaking(): void {
  clearTimeout(timer);
  decided.value = DECISIONS.length;
}
