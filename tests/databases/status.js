// node status.js URL: prints the status of the sequencer `orders`, as the npm package returns it.

import { postgresAdmin } from "edgeflake/postgres";
import pg from "pg";

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
console.log(JSON.stringify(await postgresAdmin(client).status("orders")));
await client.end();
