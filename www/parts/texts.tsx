// The shown id in all encodings, its date in all notations, and its fields: each can be copied, and
// changes the id.

import { format, type Layout } from "edgeflake";
import { ENCODINGS, idOf } from "../read/cells.ts";
import { edit, layout, layoutName, shown } from "../session.ts";
import { digitsOf, fieldValue, placesOf, replaced } from "../ui/bits.ts";
import { Field } from "../ui/field.tsx";
import { Fold } from "../ui/fold.tsx";
import { iso, local, neededMoment } from "../ui/words.ts";

/** The encodings that people meet; the others stand behind "more". */
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
        <h3>Date</h3>
        {decoded && <Dates ms={decoded.timestampMs} />}
        <h3>Fields</h3>
        {placesOf(layout.value).places.map((place) => (
          <Field
            key={place.start}
            label={place.name}
            value={String(fieldValue(digitsOf(id), place))}
            isNumber
            onInput={(text) => edit(replaced(id, place, text))}
          />
        ))}
      </div>
    </div>
  );
}

function Dates({ ms }: { ms: number }) {
  const seconds = Math.floor(ms / 1000);
  return (
    <>
      <Field
        id="date"
        label="UTC"
        value={iso(ms)}
        hasCopy
        onInput={(text) => edit(idAt(layout.value, neededMoment(text, "the date")))}
      />
      <Field label="local" value={local(ms)} hasCopy />
      <Field label="Unix s" value={String(seconds)} hasCopy />
      <Field label="Unix ms" value={String(ms)} hasCopy />
      {layoutName.value === "discord" &&
        ["R", "F", "f"].map((style) => (
          <Field key={style} label={`<t:…:${style}>`} value={`<t:${seconds}:${style}>`} hasCopy />
        ))}
    </>
  );
}

/** Returns the id with the other values of the shown one. */
function idAt(of: Layout, timestampMs: number) {
  const { node = 0, sequence = 0, tag = 0 } = shown.value.decoded ?? {};
  return of.encode({ timestampMs, node, sequence, tag });
}
