//! What kind of world it is, drawn once, and what is drawn in it again and again.

use edgeflake::{Identity, SequenceStart, Terms, Tunables};

use crate::random::Random;

/// Bits that mean the same ticks, divided in other ways.
const LAYOUTS: [&str; 5] = [
    "timestamp:40 node:3 sequence:2",
    "timestamp:40 node:3 sequence:2",
    "timestamp:40 sequence:2 node:3",
    "timestamp:40 node:4 sequence:1",
    "timestamp:40 node.a:2 sequence:2 node.b:1",
];

/// Shards, and nodes of each: mostly one or two beside that of batches, for which all compete.
const NODES: [(u64, u64); 9] =
    [(1, 2), (1, 2), (1, 2), (1, 3), (2, 2), (2, 2), (2, 1), (4, 2), (4, 1)];

pub(crate) struct Weather {
    tick_ms: u64,
    /// The longest step of the time, mostly.
    pub(crate) pace_ms: u64,
    clock_disagreement_max_ms: u64,
    lease_most_ms: u64,
    /// How seldom the sequencer is destroyed.
    pub(crate) rest: u64,
    /// How seldom leases are given back.
    pub(crate) leave: u64,
}

impl Weather {
    pub(crate) fn new(random: &mut Random) -> Self {
        Self {
            tick_ms: random.pick([1, 1, 10]),
            pace_ms: random.pick([2, 5, 10]),
            clock_disagreement_max_ms: random.pick([200, 1_000_000]),
            lease_most_ms: random.pick([100, 300, 1_000, 5_000]),
            rest: random.pick([1, 12, 100]),
            leave: random.pick([5, 20, 200]),
        }
    }

    pub(crate) fn identity(&self, random: &mut Random) -> Identity {
        let (text, tick_ms) = (random.pick(LAYOUTS), self.tick_ms);
        let layout = format!("{text} @1000 tick={tick_ms}ms").parse().unwrap();
        let (shards, nodes) = random.pick(NODES);
        Identity::new(layout, 0, shards * nodes, shards).unwrap()
    }

    pub(crate) fn tunables(&self, random: &mut Random) -> Tunables {
        let allowed_future_ms = random.below(60);
        let terms = Terms {
            lease_ms: 2 * allowed_future_ms + self.tick_ms + 1 + random.below(self.lease_most_ms),
            allowed_future_ms,
            sequence_start: random.pick([
                SequenceStart::Zero,
                SequenceStart::Zero,
                SequenceStart::Random { max: 1 },
                SequenceStart::Rotating,
            ]),
            gap_max: random.pick([0, 0, 0, 1]),
            prefetch_count: 1 + random.below(20),
            prefetch_validity_ms: random.pick([0, 50, 600_000]),
            statistics: true,
        };
        let clock_disagreement_max_ms = self.clock_disagreement_max_ms;
        Tunables { terms, clock_disagreement_max_ms, ..Tunables::default() }
    }
}
