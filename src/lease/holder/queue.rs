//! The order in which requests take ids when they want more than the allowed future holds.
//!
//! Problem: requests look for ids only when their own timers fire. If no future is allowed, ids
//! that are not taken in time are lost. If each request took the ids that it found, 1,000 requests
//! would starve each other, and a large request would keep small requests waiting.
//!
//! Here a request takes its ids ahead of the clock, in the order of arrival, and sleeps once, until
//! the last of its ids is due. So no id is lost, and no request looks for ids twice. A large
//! request takes slices of [`SLICE`] ids, and only as far ahead as a timer may be late, so that
//! small requests do not wait long. Among the large requests, the request that still needs the
//! fewest ids goes first. If several requests need the same number of ids, the earliest request
//! goes first.
//!
//! A large request that cannot have its ids in time is refused, and told when to come back. Until
//! then, its ids are reserved. Otherwise, other requests could take these ids each time, and the
//! refused request would never get an id. How long a large request takes depends on the rate of the
//! small requests, which `load.rs` measures.
//!
//! Without a lease, no ids can be taken ahead of the clock. Requests wait for the next batch, which
//! may have fewer ids than all requests want together. So each request, even a small request, takes
//! only the ids that the requests before it leave. The order of the requests is the same.
//!
//! The platform may end a request without notice, so an entry of the queue is removed when its
//! request stops looking. Of the entries ahead of its own, each request watches the entry
//! whose request looked longest ago. If that request has slept for longer than it said, by the
//! timers of the watching request, the watching request removes that entry. Each look also removes
//! entries that are older than the longest wait.

use alloc::vec::Vec;

use super::wait::Wait;

/// The number of ids that a request takes at once. A request for at most this many ids is small.
pub(super) const SLICE: usize = 1_000;

/// The time in ms by which large requests take ids ahead of the allowed future. If no future is
/// allowed, ids are lost when a request sleeps longer than this. A longer time would lose fewer
/// ids, but small requests would wait longer. In a trial on a busy machine, a longer time gained
/// nothing.
pub(super) const LARGE_AHEAD_MS: u64 = 20;

/// The time in ms by which a timer may be late before its request counts as gone.
const LATE_MAX_MS: u64 = 100;

/// The longest time in ms for which refused requests keep other requests away.
const REFUSED_MAX_MS: u64 = 60_000;

/// A refused request may come back up to this many ms after the time that it was told, because
/// HTTP's `Retry-After` has whole seconds.
const RETURN_MAX_MS: u64 = 2_000;

/// The largest number of refused requests whose ids are reserved.
const RESERVATIONS_MAX: usize = 1_000;

/// The requests that wait for ids. While there is a lease, these are only the large requests;
/// otherwise, all requests.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub(super) struct Queue {
    entries: Vec<Entry>,
    /// The newest number that a request or a look was given.
    number: u64,
    /// The value of `number` when the newest batch came.
    fed: u64,
    /// The time, in Unix ms, at which all refused small requests have their ids, if they come back
    /// when they were told to.
    refused_until_ms: u64,
    /// The ids that are reserved for large requests that were refused.
    reservations: Vec<Reservation>,
}

/// Ids that are reserved for a refused request.
#[derive(Clone, Copy, Debug)]
struct Reservation {
    /// The time at which the request was told to come back, in Unix ms.
    due_ms: u64,
    ids: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The request's number, in the order of arrival.
    request: u64,
    /// The number of ids that the request still needs.
    missing: u64,
    /// The number of the request's newest look, the time of that look in Unix ms, and for how many
    /// ms the request sleeps after this look.
    look: u64,
    at_ms: u64,
    sleeps_ms: u64,
}

impl Queue {
    pub(super) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Enters a request that looks for ids at `now_ms`, in Unix ms, and still needs `missing` ids.
    /// Returns the key by which the queue is sorted.
    pub(super) fn enter(&mut self, now_ms: u64, wait: &mut Wait, missing: usize) -> (u64, u64) {
        self.number += 1;
        let (request, missing) = (*wait.request.get_or_insert(self.number), missing as u64);
        // An entry that is older than the longest wait is removed. If the entry looks old only
        // because the clock stepped, its request enters again.
        self.entries.retain(|entry| {
            entry.request != request && entry.at_ms.abs_diff(now_ms) <= Wait::MAX_MS
        });
        let look = self.number;
        self.entries.push(Entry { request, missing, look, at_ms: now_ms, sleeps_ms: 0 });
        (missing, request)
    }

    /// Notes that a request looks for ids, and returns how many ids the requests before it still
    /// need. `None` means that no request is before it.
    pub(super) fn look(&mut self, now_ms: u64, wait: &mut Wait, missing: usize) -> Option<u64> {
        let own = self.enter(now_ms, wait, missing);
        let before = |other: &&Entry| (other.missing, other.request) < own;
        while let Some(first) = self.entries.iter().filter(before).min_by_key(|other| other.look) {
            let first = *first;
            if wait.on(first.look) <= first.sleeps_ms + LATE_MAX_MS {
                break;
            }
            self.entries.retain(|entry| entry.request != first.request);
        }
        let before = self.entries.iter().filter(before);
        before.map(|other| other.missing).reduce(u64::saturating_add)
    }

    /// Notes for how many ms a request sleeps.
    pub(super) fn sleeps(&mut self, wait: &Wait, ms: u64) {
        for entry in &mut self.entries {
            if Some(entry.request) == wait.request {
                entry.sleeps_ms = ms;
            }
        }
    }

    /// Removes a request that has its ids, or that gives up.
    pub(super) fn leave(&mut self, wait: &Wait) {
        self.entries.retain(|entry| Some(entry.request) != wait.request);
    }

    /// Refuses a new large request for `wanted` ids if its ids would come too late, and reserves
    /// these ids. Returns in how many ms the request should come back. `late_ms(n)` returns by how
    /// many ms the last of n ids comes too late.
    pub(super) fn refuse_large(
        &mut self,
        now_ms: u64,
        wait: &Wait,
        wanted: u64,
        late_ms: impl FnOnce(u64) -> u64,
    ) -> Option<u64> {
        let before = self.before(now_ms, wait, wanted);
        let late_ms = late_ms(before + wanted).min(REFUSED_MAX_MS);
        if late_ms == 0 {
            return None;
        }
        if self.reservations.len() < RESERVATIONS_MAX {
            self.reservations.push(Reservation { due_ms: now_ms + late_ms, ids: wanted });
        }
        Some(late_ms)
    }

    /// Returns the number of ids that other requests take before a new large request: the ids that
    /// the queue needs, and the reserved ids. If a refused request for the same number of ids
    /// should come back now, the new request counts as that request, and only the queue is before
    /// it.
    fn before(&mut self, now_ms: u64, wait: &Wait, wanted: u64) -> u64 {
        let (mut reserved, mut is_due) = (0_u64, false);
        self.reservations.retain(|one| {
            let left_ms = (one.due_ms + RETURN_MAX_MS).wrapping_sub(now_ms);
            let comes = !is_due && left_ms <= RETURN_MAX_MS && one.ids == wanted;
            is_due |= comes;
            // As in the queue, requests for fewer ids go first.
            if one.ids <= wanted {
                reserved += one.ids;
            }
            !comes && left_ms <= REFUSED_MAX_MS + RETURN_MAX_MS
        });
        self.missing(wait) + if is_due { 0 } else { reserved }
    }

    /// Refuses a small request whose ids would come `late_ms` ms too late, and would take
    /// `length_ms` ms to issue. Returns in how many ms the request should come back.
    pub(super) fn refuse(&mut self, now_ms: u64, late_ms: u64, length_ms: u64) -> u64 {
        // The time that is kept for refused small requests has a limit, so that neither a clock
        // that went back nor many refusals keep requests away for ever.
        let before_ms = self.refused_until_ms.saturating_sub(now_ms).min(REFUSED_MAX_MS);
        let retry_in_ms = late_ms.max(before_ms);
        self.refused_until_ms = now_ms.saturating_add(retry_in_ms).saturating_add(length_ms);
        retry_in_ms
    }

    /// Notes that a batch came.
    pub(super) const fn feed(&mut self) {
        self.fed = self.number;
    }

    /// Returns whether a batch came while this request waited.
    pub(super) fn was_fed(&self, wait: &Wait) -> bool {
        wait.request.is_some_and(|request| request <= self.fed)
    }

    /// Returns the number of ids that the other requests still need.
    pub(super) fn missing(&self, wait: &Wait) -> u64 {
        let others = self.entries.iter().filter(|entry| Some(entry.request) != wait.request);
        others.map(|entry| entry.missing).fold(0, u64::saturating_add)
    }
}
