// The frame of the page: its parts, of which the address names the shown one.

import { effect } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { partOf, plainFragment } from "./address.ts";
import { change, followHistory } from "./history.ts";
import { Decode } from "./parts/decode.tsx";
import { part } from "./session.ts";
import { linkProblem, PARTS, type Part, state } from "./state.ts";
import { Announcer } from "./ui/announce.tsx";
import { lazy } from "./ui/lazy.tsx";
import { offerUpdates, UpdateNotice } from "./update.tsx";

const shown: Record<Part, { title: string; Part: ComponentType }> = {
  decode: { title: "Take an id apart", Part: Decode },
  many: {
    title: "Compare many ids",
    Part: lazy(async () => (await import("./parts/many.tsx")).Many),
  },
  design: {
    title: "Design a layout",
    Part: lazy(async () => (await import("./parts/design.tsx")).Design),
  },
  live: {
    title: "Ids of this server",
    Part: lazy(async () => (await import("./parts/live.tsx")).Live),
  },
  story: {
    title: "Why no clock can repeat an id",
    Part: lazy(async () => (await import("./story/story.tsx")).Story),
  },
};

function Page() {
  const { Part: Shown } = shown[part.value];
  return (
    <>
      <Announcer />
      <UpdateNotice />
      {linkProblem.value !== "" && (
        <p id="link-problem" class="notice wrong error" role="alert">
          {linkProblem}
        </p>
      )}
      <Shown />
    </>
  );
}

const links = [...document.querySelectorAll<HTMLAnchorElement>("#parts a")];
for (const link of links) {
  link.addEventListener("click", (event) => {
    // With one of these keys the browser opens the link elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const chosen = partOf(link.hash.slice(1));
    if (chosen === "") return;
    event.preventDefault();
    change({ part: chosen });
    scrollTo({ top: 0 });
  });
}

await followHistory();
const main = document.getElementById("main");
if (main) {
  main.replaceChildren();
  render(<Page />, main);
}
effect(() => {
  document.title = `edgeflake: ${shown[part.value].title.toLowerCase()}`;
  for (const [i, link] of links.entries()) {
    const to = PARTS[i] ?? "decode";
    link.ariaCurrent = to === part.value ? "page" : null;
    link.href = `#${plainFragment({ ...state.value, part: to }) || to}`;
  }
});
offerUpdates();
