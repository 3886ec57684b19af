//! Whose turn it is when requests want more ids than the allowed future holds.
//!
//! Problem: requests look again when their own timers fire, and ids that are not taken in time are
//! lost where no future is allowed. If each took what it found, 1,000 requests would starve each
//! other, and a large request would keep the small ones waiting.
//!
//! Here a request takes its ids ahead of the clock, in the order of arrival, and sleeps once, until
//! the last of them is due: so nothing is lost, and nothing is asked twice. A large request takes
//! slices of [`SLICE`] ids, no further ahead than a timer is late, so that small ones find the
//! counter nearby. Among the large ones the fewest missing ids go first, then the earliest arrival.
//!
//! A request may vanish without a word, because the platform ends it. So an entry of the queue
//! counts only while its request keeps looking: one that waits behind it, by its own timers for
//! longer than that sleeps, removes it.

use alloc::vec::Vec;

use super::wait::Wait;

/// Ids that a request takes at once. Requests for no more are small.
pub(super) const SLICE: usize = 1_000;

/// How far ahead of the allowed future large requests take ids, in ms: a timer that is later than
/// this loses some where no future is allowed.
pub(super) const LARGE_AHEAD_MS: u64 = 20;

/// How late a timer may be before its request counts as gone, in ms.
const LATE_MAX_MS: u64 = 100;

/// The large requests that wait for ids.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub(super) struct Queue {
    entries: Vec<Entry>,
    /// The newest number of a request, or of a look.
    number: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The request's number, in the order of arrival.
    request: u64,
    /// How many ids it has not taken.
    missing: u64,
    /// The number of its newest look, and for how long it sleeps after it, in ms.
    look: u64,
    sleeps_ms: u64,
}

impl Queue {
    /// Notes that a request looks, and says how many ids those before it miss; `None` when it is
    /// its turn.
    pub(super) fn look(&mut self, wait: &mut Wait, missing: usize) -> Option<u64> {
        self.number += 1;
        let request = *wait.request.get_or_insert(self.number);
        self.entries.retain(|entry| entry.request != request);
        let missing = missing as u64;
        let entry = Entry { request, missing, look: self.number, sleeps_ms: 0 };
        loop {
            let before = |other: &&Entry| (other.missing, other.request) < (missing, request);
            let first = self.entries.iter().filter(before).min_by_key(|other| other.look);
            let Some(first) = first.copied() else { break };
            if wait.on(first.look) <= first.sleeps_ms + LATE_MAX_MS {
                break;
            }
            self.entries.retain(|entry| entry.request != first.request);
        }
        self.entries.push(entry);
        let before =
            self.entries.iter().filter(|other| (other.missing, other.request) < (missing, request));
        before.map(|other| other.missing).reduce(u64::saturating_add)
    }

    /// Notes for how long a request sleeps.
    pub(super) fn sleeps(&mut self, wait: &Wait, ms: u64) {
        for entry in &mut self.entries {
            if Some(entry.request) == wait.request {
                entry.sleeps_ms = ms;
            }
        }
    }

    /// A request has its ids, or gives up.
    pub(super) fn leave(&mut self, wait: &Wait) {
        self.entries.retain(|entry| Some(entry.request) != wait.request);
    }

    /// How many ids other requests miss.
    pub(super) fn missing(&self, wait: &Wait) -> u64 {
        let others = self.entries.iter().filter(|entry| Some(entry.request) != wait.request);
        others.map(|entry| entry.missing).fold(0, u64::saturating_add)
    }
}
