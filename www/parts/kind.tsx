// Shows ids of other kinds, such as UUIDs: the date of one id, or for several ids a list by kind.

import { useSignal } from "@preact/signals";
import { EdgeflakeError } from "edgeflake";
import type { Kind } from "../read/kinds.ts";
import { loadCipher, newPublicIds } from "../read/public.ts";
import { publicKey, reading } from "../session.ts";
import { change, state } from "../state.ts";
import { FieldList } from "../ui/strip.tsx";
import { count, counted, iso } from "../ui/words.ts";
import { Moment } from "./answer.tsx";

/** `state.row` selects one of these ids only if the text has no 64-bit ids. */
export function KindCard() {
  const { kinds, kindCounts, ids } = reading.value;
  if (kinds.length === 0) return null;
  const at = ids.length > 0 ? 0 : Math.min(state.value.row, kinds.length - 1);
  const kind = kinds[at];
  const isList = kinds.length > 1;
  return (
    <section class="card stack" id="kind" aria-labelledby="kind-title">
      <div class="stack tight">
        <p class="of">
          <strong id="kind-title">{kind.title}</strong>{" "}
          {isList && (
            <span id="kind-which" class="quiet">
              id {count(at + 1)} of {count(kinds.length)}
            </span>
          )}
        </p>
        {kind.timestampMs !== undefined && <Moment ms={kind.timestampMs} made="" />}
        <p id="kind-note" class="quiet">
          {kind.bits > 0 && `${kind.bits} bits, `}
          {kind.note}.
        </p>
        <p id="kind-text" class="mono id-line">
          {kind.text}
        </p>
        <KindBits {...kind} />
      </div>
      {isList &&
        kindCounts.map(([title, many]) => (
          <div key={title} class="stack tight">
            <h3>
              {title} <span class="quiet">· {counted(many, "id")}</span>
            </h3>
            <ul class="kind-list">
              {kinds.map((one, i) => {
                if (one.title !== title) return null;
                const date = one.timestampMs === undefined ? "" : iso(one.timestampMs);
                return (
                  <li key={i}>
                    <button
                      type="button"
                      class="kind-row"
                      aria-pressed={i === at}
                      onClick={() => change({ row: i })}
                    >
                      <span class="mono">{one.text}</span> <span class="quiet">{date}</span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
    </section>
  );
}

/** The bits of the id, coloured by field. */
function KindBits({ number = 0n, bits, fields = "", timestampMs = NaN }: Kind) {
  if (fields === "") return null;
  let rest = number.toString(2).padStart(bits, "0");
  const shown = fields.split(" ").map((field) => {
    const [name = "", width] = field.split(":");
    const digits = rest.slice(0, Number(width));
    rest = rest.slice(digits.length);
    const own = BigInt(`0b${digits}`);
    const className = { time: "timestamp", version: "tag", variant: "tag" }[name] ?? "sequence";
    const value = className === "sequence" ? `0x${own.toString(16)}` : own;
    const isMs = name === "time" && Number(own) === timestampMs;
    const meaning = isMs ? "ms since 1970-01-01" : "";
    return { name, bits: digits.length, className, value, meaning, digits };
  });
  return (
    <figure class="strip-figure">
      <div class="strip" role="img" aria-label={`The ${bits} bits of the id`}>
        {shown.flatMap(({ digits, className }) =>
          [...digits].map((digit) => (
            <span class={`cell ${className} ${digit === "1" ? "one" : ""}`}>{digit}</span>
          )),
        )}
      </div>
      <FieldList fields={shown} />
    </figure>
  );
}

/** The input for the key that decodes public ids in the text. */
export function PublicKey() {
  const { publicCount, uncheckedCount } = reading.value;
  const refusal = useSignal("");
  if (publicCount === 0) return null;
  const type = async (key: string) => {
    refusal.value = "";
    try {
      await loadCipher();
      if (key !== "") newPublicIds("id", key);
      publicKey.value = key;
    } catch (error) {
      publicKey.value = "";
      if (error instanceof EdgeflakeError) refusal.value = error.message;
      // The import throws a TypeError if the module cannot be fetched.
      else if (error instanceof TypeError) refusal.value = "the cipher is not loaded: go online";
      else throw error;
    }
  };
  return (
    <div id="public" class="public">
      <label class="labelled" for="public-key">
        Key of your public ids
        <input
          id="public-key"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          placeholder="k:… as edgeflake key prints it"
          value={publicKey.value}
          aria-invalid={refusal.value !== ""}
          aria-describedby="public-words public-error"
          onInput={({ currentTarget }) => type(currentTarget.value.trim())}
        />
      </label>
      <p id="public-words" class="quiet small">
        The key stays in this tab until you close it: no link has it, and it is sent nowhere.
        {uncheckedCount > 0 && " Without check digits, another key gives a wrong id."}
      </p>
      <p id="public-error" class="error small" aria-live="polite">
        {refusal}
      </p>
    </div>
  );
}
