//! Clocks that are wrong in every way that clocks can be.

use crate::random::Random;
use crate::tally::Count;

/// A clock, which may differ from the time of the world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// How far the clock was ahead of the world when it began to drift, in ms.
    ahead_ms: i64,
    /// How many ms the clock gains per second of the world.
    drift: i64,
    /// The world's time at which the clock began to drift.
    since_ms: u64,
    /// The time that the clock shows if it stands still.
    frozen_ms: Option<u64>,
}

impl Clock {
    /// Makes a clock that is wrong by at most `most_ms`, and runs at the right speed.
    pub fn set(random: &mut Random, most_ms: u64) -> Self {
        let ahead_ms = random.below(2 * most_ms + 1).cast_signed() - most_ms.cast_signed();
        Self { ahead_ms, ..Self::default() }
    }

    /// Makes a clock that is ahead by this many ms, and runs at the right speed.
    pub fn ahead(ms: u64) -> Self {
        Self { ahead_ms: ms.cast_signed(), ..Self::default() }
    }

    pub fn now_ms(&self, world_ms: u64) -> u64 {
        let drifted = (world_ms - self.since_ms).cast_signed() * self.drift / 1_000;
        let running_ms = world_ms.saturating_add_signed(self.ahead_ms + drifted);
        self.frozen_ms.unwrap_or(running_ms)
    }

    pub fn step_back(&mut self, world_ms: u64, ms: u64) {
        let shown_ms = self.now_ms(world_ms).saturating_sub(ms);
        *self =
            Self { ahead_ms: shown_ms.cast_signed() - world_ms.cast_signed(), ..Self::default() };
    }

    /// Breaks the clock in a random way, and returns the kind of the fault.
    pub fn go_wrong(&mut self, world_ms: u64, unit_ms: u64, random: &mut Random) -> Count {
        let shown_ms = self.now_ms(world_ms).cast_signed();
        self.ahead_ms = shown_ms - world_ms.cast_signed();
        self.since_ms = world_ms;
        match random.below(8) {
            0..=3 => {
                // Most steps are small, and a few are very large.
                let most_ms = unit_ms * random.pick([1, 20, 50, 50, 400, 5_000]);
                let step_ms = random.below(2 * most_ms + 1).cast_signed() - most_ms.cast_signed();
                // Half of the steps start from the right time, the others from the shown time.
                self.ahead_ms = if random.one_in(2) { step_ms } else { self.ahead_ms + step_ms };
                Count::ClockSteps
            }
            4 => {
                self.drift = random.pick([-500, -20, 0, 20, 500, 3_000]);
                Count::ClockDrifts
            }
            _ => {
                let shown_ms = shown_ms.cast_unsigned();
                self.frozen_ms = self.frozen_ms.is_none().then_some(shown_ms);
                Count::ClockFreezes
            }
        }
    }
}
