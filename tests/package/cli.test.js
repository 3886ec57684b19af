// The command `edgeflake` of the npm package.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Layout, parse } from "edgeflake";
import { Bytes } from "../../packages/edgeflake/dist/cli/bytes.js";

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));

/**
 * @param {string[]} args
 * @param {string} [input]
 */
function edgeflake(args, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    env: { ...process.env, ORDER_KEY: "k:000102030405060708090a0b0c0d0e0f" },
    input,
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr };
}

for (const [name, args, expected, input] of /** @type {[string, string[], string, string?][]} */ ([
  [
    "decode",
    ["decode", "1541815603606036480", "--layout", "twitter"],
    `1541815603606036480 2022-06-28T16:07:40.105Z
  unused                   0 (1 bit)
  timestamp                367597485448 (41 bits)
  datacenter               11 (5 bits)
  worker                   26 (5 bits)
  sequence                 0 (12 bits)
`,
  ],
  [
    "decode as JSON, in a layout of one's own, of another encoding",
    ["decode", "--json", "-l", "timestamp:41 node:4 @1000", "-e", "hex", "7fffffff15"],
    '{"id":"549755813653","timestampMs":34359739353,"date":"1971-02-02T16:22:19.353Z","node":5,' +
      '"sequence":0,"tag":0,"fields":[{"name":"timestamp","bits":41,"role":"timestamp","value":' +
      '34359738353},{"name":"node","bits":4,"role":"node","value":5}],"warnings":[]}\n',
  ],
  [
    "decode of standard input",
    ["decode", "-l", "timestamp:41 @0"],
    `1782000000000 2026-06-21T00:00:00.000Z
  timestamp                1782000000000 (41 bits)
1782000000001 2026-06-21T00:00:00.001Z
  timestamp                1782000000001 (41 bits)
`,
    " 1782000000000\r\n\n1782000000001",
  ],
  [
    "format of standard input, as JSON",
    ["format", "-e", "base62", "--json"],
    '"1ptWyK4WgZU"\n"00000000000"\n',
    "1541815603606036480\n0\n",
  ],
  [
    "format with a prefix and a key",
    ["format", "--prefix=ord", "--key-env=ORDER_KEY", "1541815603606036480"],
    "ord_kJYnezlDLK7oQV\n",
  ],
  [
    "parse of standard input, as JSON",
    ["parse", "--prefix=ord", "--key-env=ORDER_KEY", "-ltwitter", "--json"],
    '"1541815603606036480"\n',
    "\n ord_kJYnezlDLK7oQV\r\n",
  ],
  [
    "parse without a key",
    ["parse", "--prefix=ord", "ord_1ptWyK4WgZU", "ord_00000000000"],
    "1541815603606036480\n0\n",
  ],
  [
    "make in another encoding",
    ["make", "1656432460105", "--node=378", "-ltwitter", "--encoding=base62"],
    "1ptWyK4WgZU\n",
  ],
  [
    "S13 make of a timestamp and a node",
    ["make", `${1388534400000 + 5289132000}`, "--node=1234", "-lsnowcast nodes=8192"],
    "44368455009519616\n",
  ],
  [
    "Q19 make in binary",
    ["make", "1656432460105", "--node=378", "-ltwitter", "--encoding=binary"],
    "0001010101100101101000010001111101100010000101111010000000000000\n",
  ],
  [
    "make of a date, with the fields of a node",
    ["make", "2022-06-28T16:07:40.105Z", "--layout=twitter", "--node=datacenter=11,worker=26"],
    "1541815603606036480\n",
  ],
  ["range", ["range", "2018-01-16", "2018-01-17"], "5435817984000000 5798205849599999\n"],
  [
    "range as JSON",
    ["range", "2018-01-16", "2018-01-17", "--node=7", "--json"],
    '{"min":"5435817984000007","max":"5798205849534471"}\n',
  ],
])) {
  test(name, () => {
    assert.deepEqual(edgeflake(args, input), { status: 0, stdout: expected, stderr: "" });
  });
}

for (const [call, message] of /** @type {[string, RegExp][]} */ ([
  ["", /^a command is missing\n\nedgeflake decode/],
  ["nope", /^no command is named nope: edgeflake --help lists/],
  ["decode --bad", /^Unknown option '--bad'/],
  [
    "decode 1 -lnope",
    /^no preset is named nope: hazelcast, .*, edge, and a layout string are allowed\n$/,
  ],
  ["decode 1 -lhost:5", /^layout string at position 0: /],
  ["decode 1 -enope", /^encoding is the string \S+: decimal,/],
  ["generate", /^generate needs --node, a node that is yours alone\n$/],
  ["generate --node=x", /^--node is x: a number of/],
  ["generate --node=65536", /^node 65536 is too large: at most/],
  ["make", /^make needs a time; got 0\n$/],
  ["make x", /^x is no time: Unix ms and a date are allowed/],
  ["make 0 --node=datacenter=3,datacenter=5", /^--node is \S+: each field/],
  ["make 0 --node=datacenter=3=5", /^--node is \S+: each field/],
  ["make 0 -ltwitter --node=datacenter=3", /^node.worker is undefined: an integer of 0 to/],
  ["parse ord_1", /^--prefix is missing: give the prefix of the texts, such as ord\n$/],
  ["format --key-env=ORDER_KEY 1", /^--prefix is missing: /],
  ["format --prefix=ord -ehex 1", /^--encoding and --prefix are given: one of them is allowed\n$/],
  [
    "format --prefix=ord --key-env=NO_KEY 1",
    /^the variable NO_KEY is not set: set it to a key of `edgeflake key`\n$/,
  ],
  ["format --prefix=ord --check-digits=1 1", /^checkDigits is 1: 0 is allowed without a key\n$/],
  ["format --prefix=Ord 1", /^prefix is the string Ord: 1 to 63 characters/],
  // JavaScript would read it in the zone of the machine.
  [
    "range 2018-01-16T00:00:00 2018-01-17",
    /^2018-01-16T00:00:00 is no time: .* zone 2018-01-01T00:00:00Z\n$/,
  ],
])) {
  test(`edgeflake ${call} is refused`, () => {
    const { status, stdout, stderr } = edgeflake(call.split(" ").filter(Boolean));
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr.replace(/^edgeflake: /, ""), message);
  });
}

test("key prints keys that differ", () => {
  const keys = [0, 1].map(() => edgeflake(["key"]).stdout);
  for (const key of keys) assert.match(key, /^[0-9A-Za-z]:[0-9a-f]{32}\n$/);
  assert.notEqual(keys[0].slice(2), keys[1].slice(2));
});

test("a text that is refused does not stop the others, and shows no key", () => {
  const args = ["parse", "--prefix=ord", "--key-env=ORDER_KEY", "ord_x", "ord_kJYnezlDLK7oQV"];
  assert.deepEqual(edgeflake(args), {
    status: 1,
    stdout: "1541815603606036480\n",
    stderr: "edgeflake: ord_x: the id has 1 characters after ord_: 14 are allowed\n",
  });
});

test("a refused line does not stop the others", () => {
  const { status, stdout, stderr } = edgeflake(["decode", "--json"], "1\nx\n2\n");
  assert.match(stdout, /^\{"id":"1",.*\n\{"id":"2",.*\n$/);
  assert.match(stderr, /^edgeflake: line 2: an id in decimal has x at position 0/);
  assert.equal(status, 1);
});

test("an argument without an id is refused, and an empty line is not", () => {
  const { status, stderr } = edgeflake(["decode", ""]);
  assert.match(stderr, /^edgeflake: : an id in decimal/);
  assert.equal(status, 1);
  const lines = edgeflake(["decode", "-ehex", "-ltwitter", "--json"], "\n \n1\nx");
  assert.match(lines.stderr, /^edgeflake: line 4: an id in hex has x at position 0/);
  assert.equal(JSON.parse(lines.stdout).id, "1");
});

test("lines are counted over the whole input of a pipe", () => {
  const ids = "1541815603606036480\n".repeat(20_000);
  const { stdout, stderr } = edgeflake(["decode", "-ltwitter", "--json"], `${ids}\nx\n${ids}y`);
  assert.equal(stdout.split("\n").length, 40_001);
  assert.deepEqual(stderr.match(/line \d+/g), ["line 20002", "line 40003"]);
});

test("numbers, dates and texts are those of the language", () => {
  /**
   * Fails unless `put` writes this text.
   *
   * @param {unknown} expected
   * @param {(bytes: Bytes) => void} put
   */
  const writes = (expected, put) => {
    const bytes = new Bytes();
    put(bytes);
    assert.equal(Buffer.from(bytes.take()).toString(), `${expected}`);
  };
  const edges = Array.from({ length: 20 }, (_, digits) => 10n ** BigInt(digits));
  const powers = Array.from({ length: 65 }, (_, bits) => 2n ** BigInt(bits));
  const random = Array.from({ length: 5000 }, (_, i) =>
    BigInt.asUintN(64, BigInt(i) * 0x9e37_79b9_7f4a_7c15n),
  );
  for (const number of [...edges, ...powers, ...random]) {
    for (const id of [number - 1n, number, number + 1n]) {
      if (id < 0n || id >= 2n ** 64n) continue;
      writes(id, (bytes) => bytes.id(Number(id >> 32n), Number(id & 0xffff_ffffn)));
      writes(id >> 11n, (bytes) => bytes.number(Number(id >> 11n)));
    }
  }
  const days = Array.from({ length: 4000 }, (_, day) => (day - 1000) * 86_400_000 * 17);
  const times = [0, 1, 999, 59_999, 60_000, 3_599_999, 43_200_000, 86_399_999];
  for (const ms of [...days.flatMap((day) => times.map((time) => day + time)), 8.64e15, -8.64e15]) {
    writes(new Date(ms).toISOString(), (bytes) => bytes.iso(ms));
  }
  const long = "x".repeat(100_000);
  writes(long, (bytes) => bytes.put(Buffer.from(long)));
});

test("ids that are decoded together have the results of each id alone", () => {
  // Warnings are compared by their codes, because the message about a date in the future has the
  // time of the call.
  const said = (/** @type {any} */ { warnings, ...rest }) => ({
    ...rest,
    warnings: warnings.map((/** @type {{ code: string }} */ { code }) => code),
  });
  const found = new Set();
  const split =
    "unused:1 timestamp:43 node.rack:3 tag:4 sequence.a:3 node:5 sequence.b:5 @2018-01-01";
  for (const name of ["hazelcast", "twitter", "mastodon", "edge", split]) {
    const layout = name === split ? Layout.parse(name) : Layout.preset(name);
    const { largestId } = layout.info();
    const now = layout.range(Date.now() - 1, Date.now()).max;
    const ids = Array.from({ length: 400 }, (_, i) => {
      const spread = (BigInt(i) * 0x9e37_79b9_7f4a_7c15n) % (i % 4 === 0 ? largestId : now);
      // Every third id was rounded to a JavaScript number.
      const near = i % 3 === 0 ? BigInt(`${Number(spread)}`) : spread;
      return (i % 50 === 0 ? spread >> 40n : near) & largestId;
    });
    // The ids are decoded among others once, and among ids of this year alone once.
    for (const some of [ids, Array.from({ length: 400 }, (_, i) => now - BigInt(i * 97_531_000))]) {
      const input = some.join("\n");
      const { stdout, stderr } = edgeflake(["decode", "--json", "--layout", name], input);
      assert.equal(stderr, "");
      const lines = stdout.trimEnd().split("\n");
      assert.equal(lines.length, some.length);
      for (const [i, line] of lines.entries()) {
        const alone = said(JSON.parse(JSON.stringify(layout.decode(some[i]))));
        assert.deepEqual(said(JSON.parse(line)), alone, `${name} ${some[i]}`);
        for (const code of alone.warnings) found.add(code);
      }
    }
  }
  assert.deepEqual([...found].sort(), [
    "at-epoch",
    "before-system",
    "future",
    "rounded",
    "sign-bit",
  ]);
});

test("decode without a layout reads the likeliest, and names it", () => {
  const id = "6685980502161199104";
  const { stdout, status } = edgeflake(["decode", id]);
  const [first] = stdout.split("\n");
  assert.equal(status, 0);
  assert.match(
    first,
    /^6685980502161199104 2020-07-06T18:59:31\.226Z in linkedin, the likeliest layout \(99\.\d %\)$/,
  );
  const json = JSON.parse(edgeflake(["decode", "--json", id]).stdout);
  assert.deepEqual([json.id, json.layout, json.node], [id, "linkedin", 25]);
  assert.ok(!("layout" in JSON.parse(edgeflake(["decode", "--json", "-llinkedin", id]).stdout)));
});

test("ids that are read together show where they come from", () => {
  const tweet = "1541815603606036480";
  const newer = "1585841080431321088";
  const layouts = (/** @type {string[]} */ args, input = "") =>
    edgeflake(["decode", "--json", ...args], input)
      .stdout.trim()
      .split("\n")
      .map((line) => JSON.parse(line).layout);
  assert.deepEqual(layouts([tweet, newer]), ["twitter", "twitter"]);
  assert.deepEqual(layouts([], `${tweet}\n\n${newer}\n`), ["twitter", "twitter"]);
  const { stdout } = edgeflake(["identify", "--top=1", tweet, newer]);
  assert.match(stdout, /^1541815603606036480\n +\d+\.\d % {2}twitter /);
  const lines = Array.from({ length: 1500 }, (_, i) => `${BigInt(newer) + (BigInt(i) << 22n)}`);
  const found = layouts([], [tweet, ...lines].join("\n"));
  assert.deepEqual([found.length, new Set(found)], [1501, new Set(["twitter"])]);
});

test("Unix time", () => {
  assert.match(
    edgeflake(["decode", "1700000000123"]).stdout,
    /^1700000000123 2023-11-14T22:13:20\.123Z in unix-ms, the likeliest layout \(\d+\.\d %\)\n$/,
  );
  assert.deepEqual(JSON.parse(edgeflake(["decode", "--json", "1700000000123"]).stdout), {
    id: "1700000000123",
    timestampMs: 1700000000123,
    date: "2023-11-14T22:13:20.123Z",
    layout: "unix-ms",
  });
});

test("help and version", () => {
  const { stdout } = edgeflake(["--help"]);
  assert.match(stdout, /^edgeflake decode \[ID\.\.\.\]/);
  for (const args of [["-h"], ["help"]]) {
    assert.deepEqual(edgeflake(args), { status: 0, stdout, stderr: "" });
  }
  const { version } = JSON.parse(
    readFileSync(new URL("../../packages/edgeflake/package.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(edgeflake(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
});

test("identify", () => {
  const { stdout } = edgeflake(["identify"], "6685980502161199104\n");
  assert.match(
    stdout,
    /^6685980502161199104\n {2}81\.\d % {2}linkedin +2020-07-06T18:59:31\.226Z /,
  );
  const { id, candidates } = JSON.parse(edgeflake(["identify", "--json", "1"]).stdout);
  assert.deepEqual([id, candidates.length > 20], ["1", true]);
  const likeliest = edgeflake(["identify", "--top=2", "6685980502161199104"]).stdout;
  assert.equal(likeliest.trim().split("\n").length, 3);
  const first = JSON.parse(edgeflake(["identify", "--json", "--top=1", "1"]).stdout);
  assert.equal(first.candidates.length, 1);
});

test("layouts", () => {
  const { stdout } = edgeflake(["layouts", "--json"]);
  for (const line of stdout.trim().split("\n")) {
    const { name, layout } = JSON.parse(line);
    assert.equal(`${Layout.preset(name)}`, layout);
  }
  assert.match(edgeflake(["layouts"]).stdout, /^hazelcast {9}unused:1 timestamp:41 /);
});

test("generate, and end after the clock has passed the last tick", () => {
  const layout = Layout.parse("unused:1 timestamp:35 sequence:1 node:9 @2020-01-01 tick=100ms");
  const { stdout, status } = edgeflake([
    "generate",
    "--node=3",
    "-n5",
    "--encoding=base62",
    "--layout",
    `${layout}`,
  ]);
  const ended = Date.now();
  const ids = stdout
    .trim()
    .split("\n")
    .map((line) => layout.decode(parse(line, "base62")));
  assert.deepEqual([status, ids.length, new Set(ids.map(({ id }) => id)).size], [0, 5, 5]);
  assert.ok(ids.every(({ node }) => node === 3));
  const last = ids[4].timestampMs;
  assert.ok(last - ids[0].timestampMs >= 200, "two ids a tick");
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
  let complaints = "";
  child.stderr.on("data", (data) => {
    complaints += data;
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = await once(child, "exit");
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
