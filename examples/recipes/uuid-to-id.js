// Makes an id for an old row, with the time of the row's UUIDv7 and a node that no sequencer uses.
// The epoch of the layout must be before the time of the oldest row.

import { Layout } from "edgeflake";

const layout = Layout.parse("unused:1 timestamp:41 sequence:6 node:16 @2020-01-01");
const node = 65_535; // unused if EDGEFLAKE_NODE_COUNT is "65535" ("65532" with 4 shards)

// If several rows have the same ms, give them the sequences 0, 1, 2 and so on, in the order of the
// rows.
const uuid = "01932c07-209c-7a3b-8c4d-0123456789ab";
const timestampMs = Number.parseInt(uuid.replace("-", "").slice(0, 12), 16);
const id = layout.encode({ timestampMs, node, sequence: 0 });
layout.decode(id).date.toISOString(); // => "2024-11-14T18:54:44.892Z"
