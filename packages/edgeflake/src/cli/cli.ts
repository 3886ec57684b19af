#!/usr/bin/env node
import { readFileSync } from "node:fs";
import process, { stdin, stdout } from "node:process";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import * as util from "node:util";
import { EdgeflakeError, format, Generator, Layout, presets } from "../entrypoints/inline.js";
import { type Candidate, candidatesOf, judge, layoutOf, likeliestOf } from "../layout/identify.js";
import type { NodeId } from "../layout/layout.js";
import type { Encoding } from "../names.js";
import type { PublicIds } from "../public/public-ids.js";
import { CONFIG, moment, nodeOf, refuseOthers, USAGE, Usage, whole } from "./arguments.js";
import { idsOf, linesIn } from "./input.js";
import { Lines, percentOf } from "./lines.js";
import { migrate } from "./migrate.js";
import { NO_PREFIX, newKey, publicIds } from "./public.js";

/** The source of ids is estimated from this number of ids at the beginning of the input. */
const COMPANY = 1024;

const PORT_MAX = 65_535;

/** Lets sequencers grant leases at once after a failover to a synchronous standby. */
const SYNCHRONOUS = "\nUPDATE edgeflake.server SET is_synchronous = true;\n";

try {
  await main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`edgeflake: ${error.message}`);
  process.exitCode = 2;
}

async function main() {
  const { values: options, positionals, tokens } = util.parseArgs(CONFIG);
  const [command, ...rest] = positionals;
  if (options.help || command === "help") return write([USAGE]);
  if (options.version) return write([`${version()}\n`]);
  refuseOthers(command === "authority" ? `${command} ${rest[0]}` : `${command}`, tokens);

  const encoding = (options.encoding ?? "decimal") as Encoding;
  // This call throws if the encoding is unknown, even if there are no ids.
  format(0n, encoding);
  const layout = Layout.parse(options.layout ?? "hazelcast");
  const texts = command === "format" || command === "parse" ? publicIds(options) : undefined;
  const node = nodeOf(options.node);
  const tag = whole("--tag", options.tag);
  const top = whole("--top", options.top);
  const isColoured = stdout.isTTY && !process.env.NO_COLOR && stdout.hasColors();
  // Before Node 20.12 there is no `styleText`, so the output has no colours.
  const lines = new Lines(options.json === true, (style, text) =>
    isColoured && util.styleText ? util.styleText(style, text) : text,
  );

  // Nothing is read before a command asks for the first ids.
  const ids = idsOf(rest, stdin, command === "format" ? "decimal" : encoding, report);

  switch (command) {
    case "decode":
      return write(options.layout === undefined ? identified(ids, decodedLines) : decodedIn(ids));
    case "identify":
      return write(identified(ids, candidateLines));
    case "format":
      return write(formatted(ids));
    case "parse":
      if (!texts) throw new Usage(NO_PREFIX);
      return write(parsed(texts));
    case "key":
      exactly(0, "no arguments");
      return write([lineOf(newKey())]);
    case "make": {
      const [time] = exactly(1, "a time");
      const sequence = whole("--sequence", options.sequence);
      const id = layout.encode({ timestampMs: moment(time), node, sequence, tag });
      return write([written(id)]);
    }
    case "range": {
      const [from, until] = exactly(2, "two times, FROM and UNTIL");
      const ends = layout.range(moment(from), moment(until), { node });
      const [min, max] = [format(ends.min, encoding), format(ends.max, encoding)];
      return write([lineOf({ min, max }, `${min} ${max}`)]);
    }
    case "generate": {
      exactly(0, "no arguments");
      if (node === undefined) throw new Usage("generate needs --node, a node that is yours alone");
      return write(generated(node, whole("--count", options.count) ?? 1));
    }
    case "layouts":
      exactly(0, "no arguments");
      return write(
        presets().map((name) => {
          const layout = `${Layout.preset(name)}`;
          return lineOf({ name, layout }, `${name.padEnd(18)}${layout}`);
        }),
      );
    case "migrate": {
      const { text, code } = migrate(rest, options);
      process.exitCode = code;
      return write([text]);
    }
    case "dev": {
      exactly(0, "no arguments");
      const port = portFrom(1);
      // dev.js is loaded here because no other command needs it.
      const { dev } = await import("./dev.js");
      process.exitCode = await dev(port);
      return;
    }
    case "authority": {
      const [task] = exactly(1, "one argument, serve or sql");
      if (task === "sql") {
        const file = new URL("../postgres/database.sql", import.meta.url);
        return write([readFileSync(file, "utf8"), options.synchronous ? SYNCHRONOUS : ""]);
      }
      if (task !== "serve") throw new Usage(`authority got ${task}: give serve or sql`);
      if (!options.dir) throw new Usage("authority serve needs --dir, the directory of the leases");
      const port = portFrom(0);
      const limit = whole("--limit", options.limit);
      if (limit === 0)
        throw new Usage("--limit is 0: leave it out for no limit, or give at least 1");
      // serve.js is loaded here because only this command needs `node:sqlite`.
      const { serve } = await import("./serve.js");
      return serve(options.dir, port, limit, options);
    }
    case undefined:
      throw new Usage(`a command is missing\n\n${USAGE}`);
    default:
      throw new Usage(`no command is named ${command}: edgeflake --help lists the commands`);
  }

  function exactly(count: number, what: string) {
    if (rest.length === count) return rest;
    throw new Usage(`${command} needs ${what}; got ${rest.length}`);
  }

  function portFrom(least: number) {
    const port = whole("--port", options.port) ?? 0;
    if (port >= least && port <= PORT_MAX) return port;
    throw new Usage(`--port is ${options.port}: give ${least} to ${PORT_MAX}`);
  }

  /** Returns a result as a line of JSON or as a line for people, according to the options. */
  function lineOf(value: unknown, plain = value) {
    return `${options.json ? JSON.stringify(value) : plain}\n`;
  }

  /** Decodes ids in the layout that the user named. */
  async function* decodedIn(ids: AsyncIterable<BigUint64Array>) {
    for await (const some of ids) {
      yield* lines.decoded(some, (id) => {
        try {
          return { timestampMs: layout.decode(id).timestampMs, layout };
        } catch (error) {
          report(`${id}`, error);
        }
      });
    }
  }

  function decodedLines(ids: BigUint64Array) {
    const { preset, share, timestampMs } = likeliestOf(ids);
    return lines.decoded(ids, (_id, row) => {
      const likeliest = { preset: preset[row], share: share[row] };
      return { timestampMs: timestampMs[row], layout: layoutOf(preset[row]), likeliest };
    });
  }

  function candidateLines(ids: BigUint64Array) {
    const texts = Array.from(ids, (id) => {
      const candidates = candidatesOf(id).slice(0, top);
      if (options.json) return lineOf({ id: `${id}`, candidates });
      return lineOf([id, ...candidates.map(likelihood)].join("\n"));
    });
    return [texts.join("")];
  }

  async function* formatted(ids: AsyncIterable<BigUint64Array>) {
    for await (const some of ids) yield Array.from(some, written).join("");
  }

  async function* parsed(texts: PublicIds<string>) {
    for await (const text of rest.length > 0 ? rest : linesIn(stdin)) {
      try {
        yield lineOf(`${texts.parse(text.trim())}`);
      } catch (error) {
        report(text.trim(), error);
      }
    }
  }

  /**
   * Yields new ids as lines. No id is ahead of the clock. Returns only when the last id's tick is
   * over, so that a later process with the same node cannot issue the same ids.
   */
  async function* generated(node: NodeId, count: number) {
    const ids = new Generator({ layout, node, tags: tag });
    let id = 0n;
    for (let i = 0; i < count; i++) {
      id = await ids.nextAsync();
      yield written(id);
    }
    if (count === 0) return;
    const endMs = layout.decode(id).timestampMs + layout.tickMs;
    while (Date.now() < endMs) await setTimeout(Math.max(1, endMs - Date.now()));
  }

  function written(id: bigint) {
    return lineOf(texts?.format(id) ?? format(id, encoding));
  }
}

function version() {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}

/** Prints why an input was refused. The command goes on with the next input. */
function report(what: string, error: unknown) {
  if (!(error instanceof EdgeflakeError)) throw error;
  process.exitCode = 1;
  console.error(`edgeflake: ${what}: ${error.message}`);
}

/** Estimates the unknown source of ids from the first ids, and yields the output for all ids. */
async function* identified(
  ids: AsyncIterable<BigUint64Array>,
  answer: (ids: BigUint64Array) => Iterable<string>,
) {
  const nowMs = Date.now();
  let company = new BigUint64Array();
  judge(company, nowMs);
  for await (const some of ids) {
    if (company.length < COMPANY) {
      company = BigUint64Array.of(...company, ...some.subarray(0, COMPANY - company.length));
      judge(company, nowMs);
    }
    yield* answer(some);
  }
}

/** Prints lines at the reader's pace. It is no error if the reader stops early, as `head` does. */
async function write(lines: Iterable<string> | AsyncIterable<string>) {
  try {
    await pipeline(lines, stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

function likelihood({ preset, reasons, share, date }: Candidate) {
  return `${percentOf(share).padStart(6)} %  ${preset.padEnd(18)}${date.toISOString()}  ${reasons}`;
}

function isRefusal(error: unknown): error is Error {
  if (error instanceof EdgeflakeError || error instanceof Usage) return true;
  if (!(error instanceof Error && "code" in error)) return false;
  // Returns true if `parseArgs` refused an argument, or the system failed to read or write.
  return /^ERR_PARSE_ARGS/.test(`${error.code}`) || "syscall" in error;
}
