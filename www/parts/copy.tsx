// The shown id as texts that can be copied and changed, an SQL condition for the ids of a time
// range, and a link to the present state.

import { type DecodedId, format, toSigned } from "edgeflake";
import { ENCODINGS, idOf } from "../read/cells.ts";
import { edit, isDated, layout, layoutName, shown } from "../session.ts";
import { ADDRESS_MAX, change, state, writeFragment } from "../state.ts";
import { Code, CopyButton, Field, Fold, refusalOf } from "../ui/controls.tsx";
import { count, day, iso, neededMoment } from "../ui/words.ts";

/** The encodings that most people use. The others are behind "more". */
const COMMON = ["decimal", "hex", "base32", "base58", "base62", "base64url"];

export function Texts() {
  const { id, decoded } = shown.value;
  const encoding = (name: (typeof ENCODINGS)[number]) => (
    <Field
      key={name}
      id={`encoding-${name}`}
      label={name}
      value={format(id, name)}
      hasCopy
      onInput={(text) => edit(idOf(text, name))}
    />
  );
  return (
    <div class="halves">
      <div class="stack tight">
        <h3>Id</h3>
        {ENCODINGS.filter((name) => COMMON.includes(name)).map(encoding)}
        <Fold title="More encodings">
          <div class="stack tight">
            {ENCODINGS.filter((name) => !COMMON.includes(name)).map(encoding)}
          </div>
        </Fold>
      </div>
      <div class="stack tight">
        {isDated.value && <h3>Date</h3>}
        {decoded && isDated.value && <Dates decoded={decoded} />}
      </div>
    </div>
  );
}

function Dates({ decoded }: { decoded: DecodedId }) {
  const { timestampMs: ms, node, sequence, tag } = decoded;
  const at = (timestampMs: number) => layout.value.encode({ timestampMs, node, sequence, tag });
  const seconds = Math.floor(ms / 1000);
  return (
    <>
      <Field
        id="date"
        label="UTC"
        value={iso(ms)}
        hasCopy
        onInput={(text) => edit(at(neededMoment(text, "the date")))}
      />
      <Field label="Unix s" value={String(seconds)} hasCopy />
      <Field label="Unix ms" value={String(ms)} hasCopy />
      {layoutName.value === "discord" &&
        ["R", "F", "f"].map((style) => (
          <Field key={style} label={`<t:…:${style}>`} value={`<t:${seconds}:${style}>`} hasCopy />
        ))}
    </>
  );
}

const DAY_MS = 86_400_000;

export function Range() {
  const { from, until } = state.value;
  const shownMs = (isDated.value && shown.value.decoded?.timestampMs) || Date.now();
  const [begin, end] = [from || day(shownMs), until || day(shownMs + DAY_MS)];
  let sql = "";
  const refusal = refusalOf(() => {
    const { min, max } = layout.value.range(
      neededMoment(begin, "from"),
      neededMoment(end, "until"),
    );
    sql = conditionOf(min, max);
  });
  return (
    <div class="stack">
      <div class="thirds">
        <Field id="from" label="From" value={begin} onInput={(text) => change({ from: text })} />
        <Field
          id="until"
          label="Until (not included)"
          value={end}
          onInput={(text) => change({ until: text })}
        />
      </div>
      <p id="range-error" class="error" aria-live="polite">
        {refusal}
      </p>
      {refusal === "" && <Code id="sql" name="SQL" text={sql} />}
    </div>
  );
}

function conditionOf(min: bigint, max: bigint) {
  const [first, last] = [toSigned(min), toSigned(max)];
  const unsigned = `SELECT * FROM events WHERE id BETWEEN ${min} AND ${max};`;
  if (last >= 0n) return unsigned;
  const where = first < 0n ? `id BETWEEN ${first} AND ${last}` : `(id >= ${min} OR id <= ${last})`;
  return `${unsigned} -- BIGINT UNSIGNED\nSELECT * FROM events WHERE ${where}; -- BIGINT`;
}

export function Share() {
  return (
    <p class="row share">
      <CopyButton name="link" text={link}>
        Copy a link to this
      </CopyButton>
    </p>
  );
}

async function link() {
  // The address bar is not read, because it is updated a moment after an edit.
  const fragment = await writeFragment(state.value);
  const text = `${location.origin}${location.pathname}#${fragment ?? ""}`;
  if (fragment !== undefined && text.length <= ADDRESS_MAX) return text;
  throw new RangeError(
    `this is too long for a link: at most ${count(ADDRESS_MAX)} characters are sent whole. ` +
      "Send the text as a file instead",
  );
}
