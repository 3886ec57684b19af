use edgeflake::SequenceStart;
use edgeflake::lease::{BoundConfig, Life, Sequencer, Terms};

use crate::fields::{fields, variants};
use crate::{Fields, Json, Unreadable, Value};

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

/// An object without fields stands for no sequencer.
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

/// A bound configuration is checked as a whole.
impl Fields for BoundConfig {
    fn write(&self, json: &mut Json) {
        json.text("layout", self.layout());
        json.number("first_node", self.first_node());
        json.number("node_count", self.node_count());
        json.number("shards", self.shards());
        if self.withdrawn() > 0 {
            json.number("withdrawn", self.withdrawn());
        }
    }

    fn read<V: Value>(object: &V) -> Result<Self, Unreadable> {
        let node_count = object.field("node_count")?;
        let withdrawn = object.optional("withdrawn")?.unwrap_or(0);
        let config = Self::new(
            object.field("layout")?,
            object.field("first_node")?,
            // Both are below 2^53.
            node_count + withdrawn,
            object.field("shards")?,
        )
        .map_err(|error| Unreadable::value("node_count", error))?;
        let allowed = "fewer than the nodes of the last shard";
        config.shrunk(node_count).ok_or_else(|| Unreadable::field("withdrawn", allowed))
    }
}

fields! {
    // The two terms that version 1 always had are fields of the message itself.
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
