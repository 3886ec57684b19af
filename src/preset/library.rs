//! Libraries and servers that others run, with their default epochs.

use super::row::{Preset, ended, example, layout, library, node, sequence, timestamp, unused};
use crate::error::Error;
use crate::layout::packing;
use crate::layout::{Field, Layout, Role};

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        options: &["epoch-start", "bits-sequence", "bits-node-id"],
        ..library("hazelcast", "Hazelcast Flake", &HAZELCAST)
    },
    library("sonyflake", "Sonyflake", &SONYFLAKE),
    library("sonyflake-v2", "Sonyflake v2", &SONYFLAKE_V2),
    Preset { options: &["nodes", "epoch"], ..example("snowcast", "snowcast", &SNOWCAST) },
    ended(library("baidu", "Baidu uid-generator", &BAIDU)),
    library("leaf", "Meituan Leaf", &LEAF),
    library("bwmarrin", "bwmarrin/snowflake", &BWMARRIN),
    library("yitter", "yitter", &YITTER),
    library("tsid", "TSID", &TSID),
    library("cosid", "CosId", &COSID),
    library("cosid-js", "CosId for JavaScript", &COSID_JS),
    Preset {
        since_ms: FLAKE_IDGEN_SINCE_MS,
        ..library("flake-idgen", "flake-idgen", &FLAKE_IDGEN)
    },
    example("nodejs-snowflake", "nodejs-snowflake", &NODEJS_SNOWFLAKE),
    library("snowid", "SnowID", &SNOWID),
];

/// Does the same as the operator `?`, which is not allowed in `const` code yet.
macro_rules! try_const {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

/// The layout of Sonyflake v1 and v2.
const fn sonyflake(epoch_ms: u64) -> Layout {
    layout(&[unused(1), timestamp(39), sequence("sequence", 8), node("machine", 16)], epoch_ms, 10)
}

/// Sonyflake v1: 65,536 nodes, 256 ids per tick of 10 ms and node, until 2188.
///
/// Source: `sonyflake.go` (default start 2014-09-01, 39 bits of 10 ms, 8 bits of sequence, 16 bits
/// of machine); the sequence stands above the node.
///
/// ```
/// use edgeflake::{Parts, preset::SONYFLAKE};
///
/// let parts = Parts { tick: 16_840_464_567, node: 65_535, sequence: 255, tag: 0 };
/// assert_eq!(SONYFLAKE.decode(282_536_111_597_682_687), Ok(parts));
/// ```
pub const SONYFLAKE: Layout = sonyflake(1_409_529_600_000);

/// Sonyflake v2 with its defaults: 65,536 nodes, 256 ids per tick of 10 ms and node, until 2199.
///
/// Source: `v2/sonyflake.go` (default start 2025-01-01). Users may set the widths and the tick.
///
/// ```
/// let text = "unused:1 timestamp:39 sequence:8 node.machine:16 @1735689600000 tick=10ms";
/// assert_eq!(edgeflake::preset::SONYFLAKE_V2.to_string(), text);
/// ```
pub const SONYFLAKE_V2: Layout = sonyflake(1_735_689_600_000);

/// Hazelcast's Flake ID generator since 3.10: 65,536 nodes, 64 ids per ms and node, until 2087.
///
/// Source: `FlakeIdGeneratorConfig` (epoch start 1514764800000, 6 sequence bits, 16 node bits); the
/// sequence stands above the node. [`hazelcast`] makes the layout of another configuration.
///
/// ```
/// use edgeflake::{Parts, preset::HAZELCAST};
///
/// let parts = Parts { tick: 1_263_639_000, node: 1_234, sequence: 0, tag: 0 };
/// assert_eq!(HAZELCAST.decode(5_300_086_112_257_234), Ok(parts));
/// ```
pub const HAZELCAST: Layout = layout(
    &[unused(1), timestamp(41), sequence("sequence", 6), node("node", 16)],
    1_514_764_800_000,
    1,
);

/// The layout of a Hazelcast Flake ID generator with this configuration: `epoch-start` in Unix ms,
/// `bits-sequence` and `bits-node-id`. The timestamp has the rest of the 63 bits.
///
/// Hazelcast's `node-id-offset` is not part of the layout. Give this offset to
/// [`BoundConfig::new`](crate::lease::BoundConfig::new) as the sequencer's first node. Give
/// `allowed-future-millis` to [`Generator::new`](crate::Generator::new) in the policy.
///
/// # Errors
/// [`Error::FieldWidth`] if no bits are left for the timestamp, and [`Error::LayoutTooLong`] if the
/// timestamp is so wide that it lasts past [`Layout::INSTANT_MAX_MS`]. Hazelcast does not refuse
/// such a timestamp.
///
/// ```
/// use edgeflake::preset::{HAZELCAST, hazelcast};
///
/// assert_eq!(hazelcast(1_514_764_800_000, 6, 16), Ok(HAZELCAST));
/// assert_eq!(hazelcast(1_514_764_800_000, 0, 22)?.ids_per_tick(), 1);
/// assert!(hazelcast(1_514_764_800_000, 31, 32).is_err());
/// # Ok::<(), edgeflake::Error>(())
/// ```
pub const fn hazelcast(
    epoch_start_ms: u64,
    bits_sequence: u8,
    bits_node_id: u8,
) -> Result<Layout, Error> {
    let bits_timestamp = 63_u8.saturating_sub(bits_sequence).saturating_sub(bits_node_id);
    let timestamp = try_const!(Field::new("timestamp", Role::Timestamp, bits_timestamp));
    let mut fields = [unused(1), timestamp, Field::NONE, Field::NONE];
    let mut count = 2;
    if bits_sequence > 0 {
        fields[count] = try_const!(Field::new("sequence", Role::Sequence, bits_sequence));
        count += 1;
    }
    if bits_node_id > 0 {
        fields[count] = try_const!(Field::new("node", Role::Node, bits_node_id));
        count += 1;
    }
    Layout::new(fields.split_at(count).0, epoch_start_ms, 1)
}

/// snowcast with the most nodes that it allows: 8,192 nodes, 1,024 ids per ms and node, for 69
/// years. After 34.8 years, ids are negative as signed 64-bit integers.
///
/// Source: snowcast's README (41 bits of ms, 13 of node, 10 of counter). Users choose the epoch;
/// here it is the epoch of the README's example, 2014-01-01. [`snowcast()`] makes the layout for
/// another number of nodes and another epoch.
///
/// ```
/// use edgeflake::{Parts, preset::SNOWCAST};
///
/// let parts = Parts { tick: 5_289_132_000, node: 1_234, sequence: 1, tag: 0 };
/// assert_eq!(SNOWCAST.decode(44_368_455_009_519_617), Ok(parts));
/// ```
pub const SNOWCAST: Layout =
    layout(&[timestamp(41), node("node", 13), sequence("counter", 10)], 1_388_534_400_000, 1);

/// The layout of a snowcast sequencer with 128 to 8,192 nodes, rounded up to a power of two, and an
/// epoch in Unix ms. The counter gets the bits that the nodes do not need.
///
/// snowcast itself never assigns its last node, and its counter starts at 1.
///
/// # Errors
/// [`Error::NodeCount`] for fewer or more nodes, and [`Error::LayoutTooLong`] if the layout would
/// end after [`Layout::INSTANT_MAX_MS`].
///
/// ```
/// use edgeflake::preset::{SNOWCAST, snowcast};
///
/// assert_eq!(snowcast(8_192, 1_388_534_400_000), Ok(SNOWCAST));
/// assert_eq!(snowcast(129, 0)?.nodes(), 256);
/// assert!(snowcast(127, 0).is_err());
/// # Ok::<(), edgeflake::Error>(())
/// ```
pub const fn snowcast(nodes: u64, epoch_ms: u64) -> Result<Layout, Error> {
    const MIN: u64 = 128;
    const MAX: u64 = 8_192;
    const NODE_AND_COUNTER_BITS: u8 = 23;
    if nodes < MIN || nodes > MAX {
        return Err(Error::NodeCount { nodes, min: MIN, max: MAX });
    }
    let node_bits = packing::bits_for(nodes);
    let counter_bits = NODE_AND_COUNTER_BITS - node_bits;
    let node = try_const!(Field::new("node", Role::Node, node_bits));
    let counter = try_const!(Field::new("counter", Role::Sequence, counter_bits));
    Layout::new(&[timestamp(41), node, counter], epoch_ms, 1)
}

/// Baidu's uid-generator with its defaults: 4,194,304 nodes, 8,192 ids per second and node. The
/// layout ran out on 2024-11-20.
///
/// Source: `DefaultUidGenerator.java` (28 bits of seconds since 2016-05-20 in UTC+8, 22 bits of
/// worker, 13 bits of sequence). The demo in Baidu's README has 29, 21 and 13 bits for these
/// fields, and another epoch.
///
/// ```
/// let text = "unused:1 timestamp:28 node.worker:22 sequence:13 @1463673600000 tick=1000ms";
/// assert_eq!(edgeflake::preset::BAIDU.to_string(), text);
/// ```
pub const BAIDU: Layout = layout(
    &[unused(1), timestamp(28), node("worker", 22), sequence("sequence", 13)],
    1_463_673_600_000,
    1_000,
);

/// Meituan's Leaf in snowflake mode: 1,024 nodes, 4,096 ids per ms and node, until 2080.
///
/// Source: `SnowflakeIDGenImpl.java` (twepoch 1288834974657, 10 bits of worker, 12 of sequence,
/// which starts each ms between 0 and 99).
///
/// ```
/// use edgeflake::{Parts, preset::LEAF};
///
/// let parts = Parts { tick: 278_898_726_177, node: 39, sequence: 3_448, tag: 0 };
/// assert_eq!(LEAF.decode(1_169_786_042_799_259_000), Ok(parts));
/// ```
pub const LEAF: Layout = layout(
    &[unused(1), timestamp(41), node("worker", 10), sequence("sequence", 12)],
    1_288_834_974_657,
    1,
);

/// bwmarrin/snowflake in Go: 1,024 nodes, 4,096 ids per ms and node, until 2080.
///
/// Source: `snowflake.go` (10 bits of node, 12 of step). Users may set the epoch; the default is
/// Twitter's.
///
/// ```
/// let text = "unused:1 timestamp:41 node:10 sequence.step:12 @1288834974657 tick=1ms";
/// assert_eq!(edgeflake::preset::BWMARRIN.to_string(), text);
/// ```
pub const BWMARRIN: Layout = layout(
    &[unused(1), timestamp(41), node("node", 10), sequence("step", 12)],
    1_288_834_974_657,
    1,
);

/// yitter's `IdGenerator`: 64 nodes, 64 ids per ms and node. Ids are below 2^53 until 2089.
///
/// Source: `SnowWorkerM1` (base time 1582136402000, 6 bits of worker, 6 of sequence, whose values 0
/// to 4 are reserved). Users may set the base time and both widths; the base time of the TypeScript
/// port is 1577836800000.
///
/// ```
/// let text = "timestamp:52 node.worker:6 sequence:6 @1582136402000 tick=1ms";
/// assert_eq!(edgeflake::preset::YITTER.to_string(), text);
/// ```
pub const YITTER: Layout =
    layout(&[timestamp(52), node("worker", 6), sequence("sequence", 6)], 1_582_136_402_000, 1);

/// TSID: 1,024 nodes, 4,096 ids per ms and node, until 2159. From 2089 on, ids are negative as
/// signed 64-bit integers.
///
/// Source: tsid-creator's README (epoch 2020-01-01, 10 bits of node by default, 12 of counter).
/// Users may set node bits and epoch, and the node is random unless they set the node.
///
/// ```
/// let text = "timestamp:42 node:10 sequence.counter:12 @1577836800000 tick=1ms";
/// assert_eq!(edgeflake::preset::TSID.to_string(), text);
/// ```
pub const TSID: Layout =
    layout(&[timestamp(42), node("node", 10), sequence("counter", 12)], 1_577_836_800_000, 1);

const COSID_EPOCH_MS: u64 = 1_577_203_200_000;

/// CosId's snowflake: 1,024 nodes, 4,096 ids per ms and node, until 2089.
///
/// Source: `MillisecondSnowflakeId` (epoch 2019-12-25 in UTC+8, 10 bits of machine, 12 of
/// sequence).
///
/// ```
/// let text = "unused:1 timestamp:41 node.machine:10 sequence:12 @1577203200000 tick=1ms";
/// assert_eq!(edgeflake::preset::COSID.to_string(), text);
/// ```
pub const COSID: Layout = layout(
    &[unused(1), timestamp(41), node("machine", 10), sequence("sequence", 12)],
    COSID_EPOCH_MS,
    1,
);

/// CosId's layout for JavaScript, 53 bits: 8 nodes, 512 ids per ms and node, until 2089.
///
/// Source: `SafeJavaScriptSnowflake` (3 bits of machine, 9 of sequence).
///
/// ```
/// let text = "timestamp:41 node.machine:3 sequence:9 @1577203200000 tick=1ms";
/// assert_eq!(edgeflake::preset::COSID_JS.to_string(), text);
/// ```
pub const COSID_JS: Layout =
    layout(&[timestamp(41), node("machine", 3), sequence("sequence", 9)], COSID_EPOCH_MS, 1);

/// flake-idgen in JavaScript: 1,024 nodes, 4,096 ids per ms and node, until 2109. From 2039 on, ids
/// are negative as signed 64-bit integers.
///
/// Source: flake-idgen's README (42 bits of Unix ms). Users may set an epoch; the default is 0.
///
/// ```
/// use edgeflake::{Parts, preset::FLAKE_IDGEN};
///
/// let parts = Parts { tick: 1_389_534_046_279, node: 227, sequence: 0, tag: 0 };
/// assert_eq!(FLAKE_IDGEN.decode(5_828_128_208_445_124_608), Ok(parts));
/// ```
pub const FLAKE_IDGEN: Layout = layout(
    &[timestamp(42), node("datacenter", 5), node("worker", 5), sequence("counter", 12)],
    0,
    1,
);

/// The beginning of 2014, the year of flake-idgen's first version, in Unix ms.
const FLAKE_IDGEN_SINCE_MS: u64 = 1_388_534_400_000;

/// nodejs-snowflake: 4,096 nodes, 1,024 ids per ms and node, for 139 years.
///
/// Source: nodejs-snowflake's README (42 bits of ms, 12 of instance, 10 of sequence). The caller
/// may give the epoch. Otherwise, the epoch is the time at which the generator is constructed. In
/// this preset, the epoch is 2019-01-01, the default before version 2.
///
/// ```
/// let text = "timestamp:42 node.instance:12 sequence:10 @1546300800000 tick=1ms";
/// assert_eq!(edgeflake::preset::NODEJS_SNOWFLAKE.to_string(), text);
/// ```
pub const NODEJS_SNOWFLAKE: Layout =
    layout(&[timestamp(42), node("instance", 12), sequence("sequence", 10)], 1_546_300_800_000, 1);

/// SnowID in Rust: 1,024 nodes, 4,096 ids per ms and node, until 2163. From 2093 on, ids are
/// negative as signed 64-bit integers.
///
/// Source: snowid's README (epoch 2024-01-01, 10 bits of node by default, 12 of sequence).
///
/// ```
/// let text = "timestamp:42 node:10 sequence:12 @1704067200000 tick=1ms";
/// assert_eq!(edgeflake::preset::SNOWID.to_string(), text);
/// ```
pub const SNOWID: Layout =
    layout(&[timestamp(42), node("node", 10), sequence("sequence", 12)], 1_704_067_200_000, 1);
