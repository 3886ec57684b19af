// The frame of the page. The address names the part that is shown. A new version of the page waits
// until the visitor accepts it, so that a page never loads scripts of another version.

import { effect, signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { useEffect } from "preact/hooks";
import { Decode } from "./parts/decode.tsx";
import { part } from "./session.ts";
import {
  change,
  followHistory,
  linkProblem,
  PARTS,
  type Part,
  partOf,
  plainFragment,
  state,
} from "./state.ts";
import { Announcer, Button } from "./ui/controls.tsx";

const waiting = signal<ServiceWorker | null>(null);

async function offerUpdates(): Promise<void> {
  const registration = await navigator.serviceWorker?.register("sw.js");
  if (!registration) return;
  const offer = () => {
    // The very first version need not wait, because no older page is open.
    if (navigator.serviceWorker.controller) waiting.value = registration.waiting;
  };
  offer();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offer);
  });
}

function UpdateNotice() {
  const worker = waiting.value;
  if (worker === null) return null;
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("take over");
  };
  return (
    <p id="update" class="row notice" role="status">
      A new version of this page is here.
      <Button kind="plain" onClick={take}>
        Load it
      </Button>
    </p>
  );
}

/** Returns a component that calls `load` for its content when it is first rendered. */
function lazy(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<ComponentType | "failed" | undefined>(undefined);
  const start = async () => {
    try {
      loaded.value = await load();
    } catch (error) {
      loaded.value = "failed";
      // The import throws a TypeError if the module cannot be fetched.
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
      <p class="row notice wrong" role="alert">
        This part could not be loaded. Go online, or load the page again if it has a new version.
        <Button onClick={() => location.reload()}>Load again</Button>
      </p>
    );
  };
}

const shown: Record<Part, [title: string, content: ComponentType]> = {
  decode: ["Take an id apart", Decode],
  many: ["Compare many ids", lazy(async () => (await import("./parts/many.tsx")).Many)],
  design: ["Design a layout", lazy(async () => (await import("./parts/design.tsx")).Design)],
  live: ["Ids of this server", lazy(async () => (await import("./parts/live.tsx")).Live)],
  story: [
    "Why no clock can repeat an id",
    lazy(async () => (await import("./story/story.tsx")).Story),
  ],
};

function Page() {
  const [, Content] = shown[part.value];
  return (
    <>
      <Announcer />
      <UpdateNotice />
      {linkProblem.value !== "" && (
        <p id="link-problem" class="row notice wrong error" role="alert">
          {linkProblem}
        </p>
      )}
      <Content />
    </>
  );
}

const links = [...document.querySelectorAll<HTMLAnchorElement>("#parts a")];
for (const link of links) {
  link.addEventListener("click", (event) => {
    // If one of these keys is held, the browser opens the link in another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    change({ part: partOf(link.hash.slice(1)) });
    scrollTo({ top: 0 });
  });
}

const main = document.getElementById("main") as HTMLElement;
// The fragment of this link names a place in the page, not a state.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// Without this pause, loading the modules and rendering would block the page as one long task.
await new Promise((resolve) => setTimeout(resolve));
await followHistory();
main.replaceChildren();
render(<Page />, main);
effect(() => {
  const [title] = shown[part.value];
  document.title = `edgeflake: ${title.toLowerCase()}`;
  for (const [i, link] of links.entries()) {
    const to = PARTS[i];
    link.ariaCurrent = to === part.value ? "page" : null;
    link.href = `#${plainFragment({ ...state.value, part: to }) || to}`;
  }
});
offerUpdates();
