//! Services that show their ids to the public.

use super::{layout, node, sequence, timestamp, unused};
use crate::Layout;

/// Twitter's snowflake of 2010: 1,024 nodes, 4,096 ids a ms and node, until 2080.
///
/// Source: `IdWorker.scala` (twepoch 1288834974657, 5 datacenter bits, 5 worker bits, 12 sequence
/// bits). Tweets up to 29,700,859,247 are older than this and numbered one by one.
pub const TWITTER: Layout = layout(
    &[unused(1), timestamp(41), node("datacenter", 5), node("worker", 5), sequence("sequence", 12)],
    1_288_834_974_657,
    1,
);

/// Discord: 1,024 nodes, 4,096 ids a ms and node, until 2154; negative as a signed 64-bit integer
/// from 2084 on.
///
/// Source: Discord's API documentation, "Snowflakes" (epoch 1420070400000, internal worker and
/// process of 5 bits each, 12 bits of increment).
pub const DISCORD: Layout = layout(
    &[timestamp(42), node("worker", 5), node("process", 5), sequence("increment", 12)],
    1_420_070_400_000,
    1,
);

/// Instagram: 8,192 logical shards, 1,024 ids a ms and shard, until 2081; negative as a signed
/// 64-bit integer from 2046 on.
///
/// Source: "Sharding & IDs at Instagram" (`our_epoch` 1314220021721, 13 bits of shard, 10 bits of
/// a sequence that runs on from ms to ms).
pub const INSTAGRAM: Layout =
    layout(&[timestamp(41), node("shard", 13), sequence("sequence", 10)], 1_314_220_021_721, 1);

/// Mastodon: no nodes, 65,536 ids a ms, until the year 10889.
///
/// Source: `lib/mastodon/snowflake.rb`. The tail is a salted hash of the ms plus a sequence, so
/// within one ms ids start anywhere and wrap.
pub const MASTODON: Layout = layout(&[timestamp(48), sequence("tail", 16)], 0, 1);

/// 2016-03-16, Mastodon's first version. Its ids have this form since October 2017 only, but a
/// status that arrives late gets the id of the date it was written.
pub(super) const MASTODON_SINCE_MS: u64 = 1_458_086_400_000;

/// LinkedIn: 1,024 nodes, 4,096 ids a ms and node, until 2039.
///
/// Source: unfurl's `parse_linkedin.py`, which reads 41 bits of Unix ms; LinkedIn does not say
/// what the other 22 bits are, so node and sequence are a guess.
pub const LINKEDIN: Layout =
    layout(&[unused(1), timestamp(41), node("node", 10), sequence("sequence", 12)], 0, 1);

/// 2003-05-05, when LinkedIn opened; since when its ids have this form nobody says.
pub(super) const LINKEDIN_SINCE_MS: u64 = 1_052_092_800_000;
