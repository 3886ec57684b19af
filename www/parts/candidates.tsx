// The systems that may have made the id, the answer first.

import { useSignal } from "@preact/signals";
import { identify } from "edgeflake";
import { change } from "../history.ts";
import { layoutName, reading, shown, verdict } from "../session.ts";
import { state } from "../state.ts";
import { Button } from "../ui/button.tsx";
import { ago, iso } from "../ui/words.ts";
import { around, isPlausible } from "../verdict/verdict.ts";
import { percent } from "./answer.tsx";

/** The number of systems that are shown at first. */
const FEW = 5;
/** The last moment that people write as a date, in Unix ms. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export function Candidates() {
  const isAll = useSignal(false);
  const { kind, why, layout } = verdict.value;
  const { id } = shown.value;
  const others = around(reading.value.ids);
  const isSettled = kind === "settled";
  const chosen = state.value.layout !== "" || kind !== "none" ? layoutName.value : "";
  const found = identify(id, others.length > 1 ? { around: others } : {});
  // What the text says goes before what the ids say.
  if (isSettled) found.sort((a, b) => Number(b.preset === layout) - Number(a.preset === layout));
  const rest = found.length - FEW;
  return (
    <div class="stack">
      <ol id="candidates" class="candidates">
        {found.map((candidate, i) => {
          const { preset, title, share, reasons, timestampMs, decoded } = candidate;
          const isFit = isPlausible(candidate);
          const isAnswer = isSettled && preset === layout;
          const date = timestampMs > LAST_MS ? "after the year 9999" : iso(timestampMs);
          return (
            <li key={preset} hidden={!isAll.value && i >= FEW && preset !== chosen}>
              <button
                type="button"
                class="candidate"
                value={preset}
                aria-pressed={preset === chosen}
                // Unix time has no layout to choose.
                disabled={decoded === undefined}
                style={{ "--share": isAnswer ? 1 : isFit && !isSettled ? share : 0 }}
                onClick={() => change({ layout: preset })}
              >
                <span class="title">{title}</span>
                <span class="share">{isFit && !isSettled ? percent(share) : ""}</span>
                <span class="when">
                  {date}
                  {timestampMs <= LAST_MS && <span class="quiet"> · {ago(timestampMs)}</span>}
                </span>
                <span class="reasons quiet small">{isAnswer ? why : reasons}</span>
              </button>
            </li>
          );
        })}
      </ol>
      <p class="row">
        {rest > 0 && (
          <Button
            id="more-candidates"
            kind="plain"
            onClick={() => {
              isAll.value = !isAll.value;
            }}
          >
            {isAll.value ? "Show fewer" : `Show ${rest} more`}
          </Button>
        )}
        {state.value.layout !== "" && (
          <Button id="likeliest" kind="plain" onClick={() => change({ layout: "", id: "" })}>
            Back to the likeliest
          </Button>
        )}
      </p>
    </div>
  );
}

/** The ranking in a few words. */
export function rankingNote(): string {
  const { kind, fits } = verdict.value;
  if (kind === "none" || kind === "unasked") return "";
  if (kind === "settled") return `${fits[0]?.title}, because ${verdict.value.why}`;
  return fits
    .slice(0, 3)
    .map(({ title, share }) => `${title} ${percent(share)}`)
    .join(" · ");
}
