// Takes ids apart in PostgreSQL (here PGlite). Also computes the range of a day's ids in SQL, as
// `layout.range` does. sqlite-parts.js says how to change the numbers for another layout. If you
// store ids as text, give the column `COLLATE "C"`, so that PostgreSQL sorts texts in a sortable
// encoding as the ids do.

import { PGlite } from "@electric-sql/pglite";
import { Layout, toSigned } from "edgeflake";

const db = new PGlite();
await db.exec(`
  CREATE TABLE event (id BIGINT PRIMARY KEY);
  CREATE VIEW event_parts AS SELECT
    id,
    to_timestamp(((id >> 22) + 1514764800000) / 1000.0) AS made_at,
    (id >> 16) & 63 AS sequence,
    id & 65535 AS node
  FROM event;
`);
await db.query("INSERT INTO event VALUES ($1)", [5300086112257234n]);
const parts = await db.query("SELECT made_at, sequence, node FROM event_parts");
parts.rows; // => [{ made_at: new Date("2018-01-15T15:00:39Z"), sequence: 0, node: 1234 }]

const ofTheDay = await db.query(`
  SELECT node FROM event_parts
  WHERE id >= (extract(epoch FROM timestamptz '2018-01-15Z') * 1000 - 1514764800000)::bigint << 22
    AND id < (extract(epoch FROM timestamptz '2018-01-16Z') * 1000 - 1514764800000)::bigint << 22
`);
ofTheDay.rows; // => [{ node: 1234 }]

// The timestamp of Discord's layout uses the top bit, so ids from 2^63 on are negative. `>>` fills
// the free bits with copies of the sign bit, and the mask removes these copies.
const last = 2n ** 64n - 1n;
const masked = await db.query(
  "SELECT to_timestamp((($1::bigint >> 22 & 4398046511103) + 1420070400000) / 1000.0) AS made_at",
  [toSigned(last)],
);
masked.rows[0].made_at.getTime() === Layout.preset("discord").decode(last).timestampMs; // => true
