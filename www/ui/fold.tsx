import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface FoldProps {
  title: string;
  /** Words beside the title, which say what is inside. */
  note?: ComponentChildren;
  isOpen?: boolean;
  id?: string;
  children: ComponentChildren | (() => ComponentChildren);
}

/** A folded part. Children that are a function are made when it is first opened. */
export function Fold({ title, note, isOpen = false, id, children }: FoldProps) {
  const open = useSignal(isOpen);
  const isMade = useSignal(isOpen);
  return (
    <details
      class="fold"
      id={id}
      open={open.value}
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open;
        if (currentTarget.open) isMade.value = true;
      }}
    >
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
