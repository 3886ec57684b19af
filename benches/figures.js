// Formats the figures of a whole run as text to paste into README.md and docs/FIGURES.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/command/paths.js";
import { fail } from "../tools/command/run.js";
import { isNoise } from "./table.js";

/** @import { Row } from "./bench.js" */

/**
 * The libraries that the tables compare with edgeflake. The name of a library's row begins with one
 * of these strings.
 */
const NAMES = [
  ...["snowyflake", "@sapphire/snowflake", "nodejs-snowflake", "nanoid", "uid", "uuid v4"],
  ...["uuid v7", "uuidv7", "ulid", "sqids", "hashids", "typeid-js"],
  ...["snowid", "ferroid", "snowflaked", "snowflake_me", "scru64", "tsid"],
];

/** Lists the pinned versions of these libraries. */
function versions() {
  const read = (/** @type {string} */ file) => readFileSync(join(root, "benches", file), "utf8");
  const packages = Object.entries(JSON.parse(read("js/package.json")).devDependencies);
  const crates = read("Cargo.toml").matchAll(/^([\w-]+) = .*?"=([\d.]+)"/gm);
  const list = (/** @type {string[][]} */ peers) =>
    peers
      .filter(([name]) => NAMES.some((known) => known.split(" ")[0] === name))
      .map((peer) => peer.join(" "))
      .join(", ");
  return `${list(packages)}; of crates, ${list([...crates].map(([, ...peer]) => peer))}`;
}

/**
 * Returns the tables and sentences with the figures of these rows.
 *
 * @param {Row[]} rows of all parts
 */
export function figures(rows) {
  /** @param {string} group the start of the group @param {string} name the start of the name */
  const found = (group, name) =>
    rows.find((row) => row.group.startsWith(group) && row.name.startsWith(name)) ??
    fail(`no row of ${group} begins with ${name}`);
  /** @param {string} group @param {string} name */
  const value = (group, name) => told(found(group, name));
  /**
   * Formats the rows of other libraries in a group, the fastest first.
   *
   * @param {string} group @param {string[]} [only]
   */
  const others = (group, only = NAMES) =>
    rows
      .filter((row) => row.group === group && only.some((name) => row.name.startsWith(name)))
      .toSorted((a, b) => a.value.median - b.value.median)
      .map((row) => {
        const name = only.find((name) => row.name.startsWith(name));
        // If a row's name has a rate, the library waits when the ids of a ms are used up. So its
        // figure shows this rate and not the cost of an id.
        const [rate] = row.name.match(/[\d,]+ ids per ms/) ?? [];
        return `${name} ${told(row)}${rate ? ` (${rate})` : ""}`;
      })
      .join(", ");
  const js = (/** @type {string} */ platform, /** @type {string} */ group) =>
    `JavaScript, ${platform}: ${group}`;
  const [bigint, string, many] = ["an id as a bigint", "an id as a string", "many ids, an id"];
  const apart = "an id taken apart, everything read";
  const rust = "Rust: next";
  const clock = "floor: Date.now() and";
  const platforms = [
    ...new Set(rows.flatMap(({ group }) => group.match(/(?<=^JavaScript, )\w+/) ?? [])),
  ];

  const node = `Node ${process.versions.node.split(".")[0]}`;

  const lines = [
    ["`next()`", bigint, "edgeflake next (16", clock],
    ["`decode()`", apart, "edgeflake decode (", ""],
    ["`decode()` and `fields`", apart, "edgeflake decode, with each field", "floor: an object"],
  ].flatMap(([what, group, ours, floor]) =>
    platforms.map((platform) => [
      `${what}, ${platform === "Node" ? node : platform}`,
      value(js(platform, group), ours),
      floor && value(js(platform, group), floor),
      others(js(platform, group)),
    ]),
  );
  const nodeFloor = value(js("Node", bigint), clock);
  lines.push(
    ...["decimal", "base62"].map((encoding) => [
      `\`nextString()\` in ${encoding}, ${node}`,
      value(js("Node", string), `edgeflake nextString, ${encoding}`),
      nodeFloor,
      others(js("Node", string)),
    ]),
    ...["fill", "batch"].map((call) => [
      `\`${call}\` of 1,024, ${node}`,
      value(js("Node", many), `edgeflake ${call}`),
      value(js("Node", many), call === "fill" ? "floor: writing" : "floor: new"),
      "",
    ]),
    ...["decodeMany", "identifyMany"].map((call) => [
      `\`${call}\` of a text, ${node}`,
      value(js("Node", "10000 ids taken apart"), `edgeflake ${call} of a text`),
      "",
      "",
    ]),
    [
      `\`edgeflake decode\` in a pipe, ${node}`,
      value(js("Node", "1000000 lines"), "edgeflake decode --layout twitter"),
      value(js("Node", "1000000 lines"), "floor: a program that copies"),
      "",
    ],
    [
      "`next`, Rust, with the clock",
      value(rust, "edgeflake, system's clock"),
      value(rust, "floor: the system's clock"),
      others(rust),
    ],
    ...[1, 2, 4].map((threads) => [
      `\`SharedGenerator\`, Rust, ${threads} ${threads === 1 ? "thread" : "threads"}`,
      value(`Rust: ${threads} threads`, "edgeflake shared"),
      "",
      `\`Generator\` in a mutex ${value(`Rust: ${threads} threads`, "edgeflake in a mutex")}, ${others(`Rust: ${threads} threads`)}`,
    ]),
  );
  const publicLines = ["format", "parse"].map((call) => {
    const group = `a public id ${call === "format" ? "written" : "read"}`;
    return [
      `\`${call}()\` of \`PublicIds\``,
      ...[" (", ", without"].map((kind) =>
        value(js("Node", group), `edgeflake/public ${call}${kind}`),
      ),
      value(js("Node", string), "edgeflake nextString, base62"),
      others(js("Node", group)),
    ];
  });
  const object = "Authority in its object";
  const [start, lease, generate] = ["start", "lease", "generate"].map((part) =>
    found("Worker: cold", part),
  );
  const isStartLost = isNoise(start.value);
  const counted = isStartLost ? [lease, generate] : [start, lease, generate];
  const cold = Math.round(counted.reduce((sum, row) => sum + row.value.median, 0));
  const startText = isStartLost
    ? "the start itself takes as long as that of the minimal Worker, to within the noise"
    : `${told(start)} ms because edgeflake's Worker starts more slowly`;
  const grants = 1 / found("Rust: authority", "acquire and release (65536").value.median;
  const renewals = 1 / found("Rust: authority", "renew (65536").value.median;
  const ours = value(js("Node", bigint), "edgeflake next (16");
  const row = value(object, "an object that writes one row");
  const mixed = value(object, "6 renew, acquire, release");
  return `docs/FIGURES.md:

${table([["ns per id", "edgeflake", "floor", "others in the same run"], ...lines], [1, 2])}
The versions of npm packages are ${versions()}.

${table([[`ns per id, ${node}`, "with a key", "without", "`nextString()`", "others in the same run"], ...publicLines], [1, 2, 3])}
- **Requests for an id:** per second, edgeflake's Worker answers ${ratio(found("Worker", "POST /v1/ids, 1 json"))} times as many requests as a minimal Worker of workers-rs, the Rust framework.
  A Worker that calls a Durable Object per id answers ${ratio(found("Worker", "a Durable Object call"))} times as many.
- **The first id** of a cold isolate takes ${cold} ms longer than the minimal Worker takes to start: ${startText}, ${told(lease)} ms for the lease,
  ${told(generate)} ms for the request itself.
- **A shard**, the Durable Object that leases nodes, does ${mixed} operations per second on one core.
  Without a witness, it does ${value(object, "renew, without a witness")} renewals, and an object that only writes a row ${row}. The code alone decides ${(1e3 * renewals).toFixed(1)} million renewals per second with
  65,536 nodes, or ${(1e3 * grants).toFixed(1)} million grants and releases.

README.md:

${table(
  [
    ["what, on 2 cores", "edgeflake", "for comparison"],
    [
      `\`next()\` of a \`Generator\` (you choose its node) in ${node}, ns per id`,
      ours,
      `${nodeFloor} for reading the clock and one call of WebAssembly; ${others(js("Node", bigint), ["snowyflake"])}`,
    ],
    [
      "first id of a cold isolate, beyond the time that a minimal Worker takes to start",
      `${cold} ms`,
      isStartLost
        ? `${told(lease)} ms of it for the lease`
        : `${told(lease)} ms for the lease, ${told(start)} ms because edgeflake's Worker starts more slowly, ${told(generate)} ms for the request`,
    ],
    [
      "operations per second of one shard of the authority, measured (by default it accepts 1,000)",
      mixed,
      `an object that only writes a row: ${row}`,
    ],
  ],
  [1],
)}`;
}

/** @param {Row} row */
function told({ value }) {
  if (isNoise(value)) return "n/a";
  const { median } = value;
  return median < 10 ? median.toFixed(2) : Math.round(median).toLocaleString("en");
}

/** @param {Row} row */
const ratio = ({ ratio }) => (ratio && !isNoise(ratio) ? ratio.median.toFixed(2) : "n/a");

/**
 * @param {string[][]} rows the first has the titles
 * @param {number[]} numeric the columns of numbers
 */
function table([head, ...rows], numeric) {
  const rule = head.map((_, column) => (numeric.includes(column) ? "--:" : "---"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
