import { EdgeflakeError } from "../error.js";
import type { ServiceBinding } from "../leased/transport.js";
import { ofRealm } from "../realm.js";
import { answered, databaseOf, type PostgresClient, refusalOf } from "./database.js";

/**
 * Returns a PostgreSQL database as the option `authority` of `LeasedGenerator`. The tables must
 * exist (`npx edgeflake authority sql`), and the client's user needs the role `edgeflake_holder`.
 * Generators with the same client share their leases. A lease takes two statements without a lock
 * in between, a renewal usually one, and an id none.
 *
 * @throws {EdgeflakeError} `invalid-option` if `client` is not a client of PostgreSQL
 */
export function postgres(client: PostgresClient): ServiceBinding {
  const database = databaseOf(client);
  const authorities = ofRealm("postgres/1", () => new WeakMap<object, ServiceBinding>());
  let authority = authorities.get(client);
  if (!authority) {
    // This object has the methods of a service binding, so `edgeflake/lease` needs no code for
    // PostgreSQL.
    authority = {
      sequencer: (name: string) => ({
        lease: (message: string, body: string) =>
          answered(database, name, JSON.stringify({ [message]: JSON.parse(body) }), (call) => {
            const refusal = refusalOf(call, name);
            if (refusal?.code === "unknown-sequencer") throw refusal;
            return call.reply();
          }).catch(rethrow),
      }),
      async fetch() {
        throw lasting("PostgreSQL takes no token: leave the option token out");
      },
    };
    authorities.set(client, authority);
  }
  return authority;
}

/** Throws an error again, with a message that tells the holder if no retry can help. */
function rethrow(error: Error): never {
  const isLasting = error instanceof EdgeflakeError && error.code === "invalid-configuration";
  throw isLasting ? lasting(error.message) : error;
}

const lasting = (message: string) => new Error(`invalid-configuration: ${message}`);
