use crate::layout::{Layout, Role};

/// One counter of a node, as its tick and its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter {
    /// The tick, counted from the layout's epoch.
    pub tick: u64,
    /// The sequence within the tick.
    pub sequence: u64,
}

impl Counter {
    /// Returns the counter with this number. The layout's first counter has the number 0.
    pub(crate) const fn of(layout: &Layout, number: u64) -> Self {
        let tick = number >> layout.role_bits(Role::Sequence);
        Self { tick, sequence: number & layout.role_max(Role::Sequence) }
    }

    /// Returns the first tick that has no counter before this one.
    #[must_use]
    pub const fn end_tick(self) -> u64 {
        if self.sequence == 0 { self.tick } else { self.tick.saturating_add(1) }
    }

    /// Returns the counter's number. The layout's first counter has the number 0.
    pub(crate) const fn number(self, layout: &Layout) -> u64 {
        first_counter(layout, self.tick) + self.sequence
    }
}

/// Returns the first counter of a tick. For a tick past the layout's last tick, returns the first
/// number after all counters, or [`COUNTER_END`] if timestamp and sequence fill all 64 bits. So the
/// counters `u64::MAX - 1` and `u64::MAX` are never issued.
pub(crate) const fn first_counter(layout: &Layout, tick: u64) -> u64 {
    if tick < layout.ticks() {
        tick << layout.role_bits(Role::Sequence)
    } else {
        match layout.ticks().checked_mul(layout.ids_per_tick()) {
            Some(counters) => counters,
            None => COUNTER_END,
        }
    }
}

/// The end of all counters if timestamp and sequence fill all 64 bits. It is less than `u64::MAX`,
/// because `u64::MAX` marks a closed shared generator.
const COUNTER_END: u64 = u64::MAX - 1;
