//! The ids that other systems published: `tests/vectors.json`.

use edgeflake::{Field, Layout, Parts, Role, preset};
use serde_json::Value;

/// An id, and what it is known to say.
pub(crate) struct Published {
    /// The preset, if the id has the layout of one.
    pub(crate) preset: Option<String>,
    /// The layout that the file gives; always where there is no preset.
    pub(crate) given: Option<Layout>,
    pub(crate) id: u64,
    pub(crate) timestamp_ms: u64,
    /// `None` in a layout without nodes.
    pub(crate) node: Option<u64>,
    /// `None` where the sequence is a salted hash.
    pub(crate) sequence: Option<u64>,
}

impl Published {
    pub(crate) fn layout(&self) -> Layout {
        match &self.preset {
            Some(name) => preset::named(name).unwrap_or_else(|| panic!("no preset {name}")).layout,
            None => self.given.expect("a layout without a preset"),
        }
    }

    /// Whether parts of a layout are those that are known.
    pub(crate) fn says(&self, layout: &Layout, parts: Parts) -> bool {
        layout.start_ms(parts.tick) == self.timestamp_ms
            && self.node.is_none_or(|node| node == parts.node)
            && self.sequence.is_none_or(|sequence| sequence == parts.sequence)
    }
}

pub(crate) fn read() -> Vec<Published> {
    let file: Value = serde_json::from_str(include_str!("../vectors.json")).unwrap();
    file["vectors"].as_array().unwrap().iter().map(one).collect()
}

fn one(vector: &Value) -> Published {
    Published {
        preset: vector["preset"].as_str().map(Into::into),
        given: vector.get("layout").map(layout),
        id: vector["id"].as_str().unwrap().parse().unwrap(),
        timestamp_ms: vector["timestamp_ms"].as_u64().unwrap(),
        node: vector.get("node").map(|node| node.as_u64().unwrap()),
        sequence: vector.get("sequence").map(|sequence| sequence.as_u64().unwrap()),
    }
}

fn layout(layout: &Value) -> Layout {
    let fields = layout["fields_msb_first"].as_array().unwrap().iter().map(|field| {
        let (name, role) = (field[0].as_str().unwrap(), field[2].as_str().unwrap());
        let role = match role {
            "unused" => Role::Unused,
            "timestamp" => Role::Timestamp,
            "node" => Role::Node,
            "sequence" => Role::Sequence,
            other => panic!("role {other}"),
        };
        Field::new(name, role, field[1].as_u64().unwrap().try_into().unwrap()).unwrap()
    });
    let fields: Vec<_> = fields.collect();
    let (epoch_ms, tick_ms) = (&layout["epoch_ms"], &layout["tick_ms"]);
    Layout::new(&fields, epoch_ms.as_u64().unwrap(), tick_ms.as_u64().unwrap()).unwrap()
}
