//! What a month costs at published prices, in US dollars.
//!
//! Of November 2026, plan Workers Paid:
//! <https://developers.cloudflare.com/workers/platform/pricing/>,
//! <https://developers.cloudflare.com/durable-objects/platform/pricing/>. What is included is
//! taken off; what the account does beside this is not known.

/// Of the plan, a month.
const PLAN: f64 = 5.0;

/// Of a million requests to Workers, and how many million are included.
const REQUESTS: Price = Price { each: 0.30, included: 10.0 };

/// Price of a million ms of a processor.
const CPU_MS: Price = Price { each: 0.02, included: 30.0 };

/// Price of a million requests to Durable Objects.
const CALLS: Price = Price { each: 0.15, included: 1.0 };

/// Price of a million GB-seconds in which a Durable Object is active.
const DURATION: Price = Price { each: 12.50, included: 0.4 };

/// Of a million rows of SQLite written, and read.
const WRITTEN: Price = Price { each: 1.00, included: 50.0 };
const READ: Price = Price { each: 0.001, included: 25_000.0 };

/// Price of a GB of storage.
const STORED: Price = Price { each: 0.20, included: 5.0 };

/// What an object is billed for, in GB, whatever it uses.
const OBJECT_GB: f64 = 0.128;

const MILLION: f64 = 1e6;

/// Seconds of a month of 365 / 12 days.
pub(crate) const MONTH_S: f64 = 2_628_000.0;

/// For how long an operation keeps an object active, to the confirmation of its write, in s. An
/// assumption.
const ACTIVE_S: f64 = 0.010;

/// What an operation reads: the sequencer and the node.
const ROWS_READ: f64 = 2.0;

/// What a node takes with its token, in GB. An assumption.
const ROW_GB: f64 = 100e-9;

/// What a request takes of a processor, in ms. An assumption.
const REQUEST_CPU_MS: f64 = 1.0;

#[derive(Clone, Copy)]
struct Price {
    each: f64,
    /// In the unit of the price.
    included: f64,
}

impl Price {
    const fn of(self, amount: f64) -> f64 {
        self.each * (amount - self.included).max(0.0)
    }
}

/// What is used in a month.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) requests: f64,
    /// Calls of authorities.
    pub(crate) calls: f64,
    pub(crate) writes: f64,
    pub(crate) shards: f64,
    /// The most that were ever used.
    pub(crate) nodes: f64,
}

impl Usage {
    /// For the authorities: all that the leases add to a Worker that is there anyway.
    pub(crate) fn authorities(&self) -> f64 {
        let active_s = (self.calls * ACTIVE_S).min(self.shards * MONTH_S);
        CALLS.of(self.calls / MILLION)
            + DURATION.of(active_s * OBJECT_GB / MILLION)
            + WRITTEN.of(self.writes / MILLION)
            + READ.of(self.calls * ROWS_READ / MILLION)
            + STORED.of(self.nodes * ROW_GB)
    }

    /// For the requests to the Worker, with the plan.
    pub(crate) fn worker(&self) -> f64 {
        PLAN + REQUESTS.of(self.requests / MILLION)
            + CPU_MS.of(self.requests * REQUEST_CPU_MS / MILLION)
    }

    /// For objects that are asked for each id, with one row written each, instead of leases.
    pub(crate) fn call_for_each_id(&self) -> f64 {
        CALLS.of(self.requests / MILLION)
            + DURATION.of(self.requests * ACTIVE_S * OBJECT_GB / MILLION)
            + WRITTEN.of(self.requests / MILLION)
            + READ.of(self.requests / MILLION)
    }
}
