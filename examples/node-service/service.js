// A Node service that stores events in SQLite. The service leases its own node for the events' ids.
//
//   POST /events                        the body says what happened; answers the event's id
//   GET  /events?from=T&until=T         the events of a time range, oldest first, 50 per page
//   GET  /events?...&after={id}         the next page: `after` is the last id of the page before
//
// Ids are strings in JSON and bigints elsewhere, never numbers.

import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { EdgeflakeError, Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

const { AUTHORITY = "http://localhost:8787", EDGEFLAKE_LEASE_TOKEN, PORT = "3000" } = process.env;
const { DATA = "data" } = process.env;
const PAGE_LENGTH = 50;

mkdirSync(DATA, { recursive: true });

// The file in `store` keeps the lease across a restart, so the next process goes on with the same
// node. You may end this process in any way. But do not call `detach`, which gives the lease back.
const ids = new LeasedGenerator({
  authority: AUTHORITY,
  token: EDGEFLAKE_LEASE_TOKEN,
  store: `${DATA}/lease`,
});

/** The layout of the ids. It must be the layout in the authority's variable EDGEFLAKE_LAYOUT. */
const layout = Layout.preset("hazelcast");

const db = new DatabaseSync(`${DATA}/events.db`);
db.exec("CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, what TEXT NOT NULL)");
const insert = db.prepare("INSERT INTO event (id, what) VALUES (?, ?)");
const page = db.prepare(
  "SELECT id, what FROM event WHERE id BETWEEN ? AND ? AND id > ? ORDER BY id LIMIT ?",
);
page.setReadBigInts(true);

/** @param {import("node:http").IncomingMessage} request */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
  if (pathname !== "/events") return { status: 404, body: { error: "not found" } };

  if (request.method === "POST") {
    let what = "";
    for await (const chunk of request.setEncoding("utf8")) what += chunk;
    const id = await ids.next();
    insert.run(id, what);
    return { status: 201, body: { id: String(id) } };
  }
  const at = (/** @type {string} */ name) => Date.parse(searchParams.get(name) ?? "");
  const { min, max } = layout.range(at("from"), at("until"));
  const after = searchParams.get("after");
  // If the parameter `after` is not an id of the layout, `decode` throws an error that says why.
  const last = after === null ? -1n : layout.decode(after).id;
  const events = page.all(min, max, last, PAGE_LENGTH).map(({ id, what }) => {
    const made = layout.decode(/** @type {bigint} */ (id)).date;
    return { id: String(id), made, what };
  });
  return { status: 200, body: { events } };
}

const server = createServer(async (request, response) => {
  const { status, body } = await answer(request).catch((error) => {
    // A POST fails if no id is available now. A GET fails if a parameter is not a valid time or id.
    const isKnown = error instanceof EdgeflakeError;
    if (!isKnown) console.error(error);
    const refused = request.method === "POST" ? 503 : 400;
    return { status: isKnown ? refused : 500, body: { error: isKnown ? error.message : "failed" } };
  });
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
server.listen(Number(PORT), () => console.log(`listening on http://localhost:${PORT}/events`));
