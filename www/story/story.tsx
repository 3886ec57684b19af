// The story "Why no clock can repeat an id": six scenes, then the playground, with clocks to turn,
// leases to lose and computers to add.

import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { change, plainFragment, state } from "../state.ts";
import { announce, Button } from "../ui/controls.tsx";
import { count, counted } from "../ui/words.ts";
import { Stage } from "./stage.tsx";
import { PLAYGROUND_TITLE, SCENES, type Scene, TURN_BACK_S } from "./steps.tsx";
import {
  type Action,
  AHEAD_MAX_S,
  labelOf,
  letter,
  type Moment,
  momentOf,
  pass,
  stretchText,
  waitText,
  worldAfter,
} from "./world.ts";

/** How long a second of the story takes while it plays, in ms. */
const SECOND_MS = 900;
const COMPUTERS_MAX = 4;

function Playground() {
  const news = useSignal("");
  const isPlaying = useSignal(false);
  const act = (action: Action, ...said: string[]) => {
    const before = moment.value;
    action(world);
    moment.value = momentOf(world);
    const happened = [...said, ...changes(before, moment.value)];
    if (happened.length === 0) return;
    news.value = happened.join(" ");
    announce(news.value);
  };
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(act, SECOND_MS, pass);
    return () => clearInterval(timer);
  }, [isPlaying.value]);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Focus the heading, because the focused button that led here is gone.
    if (hasMoved && document.activeElement === document.body) head.current?.focus();
    // When the visitor comes back from another part of the page, the playground begins again.
    return () => {
      if (told.peek().scene > LAST) follow(LAST + 1);
    };
  }, []);
  const { computers, leased, classic } = moment.value;
  const waiting = computers.reduce((sum, computer) => sum + computer.waiting, 0);
  // Classic snowflake answers each request at once.
  const refused = classic.ids.length - leased.ids.length - waiting;
  const buttons = (computer: number) => {
    const name = `computer ${computer + 1}`;
    const button = (text: string, label: string, action: Action, said: string) => (
      <Button label={label} onClick={() => act(action, said)}>
        {text}
      </Button>
    );
    const turning = (by: number) => {
      const text = `${by < 0 ? "Back" : "Ahead"} ${TURN_BACK_S} s`;
      const said = `The clock of ${name} was turned ${text.toLowerCase()}.`;
      return button(text, `${text}: clock of ${name}`, (world) => world.turn(computer, by), said);
    };
    const restarted = `Computer ${computer + 1} restarted, without its lease.`;
    return (
      <span class="row">
        {turning(-TURN_BACK_S)}
        {turning(TURN_BACK_S)}
        {button("Restart", `Restart ${name}`, (world) => world.restart(computer), restarted)}
      </span>
    );
  };
  return (
    <div class="scene">
      <div class="told">
        <h2 ref={head} tabIndex={-1}>
          {PLAYGROUND_TITLE}
        </h2>
        <p>
          Turn a clock. Restart a computer, which then loses its lease. Add a copy of the last
          computer: in classic snowflake, the copy has the same letter.
        </p>
        <div class="row">
          <Button
            kind="accent"
            icon={isPlaying.value ? "pause" : "play"}
            onClick={() => (isPlaying.value = !isPlaying.value)}
          >
            {isPlaying.value ? "Pause" : "Play"}
          </Button>
          <Button onClick={() => act(pass)}>One second</Button>
          <Button
            icon="plus"
            isDisabled={computers.length >= COMPUTERS_MAX}
            onClick={() => act((world) => world.copy(), "A copy of the last computer was added.")}
          >
            Add a copy
          </Button>
          <Button
            kind="plain"
            icon="back"
            onClick={() => {
              follow(LAST + 1);
              news.value = "";
            }}
          >
            Begin again
          </Button>
        </div>
        <p class="news">{news.value}</p>
      </div>
      <Stage moment={moment.value} hasPen buttons={buttons} />
      <p class="card lens lesson">
        <span>
          Classic snowflake has made <b class="error">{counted(classic.duplicates, "duplicate")}</b>
          .
        </span>
        <span>
          edgeflake has made <b>{leased.duplicates || "none"}</b>: requests waited instead,{" "}
          {waitText(leased.longestWaitMs)} at most
          {waiting > 0 && <>, {count(waiting)} still waiting</>}
          {refused > 0 && <>, and {count(refused)} got an error</>}.
        </span>
      </p>
    </div>
  );
}

/** Says what has changed between two moments. */
function changes(before: Moment, after: Moment): string[] {
  const repeated = after.classic.ids.slice(before.classic.ids.length).filter((id) => id.before > 0);
  const said: string[] = [];
  if (repeated.length > 0) {
    said.push(`Classic snowflake repeated ${repeated.map(labelOf).join(", ")}.`);
  }
  after.computers.forEach(({ clock, lease, waiting, failure }, index) => {
    const { lease: earlier } = before.computers[index] ?? {};
    const name = `computer ${index + 1}`;
    if (lease && lease.node !== earlier?.node) {
      const own = letter(lease.node);
      said.push(
        `The authority lends ${name} letter ${own} for ${stretchText(lease)}: no other computer has ${own} in these seconds.`,
      );
      if (earlier) said.push(`With ${letter(earlier.node)}, ${name} would wait longer.`);
      if (lease.from > clock)
        said.push(`The lease of ${own} begins after the clock of ${name}, which is behind.`);
    } else if (failure === "" && waiting > 0) {
      said.push(`With edgeflake, ${name} waits.`);
    }
  });
  const longest = after.leased.longestWaitMs;
  if (longest > before.leased.longestWaitMs)
    said.push(`The longest wait is now ${waitText(longest)}.`);
  return said;
}

/** The longest time between two actions that are played, and of a whole scene, in ms. */
const ACTION_MS = 600;
const SCENE_MS = 1500;

const LAST = SCENES.length;

/** Returns the actions of all scenes up to this one. */
const actionsUntil = (scene: number) => SCENES.slice(0, scene).flatMap(({ actions }) => actions);

let world = worldAfter(actionsUntil(1));
const moment = signal(momentOf(world));
/**
 * The scene that is shown, with its moment. It follows the state once the scene's actions have been
 * played.
 */
const told = signal({ scene: 1, moment: moment.peek() });
/** The scene that plays or is shown. */
let target = 1;
const isPassing = signal(false);
/** The reply to the answer that was chosen last, with which a scene begins. */
const answered = signal({ scene: 0, reply: "" });
/** Whether the visitor has gone from a scene to another. */
let hasMoved = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function follow(scene: number) {
  clearTimeout(timer);
  target = scene;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isNext = !isPassing.peek() && scene === told.peek().scene + 1 && scene <= LAST;
  if (isNext && !isStill) {
    const { actions } = SCENES[scene - 1];
    return play(actions, scene, Math.min(ACTION_MS, SCENE_MS / actions.length));
  }
  world.free();
  world = worldAfter(actionsUntil(scene));
  show(scene);
}

/** Takes the actions one after the other, then shows the scene. */
function play(actions: readonly Action[], scene: number, pauseMs: number) {
  if (actions.length === 0) return show(scene);
  const [action, ...others] = actions;
  action(world);
  moment.value = momentOf(world);
  isPassing.value = true;
  timer = setTimeout(play, pauseMs, others, scene, pauseMs);
}

function show(scene: number) {
  isPassing.value = false;
  moment.value = momentOf(world);
  told.value = { scene, moment: moment.value };
}

const chosen = () => Math.min(Math.max(state.value.scene, 1), LAST + 1);

effect(() => {
  if (state.value.part === "story" && chosen() !== target) follow(chosen());
});

function goTo(scene: number, reply = "") {
  hasMoved = true;
  answered.value = { scene, reply };
  // If a step is pressed while a scene plays, the rest of the scene is skipped.
  if (isPassing.peek()) follow(scene);
  change({ scene });
}

export function Story() {
  const at = told.value.scene;
  const scene = SCENES.at(at - 1);
  // The next scene announces its own words, once it is shown.
  useLayoutEffect(() => () => announce(""), [at]);
  return (
    <div class="story stack">
      <header class="row apart">
        <h1>Why no clock can repeat an id</h1>
        <Steps at={at} />
      </header>
      {scene ? <SceneView scene={scene} at={at} /> : <Playground />}
      <p class="quiet small">
        These ids have 16 bits and count seconds, so that you see all of them; real ones have 64 and
        count milliseconds, and may be 15 s ahead of the clock, not {AHEAD_MAX_S}&nbsp;s.
        edgeflake's own authority, leases and generators make them here, in simulated time. The
        classic way is that of a common library.
      </p>
    </div>
  );
}

function SceneView({ scene, at }: { scene: Scene; at: number }) {
  const now = told.value.moment;
  const whole = useRef<HTMLDivElement>(null);
  const said = answered.value.scene === at ? answered.value.reply : "";
  const words = `${said} ${scene.words(now)}`.trim();
  useEffect(() => {
    if (!hasMoved) return;
    announce(`${scene.title}. ${words} ${scene.question}`);
    if (document.activeElement !== document.body) return;
    // The next scene may have fewer buttons.
    whole.current?.querySelector<HTMLElement>(".accent")?.focus();
  }, [at]);
  return (
    <div class="scene" ref={whole}>
      <div class="told">
        <h2>{scene.title}</h2>
        <p>{words}</p>
        <p class="question">{scene.question}</p>
        <div class="row">
          {scene.buttons.map(([text, reply], i) => (
            <Button
              key={i}
              kind="accent"
              isDisabled={isPassing.value}
              onClick={() => goTo(at + 1, reply)}
            >
              {text}
            </Button>
          ))}
        </div>
      </div>
      {(at > 1 || isPassing.value) && (
        <Stage moment={moment.value} hasPen={scene.hasPen ?? false} />
      )}
      {scene.lens(now)}
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
            <span>{i + 1}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}
