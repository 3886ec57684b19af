//! edgeflake's own layouts.

use super::row::{Preset, YEAR_2025_MS, layout, library, node, sequence, timestamp, unused};
use crate::layout::Layout;

pub(super) const PRESETS: &[Preset] =
    &[library("js-safe", "edgeflake, 53 bits", &JS_SAFE), library("edge", "edgeflake", &EDGE)];

/// The layout for ids that fit a JavaScript number: 53 bits, 2,048 nodes, 256 ids per tick of 100
/// ms and node, from 2025-01-01 to 2079.
///
/// ```
/// let text = "timestamp:34 node:11 sequence:8 @1735689600000 tick=100ms";
/// assert_eq!(edgeflake::preset::JS_SAFE.to_string(), text);
/// ```
pub const JS_SAFE: Layout =
    layout(&[timestamp(34), node("node", 11), sequence("sequence", 8)], YEAR_2025_MS, 100);

const _: () = assert!(JS_SAFE.ticks() * JS_SAFE.nodes() * JS_SAFE.ids_per_tick() == 1 << 53);

/// The layout for the edge, where every isolate is a node: 1,048,576 nodes are enough for half a
/// million isolates. Each isolate has 4 ids per ms, 4,000 per second, and bursts of 60,000 with an
/// allowed future of 15 s. The layout lasts from 2025-01-01 to 2094.
///
/// ```
/// let text = "unused:1 timestamp:41 sequence:2 node:20 @1735689600000 tick=1ms";
/// assert_eq!(edgeflake::preset::EDGE.to_string(), text);
/// ```
pub const EDGE: Layout =
    layout(&[unused(1), timestamp(41), sequence("sequence", 2), node("node", 20)], YEAR_2025_MS, 1);
