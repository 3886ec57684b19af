// One id: its system and its date, its bits, and the rest folded away.

import { edit, layout, part, reading, shown, verdict } from "../session.ts";
import { EXAMPLE, state } from "../state.ts";
import { Fold } from "../ui/fold.tsx";
import { InView } from "../ui/in-view.tsx";
import { Strip } from "../ui/strip.tsx";
import { Answer, AnswerLine, IdLine } from "./answer.tsx";
import { Candidates, rankingNote } from "./candidates.tsx";
import { KindCard } from "./kind.tsx";
import { Examples, Paste } from "./paste.tsx";
import { Range } from "./range.tsx";
import { Share } from "./share.tsx";
import { Texts } from "./texts.tsx";

export function Decode() {
  const { kinds } = reading.value;
  const isIdShown = shown.value.count > 0;
  return (
    <div class="stack">
      <div class="intro">
        <h1 id="title">When was this id made?</h1>
        <p class="quiet">
          Paste a 64-bit, time-sorted id, or many. They are read in your browser and sent nowhere.
        </p>
      </div>
      <Paste />
      {isIdShown && <AnswerCard />}
      {kinds.length > 0 && <KindCard />}
      {isIdShown && <Folds />}
    </div>
  );
}

/** The answer and the bits of the shown id. */
export function AnswerCard() {
  return (
    <InView line={<AnswerLine />}>
      <section id="answer" class="card stack" aria-label="What the id says">
        <Answer />
        <div class="stack tight">
          <IdLine />
          <Strip id={shown.value.id} layout={layout.value} onChange={(id) => edit(id)} />
          <CutAs />
        </div>
        <Warnings />
      </section>
    </InView>
  );
}

/** Says whose layout cuts the bits, if it is not that of the answer. */
function CutAs() {
  const { kind } = verdict.value;
  if (state.value.layout !== "" || (kind !== "tie" && kind !== "none")) return null;
  return (
    <p id="cut-as" class="quiet small">
      The bits are cut as one of them cuts them, until you choose.
    </p>
  );
}

export function Warnings() {
  const isAnswered = state.value.layout !== "" || verdict.value.kind !== "none";
  const warnings = (isAnswered && shown.value.decoded?.warnings) || [];
  return (
    <ul id="warnings" class="warnings" aria-live="polite" aria-label="Warnings">
      {warnings.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}

/** Everything else, folded away. `part` decides which of it belongs there. */
export function Folds() {
  return (
    <div class="folds">
      <Fold id="systems" title="Which system?" note={rankingNote()}>
        {() => <Candidates />}
      </Fold>
      {part.value === "decode" && (
        <Fold id="texts" title="Copy or change it" note="encodings, dates, fields">
          {() => <Texts />}
        </Fold>
      )}
      <Fold id="range" title="Ids of a stretch of time" note="for a query">
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
