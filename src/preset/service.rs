//! Services that show their ids to the public.

use super::row::{Preset, layout, node, sequence, service, timestamp, unused};
use crate::layout::Layout;

pub(super) const PRESETS: &[Preset] = &[
    service("twitter", "Twitter", &TWITTER, TWITTER.epoch_ms()),
    service("discord", "Discord", &DISCORD, DISCORD.epoch_ms()),
    service("instagram", "Instagram", &INSTAGRAM, INSTAGRAM.epoch_ms()),
    service("mastodon", "Mastodon", &MASTODON, MASTODON_SINCE_MS),
    service("linkedin", "LinkedIn", &LINKEDIN, LINKEDIN_SINCE_MS),
    service("tiktok", "TikTok", &TIKTOK, TIKTOK_SINCE_MS),
];

/// Twitter's snowflake of 2010: 1,024 nodes, 4,096 ids per ms and node, until 2080.
///
/// Source: `IdWorker.scala` (twepoch 1288834974657, 5 datacenter bits, 5 worker bits, 12 sequence
/// bits). Tweets with ids up to 29,700,859,247 are older than this layout and were numbered one by
/// one.
///
/// ```
/// use edgeflake::{Parts, preset::TWITTER};
///
/// let parts = Parts { tick: 367_597_485_448, node: 378, sequence: 0, tag: 0 };
/// assert_eq!(TWITTER.decode(1_541_815_603_606_036_480), Ok(parts));
/// ```
pub const TWITTER: Layout = layout(
    &[unused(1), timestamp(41), node("datacenter", 5), node("worker", 5), sequence("sequence", 12)],
    1_288_834_974_657,
    1,
);

/// Discord: 1,024 nodes, 4,096 ids per ms and node, until 2154. From 2084 on, ids are negative as
/// signed 64-bit integers.
///
/// Source: Discord's API documentation, "Snowflakes" (epoch 1420070400000, internal worker and
/// process of 5 bits each, 12 bits of increment).
///
/// ```
/// use edgeflake::{Parts, preset::DISCORD};
///
/// let parts = Parts { tick: 41_944_705_796, node: 32, sequence: 7, tag: 0 };
/// assert_eq!(DISCORD.decode(175_928_847_299_117_063), Ok(parts));
/// ```
pub const DISCORD: Layout = layout(
    &[timestamp(42), node("worker", 5), node("process", 5), sequence("increment", 12)],
    1_420_070_400_000,
    1,
);

/// Instagram: 8,192 logical shards, 1,024 ids per ms and shard, until 2081. From 2046 on, ids are
/// negative as signed 64-bit integers.
///
/// Source: "Sharding & IDs at Instagram" (`our_epoch` 1314220021721, 13 bits of shard, 10 bits of a
/// sequence that does not restart each ms).
///
/// ```
/// use edgeflake::{Parts, preset::INSTAGRAM};
///
/// let parts = Parts { tick: 1_387_263_000, node: 1_341, sequence: 905, tag: 0 };
/// assert_eq!(INSTAGRAM.decode(11_637_205_501_278_089), Ok(parts));
/// ```
pub const INSTAGRAM: Layout =
    layout(&[timestamp(41), node("shard", 13), sequence("sequence", 10)], 1_314_220_021_721, 1);

/// Mastodon: no nodes, 65,536 ids per ms, until the year 10889.
///
/// Source: `lib/mastodon/snowflake.rb`. The sequence of the first id in each ms is a salted hash of
/// the ms. The next ids count up from there, and wrap around to 0.
///
/// ```
/// use edgeflake::{Instant, preset::MASTODON};
///
/// let tick = MASTODON.decode(108_942_703_571_991_143)?.tick;
/// assert_eq!(Instant(MASTODON.start_ms(tick)).to_string(), "2022-09-04T23:22:13.703Z");
/// # Ok::<(), edgeflake::Error>(())
/// ```
pub const MASTODON: Layout = layout(&[timestamp(48), sequence("tail", 16)], 0, 1);

/// 2016-03-16, the date of Mastodon's first version. Mastodon's ids have had this layout only since
/// October 2017, but a status that arrives late gets an id with the date on which the status was
/// written.
const MASTODON_SINCE_MS: u64 = 1_458_086_400_000;

/// LinkedIn: 1,024 nodes, 4,096 ids per ms and node, until 2039.
///
/// Source: unfurl's `parse_linkedin.py`, which reads 41 bits of Unix ms; LinkedIn does not say what
/// the other 22 bits mean, so the node and the sequence here are guesses.
///
/// ```
/// use edgeflake::{Instant, preset::LINKEDIN};
///
/// let tick = LINKEDIN.decode(6_685_980_502_161_199_104)?.tick;
/// assert_eq!(Instant(LINKEDIN.start_ms(tick)).to_string(), "2020-07-06T18:59:31.226Z");
/// # Ok::<(), edgeflake::Error>(())
/// ```
pub const LINKEDIN: Layout =
    layout(&[unused(1), timestamp(41), node("node", 10), sequence("sequence", 12)], 0, 1);

/// 2003-05-05, when LinkedIn opened; LinkedIn has not published when it began to make such ids.
const LINKEDIN_SINCE_MS: u64 = 1_052_092_800_000;

/// `TikTok` and Douyin: no known nodes, until 2106. From 2038 on, ids are negative as signed 64-bit
/// integers.
///
/// Source: unfurl's `parse_tiktok.py`, which reads 32 bits of Unix time in s; the meaning of the
/// other 32 bits is not published.
///
/// ```
/// use edgeflake::{Instant, preset::TIKTOK};
///
/// let tick = TIKTOK.decode(6_718_335_390_845_095_173)?.tick;
/// assert_eq!(Instant(TIKTOK.start_ms(tick)).to_string(), "2019-07-27T13:32:33.000Z");
/// # Ok::<(), edgeflake::Error>(())
/// ```
pub const TIKTOK: Layout = layout(&[timestamp(32), sequence("rest", 32)], 0, 1_000);

/// 2016-09-20, when Douyin opened.
const TIKTOK_SINCE_MS: u64 = 1_474_329_600_000;
