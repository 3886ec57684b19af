use crate::{Error, Layout};

/// What may change freely while a sequencer is in use. The authority's values travel in every
/// grant, so that a holder needs none of its own.
///
/// ```
/// use edgeflake::{Tunables, preset::HAZELCAST};
///
/// let tunables = Tunables::new(
///     Tunables::LEASE_MS,
///     Tunables::ALLOWED_FUTURE_MS,
///     Tunables::CLOCK_DISAGREEMENT_MAX_MS,
/// );
/// assert_eq!(tunables.check(&HAZELCAST), Ok(()));
/// assert_eq!(tunables.lease_ms(), 300_000);
/// assert_eq!(tunables.allowed_future_ms(), 15_000);
/// assert_eq!(tunables.clock_disagreement_max_ms(), 10_000);
/// ```
#[expect(clippy::struct_field_names, reason = "the unit of a duration is part of its name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunables {
    lease_ms: u64,
    allowed_future_ms: u64,
    clock_disagreement_max_ms: u64,
}

impl Tunables {
    /// The default lease, in ms: 5 minutes, in which an isolate calls the authority twice.
    pub const LEASE_MS: u64 = 300_000;

    /// The default look-ahead, in ms: Hazelcast's `DEFAULT_ALLOWED_FUTURE_MILLIS`.
    pub const ALLOWED_FUTURE_MS: u64 = 15_000;

    /// The default of how far clocks may differ, in ms: far more than those that are kept in step
    /// do, and less than the look-ahead, so that a holder whose clock is that far behind can use
    /// its grant at once.
    pub const CLOCK_DISAGREEMENT_MAX_MS: u64 = 10_000;

    /// Longest lease, in ms: a day. A lease that nobody renews keeps its node from others this
    /// long.
    pub const LEASE_MAX_MS: u64 = 86_400_000;

    /// `lease_ms`: how long a grant lasts; `allowed_future_ms`: how far generators may run ahead of
    /// their clock; `clock_disagreement_max_ms`: how far the clocks of holder and authority may
    /// differ at a grant. [`check`](Self::check) says whether they suit a layout.
    #[must_use]
    pub const fn new(
        lease_ms: u64,
        allowed_future_ms: u64,
        clock_disagreement_max_ms: u64,
    ) -> Self {
        Self { lease_ms, allowed_future_ms, clock_disagreement_max_ms }
    }

    /// Whether they suit a layout.
    ///
    /// # Errors
    /// [`Error::Lease`] unless the lease is at least twice the look-ahead and a tick, so that a
    /// generator at full look-ahead still has half of its lease to renew it, and at most a day.
    ///
    /// ```
    /// use edgeflake::{Tunables, preset::HAZELCAST};
    ///
    /// assert!(Tunables::new(30_001, 15_000, 10_000).check(&HAZELCAST).is_ok());
    /// assert!(Tunables::new(30_000, 15_000, 10_000).check(&HAZELCAST).is_err());
    /// assert!(Tunables::new(Tunables::LEASE_MAX_MS, 0, 0).check(&HAZELCAST).is_ok());
    /// assert!(Tunables::new(Tunables::LEASE_MAX_MS + 1, 0, 0).check(&HAZELCAST).is_err());
    /// ```
    pub const fn check(&self, layout: &Layout) -> Result<(), Error> {
        let ahead_ms = self.allowed_future_ms.saturating_mul(2);
        let (min_ms, max_ms) = (ahead_ms.saturating_add(layout.tick_ms()), Self::LEASE_MAX_MS);
        if self.lease_ms < min_ms || self.lease_ms > max_ms {
            return Err(Error::Lease { lease_ms: self.lease_ms, min_ms, max_ms });
        }
        Ok(())
    }

    /// How long a grant lasts, in ms.
    #[must_use]
    pub const fn lease_ms(&self) -> u64 {
        self.lease_ms
    }

    /// The look-ahead: how far generators may run ahead of their clock, in ms.
    #[must_use]
    pub const fn allowed_future_ms(&self) -> u64 {
        self.allowed_future_ms
    }

    /// How far the clocks of holder and authority may differ at a grant, in ms.
    #[must_use]
    pub const fn clock_disagreement_max_ms(&self) -> u64 {
        self.clock_disagreement_max_ms
    }
}
