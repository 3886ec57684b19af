// Runs statements with the user's driver. This package does not depend on any driver.

import { DatabaseCall, Memory, mistake } from "../edgeflake_postgres.js";
import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";

/**
 * A client of PostgreSQL:
 * - a `Pool` or a connected `Client` of `pg` or of `@neondatabase/serverless`
 * - the `sql` of `postgres`, made with the option {@link onnotice}
 * - PGlite, or the `sql` of `neon()` of `@neondatabase/serverless`
 * - an object with a method `query(text, values)` that returns what the method of `pg` returns
 *
 * The client must not be within a transaction. Each statement is autocommitted, so you may use a
 * pooler in transaction mode (PgBouncer, Hyperdrive). Switch off Hyperdrive's cache.
 */
export type PostgresClient =
  | { query(text: string, values: string[]): PromiseLike<unknown> }
  | { unsafe(text: string, values: string[]): PromiseLike<unknown> };

export interface Database {
  /** Runs a statement, and returns the first value of its first row. */
  run(sql: string, values: string[]): Promise<string>;
  /** Whether the driver hides the warnings of the server. */
  isDeaf: boolean;
  /** The last grant or renewal of each sequencer, by the sequencer's name. */
  memories: Map<string, Memory>;
}

interface Notice {
  code?: string | undefined;
  message?: string | undefined;
}

/** A client of `pg`; a pool has `totalCount`, and its clients have `release`. */
interface PgClient {
  query(text: string, values: string[]): Promise<{ rows: object[] }>;
  connect(): Promise<PgClient>;
  on(event: string, listener: (notice: Notice) => void): void;
  off(event: string, listener: (notice: Notice) => void): void;
  release?(): void;
  totalCount?: number;
}

/** Matches the SQLSTATEs of success. All notices with another SQLSTATE count as warnings. */
const SUCCESS = /^00/;

/** The number of warnings that `onnotice` has received. */
let warnings = 0;

/**
 * Pass this function as the option `onnotice` when you create a client of `postgres` (postgres.js).
 * Synchronous replication requires it, because the server confirms a commit with a warning if the
 * standby may not have the commit. Notices of success, with an SQLSTATE such as 00000, are dropped.
 *
 * ```js
 * const sql = postgresJs(url, { onnotice });
 * ```
 */
export function onnotice({ code = "" }: Notice): void {
  if (!SUCCESS.test(code)) warnings++;
}

/** Returns the database of a client; throws if the value is not a client. */
export function databaseOf(client: unknown): Database {
  return { ...driverOf(client), memories: new Map() };
}

// biome-ignore lint/suspicious/noExplicitAny: callers in JavaScript may pass any value
function driverOf(client: any): Omit<Database, "memories"> {
  // Check `query` first, because the sql of neon() also has `unsafe`, which runs nothing.
  if (typeof client?.query === "function") {
    if (typeof client.on === "function") {
      if (!client.listenerCount?.("error")) client.on("error", ignore);
      return { run: (sql, values) => runByPg(client, sql, values), isDeaf: false };
    }
    return { run: async (...args) => firstOf(await client.query(...args)), isDeaf: true };
  }
  if (typeof client?.unsafe === "function") {
    const run = async (sql: string, values: string[]) => {
      const before = warnings;
      const rows = await client.unsafe(sql, values);
      if (warnings !== before) throw warned();
      return firstOf(rows);
    };
    return { run, isDeaf: client.options?.onnotice !== onnotice };
  }
  const allowed = "give a Pool or Client of pg, the sql of postgres or neon(), or PGlite";
  // The URL of a database may have a password, so the message does not show it.
  const found = typeof client === "string" ? "a string" : shown(client);
  throw new EdgeflakeError("invalid-option", `client is ${found}: ${allowed}`);
}

/** Keeps errors of broken connections from ending the process. The queries reject with them. */
const ignore = () => {};

async function runByPg(given: PgClient, sql: string, values: string[]) {
  const client = given.totalCount === undefined ? given : await given.connect();
  let isWarned = false;
  const hear = ({ code = "" }: Notice) => {
    isWarned ||= !SUCCESS.test(code);
  };
  client.on("notice", hear);
  client.on("error", ignore);
  try {
    const result = await client.query(sql, values);
    if (isWarned) throw warned();
    return firstOf(result);
  } finally {
    client.off("notice", hear);
    client.off("error", ignore);
    if (client !== given) client.release?.();
  }
}

/** Returns the first value of a result, which is an array of rows or an object with `rows`. */
function firstOf(result: object[] | { rows: object[] }): string {
  const [row = {}] = Array.isArray(result) ? result : result.rows;
  return Object.values(row)[0];
}

const warned = () =>
  new Error(
    "the server confirmed the commit with a warning, so a failover may lose the commit: the server's log says why",
  );

/** Converts a driver's error. If no retry can help, returns an error of this package. */
// biome-ignore lint/suspicious/noExplicitAny: anything can be thrown
export function failure(error: any): Error {
  if (error instanceof EdgeflakeError) return error;
  const message = error?.message || error?.code || `${error}`;
  const text = mistake(`${error?.code}`, message);
  return text
    ? new EdgeflakeError("invalid-configuration", text)
    : new Error(message, { cause: error });
}

const DEAF =
  "this client hides the server's warnings that a standby may lack a commit: use pg, give " +
  "postgres.js the option onnotice of edgeflake/postgres, or run UPDATE edgeflake.server SET " +
  "is_synchronous = false, after which a failover delays leases";

/** Carries out a request that this process decides itself; returns the result of `read`. */
export async function answered<T>(
  { run, isDeaf, memories }: Database,
  sequencer: string,
  message: string,
  read: (call: DatabaseCall) => T | Promise<T>,
): Promise<T> {
  const memory = memories.get(sequencer) ?? new Memory();
  memories.set(sequencer, memory);
  const call = DatabaseCall.begin(message, memory, performance.now());
  if (!call) throw new EdgeflakeError("unexpected-reply", `no authority answers ${message}`);
  try {
    for (let sql = call.sql(); sql !== undefined; sql = call.sql()) {
      const answer = await run(sql, [sequencer, `${call.json()}`]);
      if (isDeaf && JSON.parse(answer).is_synchronous)
        throw new EdgeflakeError("invalid-configuration", DEAF);
      if (!call.answered(answer)) throw new Error(`it answered ${answer.slice(0, 200)}`);
    }
    call.remember(memory, performance.now());
    return await read(call);
  } catch (error) {
    throw failure(error);
  } finally {
    call.free();
  }
}

/** Returns the error of a refused request; `undefined` if the request was not refused. */
export function refusalOf(call: DatabaseCall, sequencer: string) {
  const code = call.errorCode();
  if (code === undefined) return undefined;
  const [message, retryInMs] = [`${call.errorMessage(sequencer)}`, call.retryInMs()];
  return new EdgeflakeError(code as EdgeflakeError["code"], message, retryInMs);
}
