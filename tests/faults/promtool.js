// Evaluates the alerts on scrapes of an authority with Prometheus's own promtool.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/command/paths.js";

const RULES = join(root, "docs", "alerts.yml");

/** Matches a sample of the text that Prometheus scrapes: a series and its value. */
const SAMPLE = /^(\w+(?:\{.*\})?) (\S+)$/;

/**
 * Returns the names of the alerts that fire after the last of these scrapes, one per minute. A
 * scrape without a text stands for a process that does not answer.
 *
 * @param {string} directory the directory of the files that promtool reads
 * @param {{ text: string, seconds: number }[]} scrapes the result of each, and how long it took
 */
export function firing(directory, scrapes) {
  /** @type {Map<string, string[]>} */
  const series = new Map();
  scrapes.forEach(({ text, seconds }, minute) => {
    // Prometheus adds these two samples.
    const up = `up{job="edgeflake"} ${text === "" ? 0 : 1}`;
    const lines = [...text.split("\n"), up, `scrape_duration_seconds{job="edgeflake"} ${seconds}`];
    for (const [, name, value] of lines
      .map((line) => SAMPLE.exec(line) ?? [])
      .filter(({ length }) => length)) {
      const values = series.get(name) ?? Array(scrapes.length).fill("_");
      // promtool counts times from the first scrape on.
      values[minute] = name.includes("timestamp")
        ? `${Number(value) - Date.now() / 1_000 + (scrapes.length - 1) * 60}`
        : value;
      series.set(name, values);
    }
  });
  const at = `${scrapes.length - 1}m`;
  const alerts = rules();
  const file = join(directory, "scrapes.json");
  // JSON is also YAML.
  const test = {
    rule_files: [RULES],
    evaluation_interval: "1m",
    tests: alerts.map((alertname) => ({
      interval: "1m",
      name: alertname,
      input_series: [...series].map(([series, values]) => ({ series, values: values.join(" ") })),
      alert_rule_test: [{ eval_time: at, alertname, exp_alerts: [] }],
    })),
  };
  writeFileSync(file, JSON.stringify(test));
  const { text } = promtool("test", file);
  return alerts.filter((name) => new RegExp(`alertname: ${name},`).test(text));
}

/** Lists the names of all alerts. */
function rules() {
  const { status, text } = promtool("check", RULES);
  if (status !== 0) throw new Error(text);
  return [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
}

/** @param {"check" | "test"} command @param {string} file */
function promtool(command, file) {
  const { error, status, stdout, stderr } = spawnSync("promtool", [command, "rules", file], {
    encoding: "utf8",
  });
  if (error) throw new Error("promtool does not run: install Debian's package prometheus");
  return { status, text: `${stdout}${stderr}` };
}
