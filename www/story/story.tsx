// The story "Why no clock can repeat an id": six scenes with one button each, then the playground.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { plainFragment } from "../address.ts";
import { change } from "../history.ts";
import { state } from "../state.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { Lens } from "./lens.tsx";
import { Playground } from "./playground.tsx";
import { Stage } from "./stage.tsx";
import { PLAYGROUND_TITLE, SCENES, type Scene, TURNING_SCENE } from "./steps.ts";
import { type Action, momentOf, worldAfter } from "./world.ts";

/** Time between two actions while one watches, in ms. */
const ACTION_MS = 600;
const FIRST_SECOND = 10;

const LAST = SCENES.length;

/** Returns the actions of all scenes up to this one. */
const actionsUntil = (scene: number) => SCENES.slice(0, scene).flatMap(({ actions }) => actions);

let world = worldAfter(actionsUntil(1));
const moment = signal(momentOf(world));
/** The told scene, with its moment. It follows that of the state once its actions have passed. */
const told = signal({ scene: 1, moment: moment.peek() });
const isPassing = signal(false);
let timer: ReturnType<typeof setTimeout> | undefined;

function follow(scene: number) {
  clearTimeout(timer);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isNext = !isPassing.peek() && scene === told.peek().scene + 1 && scene <= LAST;
  if (isNext && !isStill) return play([...(SCENES[scene - 1]?.actions ?? [])], scene);
  world.free();
  world = worldAfter(actionsUntil(scene));
  show(scene);
}

/** Takes the actions one after the other, then shows the scene. */
function play(actions: Action[], scene: number) {
  const action = actions.shift();
  action?.(world);
  moment.value = momentOf(world);
  isPassing.value = true;
  if (actions.length > 0 || action !== undefined) {
    timer = setTimeout(play, ACTION_MS, actions, scene);
  } else {
    show(scene);
  }
}

function show(scene: number) {
  isPassing.value = false;
  moment.value = momentOf(world);
  told.value = { scene, moment: moment.value };
}

const chosen = () => Math.min(Math.max(state.value.scene, 1), LAST + 1);

effect(() => {
  if (state.value.part === "story" && chosen() !== told.peek().scene) follow(chosen());
});

const goTo = (scene: number) => change({ scene });

export function Story() {
  const at = told.value.scene;
  const scene = SCENES[at - 1];
  return (
    <div class="story stack">
      <header class="row apart">
        <h1>Why no clock can repeat an id</h1>
        <Steps at={at} />
      </header>
      {scene ? <SceneView scene={scene} at={at} /> : <Playground actions={actionsUntil(LAST)} />}
      <p class="quiet small">
        These ids have 16 bits and count seconds, so that you see all of them; real ones have 64 and
        count milliseconds. edgeflake's own authority, leases and generators make them here, in
        simulated time, with an allowed future of 3 s (15 s by default). The classic way is that of
        nodejs-snowflake.
      </p>
    </div>
  );
}

function SceneView({ scene, at }: { scene: Scene; at: number }) {
  const now = told.value.moment;
  const whole = useRef<HTMLDivElement>(null);
  const first = useRef(at);
  const isTurning = at === TURNING_SCENE;
  const isStaged = at > 1 || isPassing.value;
  useEffect(() => {
    if (at === first.current) return;
    first.current = 0;
    announce(`${scene.title}. ${scene.words(now)} ${scene.question}`);
    // The button of the next scene may be elsewhere.
    if (document.activeElement === document.body) whole.current?.querySelector("button")?.focus();
  }, [at]);
  const next = (
    <Button kind="accent" isDisabled={isPassing.value} onClick={() => goTo(at + 1)}>
      {scene.button}
    </Button>
  );
  return (
    <div class={`scene ${isStaged ? "" : "alone"}`} ref={whole}>
      <div class="told">
        <h2>{scene.title}</h2>
        <p>{scene.words(now)}</p>
        <p class="question">{scene.question}</p>
        {isTurning ? <p>↓ Turn the clock of computer 1 back yourself.</p> : <div>{next}</div>}
      </div>
      {isStaged && (
        <Stage
          moment={moment.value}
          from={FIRST_SECOND}
          buttons={(computer) => isTurning && computer === 0 && next}
        />
      )}
      <Lens focus={scene.focus(now)} moment={now} />
    </div>
  );
}

function Steps({ at }: { at: number }) {
  const titles = [...SCENES.map(({ title }) => title), PLAYGROUND_TITLE];
  return (
    <ol class="scenes">
      {titles.map((title, i) => (
        <li key={title}>
          <a
            href={`#${plainFragment({ ...state.value, part: "story", scene: i + 1 }) ?? "story"}`}
            aria-label={`Scene ${i + 1}: ${title}`}
            aria-current={i + 1 === at ? "step" : undefined}
            onClick={(event) => {
              event.preventDefault();
              goTo(i + 1);
            }}
          >
            {i + 1}
          </a>
        </li>
      ))}
    </ol>
  );
}
