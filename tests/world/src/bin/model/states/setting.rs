//! The size of a world: everything that bounds it.

use edgeflake::Layout;
use edgeflake::lease::{Authority, BoundConfig, Row, Sequencer, Settings, Terms};

/// The node that is kept for batches, which is the first one.
pub(crate) const BATCH_NODE: u64 = 0;
/// The largest number of nodes: the one for batches, and three to grant.
pub(crate) const NODES_MAX: usize = 4;
pub(crate) const TICKS: u64 = 16;

const TICK_MS: u64 = 16;
/// Clocks start at this time, in Unix ms. It is also the longest time for which a holder uses
/// batches while no node is free. So if a refusal arrives at time 0, this time is over by the start
/// of the clocks.
const EPOCH_MS: u64 = 64_000;

/// The random bits that decide how much a pause is shortened. All bits are set, so no pause is
/// shortened, and the shortest pause lasts 100 ms.
const JITTER: u64 = 0xff;
const PAUSE_MIN_MS: u64 = 100;

/// The length of a timer. No pause in the model is longer. A holder waits 1.5 s, 3 s and 6 s for
/// replies before it sends a call again. Only the wait of 6 s is longer than this timer. So a call
/// is sent a fourth time only if the clock has not moved forward, because then the holder cuts the
/// wait to 4 s.
pub(crate) const TIMER_MS: u64 = 4_000;

/// Makes the settings. Each row has a name, the least number of states, the setting on which it is
/// based, and the fields that differ.
macro_rules! settings {
    ($($name:literal $states_min:literal $of:ident { $($field:ident: $value:literal),* })+) => {
        &[$(Setting { name: $name, states_min: $states_min, $($field: $value,)* ..$of }),+]
    };
}

/// The small settings come first. They are part of the tests, and are searched breadth-first, which
/// finds the shortest way to a state. The others are searched depth-first to save memory.
///
/// In `small-renewals`, the only holder has the only node, so the holder renews its span even after
/// the span has ended. In `small-database`, no failover is over within `clock_ticks`, but the clock
/// may jump to the tick at which the failover is over.
pub(crate) const SETTINGS: &[Setting] = settings! {
    "small-leases" 340_000 SMALL { lease_ticks: 2, faults: 1 }
    "small-crowd" 125_000 SMALL { holders: 3, nodes: 2 }
    "small-ahead" 90_000 SMALL { clock_ticks: 4, lease_ticks: 3, allowed_future_ticks: 1 }
    "small-instances" 95_000 SMALL { instances: 2 }
    "small-renewals" 105_000 SMALL { holders: 1, calls: 4 }
    "small-retries" 900_000 SMALL { calls: 4 }
    "small-database" 690_000 SMALL { clock_ticks: 2, calls: 2, faults: 1, has_database: true }
    "leases" 2_200_000 LARGE { nodes: 2, lease_ticks: 2, calls: 4 }
    "crowd" 7_500_000 LARGE { holders: 3, nodes: 2, calls: 4 }
    "instances" 6_000_000 LARGE { holders: 3, instances: 2, calls: 4 }
    "faults" 13_000_000 LARGE { calls: 4, faults: 1 }
    "calls" 17_500_000 LARGE { calls: 5 }
    "faults-leases" 6_000_000 LARGE { nodes: 2, lease_ticks: 2, faults: 2 }
    "faults-crowd" 22_000_000 LARGE { holders: 3, nodes: 2, faults: 2 }
    "faults-instances" 13_000_000 LARGE { instances: 2, faults: 2 }
};

const SMALL: Setting = Setting {
    name: "",
    is_small: true,
    states_min: 0,
    holders: 2,
    nodes: 1,
    clock_ticks: 3,
    lease_ticks: 1,
    allowed_future_ticks: 0,
    calls: 3,
    faults: 0,
    instances: 1,
    has_database: false,
};

const LARGE: Setting = Setting { is_small: false, ..SMALL };

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) is_small: bool,
    /// Slightly less than the usual number of states. A run with fewer states fails.
    pub(crate) states_min: usize,
    /// Number of holders at a time. When a holder crashes, another one takes its place.
    pub(crate) holders: usize,
    /// Number of nodes that can be granted.
    pub(crate) nodes: u64,
    /// Number of ticks that the clocks show.
    pub(crate) clock_ticks: u64,
    pub(crate) lease_ticks: u64,
    pub(crate) allowed_future_ticks: u64,
    /// The largest total number of calls of all holders, including retries and releases.
    pub(crate) calls: u8,
    /// The largest number of faults: messages that arrive twice, calls that are reported lost to
    /// their holder, and crashes of holders and authorities.
    pub(crate) faults: u8,
    /// The largest number of authorities at a time. They share one storage.
    pub(crate) instances: usize,
    /// Whether the holders decide for themselves, from the tables of a database with a standby. One
    /// of the faults is then a failover.
    pub(crate) has_database: bool,
}

impl Setting {
    /// Panics if the setting breaks an assumption of the model.
    pub(crate) fn check(&self) {
        // The clock must not end a pause. In this model only a timer ends it, and any request may
        // have waited for a timer.
        assert!((self.clock_ticks - 1) * TICK_MS < PAUSE_MIN_MS, "{}: a pause ends", self.name);
        assert!(self.clock_ticks + 2 * self.lease_ticks < TICKS, "{}: the layout ends", self.name);
        assert!(
            self.nodes < NODES_MAX as u64 && self.instances <= 2,
            "{}: too many nodes or instances",
            self.name
        );
        assert!(self.states_min > 0, "{}: the least number of states is missing", self.name);
        self.authority([]);
    }

    pub(crate) fn layout() -> Layout {
        "timestamp:4 sequence:1 node:2 @64000 tick=16ms".parse().expect("a layout of 16 ticks")
    }

    pub(crate) const fn start_ms(tick: u64) -> u64 {
        EPOCH_MS + tick * TICK_MS
    }

    /// Returns random bits that give a different token for each number, and always [`JITTER`].
    pub(crate) fn random(number: u8) -> u128 {
        let high = u64::from(number);
        u128::from(high) << u64::BITS | u128::from(high ^ JITTER)
    }

    /// Makes an authority that starts with these rows.
    pub(crate) fn authority(&self, rows: impl IntoIterator<Item = (u64, Row)>) -> Authority {
        let sequencer = Some(Sequencer::new(self.config()));
        Authority::load(0, sequencer, self.settings(), rows).expect("an authority wrote these rows")
    }

    pub(crate) fn config(&self) -> BoundConfig {
        let config = BoundConfig::new(Self::layout(), BATCH_NODE, 1 + self.nodes, 1);
        config.expect("nodes of the layout")
    }

    pub(crate) fn settings(&self) -> Settings {
        let terms = Terms {
            lease_ms: self.lease_ticks * TICK_MS,
            allowed_future_ms: self.allowed_future_ticks * TICK_MS,
            prefetch_count: 1,
            prefetch_validity_ms: 0,
            statistics: false,
            ..Terms::default()
        };
        let mut settings = Settings { terms, ..Settings::default() };
        if self.has_database {
            // Each clock of a server or its standby shows any tick, so two clocks may differ by
            // this.
            settings.clock_disagreement_max_ms = (self.clock_ticks - 1) * TICK_MS;
        }
        settings
    }
}
