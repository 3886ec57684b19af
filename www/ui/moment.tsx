import { CopyButton } from "./button.tsx";
import { ago, iso, local } from "./words.ts";

/** A date as the answer: in UTC, then how long ago it was and by the reader's own clock. */
export function Moment({ ms, made }: { ms: number; made: string }) {
  const text = iso(ms);
  const [, date = text, time = ""] = /^(.+)T(.+)Z$/.exec(text) ?? [];
  const past = ago(ms);
  return (
    <div class="moment">
      <p class="when" aria-live="polite">
        <time id="time" dateTime={text}>
          <span>{date}</span> <span>{time}</span>
        </time>{" "}
        <span class="quiet zone">UTC</span>
        <CopyButton name="date" text={() => text} />
      </p>
      <p id="local-time">
        {made && past.endsWith("ago") ? `${made} ${past}` : past}
        <span class="quiet"> · here {local(ms)}</span>
      </p>
    </div>
  );
}
