// The id as 64 cells, coloured by field, above the fields. A click on a cell flips its bit, and where
// layouts are designed, a drag moves the border between two fields.

import { useSignal } from "@preact/signals";
import type { Layout, Role } from "edgeflake";
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";
import {
  borderAt,
  digitsOf,
  fieldValue,
  flipped,
  type Geometry,
  ID_BITS,
  meaningOf,
  type Place,
  placesOf,
} from "./bits.ts";
import { useSize } from "./controls.tsx";
import { counted } from "./words.ts";

interface StripProps {
  id: bigint;
  layout: Layout;
  onChange: (id: bigint) => void;
  /**
   * Takes a border's right field, the number of bits that it gains, and the drag that this belongs
   * to. Without it, borders do not move.
   */
  onBorder?: (field: number, by: number, drag?: object) => void;
  /** The roles of fields that are not decided yet, whose digits are hidden. */
  undecided?: readonly Role[];
}

/** The largest number of fields for which there is room side by side. */
const COLUMNS_MAX = 7;
/** The width of a field's column besides its bits, in bits, because a name and a value take it. */
const LEAST_BITS = 12;

export function Strip({ id, layout, onChange, onBorder, undecided = [] }: StripProps) {
  const figure = useRef<HTMLElement>(null);
  const columns = useSignal(columnsNow());
  /** The cell on which keys act, and the one whose field is explained. */
  const active = useSignal(ID_BITS - 1);
  const explained = useSignal<number | undefined>(undefined);
  const hasFocus = useSignal(false);
  useSize(figure, () => (columns.value = columnsNow()));

  const digits = digitsOf(id);
  const { places, outside } = placesOf(layout);
  const lit = places.findLastIndex(({ start }) => start <= (explained.value ?? -1));
  const isOneRow = columns.value === ID_BITS && places.length <= COLUMNS_MAX;

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      onChange(flipped(id, active.value));
      return;
    }
    const next = neighbour(event.key, active.value, columns.value);
    if (next === undefined) return;
    event.preventDefault();
    active.value = Math.max(0, Math.min(ID_BITS - 1, next));
    explained.value = active.value;
  };

  return (
    <figure ref={figure} class={isOneRow ? "strip-figure one-row" : "strip-figure"}>
      <div class="strip-rows">
        <div
          id="strip"
          class="strip"
          role="listbox"
          tabIndex={0}
          aria-multiselectable="true"
          aria-label="The 64 bits of the id: press one to flip it"
          aria-activedescendant={`bit-${ID_BITS - 1 - active.value}`}
          onKeyDown={onKeyDown}
          onClick={({ target }) => {
            const at = cellOf(target);
            if (at === undefined) return;
            active.value = at;
            explained.value = at;
            onChange(flipped(id, at));
          }}
          onPointerOver={({ target }) => {
            explained.value = cellOf(target) ?? explained.value;
          }}
          onFocus={() => {
            hasFocus.value = true;
            explained.value = active.value;
          }}
          onBlur={() => {
            hasFocus.value = false;
            explained.value = undefined;
          }}
          onPointerLeave={({ pointerType }) => {
            // A finger leaves when it is lifted, and then the visitor begins to read.
            if (pointerType === "mouse")
              explained.value = hasFocus.value ? active.value : undefined;
          }}
        >
          {[...digits].map((digit, at) => {
            const place = places.findLast(({ start }) => start <= at);
            const where = place
              ? `${place.name} ${at - place.start + 1} of ${place.bits}`
              : "outside the layout";
            const isHidden = place && undecided.includes(place.role);
            const classes = [
              "cell",
              place?.className ?? "outside",
              digit === "1" ? "one" : "",
              place && place === places[lit] ? "lit" : "",
              at === active.value ? "active" : "",
              at === place?.start && at > 0 ? "first" : "",
              isHidden ? "undecided" : "",
            ];
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the listbox has the focus.
              <span
                key={at}
                id={`bit-${ID_BITS - 1 - at}`}
                class={classes.filter(Boolean).join(" ")}
                role="option"
                aria-selected={digit === "1"}
                aria-label={`bit ${ID_BITS - 1 - at} is ${digit}, ${where}`}
              >
                {digit}
              </span>
            );
          })}
        </div>
        {onBorder && <Borders places={places} columns={columns.value} onBorder={onBorder} />}
      </div>
      {isOneRow && <Joints places={places} />}
      <FieldList
        places={places}
        digits={digits}
        layout={layout}
        lit={lit}
        undecided={undecided}
        isOneRow={isOneRow}
      />
      <p id="strip-detail" class="unseen" aria-live="polite">
        {explained.value !== undefined && detail(places[lit], digits, layout, outside)}
      </p>
    </figure>
  );
}

interface FieldListProps {
  places: Place[];
  digits: string;
  layout: Layout;
  lit: number;
  undecided: readonly Role[];
  isOneRow: boolean;
}

function FieldList({ places, digits, layout, lit, undecided, isOneRow }: FieldListProps) {
  const info = layout.info();
  const shares = columnShares(places).map((share) => `minmax(0, ${share.toFixed(4)}fr)`);
  return (
    <ul
      id="fields"
      class="fields"
      aria-label="Fields"
      style={isOneRow ? { gridTemplateColumns: shares.join(" ") } : {}}
    >
      {places.map((place, i) => {
        const { role, name, bits, className } = place;
        const value = fieldValue(digits, place);
        const isHidden = undecided.includes(role) ? "undecided" : "";
        return (
          <li key={i} class={`field ${className} ${i === lit ? "lit" : ""} ${isHidden}`}>
            <p class="name">
              <span class={`swatch ${className}`}>{name}</span>{" "}
              <span class="quiet small">{counted(bits, "bit")}</span>
            </p>
            <p class="value mono">{String(value)}</p>
            <p class="meaning quiet small">{meaningOf(place, value, layout, info)}</p>
          </li>
        );
      })}
    </ul>
  );
}

function detail(place: Place | undefined, digits: string, layout: Layout, outside: number) {
  if (!place) return `The first ${outside} bits are outside the layout: always 0.`;
  const value = fieldValue(digits, place);
  const meaning = meaningOf(place, value, layout, layout.info());
  return `${place.name}, ${counted(place.bits, "bit")}: ${value}, ${meaning}`;
}

type BordersProps = Required<Pick<StripProps, "onBorder">> & { places: Place[]; columns: number };

/** A handle on the left of each field that has a field before it. */
function Borders({ places, columns, onBorder }: BordersProps) {
  const place = useRef<HTMLDivElement>(null);
  const drag = useRef<{ field: number; geometry: Geometry } | undefined>(undefined);
  const onPointerDown = (event: TargetedPointerEvent<HTMLElement>, field: number) => {
    const strip = place.current?.previousElementSibling;
    const [first, last] = [strip?.firstElementChild, strip?.lastElementChild].map((cell) =>
      cell?.getBoundingClientRect(),
    );
    if (!strip || !first || !last) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, width } = strip.getBoundingClientRect();
    const rows = ID_BITS / columns;
    const rowHeight = rows === 1 ? first.height : (last.top - first.top) / (rows - 1);
    drag.current = { field, geometry: { left, width, top: first.top, rowHeight } };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (drag.current === undefined) return;
    // This uses the places of the bits at the beginning of the drag, because the text above them
    // may have changed since.
    const { field, geometry } = drag.current;
    const by = (places[field]?.start ?? 0) - borderAt(geometry, columns, clientX, clientY);
    if (by !== 0) onBorder(field, by, drag.current);
  };
  return (
    <div ref={place}>
      {places.slice(1).map(({ name, bits, start }, i) => {
        const left = places[i] as Place;
        return (
          // biome-ignore lint/a11y/useSemanticElements: an hr cuts off its handle.
          <div
            key={i}
            class="border"
            role="separator"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label={`border between ${left.name} and ${name}`}
            aria-valuenow={left.bits}
            aria-valuemin={1}
            aria-valuemax={left.bits + bits - 1}
            aria-valuetext={`${left.name} ${left.bits} bits, ${name} ${bits} bits`}
            style={{ "--at": start }}
            onKeyDown={(event) => {
              const by = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
              if (by === undefined) return;
              event.preventDefault();
              onBorder(i + 1, by);
            }}
            onPointerDown={(event) => onPointerDown(event, i + 1)}
            onPointerMove={onPointerMove}
            onLostPointerCapture={() => (drag.current = undefined)}
          />
        );
      })}
    </div>
  );
}

/** Joins the bits of each field, above, to its column, below. */
function Joints({ places }: { places: Place[] }) {
  const shares = columnShares(places);
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

/** Returns the number of cells in a row, as the style has it. */
function columnsNow() {
  if (matchMedia("(min-width: 64rem)").matches) return ID_BITS;
  return matchMedia("(min-width: 40rem)").matches ? ID_BITS / 2 : ID_BITS / 4;
}

/** Returns the width of each field's column, as a share of the strip. */
function columnShares(places: Place[]) {
  const sum = places.reduce((all, { bits }) => all + bits + LEAST_BITS, 0);
  return places.map(({ bits }) => (bits + LEAST_BITS) / sum);
}

function cellOf(target: EventTarget | null) {
  const [, bit] = /^bit-(\d+)$/.exec(target instanceof Element ? target.id : "") ?? [];
  return bit === undefined ? undefined : ID_BITS - 1 - Number(bit);
}

/** Returns the cell that a key goes to. */
function neighbour(key: string, at: number, columns: number): number | undefined {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (key === "Home") return 0;
  if (key === "End") return ID_BITS - 1;
  const step = new Map(Object.entries(steps)).get(key);
  return step === undefined ? undefined : at + step;
}
