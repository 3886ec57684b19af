//! The cost of a month at published prices, in US dollars.
//!
//! The prices are those of November 2026 for the plan Workers Paid:
//! <https://developers.cloudflare.com/workers/platform/pricing/>,
//! <https://developers.cloudflare.com/durable-objects/platform/pricing/>. The included amounts are
//! deducted. Other usage of the account is unknown and left out.

/// Price of the plan Workers Paid per month.
const PLAN: f64 = 5.0;

/// Prices of a million requests to Workers, and of a million ms of their processor time.
const REQUESTS: Price = Price { each: 0.30, included: 10.0 };
const CPU_MS: Price = Price { each: 0.02, included: 30.0 };

/// Prices of a million requests to Durable Objects, of a million GB-seconds in which a Durable
/// Object is active, of a million rows that SQLite writes and reads, and of a GB of storage.
const CALLS: Price = Price { each: 0.15, included: 1.0 };
const DURATION: Price = Price { each: 12.50, included: 0.4 };
const WRITTEN: Price = Price { each: 1.00, included: 50.0 };
const READ: Price = Price { each: 0.001, included: 25_000.0 };
const STORED: Price = Price { each: 0.20, included: 5.0 };

/// Memory for which each object is billed, in GB, however much it uses.
const OBJECT_GB: f64 = 0.128;

const MILLION: f64 = 1e6;

/// Seconds of a month of 365 / 12 days.
pub(crate) const MONTH_S: f64 = 2_628_000.0;

/// Assumptions: the time that an operation keeps an object active, until its write is confirmed;
/// the storage of a node and its token; and the processor time of a request.
const ACTIVE_S: f64 = 0.010;
const ROW_GB: f64 = 100e-9;
const REQUEST_CPU_MS: f64 = 1.0;

/// Rows that an operation reads: the sequencer and the node.
const ROWS_READ: f64 = 2.0;

/// A price, and the included amount, in the unit to which the price applies.
#[derive(Clone, Copy)]
struct Price {
    each: f64,
    included: f64,
}

impl Price {
    const fn of(self, amount: f64) -> f64 {
        self.each * (amount - self.included).max(0.0)
    }
}

/// The usage of a month.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) requests: f64,
    /// Number of calls to authorities.
    pub(crate) calls: f64,
    pub(crate) writes: f64,
    pub(crate) shards: f64,
    /// The largest number of nodes that were ever in use.
    pub(crate) nodes: f64,
}

impl Usage {
    /// Cost of the shards and their witnesses. A witness is called, and writes a row, as often as
    /// its shard. Leases add nothing else to the cost of an existing Worker.
    pub(crate) fn authorities(&self) -> f64 {
        let [calls, writes, objects] = [self.calls, self.writes, self.shards].map(|of| 2.0 * of);
        let active_s = (calls * ACTIVE_S).min(objects * MONTH_S);
        Self::objects(calls, active_s, writes, calls * ROWS_READ) + STORED.of(self.nodes * ROW_GB)
    }

    /// Cost of the requests to the Worker, with the plan.
    pub(crate) fn worker(&self) -> f64 {
        PLAN + REQUESTS.of(self.requests / MILLION)
            + CPU_MS.of(self.requests * REQUEST_CPU_MS / MILLION)
    }

    /// Cost of ids without leases, if each id takes a call to an object that writes one row.
    pub(crate) fn call_for_each_id(&self) -> f64 {
        let ids = self.requests;
        Self::objects(ids, ids * ACTIVE_S, ids, ids)
    }

    fn objects(calls: f64, active_s: f64, writes: f64, reads: f64) -> f64 {
        CALLS.of(calls / MILLION)
            + DURATION.of(active_s * OBJECT_GB / MILLION)
            + WRITTEN.of(writes / MILLION)
            + READ.of(reads / MILLION)
    }
}
