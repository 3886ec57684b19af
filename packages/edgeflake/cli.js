#!/usr/bin/env node
import { readFileSync } from "node:fs";
import process, { argv, stdin, stdout } from "node:process";
import { pipeline } from "node:stream/promises";
import * as util from "node:util";
import { idsOf } from "./entry/input.js";
import { Lines, percentOf } from "./entry/lines.js";
import { EdgeflakeError, encode, encodings, Generator, Layout, presets } from "./entry/node.js";
import { candidatesOf, likeliestOf, weightsTogether } from "./lib/identify.js";

/** @import { Candidate, Encoding, NodeId } from "edgeflake" */

/** How many ids tell, together, from which systems all come. */
const COMPANY = 1024;

const PORT_MAX = 65_535;

/** The names of the encodings, on lines of their own. */
const ENCODINGS = `${encodings().join(", ")} `.replace(
  /(.{1,70}) /g,
  "\n                         $1",
);

const USAGE = `edgeflake decode [ID...]            what ids say
edgeflake identify [ID...]          which systems ids may come from
edgeflake encode TIME               the id of a time, in Unix ms or as a date
edgeflake range FROM UNTIL          the smallest and the largest id of a time
edgeflake generate                  new ids of a node that is yours alone
edgeflake layouts                   the known layouts
edgeflake dev [--port PORT]         edgeflake's Worker and its page on this machine

  -l, --layout LAYOUT    a name that \`layouts\` lists, with its options as in
                         "snowcast nodes=129 epoch=2014-02-01" or
                         "hazelcast epoch-start=1514764800000 bits-sequence=6 bits-node-id=16";
                         or a layout string such as
                         "unused:1 timestamp:41 sequence:6 node:16 @2018-01-01". Without it,
                         decode takes the likeliest for each id, and names it; all others
                         take hazelcast
  -e, --encoding NAME    how ids are written and read, decimal without it:${ENCODINGS}
      --json             a line of JSON each
      --node NODE        generate, encode, range: the node, such as 5, or datacenter=3,worker=5
      --sequence N       encode: the sequence
      --tag N            generate, encode: the tag
  -n, --count N          generate: how many ids; 1
      --top N            identify: at most so many systems for each id
      --port PORT        dev: where it listens; 8787
  -h, --help             this, as does \`edgeflake help\`
      --version          the version of the package

Output on a terminal has colours, unless NO_COLOR is set.

Without ids, decode and identify read them from standard input, one per line. The ids beside an id
tell from which system it comes: the first 1,024 of a file, and of a slow pipe those that have
arrived.
`;

/** The options that each command takes. */
const OPTIONS = new Map([
  ["dev", ["port"]],
  ["decode", ["layout", "encoding", "json"]],
  ["identify", ["encoding", "json", "top"]],
  ["encode", ["layout", "encoding", "json", "node", "sequence", "tag"]],
  ["range", ["layout", "encoding", "json", "node"]],
  ["generate", ["layout", "encoding", "json", "node", "tag", "count"]],
  ["layouts", ["json"]],
]);

/** What was called wrongly. */
class Usage extends Error {}

try {
  await main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`edgeflake: ${error.message}`);
  process.exitCode = 2;
}

/** @param {string[]} args after the command */
async function serve(args) {
  const { values, tokens } = util.parseArgs({
    args,
    tokens: true,
    options: {
      port: { type: "string", default: "8787" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return write([USAGE]);
  refuseOthers("dev", tokens);
  const port = whole("--port", values.port) ?? 0;
  if (port < 1 || port > PORT_MAX) {
    throw new Usage(`--port is ${values.port}: 1 to ${PORT_MAX} are allowed`);
  }
  // The other commands do not need it.
  const { dev } = await import("./entry/dev.js");
  process.exitCode = await dev(port);
}

async function main() {
  if (argv[2] === "dev") return serve(argv.slice(3));
  const {
    values: options,
    positionals,
    tokens,
  } = util.parseArgs({
    args: argv.slice(2),
    allowPositionals: true,
    tokens: true,
    options: {
      layout: { type: "string", short: "l" },
      encoding: { type: "string", short: "e", default: "decimal" },
      json: { type: "boolean", default: false },
      node: { type: "string" },
      sequence: { type: "string" },
      tag: { type: "string" },
      count: { type: "string", short: "n", default: "1" },
      top: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", default: false },
    },
  });
  const [command, ...rest] = positionals;
  if (options.help || command === "help") return write([USAGE]);
  if (options.version) return write([`${version()}\n`]);
  refuseOthers(command, tokens);

  const encoding = /** @type {Encoding} */ (options.encoding);
  const layout = Layout.parse(options.layout ?? "hazelcast");
  const known = new Map(presets().map((name) => [name, Layout.preset(name)]));
  const node = nodeOf(options.node);
  const tag = whole("--tag", options.tag);
  const top = whole("--top", options.top);
  const isColoured = stdout.isTTY && !process.env.NO_COLOR && stdout.hasColors();
  // Node 20 knows how to style from 20.12 on.
  const lines = new Lines(options.json, (style, text) =>
    isColoured && util.styleText ? util.styleText(style, text) : text,
  );

  switch (command) {
    case "decode":
      if (options.layout !== undefined) {
        return write(decodedIn(idsOf(rest, stdin, encoding, report)));
      }
      return write(identified(idsOf(rest, stdin, encoding, report), decodedLines));
    case "identify":
      return write(identified(idsOf(rest, stdin, encoding, report), candidateLines));
    case "encode": {
      const [time] = exactly(1, "a time");
      const sequence = whole("--sequence", options.sequence);
      return print(layout.encode({ timestampMs: moment(time), node, sequence, tag }));
    }
    case "range": {
      const [from, until] = exactly(2, "two times, FROM and UNTIL");
      const { min, max } = layout.range(moment(from), moment(until), { node });
      if (!options.json) return write([`${encode(min, encoding)} ${encode(max, encoding)}\n`]);
      return write([
        `${JSON.stringify({ min: encode(min, encoding), max: encode(max, encoding) })}\n`,
      ]);
    }
    case "generate": {
      exactly(0, "no arguments");
      if (node === undefined) throw new Usage("generate needs --node, a node that is yours alone");
      const count = whole("--count", options.count) ?? 1;
      return write(generate(layout, node, tag, count, written));
    }
    case "layouts":
      exactly(0, "no arguments");
      return write(
        presets().map((name) => {
          const text = `${Layout.preset(name)}`;
          if (options.json) return `${JSON.stringify({ name, layout: text })}\n`;
          return `${name.padEnd(18)}${text}\n`;
        }),
      );
    case undefined:
      throw new Usage(`a command is missing\n\n${USAGE}`);
    default:
      throw new Usage(`no command is named ${command}: edgeflake --help lists those that exist`);
  }

  /**
   * @param {number} count
   * @param {string} what
   */
  function exactly(count, what) {
    if (rest.length === count) return rest;
    throw new Usage(`${command} needs ${what}; got ${rest.length}`);
  }

  /** Decodes in the layout that the user named. @param {AsyncIterable<BigUint64Array>} ids */
  async function* decodedIn(ids) {
    for await (const some of ids) {
      const { refused, ...columns } = layout.decodeMany(some);
      for (const row of refused) {
        try {
          layout.decode(some[row]);
        } catch (error) {
          report(`${some[row]}`, error);
        }
      }
      yield* lines.decoded({ ...columns, layoutOf: () => layout });
    }
  }

  /** @type {(ids: BigUint64Array, nowMs: number, weights: Float64Array) => Iterable<Uint8Array>} */
  function decodedLines(id, nowMs, weights) {
    const { timestampMs, ...likeliest } = likeliestOf(id, nowMs, weights);
    const [node, sequence, tag] = [0, 1, 2].map(() => new Float64Array(id.length));
    for (const [preset, rows] of rowsBy(likeliest.preset)) {
      const some = rows.length < id.length ? BigUint64Array.from(rows, (row) => id[row]) : id;
      const columns = known.get(preset)?.decodeMany(some);
      for (let i = 0; columns && i < rows.length; i++) {
        node[rows[i]] = columns.node[i];
        sequence[rows[i]] = columns.sequence[i];
        tag[rows[i]] = columns.tag[i];
      }
    }
    const layoutOf = (/** @type {number} */ row) => known.get(likeliest.preset[row]);
    return lines.decoded({ id, timestampMs, node, sequence, tag, layoutOf, likeliest });
  }

  /** @type {(ids: BigUint64Array, nowMs: number, weights: Float64Array) => Iterable<string>} */
  function candidateLines(ids, nowMs, weights) {
    const text = textOf(ids, (id) => {
      const candidates = candidatesOf(id, nowMs, weights).slice(0, top);
      if (options.json) return `${JSON.stringify({ id: `${id}`, candidates })}\n`;
      return `${[`${id}`, ...candidates.map(likelihood)].join("\n")}\n`;
    });
    return [text];
  }

  /** @param {bigint} id */
  function print(id) {
    return write([written(id)]);
  }

  /** The line of an id. @param {bigint} id */
  function written(id) {
    return options.json ? `"${encode(id, encoding)}"\n` : `${encode(id, encoding)}\n`;
  }
}

/**
 * Refuses options that another command takes, and what is there twice.
 *
 * @param {string | undefined} command
 * @param {{ kind: string, name?: string, rawName?: string }[]} tokens what was found, in its order
 */
function refuseOthers(command, tokens) {
  const allowed = command === undefined ? undefined : OPTIONS.get(command);
  const given = new Set();
  for (const { kind, name = "", rawName } of tokens) {
    if (kind !== "option") continue;
    if (given.has(name)) throw new Usage(`${rawName} is given twice: give it once`);
    given.add(name);
    if (allowed && !allowed.includes(name)) {
      const takes = allowed.map((option) => `--${option}`).join(", ");
      throw new Usage(`${command} takes no ${rawName}: it takes ${takes}`);
    }
  }
}

/** The version of the package. */
function version() {
  return JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).version;
}

/**
 * New ids, without an allowed future. The node is given back only when the clock has passed the
 * last tick, so that the next process that takes it issues others.
 *
 * @param {Layout} layout
 * @param {NodeId} node
 * @param {number | undefined} tags
 * @param {number} count
 * @param {(id: bigint) => string} written its line
 */
async function* generate(layout, node, tags, count, written) {
  const ids = new Generator({ layout, node, tags });
  let id = 0n;
  for (let i = 0; i < count; i++) {
    id = await ids.nextAsync();
    yield written(id);
  }
  if (count === 0) return;
  const endMs = layout.decode(id).timestampMs + layout.tickMs;
  while (Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, endMs - Date.now())));
  }
}

/**
 * Reports what is refused; the rest goes on.
 *
 * @param {string} what
 * @param {unknown} error
 */
function report(what, error) {
  if (!(error instanceof EdgeflakeError)) throw error;
  process.exitCode = 1;
  console.error(`edgeflake: ${what}: ${error.message}`);
}

/**
 * What `answer` makes of each id, as one text, which is written at once.
 *
 * @param {BigUint64Array} ids
 * @param {(id: bigint, row: number) => string} answer
 */
function textOf(ids, answer) {
  let text = "";
  for (let row = 0; row < ids.length; row++) text += answer(ids[row], row);
  return text;
}

/**
 * The rows of each text.
 *
 * @param {string[]} texts
 */
function rowsBy(texts) {
  /** @type {Map<string, number[]>} */
  const rows = new Map();
  for (let row = 0; row < texts.length; row++) {
    const found = rows.get(texts[row]);
    if (found) found.push(row);
    else rows.set(texts[row], [row]);
  }
  return rows;
}

/**
 * What `answer` makes of ids, with the weights of the systems among those that have been read.
 *
 * @template T
 * @param {AsyncIterable<BigUint64Array>} ids
 * @param {(ids: BigUint64Array, nowMs: number, weights: Float64Array) => Iterable<T>} answer
 */
async function* identified(ids, answer) {
  const nowMs = Date.now();
  let company = new BigUint64Array();
  let weights = weightsTogether(company, nowMs);
  for await (const some of ids) {
    if (company.length < COMPANY) {
      company = BigUint64Array.of(...company, ...some.subarray(0, COMPANY - company.length));
      weights = weightsTogether(company, nowMs);
    }
    yield* answer(some, nowMs, weights);
  }
}

/**
 * Prints as fast as it is read. The reader may stop at any time, as `head` does.
 *
 * @param {Iterable<string> | AsyncIterable<string | Uint8Array>} lines
 */
async function write(lines) {
  try {
    await pipeline(lines, stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

/** @param {Candidate} candidate */
function likelihood(candidate) {
  const { preset, reasons, timestampMs } = candidate;
  const percent = percentOf(candidate).padStart(6);
  return `${percent} %  ${preset.padEnd(18)}${new Date(timestampMs).toISOString()}  ${reasons}`;
}

/**
 * A number of an option, in decimal digits.
 *
 * @param {string} name
 * @param {string | undefined} text
 */
function whole(name, text) {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new Usage(`${name} is ${text}: a number of at most 16 digits is allowed`);
}

/**
 * A node as a number, or as the values of its fields.
 *
 * @param {string | undefined} text
 */
function nodeOf(text) {
  if (!text?.includes("=")) return whole("--node", text);
  /** @type {Record<string, number>} */
  const values = {};
  for (const field of text.split(",")) {
    const [name, value = "", ...more] = field.split("=");
    if (more.length > 0 || Object.hasOwn(values, name)) {
      throw new Usage(`--node is ${text}: each field is allowed once, as in datacenter=3,worker=5`);
    }
    values[name] = whole(`--node ${name}`, value) ?? 0;
  }
  return values;
}

/**
 * A time in Unix ms, or as a date.
 *
 * @param {string} text
 */
function moment(text) {
  try {
    // The epoch of a layout string is read by the rule of all dates.
    if (/^\S+$/.test(text)) return Layout.parse(`timestamp:1 @${text}`).epochMs;
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
  }
  throw new Usage(
    `${text} is no time: Unix ms and a date are allowed, such as 2018-01-01, or with a time and a ` +
      "zone 2018-01-01T00:00:00Z",
  );
}

/**
 * @param {unknown} error
 * @returns {error is Error}
 */
function isRefusal(error) {
  if (error instanceof EdgeflakeError || error instanceof Usage) return true;
  if (!(error instanceof Error && "code" in error)) return false;
  // Of the arguments, or of what is read and written.
  return /^ERR_PARSE_ARGS/.test(`${error.code}`) || "syscall" in error;
}
