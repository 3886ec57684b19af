// Evaluates the alerts on scrapes of an authority with Prometheus's own promtool.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/command/paths.js";

const RULES = join(root, "docs", "alerts.yml");

/** Matches a sample of the text that Prometheus scrapes: a series and its value. */
const SAMPLE = /^(\w+(?:\{.*\})?) (\S+)$/;

/**
 * @typedef {{ text: string, seconds: number } | undefined} Scrape its result, and how long it took;
 * `undefined` for a minute in which Prometheus scrapes nothing
 */

/**
 * Returns the names of the alerts that fire after the last of these scrapes, one per minute. A
 * scrape without a text stands for a process that does not answer.
 *
 * @param {string} directory the directory of the files that promtool reads
 * @param {Scrape[]} scrapes
 */
export function firing(directory, scrapes) {
  const alerts = rules();
  const text = evaluate(directory, scrapes, (eval_time) => ({
    alert_rule_test: alerts.map((alertname) => ({ eval_time, alertname, exp_alerts: [] })),
  }));
  return alerts.filter((name) => new RegExp(`alertname: ${name},`).test(text));
}

/**
 * Returns the expressions that have no result after the last scrape.
 *
 * @param {string} directory the directory of the files that promtool reads
 * @param {Scrape[]} scrapes @param {string[]} expressions
 */
export function withoutResult(directory, scrapes, expressions) {
  return expressions.filter((expr) => {
    const text = evaluate(directory, scrapes, (eval_time) => ({
      promql_expr_test: [{ expr, eval_time, exp_samples: [] }],
    }));
    return !/got: *\{/.test(text);
  });
}

/**
 * Lets promtool evaluate a test that expects nothing, and returns what it found instead.
 *
 * @param {string} directory @param {Scrape[]} scrapes
 * @param {(evalTime: string) => object} expected
 */
function evaluate(directory, scrapes, expected) {
  /** @type {Map<string, string[]>} */
  const series = new Map();
  scrapes.forEach((scrape, minute) => {
    if (!scrape) return;
    const { text, seconds } = scrape;
    // Prometheus adds these two samples.
    const up = `up{job="edgeflake"} ${text === "" ? 0 : 1}`;
    const lines = [...text.split("\n"), up, `scrape_duration_seconds{job="edgeflake"} ${seconds}`];
    for (const [, name, value] of lines
      .map((line) => SAMPLE.exec(line) ?? [])
      .filter(({ length }) => length)) {
      const values = series.get(name) ?? Array(scrapes.length).fill("_");
      // promtool counts times from the first scrape on, so convert Unix times.
      values[minute] = name.includes("timestamp")
        ? `${Number(value) - Date.now() / 1_000 + (scrapes.length - 1) * 60}`
        : value;
      series.set(name, values);
    }
  });
  const file = join(directory, "scrapes.json");
  const input_series = [...series].map(([series, values]) => ({
    series,
    values: values.join(" "),
  }));
  const test = { interval: "1m", input_series, ...expected(`${scrapes.length - 1}m`) };
  // JSON is also YAML.
  const content = { rule_files: [RULES], evaluation_interval: "1m", tests: [test] };
  writeFileSync(file, JSON.stringify(content));
  return promtool("test", file).text;
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
