// What `edgeflake/authority` exports. WebAssembly decides what `admin` does, and sends nothing.

import { env } from "cloudflare:workers";
import { EdgeflakeError } from "edgeflake-error";
import * as module from "edgeflake-module";
import { line } from "./console.js";
import { ask, inTime } from "./objects/call.js";

export { Authority, Directory } from "./objects.js";
export { EdgeflakeError };

/** How long an object is waited for, in ms: as long as the Worker's routes do. */
const ANSWER_MAX_MS = 5_000;

/**
 * What an object answers; undefined if it does not, or not in time.
 *
 * @param {string} binding
 * @param {string} className
 * @param {string} name
 * @param {string | undefined} hint
 * @param {string} method
 * @param {string} url
 * @param {string} [body]
 */
async function asked(binding, className, name, hint, method, url, body) {
  const instance = module.Shard.instance();
  /** @type {{ text: string | undefined } | undefined} */
  let answer;
  try {
    const asking = ask(env, binding, className, name, hint, method, url, body);
    answer = { text: await inTime(asking, ANSWER_MAX_MS) };
  } catch (/** @type {any} */ error) {
    line("error", "call-failed", `${url} did not answer: ${error.message}`);
    if (error.unreadable) throw new EdgeflakeError("authority-unreadable", error.message);
  }
  // A panic ended the instance, and with it the call that asked: its memory is another's now.
  if (module.Shard.instance() !== instance) {
    throw new EdgeflakeError("authority-unreachable", "the authority panicked: try again", 1_000);
  }
  return answer;
}

/** @param {any} call @param {number} shard @param {string} method @param {string} what @param {string} [body] */
async function askShard(call, shard, method, what, body) {
  const [name, hint, url] = [call.object(shard), call.hint(shard), call.url(shard, what)];
  return (await asked("AUTHORITY", "Authority", name, hint, method, url, body))?.text;
}

/** @param {string} method @param {string} name @param {string} [body] */
async function askDirectory(method, name, body) {
  const url = `https://directory/${name}`;
  const answer = await asked("DIRECTORY", "Directory", "directory", undefined, method, url, body);
  if (answer) return answer.text;
  throw new EdgeflakeError(
    "authority-unreachable",
    "the directory did not answer: try again",
    1_000,
  );
}

/**
 * Makes a call that changes a sequencer, and logs what it comes to.
 *
 * @param {string} event
 * @param {unknown} name
 * @param {() => any} begin
 * @param {(call: any) => Promise<void>} [finish]
 */
async function change(event, name, begin, finish) {
  const sequencer = typeof name === "string" ? name : undefined;
  const log = (/** @type {number | undefined} */ incarnation, /** @type {string} */ outcome) =>
    line("info", event, `admin: ${outcome}`, sequencer, incarnation, undefined, outcome);
  try {
    const answer = await run(begin, finish);
    log(answer.incarnation, "ok");
    return answer;
  } catch (/** @type {any} */ error) {
    log(undefined, error.code ?? "internal");
    throw error;
  }
}

/**
 * Makes a call, and answers what it comes to.
 *
 * @param {() => any} begin
 * @param {(call: any) => Promise<void>} [finish] what is asked after the last message
 */
async function run(begin, finish) {
  try {
    const call = begin();
    if (call.shards() === undefined) call.found(await askDirectory("GET", call.name()));
    for (let message = call.message(); message !== undefined; message = call.message()) {
      call.receive(await askShard(call, call.shard(), "POST", "", message));
    }
    await finish?.(call);
    return call.end();
  } catch (/** @type {any} */ error) {
    const { code, message, retryInMs } = error;
    if (code === undefined || error instanceof EdgeflakeError) throw error;
    throw new EdgeflakeError(code, message.slice(`${code}: `.length), retryInMs);
  }
}

/** The calls that create, show, shrink and destroy a sequencer. */
export const admin = {
  /** @param {unknown} name @param {unknown} options */
  create: (name, options) =>
    change(
      "sequencer-created",
      name,
      () => module.Call.create(env, name, options),
      async (call) => {
        await askDirectory("PUT", call.name(), `${call.shards()}`);
      },
    ),

  /** @param {unknown} name */
  status: (name) =>
    run(
      () => module.Call.status(env, name),
      async (call) => {
        const shards = Array.from({ length: call.shards() }, (_, shard) => shard);
        const look = async (/** @type {number} */ shard) =>
          (await askShard(call, shard, "GET", "proof")) ??
          (await askShard(call, shard, "GET", "status"));
        for (const text of await Promise.all(shards.map(look))) call.answer(text);
      },
    ),

  /** @param {unknown} name @param {unknown} options */
  shrink: (name, options) =>
    change("sequencer-shrunk", name, () => module.Call.shrink(env, name, options)),

  /** @param {unknown} name */
  destroy: (name) => change("sequencer-destroyed", name, () => module.Call.destroy(env, name)),
};
