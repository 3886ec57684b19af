import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { announce } from "./announce.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Time for which a button says what it has done, in ms. */
const DONE_MS = 1500;

export interface ButtonProps {
  /** "accent" for the one action that a part is about, "plain" for one in a line of text. */
  kind?: "accent" | "plain";
  icon?: IconName;
  onClick: () => void;
  /** Name for screen readers, if the content does not say it. */
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
      // A button that becomes disabled would lose the focus.
      aria-disabled={isDisabled ? "true" : undefined}
      onClick={() => isDisabled || onClick()}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Copies a text. `name` says what is copied. */
export function CopyButton({ name, text, kind = "plain", children }: CopyProps) {
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
    setTimeout(() => {
      done.value = "";
    }, DONE_MS);
  };
  const icon = done.value === "Copied" ? "check" : "copy";
  const content = children === undefined ? undefined : done.value || children;
  return (
    <Button
      kind={kind}
      icon={icon}
      onClick={copy}
      label={children === undefined ? `Copy ${name}` : undefined}
    >
      {content}
    </Button>
  );
}

interface CopyProps {
  name: string;
  /** A `RangeError` says why there is nothing to copy. */
  text: () => string | Promise<string>;
  kind?: "accent" | "plain";
  children?: ComponentChildren;
}
