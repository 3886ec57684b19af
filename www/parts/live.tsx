// Shows ids of the Worker that serves this page, and their lease. When this part is opened, it asks
// whether there is a Worker. It gets no ids before the visitor presses a button.

import { signal } from "@preact/signals";
import { Layout } from "edgeflake";
import { useEffect } from "preact/hooks";
import { open, serverLayout } from "../session.ts";
import { announce, Button, Code, type Figure, Figures } from "../ui/controls.tsx";
import { count, iso } from "../ui/words.ts";

/** The number of ids per request. The ids of one request can come from two leases. */
const COUNT = 1000;

/** Whether the Worker serves this page; `undefined` until it is known. */
const hasWorker = signal<boolean | undefined>(undefined);
/** The newest ids, and what is known about the lease of the last one. */
const issued = signal<{ text: string; lease: Figure[] }>({ text: "", lease: [] });
const refusal = signal("");
const isIssuing = signal(false);
/** The token that is sent with each request, and whether the server has asked for a token. */
const token = signal("");
const needsToken = signal(false);

/** A host that only serves files has no such route, or answers with a page. */
async function findWorker() {
  const answer = await fetch("healthz", { cache: "no-store" }).catch(() => undefined);
  hasWorker.value = /json/.test(answer?.headers.get("content-type") ?? "");
}

async function issue() {
  refusal.value = "";
  isIssuing.value = true;
  try {
    const answer = await ask(`v1/ids?format=text&count=${COUNT}`, "POST");
    const [, until] = (answer.headers.get("edgeflake-span") ?? "").split("/");
    const text = await answer.text();
    serverLayout.value ||= (await (await ask("v1/sequencers/default", "GET")).json()).layout;
    const { epochMs, tickMs } = Layout.parse(serverLayout.value);
    const node = answer.headers.get("edgeflake-node") ?? "";
    const end = `${iso(epochMs + Number(until) * tickMs).slice(11, 19)} UTC`;
    const lease: Figure[] = [
      ["live-node", "Node", node, "the number of the generator that made them"],
      ["live-until", "Leased until", end, "until then, no other generator gets this node"],
    ];
    issued.value = { text, lease };
    announce(`${count(COUNT)} ids issued`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    refusal.value = error.message;
  } finally {
    isIssuing.value = false;
  }
}

async function ask(path: string, method: string) {
  const headers: HeadersInit = token.value ? { authorization: `Bearer ${token.value}` } : {};
  const answer = await fetch(path, { method, headers, cache: "no-store" }).catch(() => {
    throw new Error("the server cannot be reached: go online, or start the server");
  });
  if (answer.ok) return answer;
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("application/problem+json")) {
    throw new Error(`something before the edgeflake Worker answered ${answer.status}: try again`);
  }
  if (answer.status === 401) needsToken.value = true;
  throw new Error((await answer.json()).detail);
}

export function Live() {
  useEffect(() => void findWorker(), []);
  const isMissing = hasWorker.value === false;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">Ids of this server</h1>
        <p class="quiet">
          Get new ids from the edgeflake server that serves this page, and see how long it may use
          their node.
        </p>
      </div>
      {isMissing && (
        <div id="no-worker" class="card stack">
          <p>
            No edgeflake server serves this page. With one, a button here makes {count(COUNT)} ids,
            and you see which node made them, and until when no other server gets this node. Start
            one, and open the address that it prints:
          </p>
          <Code
            id="live-dev"
            name="On your computer (in a copy of the source, use npm run dev)"
            text="npx edgeflake dev"
          />
        </div>
      )}
      <section id="server" class="stack" aria-label="Ids of this server" hidden={isMissing}>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            issue();
          }}
        >
          <button
            type="submit"
            id="live-issue"
            class="button accent"
            disabled={isIssuing.value || !hasWorker.value}
          >
            Issue {count(COUNT)} ids
          </button>
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
        <Answer />
      </section>
    </div>
  );
}

/** The newest ids and their lease, and how to get ids outside the page. */
function Answer() {
  const { text, lease } = issued.value;
  const url = new URL(`v1/ids?format=text&count=${COUNT}`, location.origin + location.pathname);
  return (
    <div id="live-answer" class="card stack">
      {text !== "" && (
        <>
          <Figures kind="facts" of={lease} />
          <label class="labelled" for="live-ids">
            The ids
            <textarea id="live-ids" class="mono" rows={4} readOnly value={text} />
          </label>
          <p>
            <Button id="live-open" onClick={() => open(text, { layout: serverLayout.value })}>
              Take them apart
            </Button>
          </p>
        </>
      )}
      <Code id="live-curl" name="The same from a shell" text={`curl -X POST "${url}"`} />
    </div>
  );
}
