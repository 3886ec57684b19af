//! Takes ids of a lease for requests, as far as the queue and the clock allow.

use alloc::vec::Vec;

use super::lease::{BACK_WAIT_MAX_MS, Lease};
use super::queue::{LARGE_AHEAD_MS, SLICE};
use super::wait::{Ahead, Wait};
use super::{Holder, LOOK_MAX_MS, Step, UNWRITTEN, exhausted, sleep};
use crate::error::Error as GeneratorError;
use crate::layout::Parts;

impl Holder {
    /// Does the same as [`Holder::step`] for the number of ids that you gave to [`Wait::of`]. It
    /// adds the ids to `ids` in slices, as they are taken, so a large request takes memory only
    /// when its turn comes.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
    ///
    /// let (mut holder, mut wait, mut ids) = (Holder::new(), Wait::of(100_000), Vec::new());
    /// assert!(matches!(holder.issue(0, &mut wait, &mut ids, || 7), Step::Send(_)));
    /// assert!(ids.len() <= 1_000);
    /// ```
    pub fn issue(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        ids: &mut Vec<u64>,
        mut random: impl FnMut() -> u128,
    ) -> Step {
        loop {
            if wait.slice == 0 && wait.rest > 0 {
                wait.slice = wait.rest.min(SLICE);
                wait.rest -= wait.slice;
                wait.filled = 0;
                ids.resize(ids.len() + wait.slice, 0);
            }
            let taken = ids.len() - wait.slice;
            let step = self.step(now_ms, wait, &mut ids[taken..], &mut random);
            if step != Step::Done || wait.rest == 0 {
                return step;
            }
            wait.slice = 0;
        }
    }

    /// Keeps a request's place in the queue, or removes the request.
    #[cold]
    pub(super) fn queue_up(&mut self, wait: &Wait, slice: usize, step: &Step) {
        let has_all = wait.filled == slice && wait.rest == 0;
        match step {
            _ if has_all => self.queue.leave(wait),
            Step::Failed { .. } => self.queue.leave(wait),
            Step::Sleep { ms } => self.queue.sleeps(wait, *ms),
            Step::Done | Step::Send(_) => {}
        }
    }

    /// Takes the ids that a request may take now, and adds the request's tag to them. Returns a
    /// step if the request fails, or has to wait in the queue or for the clock.
    pub(super) fn take(&mut self, now_ms: u64, wait: &mut Wait, ids: &mut [u64]) -> Option<Step> {
        let Some(config) = self.config.as_ref().filter(|_| wait.tag > 0) else {
            return self.take_untagged(now_ms, wait, ids);
        };
        let tag_bits = match config.layout().encode(Parts { tag: wait.tag, ..Parts::default() }) {
            Ok(bits) => bits,
            Err(error) => return Some(Step::Failed { error: error.into(), retry_in_ms: None }),
        };
        let first = wait.filled;
        let step = self.take_untagged(now_ms, wait, ids);
        // Any tag is safe, because the counters tell the ids apart.
        for id in &mut ids[first..wait.filled] {
            *id |= tag_bits;
        }
        step
    }

    fn take_untagged(&mut self, now_ms: u64, wait: &mut Wait, ids: &mut [u64]) -> Option<Step> {
        let missing = &mut ids[wait.filled..];
        let Some(lease) = &mut self.lease else {
            if missing.is_empty() {
                return None;
            }
            return self.take_of_batches(now_ms, wait, missing);
        };
        lease.note_timers(now_ms, wait);
        if missing.is_empty() {
            return None;
        }
        if lease.unwritten {
            return Some(UNWRITTEN);
        }
        let total_ms = wait.total_ms(now_ms);
        let left_ms = Wait::MAX_MS.saturating_sub(total_ms);
        let time_ms = lease.time_ms(now_ms);
        let wanted = missing.len() + wait.rest;
        wait.is_large |= wanted > SLICE;
        let is_large = wait.is_large;
        if is_large {
            let proved_ms = lease.proved_ms(now_ms, wait);
            lease.load.measure(now_ms, lease.generator.statistics().issued);
            if wait.request.is_none() {
                let refused = self.queue.refuse_large(now_ms, wait, wanted as u64, |ids| {
                    lease.wait_ms(proved_ms, lease.with_small(ids)).saturating_sub(left_ms)
                });
                if let Some(ms) = refused {
                    return Some(Step::Failed { error: exhausted(ms), retry_in_ms: Some(ms) });
                }
            }
            if let Some(before) = self.queue.look(now_ms, wait, wanted) {
                let ms = lease.wait_ms(proved_ms, before);
                return Some(sleep(total_ms, ms.clamp(1, LOOK_MAX_MS), exhausted(ms)));
            }
        }
        let mut missing = missing;
        if !lease.returned.is_empty() {
            let ahead_ms = lease.ahead_ms(now_ms, wait);
            let (filled, tick) = lease.take_returned(time_ms, ahead_ms, missing);
            if filled > 0 {
                lease.wait_until(tick, now_ms, wait);
                wait.filled += filled;
                missing = &mut missing[filled..];
            }
            if missing.is_empty() {
                return None;
            }
        }
        let mut filled = lease.generator.fill(time_ms, missing);
        if is_large {
            lease.load.note_large(filled);
        }
        // The lease gives ids again, so the holder forgets that no node was free.
        if filled > 0 {
            self.full = None;
            if lease.returned.has_ahead {
                lease.note_newest();
            }
        }
        let ready = lease.generator.ready(time_ms);
        if filled < missing.len() {
            if matches!(ready, Err(GeneratorError::SpanEnded { .. })) {
                wait.filled += filled;
                return self.take_of_batches(now_ms, wait, &mut missing[filled..]);
            }
            filled += self.batches.fill(now_ms, &mut missing[filled..]);
        }
        wait.filled += filled;
        let missing = &mut missing[filled..];
        let retry_in_ms = ready.err()?.retry_in_ms()?;
        if wait.is_impatient
            || missing.is_empty()
            || !lease.is_busy(time_ms, retry_in_ms) && lease.swap_helps(retry_in_ms)
        {
            return None;
        }
        let proved_ms = lease.proved_ms(now_ms, wait);
        if !is_large {
            let late_ms = lease.wait_ms(proved_ms, missing.len() as u64).saturating_sub(left_ms);
            if late_ms > 0 {
                let wanted = missing.len();
                return Some(self.refuse(now_ms, late_ms, wanted));
            }
        }
        let lag_ms = proved_ms - time_ms;
        let ahead_ms = lease.ahead_ms(now_ms, wait);
        let (ahead, last_tick) = lease.generator.fill_ahead(time_ms, ahead_ms, missing);
        wait.filled += ahead;
        if is_large {
            lease.load.note_large(ahead);
        }
        if ahead > 0 {
            lease.wait_until(last_tick, now_ms, wait);
        }
        if ahead == missing.len() {
            return None;
        }
        let retry_in_ms = lease.generator.ready(time_ms).err()?.retry_in_ms()?;
        // Wake `LARGE_AHEAD_MS / 2` early, so that a timer that is late by that much loses no ids.
        let ms = retry_in_ms.saturating_sub(lag_ms + LARGE_AHEAD_MS / 2);
        is_large.then(|| sleep(total_ms, ms, exhausted(retry_in_ms)))
    }

    /// Refuses a request whose ids would come `late_ms` too late. The request is told to come back
    /// when the requests before it have their ids, so that refused requests do not all come back
    /// together.
    #[cold]
    fn refuse(&mut self, now_ms: u64, late_ms: u64, wanted: usize) -> Step {
        let wanted_ms = self.lease.as_ref().map_or(0, |lease| lease.length_ms(wanted as u64));
        let retry_in_ms = self.queue.refuse(now_ms, late_ms, wanted_ms);
        Step::Failed { error: exhausted(retry_in_ms), retry_in_ms: Some(retry_in_ms) }
    }

    /// Takes ids of batches, but leaves as many ids as the requests before this request still need.
    /// The next batch may have fewer ids than all requests want together, so small requests queue
    /// as well.
    fn take_of_batches(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        missing: &mut [u64],
    ) -> Option<Step> {
        let wanted = missing.len() + wait.rest;
        wait.is_large |= wanted > SLICE;
        let is_queued = !wait.is_impatient && self.is_full(now_ms);
        let before = if is_queued && !self.queue.is_empty() {
            self.queue.look(now_ms, wait, wanted).unwrap_or(0)
        } else {
            0
        };
        let left = self.batches.left(now_ms).saturating_sub(before);
        let count = missing.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let filled = self.batches.fill(now_ms, &mut missing[..count]);
        wait.filled += filled;
        if !is_queued || filled == missing.len() {
            return None;
        }
        self.queue.enter(now_ms, wait, wanted - filled);
        (before > 0).then(|| {
            let total_ms = wait.total_ms(now_ms);
            let ms = (total_ms / 4).clamp(1, LOOK_MAX_MS);
            sleep(total_ms, ms, self.why(wait))
        })
    }
}

impl Lease {
    /// Notes how far the authority's clock has moved since the request last looked. The request's
    /// timers prove this.
    fn note_timers(&mut self, now_ms: u64, wait: &mut Wait) {
        if self.behind_ms > 0 {
            let most_ms = now_ms.saturating_add(self.behind_ms);
            self.passed_ms = self.passed_ms.max(wait.passed_ms.min(most_ms));
            wait.passed_ms = self.passed_ms;
        }
    }

    /// Returns the [time](Self::time_ms) that the timers of a request prove, even if the clock
    /// stands still.
    fn proved_ms(&self, now_ms: u64, wait: &Wait) -> u64 {
        self.time_ms(now_ms.saturating_add(wait.lag_ms(now_ms)))
    }

    /// Returns for how many ms a request for `ids` ids waits until the last of these ids is within
    /// the allowed future. Random starts and gaps are estimated by their means.
    fn wait_ms(&self, time_ms: u64, ids: u64) -> u64 {
        let (layout, policy) = (self.generator.layout(), self.generator.policy());
        let tick = self.next_tick(time_ms).min(layout.ticks() - 1);
        let used = if tick == self.generator.tick() { self.generator.used_in_tick() } else { 0 };
        let start_ms = layout.start_ms(tick).saturating_add(self.ticks_ms(used, ids));
        start_ms.saturating_sub(time_ms.saturating_add(policy.allowed_future_ms))
    }

    /// Returns how many ids large and small requests take in all, until large requests have `ids`
    /// of them.
    fn with_small(&self, ids: u64) -> u64 {
        let layout = self.generator.layout();
        self.load.with_small(ids, layout.ids_per_tick(), layout.tick_ms())
    }

    /// Returns the time in ms until `ids` more ids are within the allowed future.
    fn length_ms(&self, ids: u64) -> u64 {
        self.ticks_ms(0, ids.saturating_add(1))
    }

    /// Returns the time in ms of the full ticks before the last of `ids` ids, if `used` counters of
    /// the first tick are used.
    fn ticks_ms(&self, used: u64, ids: u64) -> u64 {
        let (layout, policy) = (self.generator.layout(), self.generator.policy());
        let in_tick = layout.ids_per_tick().saturating_mul(2).saturating_sub(policy.start_max());
        let counters = u128::from(used) * 2
            + u128::from(ids.saturating_sub(1)) * u128::from(policy.gap_max + 2);
        let ticks = u64::try_from(counters / u128::from(in_tick.max(1))).unwrap_or(u64::MAX);
        ticks.saturating_mul(layout.tick_ms())
    }

    /// Returns by how many ms a request may take ids ahead of the allowed future.
    fn ahead_ms(&self, now_ms: u64, wait: &mut Wait) -> u64 {
        if wait.is_impatient {
            return 0;
        }
        let lag_ms = self.proved_ms(now_ms, wait) - self.time_ms(now_ms);
        let left_ms = Wait::MAX_MS.saturating_sub(wait.total_ms(now_ms));
        lag_ms + if wait.is_large { LARGE_AHEAD_MS } else { left_ms }
    }

    /// Notes that a request waits until a tick comes within the allowed future.
    fn wait_until(&mut self, tick: u64, now_ms: u64, wait: &mut Wait) {
        let due_in_ms = self.due_in_ms(self.proved_ms(now_ms, wait), tick);
        wait.due_ms = wait.due_ms.max(wait.total_ms(now_ms) + due_in_ms);
        // A request that already has ids may get smaller ids, which another request gave back. So
        // the later tick stays.
        let tick = wait.ahead.map_or(tick, |ahead| ahead.tick.max(tick));
        wait.ahead = Some(Ahead { token: self.grant.token, tick });
        self.returned.has_ahead = true;
    }

    /// Returns in how many ms the tick comes within the allowed future, and notes that a request
    /// waits for this tick.
    fn due_in_ms(&mut self, time_ms: u64, tick: u64) -> u64 {
        let allowed_future_ms = self.generator.policy().allowed_future_ms;
        let due_ms = self.generator.layout().start_ms(tick).saturating_sub(allowed_future_ms);
        self.due_ms = self.due_ms.max(due_ms);
        due_ms.saturating_sub(time_ms)
    }

    /// Returns whether the allowed future is used up because requests wait, not because the clock
    /// went back.
    fn is_busy(&mut self, time_ms: u64, retry_in_ms: u64) -> bool {
        self.latest_ms = self.latest_ms.max(time_ms);
        let tick_ms = self.generator.layout().tick_ms();
        let back_ms = self.latest_ms - time_ms;
        back_ms <= tick_ms.max(BACK_WAIT_MAX_MS)
            && retry_in_ms <= self.due_ms.saturating_sub(time_ms).saturating_add(tick_ms)
    }
}
