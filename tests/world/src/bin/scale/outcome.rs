//! The outcome of a world: a row of the table.

use crate::bill::{MONTH_S, Usage};
use crate::measure::Window;
use crate::region;
use crate::setting::Setting;
use crate::world::World;

/// Deploys per month. This is an assumption.
const DEPLOYS: f64 = 30.0;

/// Results of the steady lease time, or of the two lease times that follow an incident.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incident {
    pub(crate) calls_max: u64,
    pub(crate) held_max: u64,
    /// Fractions of the requests that came in the first lease time.
    pub(crate) slow: f64,
    pub(crate) failed: f64,
    pub(crate) recovered_s: Option<usize>,
}

impl Incident {
    fn of(first: Window<'_>, all: Window<'_>) -> Self {
        Self {
            calls_max: all.calls_max(),
            held_max: all.held_max(),
            slow: first.part(|second| second.slow),
            failed: first.part(|second| second.failed),
            recovered_s: all.recovered_s(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) setting: Setting,
    pub(crate) isolates: f64,
    /// Mean number of nodes in use in the steady lease time.
    pub(crate) nodes: f64,
    /// The expected number of these nodes: an isolate uses a node for its lifetime, and then for
    /// the remaining time of its span.
    pub(crate) nodes_by_formula: f64,
    /// Mean remaining time of spans when their isolates ended, in s.
    pub(crate) rest_s: f64,
    /// Mean number of calls per second and shard in the steady lease time.
    pub(crate) calls: f64,
    pub(crate) steady: Incident,
    pub(crate) deploy: Incident,
    pub(crate) failover: Incident,
    pub(crate) usage: Usage,
}

impl Outcome {
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    pub(crate) fn of(world: &World) -> Self {
        let (setting, measure) = (world.setting, &world.measure);
        let lease_s = setting.lease_s;
        let from = |from_s, leases| measure.window(from_s, from_s + leases * lease_s);
        let steady = from(setting.steady_s(), 1);
        let shards = setting.shards as f64;
        let isolates = steady.mean(|second| f64::from(second.isolates));
        let calls = steady.mean(|second| second.calls as f64);
        let writes = steady.mean(|second| second.writes as f64);
        let (spans, left_ms) = measure.left;
        let rest_s = left_ms as f64 / spans.max(1) as f64 / 1_000.0;
        let lifetime_s = f64::from(setting.lifetime_s);
        // This factor converts the busiest hour to the mean of the day.
        let busy = (0..24).map(|hour| region::traffic(f64::from(hour))).sum::<f64>()
            / 24.0
            / region::traffic(region::busiest_hour());
        let nodes_max = measure.window(0, setting.end_s()).held_max();
        let deploys = DEPLOYS * isolates;
        let requests = steady.mean(|second| second.requests) * busy * MONTH_S;
        Self {
            setting,
            isolates,
            nodes: steady.held_mean(),
            nodes_by_formula: isolates / lifetime_s * (lifetime_s + rest_s),
            rest_s,
            calls: calls / shards,
            steady: Incident::of(steady, steady),
            deploy: Incident::of(from(setting.deploy_at_s(), 1), from(setting.deploy_at_s(), 2)),
            failover: Incident::of(
                from(setting.failover_at_s(), 1),
                from(setting.failover_at_s(), 2),
            ),
            usage: Usage {
                requests,
                calls: calls * busy * MONTH_S + deploys,
                writes: writes * busy * MONTH_S + deploys,
                shards,
                nodes: nodes_max as f64,
            },
        }
    }

    /// Whether no request fails in the steady time, and all is well again after each incident.
    pub(crate) fn is_well(&self) -> bool {
        self.steady.failed == 0.0
            && self.deploy.recovered_s.is_some()
            && self.failover.recovered_s.is_some()
    }

    /// Returns the largest number of nodes in use at any time as a fraction of all nodes.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^20 nodes")]
    pub(crate) fn nodes_part(&self) -> f64 {
        self.held_max() as f64 / self.setting.nodes() as f64
    }

    pub(crate) fn held_max(&self) -> u64 {
        self.deploy.held_max.max(self.failover.held_max).max(self.steady.held_max)
    }
}
