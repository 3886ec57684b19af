use crate::lease::message::{Refusal, Request};

/// The load of a shard: the number of operations in the current second.
///
/// Renewals are never refused, because a refused renewal costs a whole new grant later. Batches are
/// refused before grants, because a batch must soon be followed by another, while a grant lasts.
/// While the clock stands still, all operations count as those of one second, because nothing else
/// that shows the time can be trusted.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub(crate) struct Overload {
    second: u64,
    operations: u64,
}

/// The hash leaves the load out, because no authority of the model check (tests/world) is
/// overloaded.
#[cfg(model)]
impl core::hash::Hash for Overload {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

impl Overload {
    /// Counts a request, or refuses it.
    ///
    /// # Errors
    /// [`Refusal::Overloaded`], whose `retry_in_ms` is at least the rest of this second.
    pub(crate) fn admit(
        &mut self,
        now_ms: u64,
        per_second_max: u64,
        request: &Request,
    ) -> Result<(), Refusal> {
        // A step of the clock in either direction begins a new second.
        if now_ms / 1_000 != self.second {
            *self = Self { second: now_ms / 1_000, operations: 0 };
        }
        let max = match request {
            Request::Prefetch(_) => per_second_max - per_second_max / 2,
            Request::Acquire(_) => per_second_max - per_second_max / 4,
            _ => u64::MAX,
        };
        if self.operations >= max {
            return Err(Refusal::Overloaded { retry_in_ms: 2_000 - now_ms % 1_000 });
        }
        self.operations += 1;
        Ok(())
    }
}
