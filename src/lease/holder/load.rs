//! Measures which fraction of the layout's ids small requests (requests for at most `SLICE` ids)
//! use. From this fraction, the holder computes how long a large request takes.

/// The shortest time in ms over which the load is measured.
const MEASURED_MS: u64 = 1_000;

/// The holder assumes that large requests get at least one in this many ids, however many ids small
/// requests take.
const SMALLEST_SHARE: u64 = 8;

/// Measures how many ids of a lease small requests take.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(super) struct Load {
    /// The start of the current measurement in Unix ms, and the number of ids that were issued
    /// before this start.
    since_ms: u64,
    issued: u64,
    /// The number of ids that large requests have taken since `since_ms`.
    large: u64,
    /// The length of the newest finished measurement in ms, and the number of ids that small
    /// requests took during it.
    measured_ms: u64,
    small: u64,
}

impl Load {
    /// Notes that a large request has taken ids.
    pub(super) const fn note_large(&mut self, ids: usize) {
        self.large += ids as u64;
    }

    /// Notes that `issued` ids of the lease were issued so far. If the current measurement is long
    /// enough, it ends, and the next one begins.
    pub(super) fn measure(&mut self, now_ms: u64, issued: u64) {
        let passed_ms = now_ms.saturating_sub(self.since_ms);
        if passed_ms < MEASURED_MS {
            return;
        }
        // The first measurement has no start.
        if self.since_ms > 0 {
            self.measured_ms = passed_ms;
            self.small = issued.saturating_sub(self.issued + self.large);
        }
        (self.since_ms, self.issued, self.large) = (now_ms, issued, 0);
    }

    /// Returns the number of ids that small and large requests take together until large requests
    /// have `ids` of them. The layout has `per_tick` ids per tick of `tick_ms`.
    pub(super) fn with_small(&self, ids: u64, per_tick: u64, tick_ms: u64) -> u64 {
        let all = per_tick.saturating_mul(self.measured_ms) / tick_ms;
        let left = all.saturating_sub(self.small).max(all / SMALLEST_SHARE);
        ids.saturating_mul(all).checked_div(left).unwrap_or(ids)
    }
}
