/// The clock of a process, which may differ from the time of the playground.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    /// The time by which it is ahead, in ms.
    ahead_ms: i64,
    /// The time at which it stands still, if it does.
    frozen_ms: Option<u64>,
}

impl Clock {
    /// Returns the time that it shows at a time of the playground, in Unix ms.
    pub(crate) fn now_ms(&self, true_ms: u64) -> u64 {
        self.frozen_ms.unwrap_or_else(|| true_ms.saturating_add_signed(self.ahead_ms))
    }

    pub(crate) const fn is_frozen(&self) -> bool {
        self.frozen_ms.is_some()
    }

    pub(crate) fn freeze(&mut self, true_ms: u64) {
        self.frozen_ms = Some(self.now_ms(true_ms));
    }

    /// Lets it go on from the time at which it stands.
    pub(crate) const fn thaw(&mut self, true_ms: u64) {
        if let Some(frozen_ms) = self.frozen_ms.take() {
            self.ahead_ms = frozen_ms.cast_signed() - true_ms.cast_signed();
        }
    }

    /// Sets it forward or back. If it stands still, it then stands still at the new time.
    pub(crate) const fn shift(&mut self, by_ms: i64) {
        match &mut self.frozen_ms {
            Some(frozen_ms) => *frozen_ms = frozen_ms.saturating_add_signed(by_ms),
            None => self.ahead_ms = self.ahead_ms.saturating_add(by_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn a_clock_goes_on_from_where_it_stood() {
        let mut clock = Clock::default();
        clock.freeze(1_000);
        assert_eq!((clock.now_ms(5_000), clock.is_frozen()), (1_000, true));
        clock.shift(-200);
        assert_eq!(clock.now_ms(5_000), 800);
        clock.thaw(5_000);
        assert_eq!((clock.now_ms(5_001), clock.is_frozen()), (801, false));
        clock.shift(4_200);
        assert_eq!(clock.now_ms(6_000), 6_000);
    }
}
