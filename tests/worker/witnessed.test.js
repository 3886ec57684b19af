// When the object of a shard asks its witness, and what leaves before the witness has answered.

import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { beforeEach, test } from "node:test";

// What the objects import of their platform, which is used where no namespace is bound.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cloudflare:workers"
      ? { url: "data:text/javascript,export const { exports } = globalThis", shortCircuit: true }
      : next(specifier, context),
});
/** @type {Record<string, any>} */
const exports = {};
Object.assign(globalThis, { exports });
const { Witnessed } = await import("../../worker/authority/src/objects/witnessed.js");

const URL = "https://authority/v1/orders/3/";

/** The calls of the witness: what was asked, and how it is answered. @type {{ name: string, call: string, answer: (text: string) => void, fail: (as?: object) => void, notFound: () => void }[]} */
let asked;
/** @type {Shard} */
let shard;

/** What the module returns of its instance, which is another one after a panic. */
let instance = {};

/** A shard that writes with each message but "read". */
class Shard {
  static instance = () => instance;
  isOpen = false;
  newest = 10;
  /** @type {string[]} */
  taken = [];

  opening = () => (this.isOpen ? undefined : `open ${this.newest}`);
  written = () => (this.isOpen ? this.newest : -1);
  confirming = () => (this.isOpen ? `confirm ${this.newest}` : undefined);

  /** @param {string} _url @param {string | undefined} answer */
  open(_url, answer) {
    this.taken.push(`opened ${answer}`);
    this.isOpen = true;
  }

  /** @param {string} _method @param {string} _url @param {string} text */
  answer(_method, _url, text) {
    if (text !== "read") this.newest += 1;
    return new Response(`${text} ${this.newest}`);
  }

  /** @param {string} _url @param {string} error @param {number} status */
  failed = (_url, error, status) => new Response(error, { status });

  /** @param {string} answer */
  confirmed(answer) {
    if (answer === "yes") return;
    this.isOpen = false;
    throw new Error("another session");
  }
}

const env = {
  DIRECTORY: {
    getByName: (/** @type {string} */ name) => ({
      fetch: (/** @type {string} */ _url, /** @type {{ body: string }} */ { body }) =>
        new Promise((resolve, reject) => {
          asked.push({
            name,
            call: body,
            answer: (text) => resolve(new Response(text)),
            fail: (as) => reject(Object.assign(new Error("lost"), as)),
            notFound: () => resolve(new Response("no sequencer has this name", { status: 404 })),
          });
        }),
    }),
  },
};

/** The transactions that were rolled back. @type {string[]} */
let rolledBack;
const storage = {
  /** @template T @param {() => T} run */
  transactionSync(run) {
    try {
      return run();
    } catch (/** @type {any} */ error) {
      rolledBack.push(error.message);
      throw error;
    }
  },
};

beforeEach(() => {
  delete exports.Directory;
  rolledBack = [];
  asked = [];
  shard = new Shard();
});

/** A disk that cannot store anything more. */
const full = () => {
  throw new Error("disk full");
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** @param {import("../../worker/authority/src/objects/witnessed.js").Witnessed} object @param {string} text */
const ask = async (object, text) => (await object.answer("POST", URL, text)).text();

/** Answers the two calls with which a session begins. @param {number} newest write that is stored */
async function begin(newest = 10) {
  await turn();
  asked.at(-1)?.answer("session 1");
  await turn();
  assert.equal(asked.at(-1)?.call, `confirm ${newest}`);
  asked.at(-1)?.answer("yes");
}

/** An object whose session is open. */
async function opened() {
  const object = new Witnessed(env, storage, shard);
  const first = ask(object, "read");
  await begin();
  assert.equal(await first, "read 10");
  asked = [];
  return object;
}

test("nothing is answered before the session is open, which all wait for", async () => {
  const object = new Witnessed(env, storage, shard);
  const answers = [ask(object, "read"), ask(object, "write")];
  await turn();
  assert.deepEqual(
    asked.map(({ name, call }) => [name, call]),
    [["orders/3", "open 10"]],
  );
  asked[0].answer("session 1");
  await turn();
  assert.deepEqual(shard.taken, ["opened session 1"]);
  assert.equal(asked[1].call, "confirm 11");
  asked[1].answer("yes");
  assert.deepEqual(await Promise.all(answers), ["read 10", "write 11"]);
});

test("nothing is told in a session before a stamp of it is confirmed", async () => {
  const object = new Witnessed(env, storage, shard);
  const read = object.answer("POST", URL, "read");
  await turn();
  asked[0].answer("session 1");
  await turn();
  assert.equal(asked[1]?.call, "confirm 10");
  asked[1].answer("no");
  assert.equal((await read).status, 500);
});

for (const late of ["yes", "no"]) {
  test(`the answer "${late}" to a session that has ended says nothing of the next one`, async () => {
    const object = await opened();
    const first = object.answer("POST", URL, "write");
    await turn();
    assert.equal(asked[0].call, "confirm 11");
    // An error in another request ends the session.
    shard.isOpen = false;
    const read = ask(object, "read");
    await turn();
    assert.equal(asked[1].call, "open 11");
    asked[1].answer("session 2");
    await turn();
    asked[0].answer(late);
    assert.equal(await (await first).text(), "its session has ended");
    await turn();
    assert.equal(asked[2]?.call, "confirm 11");
    asked[2].answer("yes");
    assert.equal(await read, "read 11");
  });
}

test("one confirmation at a time; what is written meanwhile goes with the next", async () => {
  const object = await opened();
  /** @type {string[]} */
  const told = [];
  const answers = ["a", "b", "c", "read"].map((text) =>
    ask(object, text).then((answer) => told.push(answer)),
  );
  await turn();
  assert.deepEqual(
    asked.map(({ call }) => call),
    ["confirm 13"],
  );
  answers.push(ask(object, "d").then((answer) => told.push(answer)));
  answers.push(ask(object, "read").then((answer) => told.push(answer)));
  await turn();
  assert.deepEqual([asked.length, told], [1, []]);
  asked[0].answer("yes");
  await turn();
  assert.deepEqual(told, ["a 11", "b 12", "c 13", "read 13"]);
  assert.equal(asked[1].call, "confirm 14");
  // What was written while the first one was under way is not confirmed by it.
  answers.push(ask(object, "read").then((answer) => told.push(answer)));
  await turn();
  assert.equal(told.length, 4);
  asked[1].answer("yes");
  await turn();
  asked[2]?.answer("yes");
  await Promise.all(answers);
  assert.deepEqual(told.slice(4), ["d 14", "read 14", "read 14"]);

  const { length } = asked;
  assert.equal(await ask(object, "read"), "read 14");
  assert.equal(asked.length, length, "nothing is unconfirmed");
});

test("what is not confirmed is not told, and goes with the next confirmation", async () => {
  const object = await opened();
  const lost = object.answer("POST", URL, "a");
  await turn();
  asked[0].fail();
  const { status } = await lost;
  assert.equal(status, 504);
  const read = ask(object, "read");
  await turn();
  assert.equal(asked[1].call, "confirm 11");
  asked[1].answer("yes");
  assert.equal(await read, "read 11");
});

test("refused: nothing is told, and a session is opened again", async () => {
  const object = await opened();
  const refused = [object.answer("POST", URL, "a"), object.answer("POST", URL, "b")];
  await turn();
  // It waits for the next confirmation, which there is none of then.
  refused.push(object.answer("POST", URL, "c"));
  await turn();
  asked[0].answer("no");
  for (const { status } of await Promise.all(refused)) assert.equal(status, 500);
  const next = ask(object, "read");
  await turn();
  assert.equal(asked[1].call, "open 13");
  await begin(13);
  assert.equal(await next, "read 13");
});

test("the witness does not answer when the session is opened: the next message asks again", async () => {
  const object = new Witnessed(env, storage, shard);
  const failed = object.answer("POST", URL, "read");
  await turn();
  asked[0].fail();
  const response = await failed;
  assert.equal(response.status, 504);
  assert.equal(await response.text(), "the witness of shard 3 of orders does not answer: lost");
  const next = ask(object, "read");
  await begin();
  assert.equal(await next, "read 10");
});

test("an object that is not a witness is no reason to go on without one", async () => {
  const object = new Witnessed(env, storage, shard);
  const failed = object.answer("POST", URL, "read");
  await turn();
  asked[0].notFound();
  const text = "the witness of shard 3 of orders does not answer: its object is not a witness";
  assert.equal(await (await failed).text(), text);
  asked = [];
  const unconfirmed = (await opened()).answer("POST", URL, "a");
  await turn();
  asked[0].notFound();
  assert.equal((await unconfirmed).status, 504);
});

test("a storage that cannot be read is left as it was", async () => {
  shard.opening = full;
  await ask(new Witnessed(env, storage, shard), "read");
  assert.deepEqual(rolledBack, ["disk full"]);
});

for (const [what, answers, fate, open] of /** @type {const} */ ([
  [
    "a shard that cannot store a session says how it is, and nothing else",
    [500, 200, 500],
    undefined,
    full,
  ],
  ["a shard whose witness does not answer is none that cannot write", [504, 504, 504], {}],
  [
    "a shard that cannot store what its witness should hear still says how it is",
    [500, 200, 500],
    { status: 500 },
  ],
])) {
  test(what, async () => {
    const object = new Witnessed(env, storage, shard);
    if (open) shard.open = open;
    for (const [index, path] of ["proof", "status", "nodes"].entries()) {
      const answer = object.answer("GET", `${URL}${path}`, "read");
      await turn();
      const call = asked.pop();
      if (fate) call?.fail(fate);
      else call?.answer("session 1");
      assert.equal((await answer).status, answers[index], path);
    }
  });
}

test("a session that cannot be stored with its restart is not stored at all", async () => {
  const object = new Witnessed(env, storage, shard);
  shard.open = full;
  const failed = object.answer("POST", URL, "read");
  await turn();
  asked[0].answer("session 2");
  assert.equal(await (await failed).text(), "disk full");
  assert.deepEqual(rolledBack, ["disk full"]);
});

test("a restart is confirmed before anything is told", async () => {
  const object = new Witnessed(env, storage, shard);
  // It writes while it is opened, which its witness does not know yet.
  shard.open = () => {
    shard.isOpen = true;
    shard.newest++;
  };
  const read = ask(object, "read");
  await turn();
  asked[0].answer("session 2");
  await turn();
  assert.equal(asked[1]?.call, "confirm 11");
  asked[1].answer("yes");
  assert.equal(await read, "read 11");
});

test("where nothing is bound, the witness is found by its class", async () => {
  exports.Directory = env.DIRECTORY;
  const object = new Witnessed({}, storage, shard);
  const read = ask(object, "read");
  await turn();
  assert.equal(asked[0]?.call, "open 10");
  await begin();
  assert.equal(await read, "read 10");
});

test("after a panic the shard is not touched any more", async () => {
  const object = await opened();
  const answers = [object.answer("POST", URL, "a")];
  await turn();
  // These wait for the next confirmation, and for the answer to the one under way.
  answers.push(object.answer("POST", URL, "b"));
  await turn();
  instance = {};
  /** @type {string[]} */
  const touched = [];
  for (const name of /** @type {const} */ ([
    "answer",
    "confirmed",
    "confirming",
    "failed",
    "written",
  ])) {
    shard[name] = () => /** @type {any} */ (touched.push(name));
  }
  asked[0].answer("yes");
  answers.push(object.answer("POST", URL, "c"));
  for (const { status } of await Promise.all(answers)) assert.equal(status, 500);
  assert.deepEqual(touched, []);
});

test("without a witness nothing is asked", async () => {
  const object = new Witnessed({ ...env, WITNESS: null }, storage, shard);
  assert.equal(await ask(object, "write"), "write 11");
  assert.equal(asked.length, 0);
  assert.deepEqual(shard.taken, ["opened undefined"]);
});
