// A new version of the page waits until the visitor takes it, so that no version loads a script of
// another one.

import { signal } from "@preact/signals";
import { Button } from "./ui/button.tsx";

const waiting = signal<ServiceWorker | null>(null);

export async function offerUpdates(): Promise<void> {
  const registration = await navigator.serviceWorker?.register("sw.js");
  if (!registration) return;
  const offer = () => {
    // The first version of all needs no page to wait.
    if (navigator.serviceWorker.controller) waiting.value = registration.waiting;
  };
  offer();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offer);
  });
}

export function UpdateNotice() {
  const worker = waiting.value;
  if (worker === null) return null;
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("take over");
  };
  return (
    <p id="update" class="notice" role="status">
      A new version of this page is here.
      <Button kind="plain" onClick={take}>
        Load it
      </Button>
    </p>
  );
}
