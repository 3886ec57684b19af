// Exports objects to measure: an authority that is called as isolates call it, the same without a
// witness, an object that writes one row per request, and an object that reads the rows of all
// nodes once. The path of a request chooses the object: `/authority`, `/unwitnessed`, `/row` or
// `/scan`.

import { DurableObject } from "cloudflare:workers";
import { Authority, Directory } from "../../build/worker/index.js";

export { Authority, Directory };

/** An authority that calls no other object, so that it can be compared with `Row`. */
export class Unwitnessed extends Authority {
  /** @param {DurableObjectState} state @param {object} env */
  constructor(state, env) {
    super(state, { ...env, EDGEFLAKE_WITNESS: "none" });
  }
}

/** Writes one row per request, which is the floor of the comparison. */
export class Row extends DurableObject {
  /** @param {DurableObjectState} state @param {unknown} env */
  constructor(state, env) {
    super(state, env);
    this.sql = state.storage.sql;
    this.sql.exec(
      "CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, value INTEGER) STRICT",
    );
    this.sql.exec("INSERT OR IGNORE INTO entry VALUES (1, 0)");
  }

  /** @param {Request} request */
  async fetch(request) {
    await request.text();
    this.sql.exec("UPDATE entry SET value = value + 1 WHERE id = ?", 1);
    return new Response("{}");
  }
}

/** Reads the rows of all nodes in one pass of SQLite, as a comparison for loading. */
export class Scan extends DurableObject {
  /** @param {DurableObjectState} state @param {unknown} env */
  constructor(state, env) {
    super(state, env);
    this.sql = state.storage.sql;
    this.sql.exec(
      `CREATE TABLE IF NOT EXISTS node (node INTEGER PRIMARY KEY, from_tick INTEGER NOT NULL,
      until_tick INTEGER NOT NULL, until_sequence INTEGER NOT NULL, token TEXT,
      issued INTEGER NOT NULL, issued_of_span INTEGER NOT NULL, write INTEGER NOT NULL) STRICT`,
    );
  }

  fetch() {
    this.read ??= this.sql
      .exec(
        `SELECT count(*) AS used, max(token), max(write), sum(from_tick + until_tick
        + until_sequence + issued + issued_of_span) AS sum FROM node`,
      )
      .one();
    return Response.json({ used: this.read.used });
  }
}

export default {
  /** @param {Request} request @param {Record<string, DurableObjectNamespace>} env */
  fetch(request, env) {
    const { pathname } = new URL(request.url);
    const [, object, what = ""] = pathname.split("/");
    const stub = env[object.toUpperCase()].getByName(`${object}/0`);
    const body = request.method === "POST" ? request.body : undefined;
    return stub.fetch(`https://authority/v1/${object}/0/${what}`, { method: request.method, body });
  },
};
