// Shows one id: its system and date, its bits, and folded sections with the rest.

import { useSignal } from "@preact/signals";
import { type Candidate, identify } from "edgeflake";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { EXAMPLE } from "../examples.ts";
import {
  edit,
  hasSeveral,
  isDated,
  isDoubtful,
  layout,
  layoutName,
  nameOfLayout,
  part,
  reading,
  shown,
  verdict,
} from "../session.ts";
import { change, state } from "../state.ts";
import { Button, Fold } from "../ui/controls.tsx";
import { Strip } from "../ui/strip.tsx";
import { ago, count, iso } from "../ui/words.ts";
import { around, byDate, shareOf } from "../verdict.ts";
import { Answer, AnswerLine, IdLine, percent } from "./answer.tsx";
import { Range, Share, Texts } from "./copy.tsx";
import { KindCard } from "./kind.tsx";
import { Examples, OtherEncodings, Paste } from "./paste.tsx";

export function Decode() {
  const { count: ids, row } = shown.value;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">When was this id made?</h1>
        <p class="quiet">
          An id is the number of a post, an order or a message. Paste one
          {state.value.text === EXAMPLE && " over the example"}: your browser reads it, and sends it
          nowhere.
        </p>
        <p>
          edgeflake makes ids that never repeat: <a href="#story">see why</a>
        </p>
      </div>
      <Paste />
      {ids > 1 && (
        <p id="more-ids" class="row notice">
          <strong>
            This text has {count(ids)} ids. Below is number {count(row + 1)}.
          </strong>
          <Button kind="accent" onClick={() => change({ part: "many" })}>
            See all {count(ids)}
          </Button>
        </p>
      )}
      {ids > 0 && <AnswerCard />}
      <KindCard />
      {ids > 0 && <Folds />}
    </div>
  );
}

/** The answer and the bits of the shown id. */
export function AnswerCard() {
  const bits = (
    <div class="stack tight">
      <IdLine />
      <Strip id={shown.value.id} layout={layout.value} onChange={(id) => edit(id)} />
      <CutAs />
    </div>
  );
  return (
    <section id="answer" class="card stack" aria-label="What the id says">
      <AnswerInView />
      {isDoubtful.value ? (
        <Fold id="doubtful" title="Read it as an id" note={reading.value.encoding}>
          <OtherEncodings />
          {bits}
        </Fold>
      ) : (
        bits
      )}
      <Warnings />
    </section>
  );
}

/** Names the layout that divides the bits if no single answer determines it. */
function CutAs() {
  const { kind } = verdict.value;
  if (state.value.layout !== "" || !["tie", "none", "unasked"].includes(kind)) return null;
  return (
    <p id="cut-as" class="quiet small">
      The bits are shown as {nameOfLayout()} divides them, until you choose.
    </p>
  );
}

export function Warnings() {
  const warnings = (isDated.value && shown.value.decoded?.warnings) || [];
  return (
    <ul id="warnings" class="warnings" aria-live="polite" aria-label="Warnings">
      {warnings.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}

/** The folded sections, after `children`. Which sections there are depends on the page's part. */
export function Folds({ children }: { children?: ComponentChildren }) {
  return (
    <div class="folds">
      {children}
      <Fold id="systems" title="Which system?" note="all dates that it could mean">
        {() => <Candidates />}
      </Fold>
      {part.value === "decode" && (
        <Fold id="texts" title="Copy or change it" note="encodings, dates">
          {() => <Texts />}
        </Fold>
      )}
      <Fold id="range" title="All ids of a time range" note="for a query">
        {() => <Range />}
      </Fold>
      {state.value.text === EXAMPLE && (
        <Fold id="more-examples" title="Other examples" note="links, lists, dates">
          <Examples />
        </Fold>
      )}
      <Share />
    </div>
  );
}

/** The answer. Once it has scrolled out of view, a line at the top of the window repeats it. */
function AnswerInView() {
  const place = useRef<HTMLDivElement>(null);
  const isAbove = useSignal(false);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const observer = new IntersectionObserver(([entry]) => {
      isAbove.value = !entry.isIntersecting && entry.boundingClientRect.top < 0;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {isAbove.value && (
        // Screen readers skip this line, because they read the answer itself.
        <div class="in-view" aria-hidden="true">
          <div class="wrap">
            <AnswerLine />
          </div>
        </div>
      )}
      <div ref={place}>
        <Answer />
      </div>
    </>
  );
}

/** The number of dates that are shown at first. */
const FEW = 5;
/** The latest moment that is shown as a date, in Unix ms. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The dates that the id may have, each with the systems that give it this date. */
function Candidates() {
  const isAll = useSignal(false);
  const { kind, why, layout } = verdict.value;
  const { id } = shown.value;
  const others = hasSeveral.value ? [] : around(reading.value.ids);
  const isSettled = kind === "settled";
  const chosen = state.value.layout !== "" || kind !== "none" ? layoutName.value : "";
  const dates = byDate(identify(id, others.length > 1 ? { around: others } : {}));
  const has = (systems: Candidate[], name: string) => systems.some(({ preset }) => preset === name);
  // If the text around the ids names a system, that system's date comes first.
  if (isSettled) dates.sort((a, b) => Number(has(b, layout)) - Number(has(a, layout)));
  const rest = dates.length - FEW;
  return (
    <div class="stack">
      <ol id="candidates" class="stack tight">
        {dates.map((systems, i) => {
          const [{ timestampMs, reasons }] = systems;
          const share = isSettled ? 0 : shareOf(systems);
          const isAnswer = isSettled && has(systems, layout);
          const date = timestampMs > LAST_MS ? "after the year 9999" : iso(timestampMs);
          return (
            <li
              key={systems[0].preset}
              class={`candidate ${has(systems, chosen) ? "chosen" : ""}`}
              hidden={!isAll.value && i >= FEW && !has(systems, chosen)}
              style={{ "--share": isAnswer ? 1 : share }}
            >
              <p class="title">
                {systems.map(({ preset, title, decoded }) => (
                  <button
                    key={preset}
                    type="button"
                    class="button plain"
                    value={preset}
                    aria-pressed={preset === chosen}
                    // Unix time has no layout that could be chosen.
                    disabled={decoded === undefined}
                    onClick={() => change({ layout: preset })}
                  >
                    {title}
                  </button>
                ))}
              </p>
              <p class="part">{share > 0 && percent(share)}</p>
              <p>
                {date}
                {timestampMs <= LAST_MS && <span class="quiet"> · {ago(timestampMs)}</span>}
              </p>
              <p class="reasons quiet small">{isAnswer ? why : reasons}</p>
            </li>
          );
        })}
      </ol>
      {rest > 0 && (
        <p>
          <Button id="more-candidates" kind="plain" onClick={() => (isAll.value = !isAll.value)}>
            {isAll.value ? "Show fewer" : `Show ${rest} more`}
          </Button>
        </p>
      )}
    </div>
  );
}
