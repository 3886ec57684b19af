#!/usr/bin/env node
import { readFileSync } from "node:fs";
import process, { argv, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import * as util from "node:util";
import {
  EdgeflakeError,
  encode,
  Generator,
  identify,
  Layout,
  parse,
  presets,
} from "./entry/node.js";

/** @import { Candidate, Decoded, Encoding } from "edgeflake" */

const USAGE = `edgeflake decode [ID...]            what ids say
edgeflake identify [ID...]          which systems ids may come from
edgeflake encode TIME               the id of a time, in Unix ms or as a date
edgeflake range FROM UNTIL          the smallest and the largest id of a time
edgeflake generate                  new ids of a node that is yours alone
edgeflake layouts                   the known layouts

  -l, --layout LAYOUT    a name that \`layouts\` lists, or a layout string such as
                         "unused:1 timestamp:41 sequence:6 node:16 @2018-01-01". Without it,
                         decode takes the likeliest for each id, and names it; all others
                         take hazelcast
  -e, --encoding NAME    how ids are written and read: decimal, signed-decimal, hex, binary, base32,
                         z-base-32, base36, base58, base58-flickr, base62, base62-lower,
                         base64url, base64url-bytes; decimal
      --json             a line of JSON each
      --node NODE        generate, encode, range: the node
      --sequence N       encode: the sequence
      --tag N            generate, encode: the tag
  -n, --count N          generate: how many ids; 1
      --top N            identify: at most so many systems for each id
  -h, --help             this, as does \`edgeflake help\`
      --version          the version of the package

Output on a terminal has colours, unless NO_COLOR is set.

Without ids, decode and identify read them from standard input, one a line.
`;

/** What was called wrongly. */
class Usage extends Error {}

try {
  await main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`edgeflake: ${error.message}`);
  process.exitCode = 2;
}

async function main() {
  const { values: options, positionals } = util.parseArgs({
    args: argv.slice(2),
    allowPositionals: true,
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

  const encoding = /** @type {Encoding} */ (options.encoding);
  const layout = layoutOf(options.layout ?? "hazelcast");
  const node = whole("--node", options.node);
  const tag = whole("--tag", options.tag);
  const top = whole("--top", options.top);

  switch (command) {
    case "decode":
      return each(rest, (text) => {
        const id = parse(text, encoding);
        const [likeliest] = options.layout === undefined ? identify(id) : [];
        const decoded = likeliest?.decoded ?? layout.decode(id);
        if (!options.json) return describe(decoded, likeliest);
        return JSON.stringify(
          likeliest ? { ...decoded.toJSON(), layout: likeliest.preset } : decoded,
        );
      });
    case "identify":
      return each(rest, (text) => {
        const id = parse(text, encoding);
        const candidates = identify(id).slice(0, top);
        if (options.json) return JSON.stringify({ id: `${id}`, candidates });
        return [`${id}`, ...candidates.map(likelihood)].join("\n");
      });
    case "encode": {
      const [time] = exactly(rest, 1, "a time");
      const sequence = whole("--sequence", options.sequence);
      return print(layout.encode({ timestampMs: moment(time), node, sequence, tag }));
    }
    case "range": {
      const [from, until] = exactly(rest, 2, "two times");
      const { min, max } = layout.range(moment(from), moment(until), { node });
      if (!options.json) return write([`${encode(min, encoding)} ${encode(max, encoding)}\n`]);
      return write([
        `${JSON.stringify({ min: encode(min, encoding), max: encode(max, encoding) })}\n`,
      ]);
    }
    case "generate": {
      exactly(rest, 0, "nothing more");
      if (node === undefined) throw new Usage("generate takes --node, a node that is yours alone");
      const count = whole("--count", options.count) ?? 1;
      return write(generate(layout, node, tag, count, encoding));
    }
    case "layouts":
      exactly(rest, 0, "nothing more");
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

  /** @param {bigint} id */
  function print(id) {
    return write([options.json ? `"${encode(id, encoding)}"\n` : `${encode(id, encoding)}\n`]);
  }
}

/** The version of the package. */
function version() {
  return JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).version;
}

/**
 * The layout of a name or of a layout string, which has a colon.
 *
 * @param {string} text
 */
function layoutOf(text) {
  const names = presets();
  if (names.includes(text)) return Layout.preset(text);
  if (text.includes(":")) return Layout.parse(text);
  throw new Usage(
    `no layout is named ${text}: ${names.join(", ")}, and a layout string such as ` +
      '"timestamp:41 node:10 sequence:12 @2020-01-01" are allowed',
  );
}

/**
 * A text as a terminal shows it, unless NO_COLOR is set. Node 20 knows it from 20.12 on.
 *
 * @param {"bold" | "yellow"} style
 * @param {string} text
 */
function styled(style, text) {
  const isColoured = stdout.isTTY && !process.env.NO_COLOR && stdout.hasColors();
  return isColoured && util.styleText ? util.styleText(style, text) : text;
}

/**
 * New ids, without an allowed future. The node is given back only when the clock has passed the
 * last tick, so that the next process that takes it issues others.
 *
 * @param {Layout} layout
 * @param {number} node
 * @param {number | undefined} tags
 * @param {number} count
 * @param {Encoding} encoding
 */
async function* generate(layout, node, tags, count, encoding) {
  const ids = new Generator({ layout, node, tags });
  let id = 0n;
  for (let i = 0; i < count; i++) {
    id = await ids.nextAsync();
    yield `${encode(id, encoding)}\n`;
  }
  if (count === 0) return;
  const endMs = layout.decode(id).timestampMs + layout.tickMs;
  while (Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, endMs - Date.now())));
  }
}

/**
 * Prints what `answer` makes of each id, of the arguments or of standard input. What is refused is
 * told, and the rest goes on.
 *
 * @param {string[]} args
 * @param {(text: string) => string} answer
 */
async function each(args, answer) {
  await write(answers());

  async function* answers() {
    const lines = args.length > 0 ? args : createInterface({ input: stdin });
    let number = 0;
    for await (const line of lines) {
      number++;
      const text = line.trim();
      if (text === "" && args.length === 0) continue;
      try {
        yield `${answer(text)}\n`;
      } catch (error) {
        if (!(error instanceof EdgeflakeError)) throw error;
        // A wrong option refuses everything.
        if (error.code === "unknown-encoding") throw error;
        process.exitCode = 1;
        const where = args.length > 0 ? text : `line ${number}`;
        console.error(`edgeflake: ${where}: ${error.message}`);
      }
    }
  }
}

/**
 * Prints as fast as it is read. Whoever reads may stop at any time, as `head` does.
 *
 * @param {Iterable<string> | AsyncIterable<string>} lines
 */
async function write(lines) {
  try {
    await pipeline(lines, stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

/**
 * @param {Decoded} decoded
 * @param {Candidate | undefined} likeliest the system that it is read as, where no layout was given
 */
function describe({ id, date, fields, warnings }, likeliest) {
  const guess =
    likeliest && ` in ${likeliest.preset}, the likeliest layout (${percentOf(likeliest)} %)`;
  return [
    `${styled("bold", `${id}`)} ${date.toISOString()}${guess ?? ""}`,
    ...fields.map(({ name, bits, value }) => `  ${name.padEnd(24)} ${value} (${bits} bits)`),
    ...warnings.map(({ message }) => styled("yellow", `  warning: ${message}`)),
  ].join("\n");
}

/** @param {Candidate} candidate */
function percentOf({ share }) {
  return (100 * share).toFixed(1);
}

/** @param {Candidate} candidate */
function likelihood(candidate) {
  const { preset, reasons, decoded } = candidate;
  const { date } = decoded;
  const percent = percentOf(candidate).padStart(6);
  return `${percent} %  ${preset.padEnd(18)}${date.toISOString()}  ${reasons}`;
}

/**
 * @param {string[]} args
 * @param {number} count
 * @param {string} what
 */
function exactly(args, count, what) {
  if (args.length === count) return args;
  throw new Usage(`${args.length} arguments: ${what} is allowed`);
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
 * A time in Unix ms, or as a date.
 *
 * @param {string} text
 */
function moment(text) {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  throw new Usage(`${text} is no time: Unix ms or a date such as 2018-01-01T00:00:00Z are allowed`);
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
