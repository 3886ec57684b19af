// Runs `edgeflake migrate check`, which compares the ids of an old system with a new layout.

import { readFileSync } from "node:fs";
import { Layout } from "../layout/layout.js";
import { jsonReplacer } from "../text/json.js";
import { parse } from "../text/text.js";
import { moment, Usage, whole } from "./arguments.js";
import { compare, type MigrationReport, type OldId } from "./migration.js";

type Options = Partial<Record<"from" | "to" | "ids" | "at" | "ahead", string>>;

/** Runs the command with the arguments after `migrate`; returns its output and its exit code. */
export function migrate(
  args: string[],
  values: Options & { json: boolean },
): { text: string; code: number } {
  if (args.length !== 1 || args[0] !== "check") {
    throw new Usage(
      `migrate got ${args.join(" ") || "no argument"}: write "migrate check", and then its options`,
    );
  }
  if (values.to === undefined) throw new Usage("migrate needs --to, the layout of the new ids");
  const to = Layout.parse(values.to);
  const report = compare(
    values.from === undefined ? undefined : Layout.parse(values.from),
    to,
    values.ids === undefined ? [] : oldIds(readFileSync(values.ids, "utf8")),
    values.at === undefined ? undefined : moment(values.at),
    whole("--ahead", values.ahead),
  );
  const text = values.json ? `${JSON.stringify(report, jsonReplacer)}\n` : described(to, report);
  return { text, code: report.isAbove ? 0 : 1 };
}

/** Reads one id per line. The id's time may follow after a comma, a semicolon, a tab or a space. */
function oldIds(text: string): OldId[] {
  return text.split("\n").flatMap((line, index) => {
    const [id, time] = line.trim().split(/[,;\t ]+/, 2);
    // Skips empty lines, and a first line without digits, which may be the header of a table.
    if (id === "" || (index === 0 && !/\d/.test(id))) return [];
    try {
      return [{ id: parse(id, "decimal"), timestampMs: time ? moment(time) : undefined }];
    } catch (error) {
      throw new Usage(`line ${index + 1} of the ids: ${(error as Error).message}`);
    }
  });
}

/** Returns the report as text for people. */
function described(to: Layout, report: MigrationReport) {
  const { from, largestOld, smallestNew, aboveFrom, isAbove, repeated } = report;
  const day = (date: Date) => date.toISOString();
  const above = isAbove
    ? `yes, from ${day(aboveFrom as Date)} on, if the old system issues no id after --at`
    : aboveFrom === undefined
      ? "no, never"
      : `no, only from ${day(aboveFrom)} on`;
  const repeats =
    repeated === undefined
      ? "none"
      : `new ids may be equal to old ones of ${day(repeated.from)} to ${day(repeated.until)}` +
        `${repeated.given > 0 ? `, among them ${repeated.given} of the given ids` : ""}`;
  const lines = [
    ["old", `${from}`],
    ["", `the largest id is ${largestOld}`],
    ["new", `${to}`],
    ["", `the smallest id is ${smallestNew}`],
    ["above all old ids", above],
    ["repeated", repeats],
    [
      "new ids until",
      `${day(report.until)}; in a signed column, positive until ${day(report.positiveUntil)}`,
    ],
    ...report.remedies.map((remedy, index) => [index === 0 ? "do one of" : "", remedy]),
  ];
  return lines.map(([name, value]) => `${name.padEnd(19)}${value}\n`).join("");
}
