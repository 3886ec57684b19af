// Inputs for the fields, the epoch and the tick of a layout that need not be valid yet.

import { signal } from "@preact/signals";
import { type Field, Layout, type Role } from "edgeflake";
import { layout } from "../session.ts";
import { change } from "../state.ts";
import { ID_BITS } from "../ui/bits.ts";
import { Button, Field as TypedField } from "../ui/controls.tsx";
import { iso, neededMoment } from "../ui/words.ts";
import { withField } from "./widths.ts";

const ROLES: readonly Role[] = ["timestamp", "node", "sequence", "tag", "unused"];

interface Draft {
  /** The layout string from which the draft was made. */
  of: string;
  fields: readonly Field[];
  error: string;
}

const draft = signal<Draft>({ of: "", fields: [], error: "" });

/** Returns the draft of the present layout. */
function draftNow(): Draft {
  const of = layout.value.toString();
  if (draft.value.of === of) return draft.value;
  return { of, fields: layout.value.fields, error: "" };
}

/** Chooses the layout if its fields are valid; otherwise says why not. */
function attempt(fields: readonly Field[]) {
  const { epochMs, tickMs } = layout.value;
  try {
    const made = new Layout({ fields: [...fields], epochMs, tickMs });
    draft.value = { of: made.toString(), fields, error: "" };
    change({ layout: made.toString() });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    draft.value = { of: layout.value.toString(), fields, error: error.message };
  }
}

function choose(epochMs: number, tickMs: number) {
  change({ layout: new Layout({ fields: [...layout.value.fields], epochMs, tickMs }).toString() });
}

export function LayoutFields() {
  const { fields, error } = draftNow();
  const { epochMs, tickMs } = layout.value;
  const set = (at: number, changes: Partial<Field>) =>
    attempt(fields.map((field, i) => (i === at ? { ...field, ...changes } : field)));
  const move = (at: number, to: number) => {
    const moved = [...fields];
    const [field] = moved.splice(at, 1);
    if (field) moved.splice(Math.max(0, to), 0, field);
    attempt(moved);
  };
  return (
    <div class="stack">
      <ol id="layout-fields" class="stack tight" aria-label="Fields, from the highest bit on">
        {fields.map(({ name, role, bits }, i) => (
          <li key={i} class={`layout-field ${role}`}>
            <input
              class="name-of"
              aria-label={`name of ${name}`}
              maxLength={24}
              autocomplete="off"
              spellcheck={false}
              value={name}
              onInput={({ currentTarget }) => set(i, { name: currentTarget.value })}
            />
            <select
              aria-label={`role of ${name}`}
              value={role}
              onChange={({ currentTarget }) => set(i, { role: currentTarget.value as Role })}
            >
              {ROLES.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <span class="width-of">
              <input
                class="bits-of"
                type="number"
                min="1"
                max="64"
                aria-label={`bits of ${name}`}
                value={bits}
                onInput={({ currentTarget }) => set(i, { bits: Number(currentTarget.value) })}
              />{" "}
              bits
            </span>
            <span class="row-buttons">
              <Button kind="plain" label={`Move ${name} up`} onClick={() => move(i, i - 1)}>
                ↑
              </Button>
              <Button kind="plain" label={`Move ${name} down`} onClick={() => move(i, i + 1)}>
                ↓
              </Button>
              <Button
                kind="plain"
                icon="clear"
                label={`Remove ${name}`}
                onClick={() => attempt(fields.filter((_, at) => at !== i))}
              />
            </span>
          </li>
        ))}
      </ol>
      <p class="row">
        <Button id="add-field" icon="plus" onClick={() => attempt(withField(fields))}>
          Add a field
        </Button>
        <span id="bits-total" class="quiet small" aria-live="polite">
          {bitsInWords(fields)}
        </span>
      </p>
      <p id="layout-fields-error" class="error" role="alert">
        {error}
      </p>
      <div class="thirds">
        <TypedField
          id="epoch"
          label="Epoch"
          value={iso(epochMs)}
          onInput={(text) => choose(neededMoment(text, "the epoch"), tickMs)}
        />
        <TypedField
          id="tick"
          label="Tick in ms"
          value={String(tickMs)}
          isNumber
          onInput={(text) => choose(epochMs, Number(text))}
        />
      </div>
    </div>
  );
}

function bitsInWords(fields: readonly Field[]) {
  const sum = (of: readonly Field[]) => of.reduce((all, { bits }) => all + bits, 0);
  const over = sum(fields) - ID_BITS;
  const used = sum(fields.filter(({ role }) => role !== "unused"));
  const rest = over > 0 ? `${over} too many` : `${ID_BITS - used} free`;
  return `${over > 0 ? sum(fields) : used} of ${ID_BITS} bits used, ${rest}`;
}
