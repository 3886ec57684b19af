import {
  createMessage,
  type DatabaseCall,
  defaultSettings,
  nameRefusal,
  settingsRefusal,
} from "../edgeflake_postgres.js";
import { EdgeflakeError } from "../error.js";
import { integerOf, known, refused } from "../options.js";
import type { SequencerStatus } from "../schemas.js";
import { answered, databaseOf, failure, type PostgresClient, refusalOf } from "./database.js";

/** The settings of a sequencer. A holder follows a change from its next lease or renewal on. */
export interface PostgresSettings {
  /** Length of a lease in ms: at least twice the allowed future, plus a tick. Default: 300,000. */
  lease_ms?: number | undefined;
  /** The allowed future: how far ids may run ahead of the clock, in ms. Default: 15,000. */
  allowed_future_ms?: number | undefined;
  /**
   * Largest allowed difference, in ms, between the clocks of holder and database when a lease is
   * granted, and between the clocks of two servers after a failover. Default: 10,000.
   */
  clock_disagreement_max_ms?: number | undefined;
  /**
   * Where the sequence of a new tick starts: at 0 (`zero`, the default), at a random number up to
   * `sequence_start_max` (`random`), or at any random number (`rotating`). With `rotating`, the
   * sequence goes on from 0 after its largest number.
   */
  sequence_start?: "zero" | "random" | "rotating" | undefined;
  /** Required if `sequence_start` is `random`: the largest start of the sequence. */
  sequence_start_max?: number | undefined;
  /** The largest number of ids that are skipped at random between two ids. Default: 0. */
  gap_max?: number | undefined;
  /** The number of ids of a batch. Default: 100. */
  prefetch_count?: number | undefined;
  /** Time in ms for which a batch's ids may be issued; 0 means no limit. Default: 600,000. */
  prefetch_validity_ms?: number | undefined;
  /** Whether holders report how many ids they issued. Default: true. */
  statistics?: boolean | undefined;
}

/** The configuration and the settings of a new sequencer. */
export interface PostgresSequencerOptions extends PostgresSettings {
  /** A preset, such as `snowcast nodes=129`, or a layout string. Default: `hazelcast`. */
  layout?: string | undefined;
  /** The first node. Default: 0. */
  first_node?: number | undefined;
  /** Number of nodes, of which the first is kept for batches. Default: all from `first_node` on. */
  node_count?: number | undefined;
}

/** Each method may throw `authority-unreachable` or `invalid-configuration`. */
export interface PostgresAdmin {
  /**
   * Creates a sequencer, or returns the existing one if it has the same configuration. The given
   * settings replace the settings of an existing sequencer.
   *
   * @throws {EdgeflakeError} `sequencer-already-registered` when the existing sequencer has another
   * configuration; `invalid-option`; `other-timestamp`, `spans-not-ended`
   */
  create(name: string, options?: PostgresSequencerOptions): Promise<SequencerStatus>;

  /**
   * Returns the status of a sequencer, with the number of its nodes in use. For monitoring by SQL,
   * the role `edgeflake_reader` may read the view `edgeflake.status`, which has the same counts.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`
   */
  status(name: string): Promise<SequencerStatus>;

  /**
   * Changes the settings of a sequencer; settings that you leave out stay as they are.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`; `invalid-option`, also for settings that do not
   * suit the layout
   */
  set(name: string, settings: PostgresSettings): Promise<void>;

  /**
   * Permanently shrinks a sequencer to its first `node_count` nodes. The other nodes must never
   * have been leased, so that you can give them to another sequencer with the same layout.
   *
   * @throws {EdgeflakeError} `nodes-in-use`, whose message says how many nodes to keep;
   * `unknown-sequencer`
   */
  shrink(name: string, options: { node_count: number }): Promise<SequencerStatus>;

  /**
   * Destroys a sequencer, so that it grants no more leases. Granted leases stay valid.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`
   */
  destroy(name: string): Promise<SequencerStatus>;

  /**
   * Confirms that a failover lost no commit, so that all sequencers grant leases at once, and need
   * not wait until all leases of the old server have ended. Call this method only if you know that
   * the promoted server has every confirmed commit, and never after a restore from a backup.
   */
  confirmFailover(): Promise<void>;
}

const DESCRIBE = JSON.stringify({ describe: {} });
const STATUS = "SELECT to_jsonb(s)::text FROM edgeflake.status s WHERE name = $1";
const SETTINGS = "SELECT settings::text FROM edgeflake.settings WHERE name = $1";
const SET = "CALL edgeflake.set($1, $2, NULL)";
const CONFIRM = "CALL edgeflake.confirm_failover()";

const CHECKS = {
  first_node: integerOf(0, Number.MAX_SAFE_INTEGER),
  node_count: integerOf(1, Number.MAX_SAFE_INTEGER),
};

/** Settings as the database stores them. The object `terms` is the same as in a grant. */
type Stored = Record<string, unknown> & { terms: Record<string, unknown> };

/** Returns the names of the settings, except the rate limit, which the database ignores. */
function settingsNames() {
  const stored: Stored = JSON.parse(defaultSettings());
  const { terms, operations_per_second_max: _, ...others } = stored;
  return [...Object.keys(others), ...Object.keys(terms), "sequence_start_max"];
}

/**
 * Creates, shows, changes and destroys the sequencers of a PostgreSQL database. The client's user
 * needs the role `edgeflake_admin`. First run the SQL that `npx edgeflake authority sql` prints.
 *
 * ```js
 * await postgresAdmin(pool).create("orders", { layout: "hazelcast", lease_ms: 60_000 });
 * ```
 *
 * @throws {EdgeflakeError} `invalid-option` if `client` is not a client of PostgreSQL
 */
export function postgresAdmin(client: PostgresClient): PostgresAdmin {
  const database = databaseOf(client);

  async function ask<T>(
    name: string,
    message: string,
    read: (call: DatabaseCall) => T | Promise<T>,
  ) {
    const refusal = nameRefusal(typeof name === "string" ? name : "");
    if (refusal !== undefined) throw refused("sequencer", name, refusal);
    return trying(() =>
      answered(database, name, message, (call) => {
        const error = refusalOf(call, name);
        if (error) throw error;
        return read(call);
      }),
    );
  }

  const run = (sql: string, values: string[]) =>
    trying(() => database.run(sql, values)) as Promise<string | undefined>;

  const statusOf = (name: string, message: string): Promise<SequencerStatus> =>
    ask(name, message, async (call) => {
      const row = `${await run(STATUS, [name])}`;
      return JSON.parse(`${call.status(name, row, Date.now())}`);
    });

  /** Changes settings; throws if one of them does not suit the sequencer's layout. */
  async function change(name: string, layout: string, settings: PostgresSettings) {
    const stored: Stored = JSON.parse((await run(SETTINGS, [name])) ?? defaultSettings());
    for (const [key, value] of Object.entries(settings)) {
      if (value !== undefined) (key in stored ? stored : stored.terms)[key] = value;
    }
    const refusal = settingsRefusal(JSON.stringify(stored), layout);
    if (refusal !== undefined) throw new EdgeflakeError("invalid-option", refusal);
    if (Object.keys(settings).length > 0) await run(SET, [name, JSON.stringify(stored)]);
  }

  const layoutOf = (call: DatabaseCall) => `${call.layout()}`;

  return {
    async create(name, options = {}) {
      const names = ["layout", "first_node", "node_count", ...settingsNames()];
      known("create", options, names, CHECKS);
      const { layout = "hazelcast", first_node = 0, node_count, ...settings } = options;
      let message: string;
      try {
        message = createMessage(layout, first_node, node_count);
      } catch (error) {
        throw new EdgeflakeError("invalid-option", (error as Error).message);
      }
      const bound = JSON.parse(message).create.layout;
      const existing = await ask(name, DESCRIBE, layoutOf).catch(unlessUnknown);
      // A new sequencer must have its settings before the first lease.
      if (existing === undefined) await change(name, bound, settings);
      await ask(name, message, (call) => {
        const refusal = call.alreadyRegistered(name);
        if (refusal) throw new EdgeflakeError("sequencer-already-registered", refusal);
      });
      if (existing !== undefined) await change(name, bound, settings);
      return statusOf(name, DESCRIBE);
    },
    status: (name) => statusOf(name, DESCRIBE),
    async set(name, settings) {
      known("set", settings, settingsNames());
      await change(name, await ask(name, DESCRIBE, layoutOf), settings);
    },
    async shrink(name, options) {
      const { node_count } = known("shrink", options, ["node_count"], CHECKS);
      const { incarnation } = await statusOf(name, DESCRIBE);
      return statusOf(name, JSON.stringify({ shrink: { incarnation, node_count } }));
    },
    destroy: (name) => statusOf(name, JSON.stringify({ destroy: {} })),
    async confirmFailover() {
      await run(CONFIRM, []);
    },
  };
}

/** Makes a call; turns an error of the driver into an error of this package. */
async function trying<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const found = failure(error);
    if (found instanceof EdgeflakeError) throw found;
    const text = `the database call failed: ${found.message}`;
    throw Object.assign(new EdgeflakeError("authority-unreachable", text), { cause: error });
  }
}

function unlessUnknown(error: EdgeflakeError): undefined {
  if (error.code !== "unknown-sequencer") throw error;
}
