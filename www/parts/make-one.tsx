// Makes one id, on the server or here, and shows how it is decided: field by field, and then in the
// rectangle of its lease.

import { signal } from "@preact/signals";
import { Generator, Layout, type Role } from "edgeflake";
import { type Lease, Leases } from "../ui/leases.tsx";
import { Strip } from "../ui/strip.tsx";
import { iso } from "../ui/words.ts";
import { issueIds, layoutOfServer, runsOf } from "./edge.ts";

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
