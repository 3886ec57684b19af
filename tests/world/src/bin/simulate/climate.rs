//! The kind of a world, which is drawn once, and the draws that depend on it.

use edgeflake::lease::{BoundConfig, Settings, Terms, Witness};
use edgeflake::{Layout, SequenceStart};
use edgeflake_world::Random;

/// Layouts with the same timestamp bits, and different other bits. Most have so few ids per tick
/// that ids run out.
const NARROW: [&str; 6] = [
    "timestamp:40 unused:1 node:3 sequence:2",
    "timestamp:40 unused:1 node:3 sequence:2",
    "timestamp:40 unused:1 sequence:2 node:3",
    "timestamp:40 node:5 sequence:1",
    "timestamp:40 node.a:2 sequence:2 node.b:2",
    "timestamp:40 node:3 sequence:3",
];

/// Layouts without a sequence, with one id per tick.
const BARE: [&str; 2] = ["timestamp:40 node:3", "timestamp:40 node.a:2 node.b:1"];

/// Layouts with other timestamp bits than [`NARROW`]. A sequencer can be created again with them
/// only if none of its nodes was ever granted.
const SHIFTED: [&str; 2] =
    ["timestamp:39 node:3 sequence:2", "unused:1 timestamp:39 sequence:2 node:3"];

/// Layouts as in real deployments, where ids hardly ever run out.
const WIDE: [&str; 2] =
    ["unused:1 timestamp:40 node:11 sequence:12", "unused:1 timestamp:40 sequence:11 node:12"];

/// Layouts that end before the world does.
const ENDING: [&str; 2] =
    ["timestamp:27 node:3 sequence:2", "unused:1 timestamp:27 sequence:2 node:3"];

/// Numbers of shards, and of nodes per shard. Besides the node for batches, most shards have one or
/// two nodes, so that all holders compete for these.
const NODES: [(u64, u64); 11] =
    [(1, 2), (1, 2), (1, 2), (1, 3), (1, 6), (1, 8), (2, 4), (2, 2), (2, 1), (4, 2), (4, 1)];

/// Numbers of shards, and of nodes per shard, for wide layouts. A stamp has separate ends for only
/// eight nodes, so most of these shards have more nodes.
const WIDE_NODES: [(u64, u64); 6] = [(1, 2), (1, 6), (1, 16), (1, 32), (2, 16), (4, 12)];

/// The time at which a world begins, in Unix ms: about 19 s before the layouts of [`ENDING`] end.
pub(crate) const START_MS: u64 = 134_200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layouts {
    Narrow,
    Bare,
    Wide,
    Ending,
}

#[derive(Debug)]
pub(crate) struct Climate {
    /// Most times of this world are drawn in proportion to this number of ms. The holder's own
    /// times, such as its pauses, are constants.
    pub(crate) unit_ms: u64,
    layouts: Layouts,
    tick_ms: u64,
    clock_disagreement_max_ms: u64,
    future_most_ms: u64,
    lease_most_ms: u64,
    pub(crate) isolates: u64,
    /// Mean time between two requests of an isolate, in ms.
    pub(crate) pace_ms: u64,
    /// Mean time between two faults, in ms.
    pub(crate) fault_ms: u64,
    /// Whether sequencers are destroyed as soon as they are created.
    pub(crate) is_hasty: bool,
    /// One in this many draws of the fault `sequencer destroyed` destroys a sequencer.
    pub(crate) rest: u64,
    /// Before one request in this many, the isolate gives its lease back.
    pub(crate) leave: u64,
    pub(crate) as_text: bool,
    /// The initial witness of each shard, if shards have one. Only then are storages restored.
    pub(crate) witness: Option<Witness>,
}

impl Climate {
    pub(crate) fn new(random: &mut Random) -> Self {
        let unit_ms = if random.one_in(4) { 100 } else { 1 };
        let is_crowd = random.one_in(40);
        let isolates = if is_crowd { 100 + random.below(100) } else { random.pick([2, 3, 5, 8]) };
        let layouts = match () {
            () if isolates > 8 || random.one_in(8) => Layouts::Wide,
            () if random.one_in(8) => Layouts::Bare,
            () if random.one_in(30) => Layouts::Ending,
            () => Layouts::Narrow,
        };
        let lease_most_ms = unit_ms * random.pick([100, 300, 1_000, 5_000]);
        let future_most_ms = random.pick([0, 1, 60 * unit_ms, 60 * unit_ms, 60 * unit_ms, 15_000]);
        let pace_ms = unit_ms * random.pick([2, 5, 10, 40]) * isolates;
        Self {
            unit_ms,
            layouts,
            tick_ms: if layouts == Layouts::Ending { 1 } else { random.pick([1, 1, 10]) },
            clock_disagreement_max_ms: unit_ms * random.pick([200, 1_000_000]),
            future_most_ms,
            lease_most_ms,
            isolates,
            pace_ms,
            fault_ms: pace_ms / isolates * random.pick([2, 5, 20]),
            is_hasty: random.one_in(4),
            rest: random.pick([1, 12, 100]),
            leave: random.pick([3, 10, 100]),
            as_text: random.one_in(8),
            witness: random.one_in(3).then(Witness::default),
        }
    }

    /// Whether requests can count on ids at a time in Unix ms. If the layout ends during the world,
    /// they cannot.
    pub(crate) const fn lasts(&self, world_ms: u64) -> bool {
        !matches!(self.layouts, Layouts::Ending) || world_ms < START_MS
    }

    pub(crate) fn config(&self, random: &mut Random) -> BoundConfig {
        let tick_ms = self.tick_ms;
        let text = match self.layouts {
            Layouts::Narrow if random.one_in(8) => random.pick(SHIFTED),
            Layouts::Narrow => random.pick(NARROW),
            Layouts::Bare => random.pick(BARE),
            Layouts::Wide => random.pick(WIDE),
            Layouts::Ending => random.pick(ENDING),
        };
        let epoch_ms = if random.one_in(16) { 2_000 } else { 1_000 };
        let layout: Layout = format!("{text} @{epoch_ms} tick={tick_ms}ms").parse().unwrap();
        let is_wide = self.layouts == Layouts::Wide;
        let (shards, nodes) = if is_wide { random.pick(WIDE_NODES) } else { random.pick(NODES) };
        let node_count = shards * nodes;
        let first_node = random.below(layout.nodes() - node_count + 1);
        BoundConfig::new(layout, first_node, node_count, shards).unwrap()
    }

    pub(crate) fn settings(&self, random: &mut Random) -> Settings {
        let most_ms = self.future_most_ms;
        let allowed_future_ms = if random.one_in(2) { most_ms } else { random.below(most_ms + 1) };
        let sequence_max = u64::from(self.layouts != Layouts::Bare);
        let shortest_ms = 2 * allowed_future_ms + self.tick_ms;
        let mut terms = Terms {
            lease_ms: shortest_ms + 1 + random.below(self.lease_most_ms),
            allowed_future_ms,
            sequence_start: random.pick([
                SequenceStart::Zero,
                SequenceStart::Zero,
                SequenceStart::Random { max: sequence_max },
                SequenceStart::Rotating,
            ]),
            gap_max: random.pick([0, 0, 0, sequence_max]),
            prefetch_count: 1 + random.below(20),
            prefetch_validity_ms: self.unit_ms * random.pick([0, 50, 600_000]),
            ..Terms::default()
        };
        terms.statistics = random.one_in(2);
        let clock_disagreement_max_ms = self.clock_disagreement_max_ms;
        Settings { terms, clock_disagreement_max_ms, ..Settings::default() }
    }

    /// Changes settings, so that the allowed future is often 0, and the limit of operations per
    /// second often too low.
    pub(crate) fn seldom(&self, settings: Settings, random: &mut Random) -> Settings {
        let Terms { lease_ms, allowed_future_ms, .. } = settings.terms;
        let most_ms = self.future_most_ms;
        let other_ms = random.pick([0, 1, allowed_future_ms, most_ms]).min(most_ms);
        let terms = Terms {
            lease_ms: lease_ms - 2 * allowed_future_ms + 2 * other_ms,
            allowed_future_ms: other_ms,
            ..settings.terms
        };
        let operations_per_second_max = random.pick([2, 8, 30, 1_000]);
        Settings { terms, operations_per_second_max, ..settings }
    }

    pub(crate) const fn lease_max_ms(&self) -> u64 {
        2 * self.future_most_ms + self.tick_ms + 1 + self.lease_most_ms
    }

    /// The largest error of a clock in a calm, in ms. Any two clocks then agree well enough.
    pub(crate) fn agreed_ms(&self) -> u64 {
        (self.clock_disagreement_max_ms / 10).min(40)
    }

    /// How far an id may be ahead of its holder's clock in a calm, in ms. The authority's clock may
    /// be ahead of the holder's by the errors of both clocks, and was ahead by `behind_ms` at the
    /// grant.
    pub(crate) fn ahead_most_ms(&self, behind_ms: u64) -> u64 {
        self.future_most_ms + behind_ms.max(2 * self.agreed_ms())
    }

    /// Draws a pause with roughly this mean, in ms. The pause is often 0, so that many things
    /// happen at once.
    pub(crate) fn pause_ms(mean_ms: u64, random: &mut Random) -> u64 {
        match random.below(4) {
            0 => 0,
            1 => random.below(mean_ms + 1),
            2 => mean_ms,
            _ => random.below(3 * mean_ms + 1) + mean_ms / 2,
        }
    }
}
