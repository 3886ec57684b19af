// The smallest and the largest id between two dates, as a condition of SQL.

import { EdgeflakeError, type Layout, toSigned } from "edgeflake";
import { change } from "../history.ts";
import { layout, shown } from "../session.ts";
import { state } from "../state.ts";
import { Code } from "../ui/code.tsx";
import { Field } from "../ui/field.tsx";
import { neededMoment } from "../ui/words.ts";

const DAY_MS = 86_400_000;

export function Range() {
  const { from, until, node } = state.value;
  const shownMs = shown.value.decoded?.timestampMs ?? Date.now();
  const day = shownMs - (shownMs % DAY_MS);
  const [begin, end] = [from || dated(day), until || dated(day + DAY_MS)];
  const { refused, min, max, sql } = rangeOf(layout.value, begin, end, node);
  return (
    <div class="stack">
      <div class="thirds">
        <Field id="from" label="From" value={begin} onInput={(text) => change({ from: text })} />
        <Field
          id="until"
          label="Until before"
          value={end}
          onInput={(text) => change({ until: text })}
        />
        <Field
          id="range-node"
          label="Node"
          value={node}
          isNumber
          placeholder="all"
          onInput={(text) => change({ node: text })}
        />
      </div>
      <p id="range-error" class="error" aria-live="polite">
        {refused}
      </p>
      {refused === "" && (
        <>
          <div class="halves">
            <Field id="range-min" label="Smallest id" value={min} hasCopy />
            <Field id="range-max" label="Largest id" value={max} hasCopy />
          </div>
          <Code id="sql" name="SQL" text={sql} />
        </>
      )}
    </div>
  );
}

function rangeOf(of: Layout, begin: string, end: string, node: string) {
  try {
    const fromMs = neededMoment(begin, "from");
    const untilMs = neededMoment(end, "until");
    const one = node.trim() === "" ? {} : { node: nodeOf(node, of) };
    const range = of.range(fromMs, untilMs, one);
    const sql = condition(range, of, node.trim() !== "");
    return { refused: "", min: String(range.min), max: String(range.max), sql };
  } catch (refusal) {
    if (!(refusal instanceof EdgeflakeError) && !(refusal instanceof RangeError)) throw refusal;
    return { refused: refusal.message, min: "", max: "", sql: "" };
  }
}

function nodeOf(text: string, of: Layout) {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  throw new RangeError(
    `node "${trimmed}" is no node: an integer from 0 to ${of.info().nodes - 1} is allowed`,
  );
}

function dated(ms: number) {
  return new Date(ms).toISOString().replace("T00:00:00.000Z", "");
}

function condition({ min, max }: { min: bigint; max: bigint }, of: Layout, isOfNode: boolean) {
  const lines = [`SELECT * FROM events WHERE id BETWEEN ${min} AND ${max};`];
  if (toSigned(max) < 0n) {
    const signed =
      toSigned(min) < 0n
        ? `id BETWEEN ${toSigned(min)} AND ${toSigned(max)}`
        : `(id >= ${min} OR id <= ${toSigned(max)})`;
    lines[0] += " -- BIGINT UNSIGNED";
    lines.push(`SELECT * FROM events WHERE ${signed}; -- BIGINT`);
  }
  const hasNode = of.fields.some(({ role }) => role === "node");
  if (isOfNode && hasNode) lines.push("-- ids of other nodes may lie between them");
  return lines.join("\n");
}
