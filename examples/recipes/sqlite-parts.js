// Takes ids apart in SQLite, in Node 22.13 or newer. To get a field, shift the id by the total
// width of the fields to the right of that field, and mask the result with 2^width - 1. The
// timestamp counts ticks. If a tick is not 1 ms, multiply the timestamp by the length of a tick
// before you add the epoch. Divide the ms by 1000.0 to get seconds, because a division by 1000
// would drop the fraction.

import { DatabaseSync } from "node:sqlite";
import { Layout, toSigned } from "edgeflake";

const db = new DatabaseSync(":memory:");
db.exec(`
  CREATE TABLE event (id INTEGER PRIMARY KEY);
  CREATE VIEW event_parts AS SELECT
    id,
    strftime('%Y-%m-%dT%H:%M:%fZ', ((id >> 22) + 1514764800000) / 1000.0, 'unixepoch') AS made_at,
    id >> 16 & 63 AS sequence,
    id & 65535 AS node
  FROM event;
`);
db.prepare("INSERT INTO event VALUES (?)").run(5300086112257234n);
const { made_at, sequence, node } = db.prepare("SELECT * FROM event_parts").get();
[made_at, sequence, node]; // => ["2018-01-15T15:00:39.000Z", 0, 1234]

// The timestamp of Discord's layout uses the top bit, so mask the timestamp after the shift. `last`
// is the largest possible id, as a signed number.
const discord = Layout.preset("discord");
const last = toSigned(2n ** 64n - 1n);
const { ms } = db.prepare("SELECT (? >> 22 & 4398046511103) + 1420070400000 AS ms").get(last);
ms === discord.decode(2n ** 64n - 1n).timestampMs; // => true
