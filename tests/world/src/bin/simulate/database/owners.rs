//! Checks the design's claim, independently of the code: no two lives own the same counter of a
//! node.

use std::collections::{BTreeMap, HashSet};

use edgeflake::lease::{Batch, Life, Sequencer};
use edgeflake::{Layout, Parts, Span};

/// The counters that holders may issue, and have issued. All configurations of a world have one
/// layout.
#[derive(Debug)]
pub(super) struct Owners {
    layout: Layout,
    ids: HashSet<u64>,
    /// The intervals of counters, by node and first counter: the only life that may issue the
    /// interval's counters, and the first counter after the interval.
    intervals: BTreeMap<(u64, u64), (u64, u64)>,
    /// Maps each incarnation that an administrator was told of to the first node after its nodes,
    /// and to the tick at which it ended, if it has ended.
    told: BTreeMap<u64, (u64, Option<u64>)>,
}

impl Owners {
    pub(super) fn new(layout: Layout) -> Self {
        let (ids, intervals, told) = (HashSet::new(), BTreeMap::new(), BTreeMap::new());
        Self { layout, ids, intervals, told }
    }

    fn counter(&self, tick: u64, sequence: u64) -> u64 {
        tick * self.layout.ids_per_tick() + sequence
    }

    /// Checks a life's new span, or the later end of its span.
    pub(super) fn leased(&mut self, life: u64, incarnation: u64, span: Span) {
        let from = self.counter(span.from_tick(), 0);
        let until = self.counter(span.until_tick(), 0);
        self.own(life, (incarnation, span.node()), (from, until));
    }

    pub(super) fn batched(&mut self, life: u64, batch: &Batch) {
        let from = self.counter(batch.from.tick, batch.from.sequence);
        let until = self.counter(batch.until.tick, batch.until.sequence);
        self.own(life, (batch.incarnation, batch.node), (from, until));
    }

    fn own(&mut self, life: u64, (incarnation, node): (u64, u64), (from, until): (u64, u64)) {
        if let Some((nodes_end, ended)) = self.told.get(&incarnation) {
            let ended = ended.map(|tick| self.counter(tick, 0));
            let has_ended = ended.is_some_and(|ended| until > ended);
            assert!(!has_ended, "incarnation {incarnation} has ended at {ended:?}, and goes on");
            assert!(node < *nodes_end, "node {node} was given up, and is granted");
        }
        for (&(_, start), &(other, end)) in self.intervals.range((node, 0)..(node, until)) {
            assert!(
                other == life && start == from || end <= from,
                "two owners of node {node}: {from}..{until} and {start}..{end}",
            );
        }
        // An interval of this life may begin here, or an empty one of another life.
        let (_, before) = self.intervals.get(&(node, from)).copied().unwrap_or_default();
        self.intervals.insert((node, from), (life, before.max(until)));
    }

    /// Notes that a life has given back its span from this tick on.
    pub(super) fn released(&mut self, life: u64, node: u64, tick: u64) {
        let end = self.counter(tick, 0);
        let mut of_node = self.intervals.range_mut((node, 0)..=(node, end)).rev();
        if let Some((_, (_, until))) = of_node.find(|(_, (of, _))| *of == life) {
            *until = end.min(*until);
        }
    }

    /// Checks an id, and returns its tick.
    pub(super) fn issued(&mut self, life: u64, id: u64) -> u64 {
        assert!(self.ids.insert(id), "id {id} came twice");
        let Parts { tick, node, sequence, .. } = self.layout.decode(id).unwrap();
        let counter = self.counter(tick, sequence);
        let owner = self.intervals.range((node, 0)..=(node, counter)).next_back();
        let is_own = owner.is_some_and(|(_, (of, until))| *of == life && counter < *until);
        assert!(is_own, "id {id} of node {node} is not the holder's; nearest interval: {owner:?}");
        tick
    }

    /// Checks the description of the sequencer that an administrator gets.
    pub(super) fn told(&mut self, sequencer: &Sequencer) {
        let &Sequencer { config, incarnation, from_tick, life } = sequencer;
        let nodes_end = config.first_node() + config.node_count();
        let last = self.intervals.last_key_value().map(|((node, _), _)| *node);
        assert!(from_tick > 0 || last < Some(nodes_end), "a granted node is given up");
        let mut ended = self.told.get(&incarnation).and_then(|(_, ended)| *ended);
        if let Life::Destroyed { until_tick } = life {
            let until_tick = until_tick.max(from_tick);
            let end = self.counter(until_tick, 0);
            let latest = self.intervals.values().map(|(_, until)| *until).max();
            assert!(
                latest <= Some(end),
                "incarnation {incarnation} ends at {end}, and is used until {latest:?}"
            );
            ended = Some(until_tick);
        }
        self.told.insert(incarnation, (nodes_end, ended));
    }

    /// Notes that the database may have lost what administrators were told.
    pub(super) fn forgotten(&mut self) {
        self.told.clear();
    }
}
