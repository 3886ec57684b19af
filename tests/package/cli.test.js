// Tests the command `edgeflake` of the npm package.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as consumed } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Layout, parse } from "edgeflake";
import { OPTIONS } from "../../packages/edgeflake/dist/cli/arguments.js";
import { isoOf } from "../../packages/edgeflake/dist/cli/lines.js";
import { temporary } from "../harness/temporary.js";
import { Random } from "./simulation/random.js";

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));

const inputFile = join(temporary(), "input");

/** @param {string[]} args @param {string} [input] */
function edgeflake(args, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    env: { ...process.env, ORDER_KEY: "k:000102030405060708090a0b0c0d0e0f" },
    input,
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr };
}

// In cli.txt, the lines below a call are its input (<), its output and its errors (!). A call whose
// last line is [1] exits with 1, and any other call with errors exits with 2. If a call only prints
// an error, the error follows ->. INPUT stands for a file with the input, and "..." for anything.
for (const text of readFileSync(new URL("cli.txt", import.meta.url), "utf8").split(/\n(?=\$)/)) {
  const [call, ...lines] = text.trimEnd().replace(" -> ", "\n! edgeflake: ").split("\n");
  test(call, () => {
    const args = [...call.matchAll(/ (?:'([^']*)'|(\S+))/g)].map(
      ([, quoted, plain]) => quoted ?? plain,
    );
    const input = lines.filter((line) => /^<( |$)/.test(line)).map((line) => line.slice(2));
    const wanted = lines.filter((line) => !/^<( |$)/.test(line));
    const given = input.join("\n").replaceAll("\\r", "\r").replaceAll("\\t", "\t");
    writeFileSync(inputFile, given);
    const named = args.slice(1).map((arg) => arg.replace("INPUT", inputFile));
    const { status, stdout, stderr } = edgeflake(named, given);
    const errors = stderr.replaceAll(/^/gm, "! ").replaceAll(/^! $/gm, "!").replace(/!$/, "");
    const found = `${stdout}${errors}${status === 1 ? "[1]\n" : ""}`;
    assert.equal(status, found.endsWith("[1]\n") ? 1 : stderr === "" ? 0 : 2);
    const parts = `${wanted.join("\n")}\n`.split("...").map(RegExp.escape);
    assert.match(found, RegExp(`^${parts.join("[^]*")}$`));
  });
}

test("S13 Q19 make of a timestamp and a node, and in binary", () => {
  const made = (/** @type {string[]} */ ...args) => edgeflake(["make", ...args]).stdout;
  const [id, layout] = ["44368455009519616\n", "-lsnowcast nodes=8192"];
  assert.equal(made(`${1388534400000 + 5289132000}`, "--node=1234", layout), id);
  assert.match(made("0", "-ltimestamp:41 @0", "-ebinary"), /^0{64}\n$/);
});

test("migrate finds the layout of many ids", () => {
  const old = Layout.parse("timestamp:42 node:10 @1600000000000");
  const ids = Array.from({ length: 200_000 }, (_, i) => {
    const timestampMs = 1_700_000_000_000 + 1_000 * i;
    // Every second time was noted late.
    return `${old.encode({ timestampMs })},${timestampMs + (i % 2 === 0 ? 10_000 : 0)}`;
  });
  writeFileSync(inputFile, ids.join("\n"));
  const args = ["migrate", "check", "--json", "--to=twitter", `--ids=${inputFile}`];
  const { from } = JSON.parse(edgeflake(args).stdout);
  assert.equal(from, "unused:2 timestamp:52 node:10 @1600000000000 tick=1ms");
});

test("lines are counted over the whole input of a pipe", () => {
  const ids = "1541815603606036480\n".repeat(20_000);
  const { stdout, stderr } = edgeflake(["decode", "-ltwitter", "--json"], `${ids}\nx\n${ids}y`);
  assert.equal(stdout.split("\n").length, 40_001);
  assert.deepEqual(stderr.match(/line \d+/g), ["line 20002", "line 40003"]);
});

test("dates are those of the language", () => {
  const days = Array.from({ length: 4000 }, (_, day) => (day - 1000) * 86_400_000 * 17);
  const times = [0, 1, 999, 59_999, 60_000, 3_599_999, 43_200_000, 86_399_999];
  for (const ms of [...days.flatMap((day) => times.map((time) => day + time)), 8.64e15, -8.64e15]) {
    assert.equal(isoOf(ms), new Date(ms).toISOString());
  }
});

test("ids that are decoded together have the results of each id alone", () => {
  // Only the codes of warnings are compared, because the message about a date in the future
  // contains the time of the call.
  const said = (/** @type {any} */ { warnings, ...rest }) => ({
    ...rest,
    warnings: warnings.map((/** @type {{ code: string }} */ { code }) => code),
  });
  const found = new Set();
  const random = new Random(4711);
  const split =
    "unused:1 timestamp:43 node.rack:3 tag:4 sequence.a:3 node:5 sequence.b:5 @2018-01-01";
  for (const text of ["hazelcast", "twitter", "mastodon", "edge", split]) {
    const layout = Layout.parse(text);
    const now = layout.range(Date.now() - 1, Date.now()).max;
    // First come ids of any time, some of them rounded to a JavaScript number, then only recent ids.
    const any = Array.from({ length: 400 }, (_, i) => {
      const id = (random.bits() & layout.info().largestId) >> BigInt(random.pick([0, 1, 40]));
      return i % 3 === 0 ? BigInt(Number(id) - (Number(id) % 2 ** 40)) : id;
    });
    for (const ids of [any, any.map((_, i) => now - BigInt(i * 97_531_000))]) {
      const input = ids.join("\n");
      const { stdout, stderr } = edgeflake(["decode", "--json", "--layout", text], input);
      assert.equal(stderr, "");
      const lines = stdout.trimEnd().split("\n");
      assert.equal(lines.length, ids.length);
      for (const [i, line] of lines.entries()) {
        const alone = said(JSON.parse(JSON.stringify(layout.decode(ids[i]))));
        assert.deepEqual(said(JSON.parse(line)), alone, `${text} ${ids[i]}`);
        for (const code of alone.warnings) found.add(code);
      }
    }
  }
  const warnings = ["at-epoch", "before-system", "future", "rounded", "sign-bit"];
  assert.deepEqual([...found].sort(), warnings);
});

test("many ids that are read together show where they come from", () => {
  const newer = 1585841080431321088n;
  const lines = Array.from({ length: 1500 }, (_, i) => `${newer + (BigInt(i) << 22n)}`);
  const input = ["1541815603606036480", ...lines].join("\n");
  const found = edgeflake(["decode", "--json"], input).stdout.trim().split("\n");
  const layouts = new Set(found.map((line) => JSON.parse(line).layout));
  assert.deepEqual([found.length, layouts], [1501, new Set(["twitter"])]);
});

test("help and version", () => {
  const { stdout } = edgeflake(["--help"]);
  assert.match(stdout, /^edgeflake decode \[ID\.\.\.\]/);
  const named = [...stdout.matchAll(/^ +(?:-\w, +)?--([\w-]+)/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), Object.keys(OPTIONS).sort());
  const commands = Object.values(OPTIONS).flatMap(({ commands }) => commands);
  const listed = [...stdout.matchAll(/^edgeflake (\w+)/gm)].map(([, name]) => name);
  const sorted = (/** @type {string[]} */ names) => [...new Set(names)].sort();
  assert.deepEqual(sorted(listed), sorted(commands.map((name) => name.split(" ")[0])));
  for (const args of [["-h"], ["help"]]) {
    assert.deepEqual(edgeflake(args), { status: 0, stdout, stderr: "" });
  }
  const { version } = JSON.parse(
    readFileSync(new URL("../../packages/edgeflake/package.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(edgeflake(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
});

test("authority sql, and layouts", () => {
  const sql = readFileSync(new URL("../../wire/src/database.sql", import.meta.url), "utf8");
  assert.equal(edgeflake(["authority", "sql"]).stdout, sql);
  const { stdout } = edgeflake(["authority", "sql", "--synchronous"]);
  assert.equal(stdout, `${sql}\nUPDATE edgeflake.server SET is_synchronous = true;\n`);
  for (const line of edgeflake(["layouts", "--json"]).stdout.trim().split("\n")) {
    const { name, layout } = JSON.parse(line);
    assert.equal(`${Layout.preset(name)}`, layout);
  }
});

test("generate, and end after the clock has passed the last tick", () => {
  const layout = Layout.parse("unused:1 timestamp:35 sequence:1 node:9 @2020-01-01 tick=100ms");
  const args = ["generate", "--node=3", "-n5", "--encoding=base62", "--layout", `${layout}`];
  const { stdout, status } = edgeflake(args);
  const ended = Date.now();
  const texts = stdout.trim().split("\n");
  const ids = texts.map((text) => layout.decode(parse(text, "base62")));
  assert.deepEqual([status, ids.length, new Set(ids.map(({ id }) => id)).size], [0, 5, 5]);
  assert.ok(ids.every(({ node }) => node === 3));
  const last = ids[4].timestampMs;
  assert.ok(last - ids[0].timestampMs >= 200, "a tick has more than two ids");
  assert.ok(ended >= last + layout.tickMs, `ended ${ended - last} ms after its last tick began`);
});

test("it answers a line before the next one comes", async () => {
  const child = spawn(process.execPath, [cli, "decode", "--json"]);
  try {
    const lines = createInterface({ input: child.stdout });
    for (const id of ["1", "2"]) {
      child.stdin.write(`${id}\n`);
      const [line] = await once(lines, "line");
      assert.equal(JSON.parse(line).id, id);
    }
    child.stdin.end();
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  } finally {
    child.kill();
  }
});

test("a reader that stops early is no failure", async () => {
  const child = spawn(process.execPath, [cli, "generate", "--node=4", "-n100000"]);
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [[code], complaints] = await Promise.all([once(child, "exit"), consumed(child.stderr)]);
  assert.deepEqual([code, complaints], [0, ""]);
});

test("a full disk is reported in one line", {
  skip: existsSync("/dev/full") ? false : "there is no /dev/full",
}, () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [cli, "layouts"], {
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  assert.match(stderr, /^edgeflake: ENOSPC: .*\n$/);
  assert.equal(status, 2);
});
