// Inputs for the fields, the epoch and the tick of a layout that need not be valid yet.

import { computed, signal } from "@preact/signals";
import { type Field, Layout, type Role } from "edgeflake";
import { layout } from "../session.ts";
import { change } from "../state.ts";
import { ID_BITS } from "../ui/bits.ts";
import { Button, refusalOf, Field as TypedField } from "../ui/controls.tsx";
import { iso, neededMoment } from "../ui/words.ts";
import { withField } from "./widths.ts";

const ROLES: readonly Role[] = ["timestamp", "node", "sequence", "tag", "unused"];

/** The fields as they were edited while the page had the layout `of`, and why they are invalid. */
const edited = signal({ of: "", fields: [] as readonly Field[], error: "" });

const draft = computed(() => {
  const isPresent = edited.value.of === layout.value.toString();
  return isPresent ? edited.value : { fields: layout.value.fields, error: "" };
});

/** Chooses the layout if its fields are valid; otherwise says why not. */
function attempt(fields: readonly Field[]) {
  const error = refusalOf(() => choose({ fields: [...fields] }));
  edited.value = { of: layout.value.toString(), fields, error };
}

/** Chooses the present layout with some changes. */
function choose(changes: { fields?: Field[]; epochMs?: number; tickMs?: number }) {
  const { fields, epochMs, tickMs } = layout.value;
  change({ layout: new Layout({ fields: [...fields], epochMs, tickMs, ...changes }).toString() });
}

export function LayoutFields() {
  const { fields, error } = draft.value;
  const { epochMs, tickMs } = layout.value;
  const set = (at: number, changes: Partial<Field>) =>
    attempt(fields.with(at, { ...fields[at], ...changes }));
  const move = (at: number, to: number) =>
    attempt(fields.toSpliced(at, 1).toSpliced(Math.max(0, to), 0, fields[at]));
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
                onClick={() => attempt(fields.toSpliced(i, 1))}
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
          onInput={(text) => choose({ epochMs: neededMoment(text, "the epoch") })}
        />
        <TypedField
          id="tick"
          label="Tick in ms"
          value={String(tickMs)}
          isNumber
          onInput={(text) => choose({ tickMs: Number(text) })}
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
