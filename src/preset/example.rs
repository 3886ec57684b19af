//! Layouts that articles describe.

use super::row::{
    Preset, YEAR_2025_MS, ended, example, layout, node, sequence, tag, timestamp, unused,
};
use crate::layout::Layout;

pub(super) const PRESETS: &[Preset] = &[
    example("datacenter-worker", "Java article", &DATACENTER_WORKER),
    example("random-start", "Go article", &RANDOM_START),
    ended(example("resource-type", "resource-type variant", &RESOURCE_TYPE)),
    ended(example("worker-queue", "queue variant", &WORKER_QUEUE)),
];

/// The layout of a Java article, with 5 datacenter, 5 worker and 12 sequence bits: 1,024 nodes,
/// 4,096 ids per ms and node, until 2090.
///
/// Source: the article's generator (epoch 1609459200000, 2021-01-01). Bits and order are
/// Twitter's; only the epoch differs.
///
/// ```
/// let text = "unused:1 timestamp:41 node.datacenter:5 node.worker:5 sequence:12 \
///             @1609459200000 tick=1ms";
/// assert_eq!(edgeflake::preset::DATACENTER_WORKER.to_string(), text);
/// ```
pub const DATACENTER_WORKER: Layout = layout(
    &[unused(1), timestamp(41), node("datacenter", 5), node("worker", 5), sequence("sequence", 12)],
    1_609_459_200_000,
    1,
);

/// The layout of a Go article, with 10 machine and 12 sequence bits: 1,024 nodes, 4,096 ids per ms
/// and node, for 69 years. The article's generator starts each ms at a random sequence.
///
/// Source: the article's generator, whose users choose the epoch. Here the epoch is 2025-01-01, so
/// the layout lasts until 2094.
///
/// ```
/// let text = "unused:1 timestamp:41 node.machine:10 sequence:12 @1735689600000 tick=1ms";
/// assert_eq!(edgeflake::preset::RANDOM_START.to_string(), text);
/// ```
pub const RANDOM_START: Layout = layout(
    &[unused(1), timestamp(41), node("machine", 10), sequence("sequence", 12)],
    YEAR_2025_MS,
    1,
);

/// An article's layout with a resource type: 256 nodes, 16,384 types, and 8 ids per ms and node.
/// The types share these 8 ids, because each counter is used only once, whatever its tag is. The
/// layout ran out on 2023-09-17.
///
/// Source: the article's table (epoch 1420041600000, 2015-01-01 in UTC+8; 38 bits of timestamp,
/// 6 of region, 14 of type, 2 of machine, 3 of sequence).
///
/// ```
/// let text = "unused:1 timestamp:38 node.region:6 tag.resource-type:14 node.machine:2 \
///             sequence:3 @1420041600000 tick=1ms";
/// assert_eq!(edgeflake::preset::RESOURCE_TYPE.to_string(), text);
/// ```
pub const RESOURCE_TYPE: Layout = layout(
    &[
        unused(1),
        timestamp(38),
        node("region", 6),
        tag("resource-type", 14),
        node("machine", 2),
        sequence("sequence", 3),
    ],
    1_420_041_600_000,
    1,
);

/// An article's layout with a queue of workers: 32,768 nodes, 1,024 ids per ms and node. The layout
/// ran out on 2026-09-06.
///
/// Source: the article's table (epoch 1513814400000, 2017-12-21; 38 bits of timestamp, 15 of
/// worker, 10 of sequence).
///
/// ```
/// let text = "unused:1 timestamp:38 node.worker:15 sequence:10 @1513814400000 tick=1ms";
/// assert_eq!(edgeflake::preset::WORKER_QUEUE.to_string(), text);
/// ```
pub const WORKER_QUEUE: Layout = layout(
    &[unused(1), timestamp(38), node("worker", 15), sequence("sequence", 10)],
    1_513_814_400_000,
    1,
);
