//! Tests ids that other systems published (`tests/vectors.json`). They must decode to the published
//! parts, and these parts must give the id again.

use edgeflake::{Layout, Parts, preset};
use serde_json::Value;

/// An id and its known parts.
pub(crate) struct Published {
    /// The preset with the layout of the id, if there is one.
    pub(crate) preset: Option<String>,
    pub(crate) layout: Layout,
    pub(crate) id: u64,
    pub(crate) timestamp_ms: u64,
    /// The node; `None` in a layout without nodes.
    pub(crate) node: Option<u64>,
    /// The sequence; `None` if it is a salted hash.
    pub(crate) sequence: Option<u64>,
}

impl Published {
    /// Returns whether these are the known parts.
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
    let preset = vector["preset"].as_str();
    let layout = match preset {
        Some(name) => preset::named(name).unwrap_or_else(|| panic!("no preset {name}")).layout,
        None => vector["layout"].as_str().unwrap().parse().unwrap(),
    };
    Published {
        preset: preset.map(Into::into),
        layout,
        id: vector["id"].as_str().unwrap().parse().unwrap(),
        timestamp_ms: vector["timestamp_ms"].as_u64().unwrap(),
        node: vector.get("node").map(|node| node.as_u64().unwrap()),
        sequence: vector.get("sequence").map(|sequence| sequence.as_u64().unwrap()),
    }
}

#[test]
fn every_published_id_decodes_and_encodes() {
    let published = read();
    assert_eq!(published.len(), 44);
    for vector in published {
        let (id, layout) = (vector.id, vector.layout);
        let parts = layout.decode(id).unwrap();
        assert!(vector.says(&layout, parts), "{id} in {layout}: {parts:?}");
        assert_eq!(layout.encode(parts), Ok(id), "{layout}");
    }
}
