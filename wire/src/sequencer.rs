use edgeflake::lease::{BoundConfig, Life, Sequencer, Terms};
use edgeflake::{Layout, SequenceStart};

use crate::fields::{Fields, described, fields, variants};
use crate::json::Json;
use crate::value::{Unreadable, Value};

fields! {
    Sequencer { ..config, incarnation, from_tick, ..life }
}

variants! {
    Life, "life" is "active, destroying or destroyed" {
        "active" Active;
        "destroying" Destroying { confirmed, until_tick };
        "destroyed" Destroyed { until_tick };
    }
}

/// `None` is written as an object without fields.
impl Fields for Option<Sequencer> {
    fn write(&self, json: &mut Json) {
        if let Some(sequencer) = self {
            sequencer.write(json);
        }
    }

    fn read<V: Value>(object: &V) -> Result<Self, Unreadable> {
        object.get("incarnation").map(|_| Sequencer::read(object)).transpose()
    }
}

/// The fields of a bound configuration, which are checked together.
struct Config {
    layout: Layout,
    first_node: u64,
    node_count: u64,
    shards: u64,
    withdrawn: u64,
}

fields! {
    Config {
        layout, first_node, node_count, shards,
        /// The number of nodes at the end of the range that were given up for good.
        withdrawn = 0
    }
}

described!(BoundConfig as Config);

impl Fields for BoundConfig {
    fn write(&self, json: &mut Json) {
        let config = Config {
            layout: *self.layout(),
            first_node: self.first_node(),
            node_count: self.node_count(),
            shards: self.shards(),
            withdrawn: self.withdrawn(),
        };
        config.write(json);
    }

    fn read<V: Value>(object: &V) -> Result<Self, Unreadable> {
        let Config { layout, first_node, node_count, shards, withdrawn } = Config::read(object)?;
        // Both numbers are below 2^53, so the sum does not overflow.
        let config = Self::new(layout, first_node, node_count + withdrawn, shards)
            .map_err(|error| Unreadable::value("node_count", error))?;
        let allowed = "fewer than the nodes of the last shard";
        config.shrunk(node_count).ok_or_else(|| Unreadable::field("withdrawn", allowed))
    }
}

fields! {
    // Version 1 of the messages has had these two terms from its start, so they are not in the
    // object `terms`.
    Terms {
        lease_ms,
        allowed_future_ms;
        terms { ..sequence_start, gap_max, prefetch_count, prefetch_validity_ms, statistics }
        or Terms::default()
    }
}

variants! {
    SequenceStart, "sequence_start" is "zero, random or rotating" {
        "zero" Zero;
        "random" Random { max as "sequence_start_max" };
        "rotating" Rotating;
    }
}
