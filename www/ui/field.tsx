import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "./button.tsx";

interface FieldProps {
  label: string;
  value: string;
  /** Reads what is typed; an error says why it cannot. Without it, the value is only copied. */
  onInput?: (text: string) => void;
  id?: string;
  hasCopy?: boolean;
  isNumber?: boolean;
  placeholder?: string;
}

/** A value that is read, copied, and edited: a text that is refused is explained below it. */
export function Field(props: FieldProps) {
  const { label, value, onInput, hasCopy = false, isNumber = false, placeholder } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const input = useRef<HTMLInputElement>(null);
  const refusal = useSignal("");
  // A text that is being typed stays as it is.
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
          refusal.value = "";
          try {
            onInput?.(currentTarget.value);
          } catch (error) {
            if (!(error instanceof Error)) throw error;
            refusal.value = error.message;
          }
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
