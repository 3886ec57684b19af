//! Ends requests whose callers leave before they have an answer.

use alloc::vec::Vec;

use super::Holder;
use super::lease::Lease;
use super::wait::Wait;
use crate::layout::Parts;

impl Lease {
    /// Notes that a request may be answered with the newest id, so that smaller ids that were given
    /// back are not issued later.
    #[cold]
    pub(super) fn note_newest(&mut self) {
        self.returned.note_answered(self.generator.last_tick());
        self.returned.has_ahead = false;
    }

    /// Fills `ids` with ids that other requests gave back. The ids are at most `ahead_ms` beyond
    /// the allowed future. Returns the number of ids that it filled in, and the tick of the last
    /// id.
    #[cold]
    pub(super) fn take_returned(
        &mut self,
        time_ms: u64,
        ahead_ms: u64,
        ids: &mut [u64],
    ) -> (usize, u64) {
        let layout = self.generator.layout();
        let allowed_ms = self.generator.policy().allowed_future_ms.saturating_add(ahead_ms);
        let last_tick = layout.tick_clamped(time_ms.saturating_add(allowed_ms));
        self.returned.take(layout, &(layout.tick_clamped(time_ms)..=last_tick), ids)
    }

    /// Returns whether any id that requests gave back is within the allowed future.
    pub(super) fn has_returned(&mut self, time_ms: u64) -> bool {
        let mut ids = [0];
        let (filled, _) = self.take_returned(time_ms, 0, &mut ids);
        if filled > 0 {
            self.returned.keep(Vec::from(ids));
        }
        filled > 0
    }

    fn give_back(&mut self, ids: &[u64]) {
        let (layout, span) = (self.generator.layout(), self.generator.span());
        let untagged = ids.iter().rev().filter_map(|id| {
            let parts = layout.decode(*id).ok()?;
            let is_own = parts.node == span.node() && parts.tick >= span.from_tick();
            let comes_back = is_own && self.returned.is_above_answered(parts.tick);
            comes_back.then(|| layout.encode(Parts { tag: 0, ..parts }).ok())?
        });
        let untagged = untagged.collect();
        self.returned.keep(untagged);
    }
}

impl Holder {
    /// Notes that a request has its ids, and may be answered with them.
    #[cold]
    pub(super) fn answer(&mut self, wait: &mut Wait) {
        if let Some(ahead) = wait.ahead.take()
            && let Some(lease) = self.lease_of(ahead.token)
        {
            lease.returned.note_answered(ahead.tick);
        }
    }

    /// Ends a request that has failed, or whose caller has left, and empties `ids`. The request's
    /// place in the queue becomes free, and other requests may take the ids that this request took
    /// ahead of the clock. If the request was already done, nothing is given back.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
    ///
    /// let (mut holder, mut wait, mut ids) = (Holder::new(), Wait::of(3), Vec::new());
    /// assert!(matches!(holder.issue(0, &mut wait, &mut ids, || 7), Step::Send(_)));
    /// holder.cancel(&mut wait, &mut ids);
    /// assert!(ids.is_empty());
    /// ```
    pub fn cancel(&mut self, wait: &mut Wait, ids: &mut Vec<u64>) {
        self.queue.leave(wait);
        ids.truncate(ids.len().saturating_sub(wait.slice) + wait.filled);
        if let Some(ahead) = wait.ahead
            && let Some(lease) = self.lease_of(ahead.token)
        {
            lease.give_back(ids);
        }
        ids.clear();
        *wait = Wait::default();
    }
}
