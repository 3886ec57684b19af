import { CopyButton } from "./button.tsx";

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
