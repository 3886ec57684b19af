// node issuer.js <options> prints `count` ids of eight bytes each. Without `count` it prints ids
// until it is killed. The options are JSON. `database` is the URL of a PostgreSQL database to use
// as the authority, and the other options are those of the generator.

import { once } from "node:events";
import { LeasedGenerator } from "edgeflake/lease";

/** The number of concurrent requests, and the number of ids per batch. */
const CALLERS = 4;
const BATCH = 500;

const { count = Number.POSITIVE_INFINITY, database, ...options } = JSON.parse(process.argv[2]);
if (database) {
  const { default: pg } = await import("pg");
  const { postgres } = await import("edgeflake/postgres");
  const pool = new pg.Pool({ connectionString: database, connectionTimeoutMillis: 2_000 });
  pool.on("error", () => {});
  options.authority = postgres(pool);
}
let left = count;

const ids = new LeasedGenerator(options);

/** @param {BigUint64Array} issued */
async function write(issued) {
  if (!process.stdout.write(new Uint8Array(issued.buffer))) await once(process.stdout, "drain");
}

async function ask() {
  while (left > 0) {
    const wanted = Math.min(left, BATCH);
    left -= wanted;
    // Half of the ids are requested one by one, and half in batches.
    const singly = Math.ceil(wanted / 2);
    await write(
      BigUint64Array.from(await Promise.all(Array.from({ length: singly }, () => ids.next()))),
    );
    if (wanted > singly) await write(await ids.batch(wanted - singly));
  }
}

process.stdout.setMaxListeners(CALLERS + 1);
await Promise.all(Array.from({ length: CALLERS }, ask));
