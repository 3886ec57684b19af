// The id as 64 cells, coloured by field, above the fields. A cell is too narrow to be hit, so a click
// only chooses it, as a click into a text does. Arrow keys move on, and Space flips the bit.

import { useSignal } from "@preact/signals";
import type { Layout } from "edgeflake";
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";
import { digitsOf, flipped, ID_BITS, meaningOf, numberOf, type Place, placesOf } from "./bits.ts";
import { useSize } from "./controls.tsx";
import { counted } from "./words.ts";

interface StripProps {
  id: bigint;
  layout: Layout;
  onChange: (id: bigint) => void;
}

/** The largest number of fields that fit side by side. */
const COLUMNS_MAX = 7;
/** This width, in bits, is added to each field's column, so that its name and value fit. */
const LEAST_BITS = 12;

export function Strip({ id, layout, onChange }: StripProps) {
  const figure = useRef<HTMLElement>(null);
  const columns = useSignal(columnsNow());
  /** The cell that has the focus, and the cell whose field is explained. */
  const active = useSignal(ID_BITS - 1);
  const explained = useSignal<number | undefined>(undefined);
  useSize(figure, () => (columns.value = columnsNow()));

  const digits = digitsOf(id);
  const { places, outside } = placesOf(layout);
  const lit = places.findLastIndex(({ start }) => start <= (explained.value ?? -1));
  const isOneRow = columns.value === ID_BITS && places.length <= COLUMNS_MAX;
  const shares = columnShares(places);
  const grid = shares.map((share) => `minmax(0, ${share.toFixed(4)}fr)`).join(" ");
  const info = layout.info();
  const fields = places.map((place) => ({
    ...place,
    value: numberOf(digits, [place]),
    meaning: meaningOf(place, digits, places, layout, info),
  }));

  const choose = (at: number) => {
    active.value = at;
    explained.value = at;
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const next = neighbour(event.key, active.value, columns.value);
    if (event.key === " " || event.key === "Enter") onChange(flipped(id, active.value));
    else if (next !== undefined) choose(bounded(next));
    else return;
    event.preventDefault();
  };

  const cellAt = ({ currentTarget, clientX, clientY }: TargetedPointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const row = Math.floor(((clientY - top) / height) * (ID_BITS / columns.value));
    const at = row * columns.value + Math.floor(((clientX - left) / width) * columns.value);
    return bounded(at);
  };

  return (
    <figure ref={figure} class={isOneRow ? "strip-figure one-row" : "strip-figure"}>
      <div
        id="strip"
        class="strip"
        role="listbox"
        tabIndex={0}
        aria-multiselectable="true"
        aria-label="The 64 bits of the id: arrow keys choose one, Space flips it"
        title="Choose a bit, and flip it with Space"
        aria-activedescendant={`bit-${ID_BITS - 1 - active.value}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => choose(cellAt(event))}
        onPointerMove={(event) => (explained.value = cellAt(event))}
        onFocus={() => (explained.value = active.value)}
        onBlur={() => (explained.value = undefined)}
        onPointerLeave={({ currentTarget }) => {
          explained.value = currentTarget === document.activeElement ? active.value : undefined;
        }}
      >
        {[...digits].map((digit, at) => {
          const place = places.findLast(({ start }) => start <= at);
          const where = place
            ? `${place.name} ${at - place.start + 1} of ${place.bits}`
            : "outside the layout";
          const look = `${digit === "1" ? "one" : ""} ${at === active.value ? "active" : ""}`;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the listbox has the focus.
            <span
              key={at}
              id={`bit-${ID_BITS - 1 - at}`}
              class={`cell ${place?.className ?? "outside"} ${look}`}
              role="option"
              aria-selected={digit === "1"}
              aria-label={`bit ${ID_BITS - 1 - at} is ${digit}, ${where}`}
            >
              {digit}
            </span>
          );
        })}
      </div>
      {isOneRow && <Joints places={places} shares={shares} />}
      <FieldList id="fields" fields={fields} lit={lit} grid={isOneRow ? grid : ""} />
      <p id="strip-detail" class="unseen" aria-live="polite">
        {explained.value !== undefined && detail(fields[lit], outside)}
      </p>
    </figure>
  );
}

type ShownField = Pick<Place, "name" | "bits" | "className"> & {
  value: bigint | string;
  meaning: string;
};

interface FieldListProps {
  id?: string;
  fields: ShownField[];
  /** The index of the highlighted field. */
  lit?: number;
  /** The columns; empty for as many as fit. */
  grid?: string;
}

export function FieldList({ id, fields, lit, grid }: FieldListProps) {
  return (
    <ul id={id} class="fields" aria-label="Fields" style={{ gridTemplateColumns: grid || null }}>
      {fields.map(({ name, bits, className, value, meaning }, i) => (
        <li key={i} class={`field ${className} ${i === lit ? "lit" : ""}`}>
          <p class="name">
            <span class={`swatch ${className}`}>{name}</span>{" "}
            <span class="quiet small">{counted(bits, "bit")}</span>
          </p>
          <p class="value mono">{String(value)}</p>
          <p class="meaning quiet small">{meaning}</p>
        </li>
      ))}
    </ul>
  );
}

function detail(field: ShownField | undefined, outside: number) {
  if (!field) return `The first ${outside} bits are outside the layout: always 0.`;
  const { name, bits, value, meaning } = field;
  return `${name}, ${counted(bits, "bit")}: ${value}, ${meaning}`;
}

/** Draws lines from the bits of each field to the field's column below. */
function Joints({ places, shares }: { places: Place[]; shares: number[] }) {
  let from = 0;
  return (
    <svg class="joints" viewBox="0 0 64 1" preserveAspectRatio="none" aria-hidden="true">
      {places.map(({ start, bits, className }, i) => {
        const until = from + (shares[i] ?? 0) * ID_BITS;
        const points = `${start},0 ${start + bits},0 ${until},1 ${from},1`;
        from = until;
        return <polygon key={i} class={`joint ${className}`} points={points} />;
      })}
    </svg>
  );
}

/** Returns the number of cells in a row, as the style sheet defines it. */
function columnsNow() {
  if (matchMedia("(min-width: 64rem)").matches) return ID_BITS;
  return matchMedia("(min-width: 40rem)").matches ? ID_BITS / 2 : ID_BITS / 4;
}

/** Returns the width of each field's column, as a share of the strip. */
function columnShares(places: Place[]) {
  const sum = places.reduce((all, { bits }) => all + bits + LEAST_BITS, 0);
  return places.map(({ bits }) => (bits + LEAST_BITS) / sum);
}

const bounded = (at: number) => Math.max(0, Math.min(ID_BITS - 1, at));

/** Returns the cell to which a key moves the focus. */
function neighbour(key: string, at: number, columns: number): number | undefined {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (key === "Home") return 0;
  if (key === "End") return ID_BITS - 1;
  const step = new Map(Object.entries(steps)).get(key);
  return step === undefined ? undefined : at + step;
}
