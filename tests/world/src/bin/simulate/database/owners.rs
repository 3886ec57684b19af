//! Checks the design's claim, independently of the code: no two lives own the same counter of a
//! node.

use std::collections::{BTreeMap, HashSet};

use edgeflake::lease::{Batch, Life, Sequencer};
use edgeflake::{Layout, Parts, Span};

/// An interval of a node's counters, which only one life may issue.
#[derive(Debug)]
struct Interval {
    life: u64,
    until: u64,
}

/// The counters that holders may issue, and have issued. All configurations of a world have one
/// layout.
#[derive(Debug)]
pub(super) struct Owners {
    layout: Layout,
    ids: HashSet<u64>,
    /// By node and first counter.
    intervals: BTreeMap<(u64, u64), Interval>,
    /// By incarnation: the first node after its nodes, as an administrator was told.
    nodes_end: BTreeMap<u64, u64>,
    /// By incarnation: the tick of its end, as an administrator was told.
    ended: BTreeMap<u64, u64>,
}

impl Owners {
    pub(super) fn new(layout: Layout) -> Self {
        let (ids, intervals) = (HashSet::new(), BTreeMap::new());
        Self { layout, ids, intervals, nodes_end: BTreeMap::new(), ended: BTreeMap::new() }
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
        if let Some(ended) = self.ended.get(&incarnation) {
            let ended = self.counter(*ended, 0);
            assert!(until <= ended, "incarnation {incarnation} has ended at {ended}, and goes on");
        }
        let nodes_end = self.nodes_end.get(&incarnation);
        assert!(
            nodes_end.is_none_or(|end| node < *end),
            "node {node} was given up, and is granted"
        );
        for ((_, start), other) in self.intervals.range((node, 0)..(node, until)) {
            let is_own = other.life == life && *start == from;
            assert!(
                is_own || other.until <= from,
                "two owners of node {node}: {from}..{until} and {start}..{}",
                other.until
            );
        }
        let interval = self.intervals.entry((node, from)).or_insert(Interval { life, until });
        // An empty interval may begin where another one begins.
        *interval = Interval { life, until: interval.until.max(until) };
    }

    /// Notes that a life has given back its span from this tick on.
    pub(super) fn released(&mut self, life: u64, node: u64, tick: u64) {
        let end = self.counter(tick, 0);
        let of_node = self.intervals.range_mut((node, 0)..=(node, end)).rev();
        if let Some((_, last)) = of_node.into_iter().find(|(_, interval)| interval.life == life) {
            last.until = last.until.min(end);
        }
    }

    /// Checks an id, and returns its tick.
    pub(super) fn issued(&mut self, life: u64, id: u64) -> u64 {
        assert!(self.ids.insert(id), "id {id} came twice");
        let Parts { tick, node, sequence, .. } = self.layout.decode(id).unwrap();
        let counter = self.counter(tick, sequence);
        let owner = self.intervals.range((node, 0)..=(node, counter)).next_back();
        let is_own = owner.is_some_and(|(_, owner)| owner.life == life && counter < owner.until);
        assert!(is_own, "id {id} of node {node} is not the holder's: {owner:?}");
        tick
    }

    /// Checks the description of the sequencer that an administrator gets.
    pub(super) fn told(&mut self, sequencer: &Sequencer) {
        let config = sequencer.config;
        let nodes_end = config.first_node() + config.node_count();
        self.nodes_end.insert(sequencer.incarnation, nodes_end);
        let last = self.intervals.keys().map(|(node, _)| *node).max();
        let is_first = sequencer.from_tick == 0;
        assert!(
            !is_first || last.is_none_or(|last| last < nodes_end),
            "a granted node is given up"
        );
        if let Life::Destroyed { until_tick } = sequencer.life {
            let until_tick = until_tick.max(sequencer.from_tick);
            let end = self.counter(until_tick, 0);
            let latest = self.intervals.values().map(|interval| interval.until).max();
            let incarnation = sequencer.incarnation;
            assert!(
                latest.is_none_or(|latest| latest <= end),
                "incarnation {incarnation} ends at {end}, and is used until {latest:?}"
            );
            self.ended.insert(incarnation, until_tick);
        }
    }

    /// Notes that the database may have lost what administrators were told.
    pub(super) fn forgotten(&mut self) {
        self.ended.clear();
        self.nodes_end.clear();
    }
}
