// Ids of the Worker that serves this page: the lease of its isolate, and the sequencer's nodes.

import { signal } from "@preact/signals";
import { Layout } from "edgeflake";
import { useEffect } from "preact/hooks";
import { open, serverLayout } from "../session.ts";
import { Button, type Figure, Figures } from "../ui/controls.tsx";
import { type Lease, Leases } from "../ui/leases.tsx";
import { count, iso } from "../ui/words.ts";
import {
  type Issued,
  issueIds,
  layoutOfServer,
  MakeOne,
  type NodesAnswer,
  needsToken,
  nodesNow,
  runsOf,
  stopMaking,
  token,
} from "./edge.tsx";

/** The time between two requests, and between two drawings of the picture, in ms. */
const PERIOD_MS = 1000;
/** The largest number of leases, and of lines in the log, that are kept. */
const KEPT_MAX = 8;
/**
 * The largest number of ids that are listed, because a text area of 100,000 lines would stop the
 * page for seconds.
 */
const LISTED_MAX = 1000;
const COUNTS = [1, 100, 1000, 10_000, 100_000];

interface Answered {
  issued: Issued;
  nodes: NodesAnswer;
  /** The newest last. */
  leases: Lease[];
  /** The events of the leases, the newest first. */
  log: string[];
}

const answered = signal<Answered | undefined>(undefined);
const amount = signal(1000);
const refusal = signal("");
const isIssuing = signal(false);
const goesOn = signal(false);
const nowMs = signal(Date.now());
let timer: ReturnType<typeof setTimeout> | undefined;

function stop() {
  clearTimeout(timer);
  goesOn.value = false;
}

async function goOn() {
  goesOn.value = true;
  await issue();
  if (goesOn.value) timer = setTimeout(goOn, PERIOD_MS);
}

async function issue() {
  refusal.value = "";
  isIssuing.value = true;
  try {
    const issued = await issueIds(amount.value);
    const nodes = await nodesNow();
    serverLayout.value ||= await layoutOfServer();
    answered.value = follow(issued, nodes, answered.value);
    nowMs.value = Date.now();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    refusal.value = error.message;
    stop();
  } finally {
    isIssuing.value = false;
  }
}

/** Notes the lease that an answer names, and the places of its ids. */
function follow(issued: Issued, nodes: NodesAnswer, before: Answered | undefined): Answered {
  const { text, node, from, until } = issued;
  const layout = Layout.parse(serverLayout.value);
  const columns = layout.decodeMany(text.trimEnd());
  const end = iso(nodes.epoch_ms + until * nodes.tick_ms);
  const leases = (before?.leases ?? []).map((lease) => ({ ...lease, runs: [...lease.runs] }));
  const log = [...(before?.log ?? [])];
  const note = (line: string) => log.unshift(`${new Date().toISOString().slice(11, 19)} ${line}`);
  let lease = leases.find((one) => one.node === node && one.from === from);
  if (lease === undefined) {
    const how = leases.length === 0 ? "this isolate holds" : "another lease:";
    note(`${how} node ${node} until ${end}`);
    lease = { node, from, until, runs: [], issued: 0 };
    leases.push(lease);
  } else if (until > lease.until) note(`node ${node} renewed until ${end}`);
  lease.until = until;
  lease.issued += columns.id.length;
  // One answer may have used up a lease and begun another.
  for (const run of runsOf(columns, layout)) {
    leases.findLast((one) => one.node === run.node && one.from <= run.from)?.runs.push(run);
  }
  return { issued, nodes, leases: leases.slice(-KEPT_MAX), log: log.slice(0, KEPT_MAX) };
}

export function Live() {
  useEffect(() => {
    const ticking = setInterval(() => (nowMs.value = Date.now()), PERIOD_MS);
    return () => {
      clearInterval(ticking);
      stop();
      stopMaking();
    };
  }, []);
  return (
    <div class="stack">
      <MakeOne />
      <section id="server" class="card stack" aria-labelledby="live-title">
        <div>
          <h2 id="live-title">Ids from this edge</h2>
          <p class="quiet">
            Served by the Worker, this page can ask it for ids and show the lease that they come
            from.
          </p>
        </div>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            issue();
          }}
        >
          <label class="row" for="live-count">
            Ids
            <select
              id="live-count"
              value={amount.value}
              onChange={({ currentTarget }) => (amount.value = Number(currentTarget.value))}
            >
              {COUNTS.map((one) => (
                <option key={one} value={one}>
                  {count(one)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" id="live-issue" disabled={isIssuing.value}>
            Issue
          </button>
          <Button
            id="live-go-on"
            icon={goesOn.value ? "pause" : "play"}
            onClick={() => (goesOn.value ? stop() : goOn())}
          >
            {goesOn.value ? "Stop" : "Go on each second"}
          </Button>
          {needsToken.value && (
            <label class="labelled" for="live-token">
              Token, kept until the page is closed
              <input
                id="live-token"
                type="password"
                autocomplete="off"
                value={token.value}
                onInput={({ currentTarget }) => (token.value = currentTarget.value)}
              />
            </label>
          )}
        </form>
        <p id="live-error" class="error" role="alert">
          {refusal}
        </p>
        {answered.value && <ServerAnswer of={answered.value} />}
      </section>
    </div>
  );
}

function ServerAnswer({ of }: { of: Answered }) {
  const { issued, nodes, leases, log } = of;
  const ids = issued.text.trimEnd().split("\n");
  const few = ids.slice(-LISTED_MAX);
  const all = ids.length > few.length ? ` of ${count(ids.length)}` : "";
  const figures: Figure[] = [
    ["live-node", "Node", String(issued.node)],
    ["live-ahead", "Ahead of the clock", `${count(issued.aheadMs)} ms`],
    ["live-issued", "Ids so far", count(leases.reduce((sum, one) => sum + one.issued, 0))],
    ["live-until", "Leased until", iso(nodes.epoch_ms + issued.until * nodes.tick_ms)],
  ];
  return (
    <div id="live-answer" class="stack">
      <Figures kind="facts" of={figures} />
      <div class="stack tight">
        <h3>The lease, nodes over time</h3>
        <Leases
          id="leases"
          leases={leases}
          epochMs={nodes.epoch_ms}
          tickMs={nodes.tick_ms}
          nowMs={nowMs.value}
        />
      </div>
      <div class="halves">
        <div class="stack tight">
          <h3>What happened</h3>
          <ol id="live-log" class="plain-list mono" aria-live="polite">
            {log.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        </div>
        <Nodes of={nodes} />
      </div>
      <label class="labelled" for="live-ids">
        <span id="live-ids-title">
          {few.length === 1 ? "The last id" : `The last ${count(few.length)}${all} ids`}
        </span>
        <textarea id="live-ids" class="mono" rows={4} readOnly value={few.join("\n")} />
      </label>
      <p>
        <Button id="live-open" onClick={() => open(issued.text, { layout: serverLayout.value })}>
          Take them apart
        </Button>
      </p>
    </div>
  );
}

/** The sequencer's nodes that were ever used, by shard. */
function Nodes({ of: { epoch_ms, tick_ms, node_count, shards } }: { of: NodesAnswer }) {
  const nowTick = (nowMs.value - epoch_ms) / tick_ms;
  const counts = shards.map(({ shard, tick, until, held }) => {
    // A lease that has ended holds nothing, even if it was not given back.
    const ofShard = until.filter((end, i) => held[i] && tick + end > nowTick).length;
    return { shard, held: ofShard, free: until.length - ofShard };
  });
  const held = counts.reduce((sum, one) => sum + one.held, 0);
  const used = counts.reduce((sum, one) => sum + one.free, held);
  return (
    <div class="stack tight">
      <h3>Nodes</h3>
      <p id="node-rest" class="quiet">
        Of {count(node_count)} nodes, {count(held)} {held === 1 ? "is" : "are"} held and{" "}
        {count(node_count - held)} are free; {count(used)} {used === 1 ? "was" : "were"} ever used.
      </p>
      <ul id="shards" class="plain-list">
        {counts.map(({ shard, held, free }) => (
          <li key={shard}>
            shard {shard}: {count(held)} held, {count(free)} free again
          </li>
        ))}
      </ul>
    </div>
  );
}
