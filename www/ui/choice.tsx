import { useId } from "preact/hooks";

export interface Option<T extends string> {
  value: T;
  text: string;
}

interface ChoiceProps<T extends string> {
  legend: string;
  options: readonly Option<T>[];
  /** Any other value than those of the options chooses none. */
  value: string;
  onChange: (value: T) => void;
}

/** A segmented choice of one of a few options. */
export function Choice<T extends string>({ legend, options, value, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <span class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.text}
          </label>
        ))}
      </span>
    </fieldset>
  );
}
