// Contains the help text of the command line, and reads the options and arguments of commands.

import type { ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { placesIn } from "../layout/fields.js";
import type { NodeId } from "../layout/layout.js";
import { readText, wasm, writeText } from "../module/exchange.js";
import { encodings } from "../text/text.js";

/** The names of all encodings, in indented lines for the help text. */
const ENCODINGS = `${encodings().join(", ")} `.replace(
  /(.{1,70}) /g,
  "\n                         $1",
);

export const USAGE = `edgeflake decode [ID...]            the time and fields of ids
edgeflake identify [ID...]          which systems ids may come from
edgeflake format [ID...]            decimal ids in another encoding, or with a prefix
edgeflake parse [TEXT...]           the ids of texts with a prefix
edgeflake key                       a new key to encrypt public ids
edgeflake make TIME                 the id of a time, in Unix ms or as a date
edgeflake range FROM UNTIL          the smallest and largest id of a time window
edgeflake generate                  new ids of a node that is yours alone
edgeflake layouts                   the known layouts
edgeflake migrate check             whether new ids are larger than the old ones
edgeflake dev [--port PORT]         edgeflake's Worker and its page on this machine
edgeflake authority serve           an authority on Node, until SIGTERM ends it
edgeflake authority sql             the tables of an authority in PostgreSQL, for psql

  -l, --layout LAYOUT    a name that \`layouts\` lists, with its options as in
                         "snowcast nodes=129 epoch=2014-02-01" or
                         "hazelcast epoch-start=1514764800000 bits-sequence=6 bits-node-id=16";
                         or a layout string such as
                         "unused:1 timestamp:41 sequence:6 node:16 @2018-01-01". Without it,
                         decode uses the likeliest for each id, and names it; all other
                         commands use hazelcast
  -e, --encoding NAME    the encoding of ids, decimal by default:${ENCODINGS}
      --json             a line of JSON per result
      --node NODE        generate, make, range: the node, such as 5, or datacenter=3,worker=5
      --sequence N       make: the sequence
      --tag N            generate, make: the tag
      --prefix NAME      format, parse: the prefix, such as ord
      --key-env NAME     format, parse: the environment variable with the key, or two keys with
                         a comma between; without it, the texts show the ids
      --check-digits N   format, parse: check digits, 0 to 4; default: 2 with a key
  -n, --count N          generate: how many ids; default: 1
      --top N            identify: at most N systems for each id
      --from LAYOUT      migrate check: the layout of the old ids; by default found from --ids
      --to LAYOUT        migrate check: the layout of the new ids
      --ids FILE         migrate check: old ids, one per line, each with its time if known
      --at TIME          migrate check: when the new system takes over; default: now
      --ahead MS         migrate check: how far old ids may be ahead of the clock; default: 15000
      --port PORT        dev, authority: the port; default: 8787
      --dir DIR          authority: the directory of the leases
      --witness DIR      authority: the directory of the witnesses, on another disk
      --host HOST        authority: the address to listen on; default: localhost
      --limit N          authority: the most requests per second of one address; default: no limit
      --proxied          authority: take the caller's address from X-Forwarded-For
      --synchronous      authority sql: each standby that you promote has every commit
  -h, --help             this help, like \`edgeflake help\`
      --version          the version of the package

Output on a terminal has colours, unless NO_COLOR is set.

Without arguments, decode, identify, format and parse read lines from standard input. To find an
id's system, decode and identify look at the first 1,024 ids of a file, or at those of a slow pipe
that have arrived.
`;

const OF_LAYOUT = ["decode", "parse", "make", "range", "generate"];
const OF_PUBLIC = ["format", "parse"];
const WITH_NODE = ["make", "range", "generate"];
const OF_IDS = ["decode", "identify", "format", "make", "range", "generate"];

/** The options, each with the commands that take it. `--help` and `--version` need no command. */
export const OPTIONS = {
  layout: { type: "string", short: "l", commands: OF_LAYOUT },
  encoding: { type: "string", short: "e", commands: OF_IDS },
  node: { type: "string", commands: WITH_NODE },
  sequence: { type: "string", commands: ["make"] },
  tag: { type: "string", commands: ["make", "generate"] },
  count: { type: "string", short: "n", default: "1", commands: ["generate"] },
  top: { type: "string", commands: ["identify"] },
  prefix: { type: "string", commands: OF_PUBLIC },
  "key-env": { type: "string", commands: OF_PUBLIC },
  "check-digits": { type: "string", commands: OF_PUBLIC },
  from: { type: "string", commands: ["migrate"] },
  to: { type: "string", commands: ["migrate"] },
  ids: { type: "string", commands: ["migrate"] },
  at: { type: "string", commands: ["migrate"] },
  ahead: { type: "string", commands: ["migrate"] },
  json: { type: "boolean", commands: [...OF_IDS, "parse", "key", "layouts", "migrate"] },
  port: { type: "string", default: "8787", commands: ["dev", "authority serve"] },
  dir: { type: "string", commands: ["authority serve"] },
  witness: { type: "string", commands: ["authority serve"] },
  host: { type: "string", default: "localhost", commands: ["authority serve"] },
  limit: { type: "string", commands: ["authority serve"] },
  proxied: { type: "boolean", commands: ["authority serve"] },
  synchronous: { type: "boolean", commands: ["authority sql"] },
  help: { type: "boolean", short: "h", commands: [] },
  version: { type: "boolean", commands: [] },
} as const satisfies Record<string, ParseArgsOptionDescriptor & { commands: readonly string[] }>;

/** The configuration of `parseArgs`. */
export const CONFIG = { allowPositionals: true, tokens: true, options: OPTIONS } as const;

type Parsed = ReturnType<typeof parseArgs<typeof CONFIG>>;

export type Options = Parsed["values"];

export class Usage extends Error {}

/** Throws if an option belongs to another command, or is given twice. */
export function refuseOthers(command: string, tokens: Parsed["tokens"]) {
  const allowed = Object.entries<{ commands: readonly string[] }>(OPTIONS).flatMap(
    ([name, { commands }]) => (commands.includes(command) ? name : []),
  );
  const given = new Set();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    if (given.has(name)) throw new Usage(`${rawName} is given twice: give it once`);
    given.add(name);
    if (allowed.length > 0 && !allowed.includes(name)) {
      const takes = allowed.map((option) => `--${option}`).join(", ");
      throw new Usage(`${command} takes no ${rawName}: it takes ${takes}`);
    }
  }
}

export function whole(name: string, text: string | undefined) {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new Usage(`${name} is ${text}: give a whole number of at most 16 digits`);
}

/** Reads a node: a number such as `5`, or field values such as `datacenter=3,worker=5`. */
export function nodeOf(text: string | undefined): NodeId | undefined {
  if (!text?.includes("=")) return whole("--node", text);
  const values: Record<string, number> = {};
  for (const field of text.split(",")) {
    const [name, value = "", ...more] = field.split("=");
    if (more.length > 0 || Object.hasOwn(values, name)) {
      throw new Usage(`--node is ${text}: give each field once, as in datacenter=3,worker=5`);
    }
    values[name] = whole(`--node ${name}`, value) ?? 0;
  }
  return values;
}

export function moment(text: string) {
  // The module reads the time as an epoch, so that the same rules apply to all dates.
  const layout = /^\S+$/.test(text) ? wasm.parseLayout(writeText(`timestamp:1 @${text}`)) : 0;
  if (layout > 0) {
    const { epochMs } = placesIn(readText(wasm.printLayout(layout)));
    // This frees the layout at once, because a file may contain many times.
    wasm.freeLayout(layout);
    return epochMs;
  }
  throw new Usage(
    `${text} is no time: give Unix ms, a date such as 2018-01-01, or a date with time and zone ` +
      "such as 2018-01-01T00:00:00Z, from 1970 on",
  );
}
