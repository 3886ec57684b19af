// The answer: the system and the date of the shown id, and how sure they are.

import { Layout } from "edgeflake";
import {
  hasSeveral,
  isDoubtful,
  isServers,
  layoutName,
  mixed,
  nameOfLayout,
  reading,
  shown,
  text,
  verdict,
} from "../session.ts";
import { change, state } from "../state.ts";
import { Button, CopyButton } from "../ui/controls.tsx";
import { ago, count, iso, local } from "../ui/words.ts";
import { answersOf, type Fit, isPreset } from "../verdict.ts";

/** Returns what the answer's card and its one-line form say about the shown id. */
function answerNow() {
  const { kind, fits } = verdict.value;
  const { id, decoded } = shown.value;
  const isChosen = state.value.layout !== "";
  const isTie = kind === "tie" && !isChosen;
  const isNone = kind === "none" && !isChosen;
  const isDate = kind === "unasked" && !isChosen;
  const [fit] = fits;
  // Unix time has no fields.
  const unix = isChosen || isTie || fit === undefined || isPreset(fit.preset) ? undefined : fit;
  let system = unix?.title ?? nameOfLayout();
  if (isNone) system = isDoubtful.value ? "Probably no id" : "No known system fits";
  else if (isDate) system = "A date";
  const ms = unix ? unixMs(unix.preset, id) : isNone ? undefined : decoded?.timestampMs;
  return { isChosen, isTie, isNone, unix, system, ms };
}

export function Answer() {
  const { refusal, count: ids, row, isChanged } = shown.value;
  const { isChosen, isTie, isNone, unix, system, ms } = answerNow();
  if (isTie) return <Tie fits={answersOf(verdict.value)} id={shown.value.id} />;
  return (
    <div class="stack tight">
      <p class="of">
        <strong id="system" aria-live="polite">
          {system}
        </strong>{" "}
        {ids > 1 && (
          <span id="which" class="quiet">
            id {count(row + 1)} of {count(ids)}
          </span>
        )}
        {!isChanged && (ids < 2 || state.value.part === "decode" || mixed.value) && <Sureness />}
        {isChanged && (
          <>
            <span id="changed" class="tag-note">
              changed
            </span>
            <Button kind="plain" onClick={() => change({ id: "" })}>
              Undo changes
            </Button>
          </>
        )}
      </p>
      {ms !== undefined && <Moment ms={ms} made={madeWhat()} />}
      {isNone && (
        <p class="quiet">
          {isDoubtful.value
            ? `It can be read in ${reading.value.encoding}, but no known system is likely to have made such an id.`
            : "In each known system its date would be in the future, before the system began, or at its epoch. Choose a system below, or design a layout of your own."}
        </p>
      )}
      {unix && <p class="quiet">A time has no fields.</p>}
      {ms === undefined && isChosen && (
        <p id="refusal" class="error" aria-live="polite">
          {refusal && `This is no id of the layout: ${refusal}.`}
        </p>
      )}
    </div>
  );
}

/** Says what kind of object the id belongs to, such as a post, if a link shows the kind. */
function madeWhat() {
  const { around } = reading.value;
  const source = (around[shown.value.row] ?? around[0])?.source;
  const what = source?.layout === layoutName.value ? source.numbers : "";
  return what === "" ? "" : `${what.charAt(0).toUpperCase()}${what.slice(1)} made`;
}

/** Says how certain the system is, and why. A chosen layout has a button that gives it up. */
export function Sureness() {
  const { kind, fits, why } = verdict.value;
  const { layout: chosen } = state.value;
  const [fit] = fits;
  // If there are several systems, the reason is that of one id only.
  const isEvident = chosen === fit?.preset && !hasSeveral.value;
  let words = "";
  if (kind === "settled" && (chosen === "" || isEvident)) words = `because ${why}`;
  else if (isServers.value) words = "";
  else if (chosen !== "") words = isPreset(layoutName.value) ? "as chosen" : "from Design";
  else if (fit && kind === "likely") words = `${percent(fit.share)} likely${sharedWith(fit)}`;
  else if (fit && kind === "perhaps") words = `best guess, ${percent(fit.share)}${sharedWith(fit)}`;
  return (
    <>
      <span id="share" class="quiet">
        {words}
      </span>
      {chosen !== "" && (
        <Button id="likeliest" kind="plain" onClick={() => change({ layout: "", id: "" })}>
          Undo choice
        </Button>
      )}
    </>
  );
}

function sharedWith({ also }: Fit) {
  return also.length === 0 ? "" : `; or ${also.join(" or ")}, with the same date`;
}

/** Asks which of several equally likely systems made the id, and shows the id's date in each. */
function Tie({ fits, id }: { fits: Fit[]; id: bigint }) {
  const names = fits.map(({ title }) => title);
  return (
    <div class="stack tight" id="tie">
      <p class="of">
        <strong id="system" aria-live="polite">
          {names.slice(0, -1).join(", ")} or {names.at(-1)}?
        </strong>{" "}
        <span id="share" class="quiet">
          Each fits about as well. Which one made it?
        </span>
      </p>
      <ul class="tiles">
        {fits.map((fit) => {
          const ms = dateIn(fit.preset, id);
          return (
            <li key={fit.preset}>
              <button
                type="button"
                class="tile"
                value={fit.preset}
                disabled={!isPreset(fit.preset)}
                onClick={() => change({ layout: fit.preset })}
              >
                <span class="title">
                  {fit.title} <span class="quiet">{percent(fit.share)}</span>
                </span>
                <span class="date">
                  {ms === undefined ? "no id of its layout" : `${dateText(ms)} UTC`}
                </span>
                <span class="quiet">
                  {ms !== undefined && `${ago(ms)} · your time: ${local(ms)}`}
                  {fit.also.length > 0 && ` · built alike: ${fit.also.join(", ")}`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The answer in one line, which stays visible while the visitor scrolls. */
export function AnswerLine() {
  const { isTie, system, ms } = answerNow();
  return (
    <p class="line">
      <strong>{isTie ? "A tie" : system}</strong>
      {!isTie && ms !== undefined && <span>{dateText(ms)} UTC</span>}
      <span class="quiet mono">{String(shown.value.id)}</span>
    </p>
  );
}

/** The id in decimal. A button copies it, unless it was pasted in decimal. */
export function IdLine() {
  const { id } = shown.value;
  const isPasted = text.value.includes(String(id));
  return (
    <p class="id-line">
      <span id="id" class="mono">
        {String(id)}
      </span>
      {!isPasted && <CopyButton name="id" text={() => String(id)} />}
    </p>
  );
}

/** Formats a moment in UTC as a date and a time of day, such as `2026-01-16 12:00:00.000`. */
export function dateText(ms: number): string {
  return iso(ms).replace("T", " ").replace("Z", "");
}

/** Returns the id's date in Unix ms; `undefined` if the layout refuses the id. */
function dateIn(preset: string, id: bigint): number | undefined {
  if (!isPreset(preset)) return unixMs(preset, id);
  const [ms = NaN] = Layout.preset(preset).decodeMany(BigUint64Array.of(id)).timestampMs;
  return Number.isNaN(ms) ? undefined : ms;
}

/** The unit is a name such as "unix-us". */
function unixMs(unit: string, number: bigint) {
  if (unit === "unix-s") return Number(number) * 1000;
  return Number(unit === "unix-ms" ? number : number / (unit === "unix-us" ? 1_000n : 1_000_000n));
}

/** Formats a share between 0 and 1. */
export function percent(share: number): string {
  if (share < 0.01) return "< 1 %";
  return share > 0.99 && share < 1 ? "> 99 %" : `${Math.round(share * 100)} %`;
}

/** Shows a date in UTC, how long ago it was, and its time in the reader's zone. */
export function Moment({ ms, made }: { ms: number; made: string }) {
  const text = iso(ms);
  // A moment that no date can express has no time of day.
  const [date, time] = text.replace("Z", "").split("T");
  const past = ago(ms);
  return (
    <div class="moment">
      <p class="when" aria-live="polite">
        <time id="time" dateTime={text}>
          <span>{date}</span> <span>{time}</span>
        </time>{" "}
        <span class="quiet zone">UTC</span>
        <CopyButton name="date" text={() => text} />
      </p>
      <p id="local-time">
        {made && past.endsWith("ago") ? `${made} ${past}` : past}
        {new Date(ms).getTimezoneOffset() !== 0 && (
          <span class="quiet"> · your time: {local(ms)}</span>
        )}
      </p>
    </div>
  );
}
