// The built Worker with handles for tests. They set the clock or break it, make the authority slow
// or unreliable, and count calls. `POST /test?...` sets the handles of one isolate, or asks the
// objects for their private state. All other requests go to the Worker.

import Worker, {
  Authority as Built,
  Directory as BuiltDirectory,
} from "../../../build/worker/index.js";
import * as clock from "./clock.js";

// A Worker and objects of one script share an isolate in this test server, so they share these
// counters.
/** The number of calls to shards, to witnesses, and to the directory. */
const totals = { calls: 0, witnessed: 0, directory: 0 };

/** The number of calls by object and kind, such as `default/0 acquire`. */
const counts = {};

/** The number of starts of each object, by name. */
const started = {};

/** The number of SQL statements of all objects, by their first word. */
const statements = {};

/** The units of the rate limit that each client has used up. */
const spent = {};

/** The handles of the clock, in the order in which they are applied. */
const clocks = {
  frozen_ms: (value) => {
    clock.run(0);
    clock.set(value);
  },
  speed: clock.run,
  now_ms: clock.set,
  step_ms: clock.step,
  fail_at: clock.failAt,
};

/** All other handles, with their current values. */
const handles = {
  /** The time that a shard and a witness take to answer, in ms. */
  delay_ms: 0,
  witness_ms: 0,
  /** Whether every object is reported as overloaded. */
  overloaded: 0,
  /** Whether no witness answers. */
  dead_witness: 0,
  /** The shard that gets calls but does not answer. */
  silent_shard: -1,
  /** The units that each client has; with 0, there is no rate limit. */
  rate_limit: 0,
  // The fractions of calls that are lost, doubled or late. `seed` decides which calls these are,
  // and `late_ms` is the delay of a late reply.
  seed: 0,
  lost: 0,
  doubled: 0,
  late: 0,
  late_ms: 0,
};

/** Draws a number from 0 up to but not including 1, by mulberry32. */
function draw() {
  handles.seed = (handles.seed + 0x6d2b79f5) | 0;
  let z = Math.imul(handles.seed ^ (handles.seed >>> 15), handles.seed | 1);
  z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
  return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
}

export default {
  /** @param {Request} request @param {unknown} env @param {ExecutionContext} context */
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/test") {
      const found = { ...env, AUTHORITY: handles.overloaded ? busy : env.AUTHORITY };
      if (handles.rate_limit) found.ISSUE_RATE_LIMIT = rateLimit;
      return new Worker(context, found).fetch(request);
    }
    for (const [name, turn] of Object.entries(clocks)) {
      if (searchParams.has(name)) turn(Number(searchParams.get(name)));
    }
    for (const name of Object.keys(handles)) {
      if (searchParams.has(name)) handles[name] = Number(searchParams.get(name));
    }
    const object = searchParams.get("object");
    if (object === null) {
      return Response.json({ ...totals, counts, started, statements, now_ms: clock.now() });
    }
    const stub = env.AUTHORITY.getByName(object);
    const sql = searchParams.get("sql");
    if (sql !== null) return Response.json(await stub.sql(sql));
    const path = searchParams.get("path");
    if (path !== null) {
      const method = searchParams.get("method");
      const body = (await request.text()) || undefined;
      const response = await stub.fetch(`https://authority${path}`, { method, body });
      return Response.json({ status: response.status, text: await response.text() });
    }
    // The object ends, so every call that waits for it gets an exception, and so does this one.
    await stub.abort().catch(() => {});
    return Response.json({});
  },
};

/** A rate limit with a single period, which never ends. */
const rateLimit = {
  async limit({ key }) {
    spent[key] = (spent[key] ?? 0) + 1;
    return { success: spent[key] <= handles.rate_limit };
  },
};

/** A namespace whose objects are all overloaded. */
const busy = {
  getByName: () => ({
    async fetch() {
      throw Object.assign(new Error("the object is overloaded, as the test asked for"), {
        overloaded: true,
      });
    },
  }),
};

export class Authority extends Built {
  /** @param {DurableObjectState} state @param {unknown} env */
  constructor(state, env) {
    super(state, env);
    const storage = {
      sql: counted(state.storage.sql),
      transactionSync: (run) => state.storage.transactionSync(run),
    };
    this.made = [{ storage }, env];
    started[state.id.name] = (started[state.id.name] ?? 0) + 1;
  }

  /** @param {Request} request */
  async fetch(request) {
    totals.calls += 1;
    const kind = await kindOf(request.clone());
    counts[kind] = (counts[kind] ?? 0) + 1;
    const { silent_shard, delay_ms, lost, doubled, late, late_ms } = handles;
    await scheduler.wait(this.ctx.id.name?.endsWith(`/${silent_shard}`) ? 60_000 : delay_ms);

    const fate = draw();
    if (fate < lost / 2) throw new Error("the request was lost, as the test asked for");
    const again = request.clone();
    const response = await super.fetch(request);
    if (fate < lost) throw new Error("the reply was lost, as the test asked for");
    if (fate < lost + doubled) return super.fetch(again);
    if (fate < lost + doubled + late) await scheduler.wait(clock.realMs(late_ms));
    return response;
  }

  /** @param {string} statement */
  sql(statement) {
    return this.ctx.storage.sql.exec(statement).toArray();
  }

  /** Ends the object at once. Its memory is lost. */
  abort() {
    this.ctx.abort("the object was ended, as the test asked for");
  }
}

export class Directory extends BuiltDirectory {
  /** @param {Request} request */
  async fetch(request) {
    if (request.method !== "POST") {
      totals.directory += 1;
      return super.fetch(request);
    }
    totals.witnessed += 1;
    if (handles.dead_witness) throw new Error("the witness is dead, as the test asked for");
    await scheduler.wait(handles.witness_ms);
    return super.fetch(request);
  }
}

/** @param {SqlStorage} sql @returns the part of it that the Worker uses */
function counted(sql) {
  return {
    exec(statement, ...values) {
      const [word] = statement.split(" ");
      statements[word] = (statements[word] ?? 0) + 1;
      return sql.exec(statement, ...values);
    },
  };
}

/** @param {Request} request */
async function kindOf(request) {
  const [, , sequencer, shard, what] = new URL(request.url).pathname.split("/");
  const message = what ? what : JSON.parse(await request.text());
  const kind = typeof message === "string" ? message : Object.keys(message)[0];
  return `${sequencer}/${shard} ${kind}`;
}
