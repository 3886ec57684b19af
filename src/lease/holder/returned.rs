//! The ids that come back from a request whose caller leaves before it is answered.
//!
//! Requests take ids ahead of the clock, and wait until these are due. If a caller leaves meanwhile,
//! other requests may take its ids, as long as ids still ascend: an id that a request gets is above
//! each id with which a request was answered before that one began. So an id comes back only if its
//! tick is later than every tick that may have been answered from since it was taken.

use alloc::vec::Vec;

use super::Holder;
use super::lease::Lease;
use super::wait::Wait;
use crate::layout::{Layout, Parts};
use crate::lease::message::Token;

/// The largest number of ids that are kept for other requests. They take 800 KB of memory.
const RETURNED_MAX: usize = 100_000;

/// The last tick of the ids that a waiting request has taken ahead of the clock, and the token of
/// their lease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    pub(super) token: Token,
    pub(super) tick: u64,
}

/// The ids of a lease that came back.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(super) struct Returned {
    /// The ids without tags, in descending order.
    ids: Vec<u64>,
    /// The last tick from which a request may have been answered since ids were taken ahead.
    answered_tick: Option<u64>,
    /// Whether ids were taken ahead since `answered_tick` was set.
    pub(super) has_ahead: bool,
}

impl Returned {
    pub(super) const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

impl Lease {
    /// Notes that a request may be answered with the newest id.
    #[cold]
    pub(super) fn note_newest(&mut self) {
        self.note_answered(self.generator.last_tick());
        self.returned.has_ahead = false;
    }

    fn note_answered(&mut self, tick: u64) {
        self.returned.answered_tick = self.returned.answered_tick.max(Some(tick));
    }

    /// Fills `ids` with ids that came back and are within the allowed future or at most `ahead_ms`
    /// further ahead. Returns how many it filled in, and the tick of the last one.
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
        let now_tick = layout.tick_clamped(time_ms);
        let (mut filled, mut taken_tick) = (0, 0);
        while filled < ids.len()
            && let Some(id) = self.returned.ids.last()
        {
            let tick = tick_of(layout, *id);
            if tick > last_tick {
                break;
            }
            if tick >= now_tick && Some(tick) > self.returned.answered_tick {
                ids[filled] = *id;
                filled += 1;
                taken_tick = tick;
            }
            self.returned.ids.pop();
        }
        (filled, taken_tick)
    }

    /// Returns whether an id that came back is within the allowed future.
    pub(super) fn has_returned(&mut self, time_ms: u64) -> bool {
        let mut id = [0];
        let (filled, _) = self.take_returned(time_ms, 0, &mut id);
        self.returned.ids.extend(&id[..filled]);
        filled > 0
    }

    fn give_back(&mut self, ids: &[u64]) {
        let layout = *self.generator.layout();
        let span = self.generator.span();
        let untagged = ids.iter().filter_map(|id| {
            let parts = layout.decode(*id).ok()?;
            let is_own = parts.node == span.node() && parts.tick >= span.from_tick();
            let is_later = Some(parts.tick) > self.returned.answered_tick;
            (is_own && is_later).then(|| layout.encode(Parts { tag: 0, ..parts }).ok())?
        });
        let untagged: Vec<u64> = untagged.collect();
        if self.returned.ids.len() + untagged.len() > RETURNED_MAX {
            return;
        }
        self.returned.ids.extend(untagged.into_iter().rev());
        // The ids of a tick keep their order, because a rotated tick does not ascend.
        self.returned.ids.sort_by_key(|id| core::cmp::Reverse(tick_of(&layout, *id)));
    }
}

fn tick_of(layout: &Layout, id: u64) -> u64 {
    layout.decode(id).map_or(0, |parts| parts.tick)
}

impl Holder {
    /// Notes that a request has its ids, and may be answered with them.
    #[cold]
    pub(super) fn answer(&mut self, wait: &mut Wait) {
        if let Some(ahead) = wait.ahead.take()
            && let Some(lease) = self.lease_of(ahead.token)
        {
            lease.note_answered(ahead.tick);
        }
    }

    /// Ends a request whose caller has left or that has failed. Its place in the queue is free, and
    /// other requests may take the ids that it took ahead of the clock. It empties `ids`. For a
    /// request that is done, it gives nothing back.
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
