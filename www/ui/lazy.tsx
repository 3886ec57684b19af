// A part whose script is loaded when it is first shown.

import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "./button.tsx";

type Loaded = ComponentType | "failed" | undefined;

/** `load` returns the component, which has no properties. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  const loaded: Signal<Loaded> = signal(undefined);
  const start = async () => {
    loaded.value = undefined;
    try {
      const component = await load();
      loaded.value = component;
    } catch (error) {
      loaded.value = "failed";
      // A module that cannot be fetched is a TypeError.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  return function Lazy() {
    useEffect(() => {
      if (loaded.value === undefined) start();
    }, []);
    const { value: Part } = loaded;
    if (Part === undefined) return <p class="quiet">Loading …</p>;
    if (Part !== "failed") return <Part />;
    return (
      <p class="notice wrong" role="alert">
        This part could not be loaded. Go online, or load the page again if it has a new version.
        <Button onClick={() => location.reload()}>Load again</Button>
      </p>
    );
  };
}
