// The free playground after the scenes: clocks to turn, leases to lose, computers to add.

import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { firstShown, Stage } from "./stage.tsx";
import { PLAYGROUND_TITLE, TURN_BACK_S } from "./steps.ts";
import {
  type Action,
  labelOf,
  letter,
  type Moment,
  momentOf,
  pass,
  waitText,
  worldAfter,
} from "./world.ts";

/** Time in which a second passes while it plays, in ms. */
const SECOND_MS = 900;
const COMPUTERS_MAX = 4;

/** `actions` lead to its beginning. */
export function Playground({ actions }: { actions: readonly Action[] }) {
  const [world, setWorld] = useState(() => worldAfter(actions));
  const moment = useSignal(momentOf(world));
  const news = useSignal("");
  const isPlaying = useSignal(false);
  const act = (action: Action, said = "") => {
    const before = moment.value;
    action(world);
    moment.value = momentOf(world);
    const happened = [said, ...changes(before, moment.value)].filter((one) => one !== "");
    if (happened.length === 0) return;
    news.value = happened.join(" ");
    announce(news.value);
  };
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(act, SECOND_MS, pass);
    return () => clearInterval(timer);
  }, [isPlaying.value, world]);
  const { computers, leased, classic } = moment.value;
  const buttons = (computer: number) => {
    const name = `computer ${computer + 1}`;
    const turning = (by: number) => {
      const text = `${by < 0 ? "Back" : "Ahead"} ${TURN_BACK_S} s`;
      const said = `The clock of ${name} was turned ${text.toLowerCase()}.`;
      return (
        <Button
          label={`${text}: clock of ${name}`}
          onClick={() => act((world) => world.turn(computer, by), said)}
        >
          {text}
        </Button>
      );
    };
    return (
      <span class="row">
        {turning(-TURN_BACK_S)}
        {turning(TURN_BACK_S)}
        <Button
          label={`Restart ${name}`}
          onClick={() =>
            act(
              (world) => world.restart(computer),
              `Computer ${computer + 1} restarted, without its lease.`,
            )
          }
        >
          Restart
        </Button>
      </span>
    );
  };
  return (
    <>
      <div class="told">
        <h2>{PLAYGROUND_TITLE}</h2>
        <p>
          Turn clocks. Restart a computer: it loses its lease. Add a copy of the last computer: its
          settings are the same, and so is its letter. Both ways get the same requests.
        </p>
        <div class="row">
          <Button
            kind="accent"
            icon={isPlaying.value ? "pause" : "play"}
            onClick={() => {
              isPlaying.value = !isPlaying.value;
            }}
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
              const begun = worldAfter(actions);
              setWorld(begun);
              moment.value = momentOf(begun);
              news.value = "";
            }}
          >
            Begin again
          </Button>
        </div>
        <p class="news">
          {news.value ||
            `So far: ${classic.duplicates} duplicates with classic snowflake, ${leased.duplicates} with edgeflake.`}
        </p>
      </div>
      <Stage moment={moment.value} from={firstShown(moment.value)} buttons={buttons} />
    </>
  );
}

/** Says what has changed between two moments. */
function changes(before: Moment, after: Moment): string[] {
  const repeated = after.classic.ids.slice(before.classic.ids.length).filter((id) => id.before > 0);
  const said =
    repeated.length === 0
      ? []
      : [`Classic snowflake repeated ${repeated.map(labelOf).join(", ")}.`];
  after.computers.forEach(({ lease, waiting, failure }, index) => {
    const name = `Computer ${index + 1}`;
    const { lease: earlier } = before.computers[index] ?? {};
    if (lease && lease.node !== earlier?.node) {
      said.push(
        `${name} has a lease on a stretch of its own, with the letter ${letter(lease.node)}.`,
      );
    } else if (failure === "" && waiting > 0) {
      said.push(`${name} waits with edgeflake.`);
    }
  });
  const longest = after.leased.longestWaitMs;
  if (longest > before.leased.longestWaitMs)
    said.push(`The longest wait is now ${waitText(longest)}.`);
  return said;
}
