//! Layouts of known systems, usable in `const` context.
#![expect(clippy::panic, reason = "evaluated at compile time: a wrong preset does not build")]

use crate::{Field, Layout, Role};

/// Hazelcast's Flake ID generator since 3.10: 65,536 nodes, 64 ids a ms and node, until 2087.
///
/// Source: `FlakeIdGeneratorConfig` (epoch start 1514764800000, 6 sequence bits, 16 node bits);
/// the sequence stands above the node.
pub const HAZELCAST: Layout = layout(
    &[
        field("unused", Role::Unused, 1),
        field("timestamp", Role::Timestamp, 41),
        field("sequence", Role::Sequence, 6),
        field("node", Role::Node, 16),
    ],
    1_514_764_800_000,
    1,
);

/// Twitter's snowflake of 2010: 1,024 nodes, 4,096 ids a ms and node, until 2080.
///
/// Source: `IdWorker.scala` (twepoch 1288834974657, 5 datacenter bits, 5 worker bits, 12 sequence
/// bits).
pub const TWITTER: Layout = layout(
    &[
        field("unused", Role::Unused, 1),
        field("timestamp", Role::Timestamp, 41),
        field("datacenter", Role::Node, 5),
        field("worker", Role::Node, 5),
        field("sequence", Role::Sequence, 12),
    ],
    1_288_834_974_657,
    1,
);

/// The presets by name.
pub const ALL: [(&str, Layout); 2] = [("hazelcast", HAZELCAST), ("twitter", TWITTER)];

/// The preset of a name, or `None`; [`ALL`] names them.
///
/// ```
/// use edgeflake::preset;
///
/// assert_eq!(preset::named("twitter"), Some(preset::TWITTER));
/// assert_eq!(preset::named("Twitter"), None);
/// ```
#[must_use]
pub fn named(name: &str) -> Option<Layout> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, layout)| *layout)
}

const fn field(name: &str, role: Role, bits: u8) -> Field {
    match Field::new(name, role, bits) {
        Ok(field) => field,
        Err(_) => panic!("field"),
    }
}

const fn layout(fields: &[Field], epoch_ms: u64, tick_ms: u64) -> Layout {
    match Layout::new(fields, epoch_ms, tick_ms) {
        Ok(layout) => layout,
        Err(_) => panic!("layout"),
    }
}
