// Spreads ids over 16 ranges of a store's keys: a tag in the bits above the timestamp chooses the
// range.

import { Generator, Layout } from "edgeflake";

const fields = "timestamp:41 node:10 sequence:8 @2025-01-01";
const layout = Layout.parse(`unused:1 tag.scatter:4 ${fields}`);
const ids = new Generator({ layout, node: 9 });

const id = ids.next(11); // in the 12th of 16 ranges
layout.decode(id).tag; // => 11
id >> 59n; // => 11n

// Only ids with the same tag sort by time. So a time window has one range of ids per tag, and
// `layout.range` throws the error `not-sorted-by-time`.
const [fromMs, untilMs] = [Date.parse("2026-12-01"), Date.parse("2026-12-02")];
const windows = Array.from({ length: 16 }, (_, tag) => ({
  min: layout.encode({ timestampMs: fromMs, tag }),
  below: layout.encode({ timestampMs: untilMs, tag }), // the first id after the range
}));
windows.length; // => 16
windows[0].below - windows[0].min; // => 22649241600000n
