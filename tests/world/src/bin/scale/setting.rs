//! The parameters of a world: its deployment and its incidents.

use edgeflake::Layout;
use edgeflake::lease::{BoundConfig, Settings, Terms};
use edgeflake::preset::{EDGE, HAZELCAST};
use lexopt::prelude::ValueExt;
use lexopt::{Error, Parser};

/// Number of requests that an isolate answers in its life. Cloudflare says that 99.99 % of them
/// find an existing isolate ("Eliminating Cold Starts 2: shard and conquer", September 2025).
const REQUESTS_A_LIFE: f64 = 10_000.0;

/// The parameters that have a column of their own.
const OF_COLUMNS: [&str; 4] = ["isolates", "shards", "node_bits", "lease_s"];

/// Declares the parameters, one per row. A parameter's name is also the name of its option.
macro_rules! parameters {
    ($($(#[doc = $help:literal])+ $name:ident: $type:ty = $usual:literal,)+) => {
        /// All parameters of one world.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Setting {
            $($(#[doc = $help])+ pub(crate) $name: $type),+
        }

        pub(crate) const USUAL: Setting = Setting { $($name: $usual),+ };

        /// Returns the help of all options.
        pub(crate) fn help() -> String {
            let lines = [$((stringify!($name), stringify!($usual), concat!($("\n     ", $help),+))),+];
            let lines = lines.map(|(name, usual, help)| {
                format!("\n  --{} {usual}{help}", name.replace('_', "-"))
            });
            lines.concat()
        }

        impl Setting {
            /// Reads the value of an option if the option has this name.
            pub(crate) fn set(&mut self, name: &str, parser: &mut Parser) -> Result<bool, Error> {
                match name.replace('-', "_").as_str() {
                    $(stringify!($name) => self.$name = parser.value()?.parse()?,)+
                    _ => return Ok(false),
                }
                Ok(true)
            }

            /// Names the parameters that have no column of their own, and differ from `USUAL`.
            pub(crate) fn unusual(&self) -> String {
                let all = [$((stringify!($name), self.$name != USUAL.$name, self.$name.to_string())),+];
                let others = all.iter().filter(|(name, is_unusual, _)| {
                    *is_unusual && !OF_COLUMNS.contains(name)
                });
                others.map(|(name, _, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
            }
        }
    };
}

parameters! {
    /// Number of isolates at the busiest hour.
    isolates: u32 = 0,
    /// Number of shards: 1, 2, 4 ... 64.
    shards: u64 = 1,
    /// Width of the node: 16 bits as in the layout `hazelcast`, or 20 bits as in `edge`.
    node_bits: u8 = 16,
    /// The lease time.
    lease_s: u64 = 300,
    /// The mean lifetime of isolates. Nothing is published, so this is an assumption.
    lifetime_s: u32 = 1_800,
    /// How long a deploy takes to replace all isolates.
    deploy_s: u64 = 60,
    /// Time for which the objects of the failing region cannot be reached.
    outage_s: u64 = 60,
    /// Whether the objects answer with an error during the outage. Otherwise they do not answer.
    is_refusing: bool = false,
    /// Operations per second that an object can do.
    object_per_second: u64 = 1_000,
    /// The variable `EDGEFLAKE_OPERATIONS_PER_SECOND_MAX`.
    operations_per_second_max: u64 = 1_000,
    /// Time after which the platform rejects a request that waits for an object. No number is
    /// published ("requests queued for too long"), so this is an assumption.
    queue_ms: u64 = 5_000,
}

impl Setting {
    const fn new(isolates: u32, shards: u64, node_bits: u8) -> Self {
        Self { isolates, shards, node_bits, ..USUAL }
    }

    pub(crate) const fn layout(&self) -> Layout {
        if self.node_bits == 20 { EDGE } else { HAZELCAST }
    }

    pub(crate) fn config(&self) -> BoundConfig {
        BoundConfig::new(self.layout(), 0, self.nodes(), self.shards).unwrap()
    }

    pub(crate) const fn nodes(&self) -> u64 {
        1 << self.node_bits
    }

    pub(crate) fn settings(&self) -> Settings {
        let terms = Terms { lease_ms: self.lease_s * 1_000, ..Terms::default() };
        let operations_per_second_max = self.operations_per_second_max;
        Settings { terms, operations_per_second_max, ..Settings::default() }
    }

    /// Mean number of requests per second and isolate.
    pub(crate) fn requests_per_second(&self) -> f64 {
        REQUESTS_A_LIFE / f64::from(self.lifetime_s)
    }

    /// When the steady time begins, in s. Isolates start during the first lease time, the world
    /// settles during the second, and is measured in steady state during the third. Two lease times
    /// follow for a deploy, and two more for a failover.
    pub(crate) const fn steady_s(&self) -> u64 {
        2 * self.lease_s
    }

    pub(crate) const fn deploy_at_s(&self) -> u64 {
        3 * self.lease_s
    }

    pub(crate) const fn failover_at_s(&self) -> u64 {
        5 * self.lease_s
    }

    pub(crate) const fn end_s(&self) -> u64 {
        7 * self.lease_s
    }
}

/// The table: sizes with suitable settings, and beside them unsuitable settings. docs/FIGURES.md
/// shows a part of it.
pub(crate) const TABLE: [Setting; 18] = [
    Setting::new(1_000, 1, 16),
    Setting::new(10_000, 1, 16),
    Setting::new(10_000, 4, 16),
    Setting { lifetime_s: 300, ..Setting::new(10_000, 4, 16) },
    Setting::new(30_000, 1, 16),
    Setting::new(30_000, 4, 16),
    Setting { is_refusing: true, ..Setting::new(30_000, 4, 16) },
    Setting { object_per_second: 200, ..Setting::new(30_000, 4, 16) },
    Setting {
        object_per_second: 200,
        operations_per_second_max: 200,
        ..Setting::new(30_000, 4, 16)
    },
    Setting::new(40_000, 4, 16),
    Setting { lease_s: 60, deploy_s: 120, ..Setting::new(50_000, 8, 16) },
    Setting::new(50_000, 1, 20),
    Setting::new(100_000, 4, 20),
    Setting::new(100_000, 16, 20),
    Setting { lifetime_s: 300, ..Setting::new(100_000, 16, 20) },
    Setting::new(450_000, 64, 20),
    Setting { lease_s: 120, deploy_s: 300, ..Setting::new(700_000, 64, 20) },
    Setting { lease_s: 60, deploy_s: 300, ..Setting::new(1_000_000, 64, 20) },
];

/// The settings of the tests: a sufficient one, one with too few nodes, one with too few shards,
/// and one in which all leases end in the outage, so that all holders come back at once.
pub(crate) const SMALL: [Setting; 4] = [
    Setting { lease_s: 60, ..Setting::new(1_000, 4, 16) },
    Setting { lease_s: 60, deploy_s: 10, ..Setting::new(33_000, 8, 16) },
    Setting {
        lease_s: 60,
        object_per_second: 50,
        operations_per_second_max: 50,
        ..Setting::new(1_000, 1, 16)
    },
    Setting { lease_s: 60, outage_s: 75, ..Setting::new(10_000, 1, 16) },
];
