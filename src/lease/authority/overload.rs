use crate::lease::message::{Refusal, Request};

/// The longest time after which a shard tells a refused request to come back, in ms.
const RETRY_MAX_MS: u64 = 60_000;

/// The load of a shard: the number of operations in the current second.
///
/// Renewals are never refused, because a refused renewal costs a whole new grant later. Batches are
/// refused before grants, because a holder soon needs another batch, while a grant lasts for
/// minutes. While the clock stands still, all operations count as operations of one second, because
/// there is no other clock to trust.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub(crate) struct Overload {
    second: u64,
    operations: u64,
    /// The time, in Unix µs, until which the refused requests will keep the shard busy when they
    /// come back.
    refused_until_us: u64,
}

/// The hash leaves the load out, because no authority in the model check (tests/world) is
/// overloaded.
#[cfg(model)]
impl core::hash::Hash for Overload {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

impl Overload {
    /// Counts a request, or refuses it.
    ///
    /// # Errors
    /// [`Refusal::Overloaded`], whose `retry_in_ms` is at least the rest of this second plus 1 s,
    /// and longer if many requests were refused before.
    pub(crate) fn admit(
        &mut self,
        now_ms: u64,
        per_second_max: u64,
        request: &Request,
    ) -> Result<(), Refusal> {
        // A step of the clock in either direction begins a new second.
        if now_ms / 1_000 != self.second {
            (self.second, self.operations) = (now_ms / 1_000, 0);
        }
        let max = match request {
            Request::Prefetch(_) => per_second_max - per_second_max / 2,
            Request::Acquire(_) => per_second_max - per_second_max / 4,
            _ => u64::MAX,
        };
        if self.operations >= max {
            return Err(self.refuse(now_ms, max));
        }
        self.operations += 1;
        Ok(())
    }

    /// Refuses a request, and tells it when to come back. At most `max` requests per second are
    /// told to come, so that they do not all come back together.
    pub(crate) fn refuse(&mut self, now_ms: u64, max: u64) -> Refusal {
        let earliest_ms = 2_000 - now_ms % 1_000;
        let turn_ms = (self.refused_until_us / 1_000).saturating_sub(now_ms).min(RETRY_MAX_MS);
        let retry_in_ms = earliest_ms.max(turn_ms);
        let in_us = |ms: u64| now_ms.saturating_add(ms).saturating_mul(1_000);
        let begin_us = self.refused_until_us.max(in_us(earliest_ms)).min(in_us(RETRY_MAX_MS));
        self.refused_until_us = begin_us.saturating_add(1_000_000 / max.max(1));
        Refusal::Overloaded { retry_in_ms }
    }
}
