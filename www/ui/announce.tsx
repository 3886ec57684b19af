// One place where a screen reader hears what has happened.

import { signal } from "@preact/signals";

const words = signal("");

/** Says what a reader of the screen sees anyway, such as "link copied". */
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
