//! Prepares runs (ids that differ by a constant step), and gives back the rest of a run.

use super::Generator;
use super::counter::first_counter;
use super::policy::SequenceStart;
use crate::error::Error;
use crate::layout::{Layout, Role};

/// Returns the error of a generator whose span ends at `until_tick` and has no more ids.
pub(super) const fn ended(layout: &Layout, now_ms: u64, until_tick: u64) -> Error {
    if until_tick == layout.ticks() {
        Error::LayoutEnded { now_ms, end_ms: layout.end_ms() }
    } else {
        Error::SpanEnded { until_tick }
    }
}

impl Generator {
    /// Ends the current run: gives back the ids that were not issued. If an id was issued, also
    /// skips the random gap after it.
    pub(super) fn settle(&mut self) {
        self.end -= self.left;
        self.run_length -= self.left;
        self.left = 0;
        if self.run_length > 0 {
            self.statistics = self.statistics();
            self.entered_tick = self.entered_tick.max(self.last_tick());
            self.run_length = 0;
            if self.policy.gap_max > 0 {
                self.end = self.end.saturating_add(self.draw.up_to(self.policy.gap_max));
            }
        }
    }

    /// Prepares a new run, which has at least one id that may be issued at the time `now_ms`.
    #[inline(never)]
    pub(super) fn prepare(&mut self, now_ms: u64) -> Result<(), Error> {
        self.settle();
        self.statistics.clock_steps_back += u64::from(now_ms < self.now_ms);
        self.now_ms = now_ms;
        self.latest_ms = self.latest_ms.max(now_ms);
        let tick = self.layout.tick(now_ms)?;
        if tick < self.span.until_tick() {
            self.end = self.end.max(first_counter(&self.layout, tick));
            self.entered_tick = self.entered_tick.max(tick);
            self.enter_tick();
        }
        let until_tick = self.span.until_tick();
        if tick >= until_tick || self.end >= first_counter(&self.layout, until_tick) {
            return Err(ended(&self.layout, now_ms, until_tick));
        }
        let ahead_ms = now_ms.saturating_add(self.policy.allowed_future_ms);
        let end_tick = until_tick.min(self.layout.tick_clamped(ahead_ms) + 1);
        let ceiling = first_counter(&self.layout, end_tick);
        if self.end >= ceiling {
            self.statistics.exhausted += 1;
            let start_ms = self.layout.start_ms(self.tick());
            return Err(Error::ahead(self.latest_ms - now_ms, start_ms.saturating_sub(ahead_ms)));
        }
        self.take_run(ceiling);
        Ok(())
    }

    /// Makes the current run begin at the next counter, which lies below `ceiling`.
    fn take_run(&mut self, ceiling: u64) {
        let counter = self.end;
        let in_tick = self.layout.role_max(Role::Sequence);
        // In a rotated tick, the id of each counter is made from `stands_for`, a counter of the
        // same tick. No two counters have the same `stands_for`.
        let stands_for = match self.policy.sequence_start {
            SequenceStart::Rotating => {
                counter & !in_tick | counter.wrapping_add(self.rotation) & in_tick
            }
            SequenceStart::Zero | SequenceStart::Random { .. } => counter,
        };
        let mut length = (ceiling - counter).min(self.packing.straight(stands_for));
        if self.policy.sequence_start != SequenceStart::Zero {
            // A run ends with its tick, because the start of the sequence was drawn for this tick
            // only. In a rotated tick, the run also ends where the sequence wraps around.
            length = length.min(in_tick - (stands_for & in_tick) + 1);
            length = length.min(in_tick - (counter & in_tick) + 1);
        }
        if self.policy.gap_max > 0 {
            length = 1;
        }
        self.next_id = self.packing.id(stands_for);
        (self.left, self.run_length) = (length, length);
        self.end = counter + length;
    }

    /// Draws the start of the sequence for the next counter's tick, once per tick.
    fn enter_tick(&mut self) {
        let tick = self.tick();
        if self.drawn_tick == Some(tick) || tick >= self.span.until_tick() {
            return;
        }
        self.drawn_tick = Some(tick);
        match self.policy.sequence_start {
            SequenceStart::Zero => {}
            SequenceStart::Random { max } => {
                let start = first_counter(&self.layout, tick) + self.draw.up_to(max);
                self.end = self.end.max(start);
            }
            SequenceStart::Rotating => {
                self.rotation = self.draw.up_to(self.layout.role_max(Role::Sequence));
            }
        }
    }
}
