// The controls that all parts of the page share: buttons, fields, choices and folded parts, with
// their icons.

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";

const words = signal("");

/** Tells users of screen readers what other users see, such as "link copied". */
export function announce(text: string) {
  words.value = text;
}

export function Announcer() {
  return (
    <p id="status" class="unseen" role="status">
      {words}
    </p>
  );
}

const PATHS = {
  back: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  check: "m5 13 4.5 4.5L19 7",
  chevron: "m9 6 6 6-6 6",
  clear: "m6 6 12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11m-5-4 5 5 5-5M5 20h14",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  pause: "M8 5v14M16 5v14",
  play: "m8 5 11 7-11 7z",
  plus: "M12 5v14M5 12h14",
} as const;

type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** How long a button shows that it has done its work, in ms. */
const DONE_MS = 1500;

interface ButtonProps {
  /** "accent" is for the main action of a part, and "plain" for an action within a line of text. */
  kind?: "accent" | "plain";
  icon?: IconName;
  onClick: () => void;
  /** The name for screen readers, if the content does not say it. */
  label?: string | undefined;
  isDisabled?: boolean;
  id?: string;
  children?: ComponentChildren;
}

export function Button({ kind, icon, onClick, label, isDisabled, id, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind ?? ""}`}
      id={id}
      aria-label={label}
      title={children === undefined ? label : undefined}
      // The attribute `disabled` would take the focus away from the button.
      aria-disabled={isDisabled ? "true" : undefined}
      onClick={() => isDisabled || onClick()}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Copies a text. `name` says what is copied. */
export function CopyButton({ name, text, children }: CopyProps) {
  const done = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      announce(`${name} copied`);
      done.value = "Copied";
    } catch (error) {
      const words = error instanceof RangeError ? error.message : "";
      announce(words || "this browser does not let the page copy: select the text and copy it");
      done.value = words ? "Too long" : "Not allowed";
    }
    setTimeout(() => (done.value = ""), DONE_MS);
  };
  const icon = done.value === "Copied" ? "check" : "copy";
  const label = children === undefined ? `Copy ${name}` : undefined;
  return (
    <Button kind="plain" icon={icon} onClick={copy} label={label}>
      {children && (done.value || children)}
    </Button>
  );
}

interface CopyProps {
  name: string;
  /** Returns the text to copy. Throws a `RangeError` with a message if there is none. */
  text: () => string | Promise<string>;
  children?: ComponentChildren;
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Calls `act`, and returns the message of the error that it throws; empty if it throws none. */
export function refusalOf(act: () => void): string {
  try {
    act();
    return "";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

interface FieldProps {
  label: string;
  value: string;
  /**
   * Takes the typed text, and throws an error if the text is invalid. Without this function, the
   * value can only be copied.
   */
  onInput?: (text: string) => void;
  id?: string;
  hasCopy?: boolean;
  isNumber?: boolean;
  placeholder?: string;
}

/**
 * A value that can be read, copied and edited. If a typed text is refused, the reason is shown
 * below it.
 */
export function Field(props: FieldProps) {
  const { label, value, onInput, hasCopy, isNumber, placeholder } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const input = useRef<HTMLInputElement>(null);
  const refusal = useSignal("");
  // The text does not change while the visitor types.
  useLayoutEffect(() => {
    const { current } = input;
    if (current && current !== document.activeElement) current.value = value;
  });
  return (
    <div class="typed-field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        class="mono"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        inputMode={isNumber ? "numeric" : undefined}
        placeholder={placeholder}
        readOnly={onInput === undefined}
        aria-invalid={refusal.value !== ""}
        aria-describedby={`${id}-error`}
        onInput={({ currentTarget }) => {
          refusal.value = refusalOf(() => onInput?.(currentTarget.value));
        }}
        onBlur={({ currentTarget }) => {
          refusal.value = "";
          currentTarget.value = value;
        }}
      />
      {hasCopy && <CopyButton name={label} text={() => value} />}
      <p id={`${id}-error`} class="error small" aria-live="polite">
        {refusal}
      </p>
    </div>
  );
}

/** A text for a program, with a button that copies it. */
export function Code({ id, name, text }: { id: string; name: string; text: string }) {
  return (
    <div class="code">
      <p class="row apart">
        <span class="quiet small">{name}</span>
        <CopyButton name={name} text={() => text} />
      </p>
      <pre id={id}>{text}</pre>
    </div>
  );
}

/** Calls `measure` once the element exists, and whenever its size changes. */
export function useSize<E extends Element>(
  place: { readonly current: E | null },
  measure: (element: E) => void,
) {
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const observer = new ResizeObserver(() => measure(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
}

/** A list of values with their names. */
export function Figures({ of, kind = "" }: { of: Figure[]; kind?: "facts" | "" }) {
  return (
    <dl class={`figures ${kind}`} aria-live={kind === "" ? undefined : "polite"}>
      {of.map(([id, name, value, aside]) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>
            <span id={id}>{value}</span>
            {aside && <span class="quiet small aside">{aside}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export type Figure = [id: string, name: string, value: string, aside?: string];

interface FoldProps {
  title: string;
  /** Words beside the title that say what is in the section. */
  note?: ComponentChildren;
  isOpen?: boolean;
  id?: string;
  children: ComponentChildren | (() => ComponentChildren);
}

/**
 * A folded section. If its child is a function, the function is called when the section is first
 * opened.
 */
export function Fold({ title, note, isOpen = false, id, children }: FoldProps) {
  const isMade = useSignal(isOpen);
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) =>
    (isMade.value ||= currentTarget.open);
  return (
    <details class="fold" id={id} open={isOpen} onToggle={onToggle}>
      <summary>
        <Icon name="chevron" />
        <h2>{title}</h2>
        {note !== undefined && <span class="quiet">{note}</span>}
      </summary>
      <div class="inside">
        {typeof children === "function" ? isMade.value && children() : children}
      </div>
    </details>
  );
}
