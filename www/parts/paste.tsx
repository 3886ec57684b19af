// The box for a paste, with a report of how its text was read. A long text is not put into the box,
// because that would be slow.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { EXAMPLE, EXAMPLES } from "../examples.ts";
import { isDoubtful, isReading, open, part, reading, table, text } from "../session.ts";
import { change, isAddressPartial, state } from "../state.ts";
import { Button, Fold, Icon } from "../ui/controls.tsx";
import { count, sizeOf } from "../ui/words.ts";
import { PublicKey } from "./kind.tsx";

/**
 * The largest numbers of characters: in the box, in the shown beginning of a longer text, and in a
 * file.
 */
const TYPED_MAX = 20_000;
const START_MAX = 60;
const FILE_MAX = 100_000_000;

export function Paste() {
  const box = useRef<HTMLTextAreaElement>(null);
  const fileError = useSignal("");
  const shownText = text.value;
  const isLong = shownText.length > TYPED_MAX;
  const size = useMemo(() => (isLong ? sizeOf(shownText) : ""), [shownText]);

  const openFile = async (file: File) => {
    fileError.value = "";
    if (file.size > FILE_MAX) {
      fileError.value = `${file.name} has ${count(file.size)} bytes: at most ${count(FILE_MAX)} are allowed. Open a part of it`;
      return;
    }
    open(await file.text());
  };
  useEffect(() => followPastes(box.current, openFile), []);
  // The box follows the state, except while the visitor types.
  useLayoutEffect(() => {
    const { current } = box;
    // The visitor may have pressed another key since.
    const now = text.peek();
    if (!current || current.value === now || isLong) return;
    current.value = now;
  });

  return (
    <section class="stack tight paste" aria-label="What is read">
      <div>
        <div class="box">
          <label class="unseen" for="text">
            Ids, or a date
          </label>
          <textarea
            id="text"
            ref={box}
            rows={1}
            hidden={isLong}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="An id, a link, a list, CSV, JSON, a log, a date …"
            aria-describedby="read-as text-error"
            aria-invalid={errorText() !== ""}
            onInput={({ currentTarget }) => {
              const before = part.value;
              // `layout` is kept, so that a chosen layout stays while the visitor edits the id.
              change({ text: currentTarget.value, encoding: "", column: "", row: 0, id: "" });
              // So is the part: another part would take the focus away while the visitor types.
              if (part.value !== before) change({ part: before });
            }}
            onFocus={({ currentTarget }) => {
              if (!isExample(currentTarget.value)) return;
              // Select after the browser has set the caret, and only if this box still has the
              // focus.
              setTimeout(() => currentTarget.matches(":focus") && currentTarget.select());
            }}
          />
          {isLong && (
            <p id="long-text" class="long mono">
              {shownText.slice(0, START_MAX).replaceAll(/\s+/g, " ")} …{" "}
              <span class="quiet">{size}</span>
            </p>
          )}
          <span class="tools">
            <label class="button plain" title="Open a file">
              <Icon name="file" />
              <span class="unseen">Open a file</span>
              <input
                id="file"
                class="unseen"
                type="file"
                accept="text/*,.csv,.json,.txt,.log,.sql"
                onChange={({ currentTarget }) => {
                  if (currentTarget.files?.[0]) openFile(currentTarget.files[0]);
                  currentTarget.value = "";
                }}
              />
            </label>
            {shownText !== "" && state.value.text !== EXAMPLE && (
              <Button
                id="clear"
                kind="plain"
                icon="clear"
                label="Clear"
                onClick={() => {
                  open("");
                  if (box.current) {
                    box.current.hidden = false;
                    box.current.focus();
                  }
                }}
              />
            )}
          </span>
        </div>
        <ReadAs />
        <p id="text-error" class="error" aria-live="polite">
          {fileError.value || errorText()}
        </p>
      </div>
      {(shownText === "" || errorText() !== "") && <Examples />}
      <NotRead />
      <PublicKey />
    </section>
  );
}

/** Says how the text was read, and offers other ways to read it. */
function ReadAs() {
  const { how, columns, column, encoding } = reading.value;
  const isPlain = encoding === "decimal" && /^\s*\d+\s*$/.test(text.value);
  return (
    <div class="row read-as">
      <p id="read-as" class="quiet" aria-live="polite">
        {isReading.value ? "Reading …" : !isDoubtful.value && !isPlain && how}
        {how !== "" && !isReading.value && isAddressPartial.value && (
          <span id="link-note">. It is too long for a link</span>
        )}
      </p>
      {!isDoubtful.value && <OtherEncodings />}
      {columns.length > 1 && (
        <label class="row">
          <span class="quiet">Column</span>
          <select
            id="columns"
            value={column}
            onChange={({ currentTarget: { value } }) =>
              // The ids of another column may come from another system.
              change({ column: value, layout: "", encoding: "", row: 0, id: "" })
            }
          >
            {columns.map(({ name, count: cells }) => (
              <option key={name} value={name}>
                {name || "without a key"} ({count(cells)})
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** Offers the other encodings that the ids may have. */
export function OtherEncodings() {
  const { otherEncodings } = reading.value;
  if (otherEncodings.length === 0) return null;
  return (
    <p id="other-encodings" class="quiet">
      It could also be{" "}
      {otherEncodings.map((encoding) => (
        <Button
          key={encoding}
          kind="plain"
          label={`Read it as ${encoding}`}
          onClick={() => change({ encoding, id: "" })}
        >
          {encoding}
        </Button>
      ))}
    </p>
  );
}

export function Examples() {
  return (
    <p id="examples" class="row examples">
      <span class="quiet">For instance</span>
      {EXAMPLES.map(([name, text]) => (
        <Button key={name} kind="plain" onClick={() => open(text)}>
          {name}
        </Button>
      ))}
    </p>
  );
}

/** The lines that are no ids, each with its reason. */
function NotRead() {
  const all = refusals();
  const total = reading.value.refusedCount + table.value.refused.length;
  // If there is a single line, its reason is already shown above.
  if (total === 0 || errorText() !== "") return null;
  const more = total > all.length ? `; ${all.length} of them are listed` : "";
  return (
    <Fold id="not-read" title={`${count(total)} not read${more}`}>
      <ul class="not-read small">
        {all.map(({ line, text, message }, i) => (
          <li key={i}>
            line {line}, "{text.length > 40 ? `${text.slice(0, 40)}…` : text}": {message}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** Returns the lines that are no ids, and the dates that the layout cannot represent. */
const refusals = () => [...reading.value.refused, ...table.value.refused];

/** Returns why nothing could be read; empty if there are ids or there is no text. */
function errorText() {
  const { ids, kinds } = reading.value;
  if (ids.length > table.value.refused.length || kinds.length > 0 || isReading.value) return "";
  if (text.value.trim() === "") return "";
  const [first] = refusals();
  if (first && /\d/.test(first.text)) return first.message;
  return "there is no id in it: paste one, or press an example";
}

/**
 * Reads pastes and dropped files wherever the focus is, except for pastes into other inputs. Returns a
 * function to stop reading.
 */
function followPastes(box: HTMLTextAreaElement | null, openFile: (file: File) => void) {
  const end = new AbortController();
  const { signal } = end;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    const { target } = event;
    const isElsewhere = target instanceof HTMLInputElement || target === null;
    const isInOther = target instanceof HTMLTextAreaElement && target !== box;
    if (isElsewhere || isInOther || pasted === "" || !box) return;
    const { value, selectionStart, selectionEnd } = box;
    const isWhole = isExample(value) || selectionEnd - selectionStart === value.length;
    if (pasted.length <= TYPED_MAX && target === box && !isWhole) return;
    event.preventDefault();
    open(pasted);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openFile(file);
  };
  addEventListener("paste", onPaste, { signal });
  addEventListener("dragover", (event) => event.preventDefault(), { signal });
  addEventListener("drop", onDrop, { signal });
  return () => end.abort();
}

function isExample(text: string) {
  return EXAMPLES.some(([, example]) => example === text);
}
