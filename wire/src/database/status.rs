use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use edgeflake::lease::Sequencer;
use edgeflake::{Instant, Layout};

use crate::fields::{fields, read};
use crate::json::Json;
use crate::value::{Field, Unreadable, Value};

const FAILED_OVER: &str = "the server was promoted or restored: no node is leased until all \
     leases that may be lost have ended, or you confirm the failover";

/// A sequencer of a database, with the number of its nodes in use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SequencerStatus {
    /// The sequencer's name.
    pub name: String,
    /// The stage of the sequencer's life: `active`, `destroying` or `destroyed`.
    pub state: &'static str,
    /// A number that starts at 1 and goes up each time the sequencer is created.
    pub incarnation: u64,
    /// The layout of the ids.
    pub layout: Layout,
    /// The first node, which is kept for batches.
    pub first_node: u64,
    /// The number of nodes from `first_node` on.
    pub node_count: u64,
    /// The number of shards: 1, because a database needs no more.
    pub shards: u64,
    /// The number of ids that a node can issue per second.
    pub ids_per_second_and_node: u64,
    /// The time at which the layout runs out.
    pub ends: Instant,
    /// The time from which on the sequencer can be created again, if it is destroyed.
    pub recreatable_from: Option<Instant>,
    /// The number of nodes by use.
    pub nodes: Nodes,
    /// The number of ids that holders have reported as issued.
    pub issued: u64,
    /// Warnings that the layout ends soon, that ids may be equal to ids of another system, or that
    /// no node is leased for some time after a failover.
    pub warnings: Vec<String>,
}

/// The number of a sequencer's nodes by use. The node that is kept for batches does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nodes {
    /// The number of nodes that can be granted.
    pub total: u64,
    /// The number of nodes that are in use now.
    pub held: u64,
    /// The number of nodes that can be granted now.
    pub free: u64,
    /// The number of nodes that were granted in this incarnation.
    pub used: u64,
}

/// Returns the warnings about a layout in the status of a sequencer, at a time in Unix ms.
#[must_use]
pub fn layout_warnings(layout: &Layout, now_ms: u64) -> Vec<String> {
    let ending = layout.ending(now_ms).map(|_| {
        let ends = Instant(layout.end_ms());
        format!("the layout ends at {ends}: create another sequencer, with another layout")
    });
    let overlap = layout.overlap().map(|warning| warning.to_string());
    ending.into_iter().chain(overlap).collect()
}

fields! {
    Nodes { total, held, free, used }
}

impl SequencerStatus {
    /// Makes the status of a sequencer. `row` is its row of the view `edgeflake.status` as JSON.
    ///
    /// # Errors
    /// [`Unreadable`] if this release cannot read the row.
    pub fn new(
        name: &str,
        sequencer: &Sequencer,
        row: &impl Value,
        now_ms: u64,
    ) -> Result<Self, Unreadable> {
        let config = sequencer.config;
        let layout = *config.layout();
        let mut warnings = layout_warnings(&layout, now_ms);
        if !row.field::<bool>("has_adopted_history")? {
            warnings.push(FAILED_OVER.into());
        }
        Ok(Self {
            name: name.into(),
            state: sequencer.state(),
            incarnation: sequencer.incarnation,
            layout,
            first_node: config.first_node(),
            node_count: config.node_count(),
            shards: config.shards(),
            ids_per_second_and_node: layout.ids_per_second(),
            ends: Instant(layout.end_ms()),
            recreatable_from: sequencer.recreatable_ms(now_ms).map(Instant),
            nodes: read(row)?,
            issued: row.field("issued")?,
            warnings,
        })
    }

    /// Returns the status as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let mut json = Json::object();
        json.text("name", &self.name);
        json.text("state", &self.state);
        json.number("incarnation", self.incarnation);
        json.text("layout", &self.layout);
        json.number("first_node", self.first_node);
        json.number("node_count", self.node_count);
        json.number("shards", self.shards);
        json.number("ids_per_second_and_node", self.ids_per_second_and_node);
        json.text("ends", &self.ends);
        if let Some(instant) = self.recreatable_from {
            json.text("recreatable_from", &instant);
        }
        Some(self.nodes).write("nodes", &mut json);
        json.number("issued", self.issued);
        json.texts("warnings", &self.warnings);
        json.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::lease::{BoundConfig, Life};
    use edgeflake::preset::EDGE;
    use serde_json::json;

    fn status(layout: Layout, life: Life, now_ms: u64, is_adopted: bool) -> SequencerStatus {
        let config = BoundConfig::new(layout, 0, 16, 1).unwrap();
        let row = json!({
            "has_adopted_history": is_adopted, "total": 15, "held": 2, "free": 13, "used": 4,
            "issued": 9,
        });
        let sequencer = Sequencer { life, ..Sequencer::new(config) };
        SequencerStatus::new("orders", &sequencer, &row, now_ms).unwrap()
    }

    #[test]
    fn states() {
        let epoch_ms = EDGE.epoch_ms();
        for (life, now_ms, state, recreatable_ms) in [
            (Life::Active, 0, "active", None),
            (Life::Destroying { confirmed: 0, until_tick: 7 }, 0, "destroying", None),
            (Life::Destroyed { until_tick: 7 }, 0, "destroyed", Some(EDGE.start_ms(7))),
            (Life::Destroyed { until_tick: 0 }, epoch_ms + 5, "destroyed", Some(epoch_ms)),
            (Life::Destroyed { until_tick: 0 }, epoch_ms - 5, "destroyed", Some(epoch_ms - 5)),
        ] {
            let found = status(EDGE, life, now_ms, true);
            let expected = (state, recreatable_ms.map(Instant));
            assert_eq!((found.state, found.recreatable_from), expected, "{life:?}");
        }
    }

    #[test]
    fn warnings() {
        let old = Layout::parse("worker-queue epoch=2026-01-01 overlaps-old-ids").unwrap();
        let overlap = &*old.overlap().unwrap().to_string();
        let late_ms = EDGE.end_ms() - 1;
        let ends = Instant(EDGE.end_ms());
        let ending =
            &*format!("the layout ends at {ends}: create another sequencer, with another layout");
        for (layout, now_ms, is_adopted, expected) in [
            (EDGE, 0, true, &[] as &[&str]),
            (EDGE, 0, false, &[FAILED_OVER]),
            (EDGE, late_ms, true, &[ending]),
            (old, 0, true, &[overlap]),
            (old, 0, false, &[overlap, FAILED_OVER]),
        ] {
            assert_eq!(status(layout, Life::Active, now_ms, is_adopted).warnings, expected);
        }
    }

    #[test]
    fn a_status_as_json() {
        let found = status(EDGE, Life::Destroyed { until_tick: 7 }, 0, false);
        let expected = json!({
            "name": "orders", "state": "destroyed", "incarnation": 1, "layout": EDGE.to_string(),
            "first_node": 0, "node_count": 16, "shards": 1, "ids_per_second_and_node": 4_000,
            "ends": found.ends.to_string(), "recreatable_from": Instant(EDGE.start_ms(7)).to_string(),
            "nodes": { "total": 15, "held": 2, "free": 13, "used": 4 }, "issued": 9,
            "warnings": [FAILED_OVER],
        });
        assert_eq!(serde_json::from_str::<serde_json::Value>(&found.json()).unwrap(), expected);
    }
}
