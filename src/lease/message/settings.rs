use crate::generator::{Policy, SequenceStart};
use crate::layout::Layout;
use crate::lease::error::Error;

/// The settings that a holder needs. These settings travel in every grant, renewal and batch, so
/// the holder needs no variables of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The time that a grant lasts, in ms. The default is 5 minutes, in which an isolate calls the
    /// authority twice.
    pub lease_ms: u64,
    /// The allowed future: how far ids may run ahead of the clock, in ms. The default is
    /// Hazelcast's `DEFAULT_ALLOWED_FUTURE_MILLIS`.
    pub allowed_future_ms: u64,
    /// The start of the sequence in a new tick.
    pub sequence_start: SequenceStart,
    /// The largest number of counters that are left out at random between two ids.
    pub gap_max: u64,
    /// The number of ids that a prefetched batch has at first: 1 to [`PREFETCH_COUNT_MAX`]. The
    /// default is Hazelcast's `DEFAULT_PREFETCH_COUNT`.
    ///
    /// [`PREFETCH_COUNT_MAX`]: Self::PREFETCH_COUNT_MAX
    pub prefetch_count: u64,
    /// The time for which a holder uses a prefetched batch, in ms; 0 for no limit. The default is
    /// Hazelcast's `DEFAULT_PREFETCH_VALIDITY_MILLIS`.
    pub prefetch_validity_ms: u64,
    /// Whether holders report how many ids they issued.
    pub statistics: bool,
}

impl Terms {
    /// The longest lease, in ms: a day. A lease that is not renewed keeps its node from other
    /// holders for this time.
    pub const LEASE_MAX_MS: u64 = 86_400_000;

    /// The largest number of ids of a batch, as in Hazelcast's `PREFETCH_COUNT`.
    pub const PREFETCH_COUNT_MAX: u64 = 100_000;
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            lease_ms: 300_000,
            allowed_future_ms: 15_000,
            sequence_start: SequenceStart::Zero,
            gap_max: 0,
            prefetch_count: 100,
            prefetch_validity_ms: 600_000,
            statistics: true,
        }
    }
}

/// The settings of an authority, which may change freely while a sequencer is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The settings that travel to the holders.
    pub terms: Terms,
    /// The largest allowed difference between the clocks of holder and authority at a grant or a
    /// batch, in ms. The default is far more than the difference of synchronised clocks. The
    /// default is less than the default allowed future, so a holder whose clock is that far behind
    /// can use its grant at once.
    pub clock_disagreement_max_ms: u64,
    /// The largest number of operations per second of a shard. From half of this number on, the
    /// shard refuses batches, and from three quarters on also grants. The shard never refuses
    /// renewals and releases. The default is the platform's soft limit for one Durable Object.
    pub operations_per_second_max: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            terms: Terms::default(),
            clock_disagreement_max_ms: 10_000,
            operations_per_second_max: 1_000,
        }
    }
}

impl Settings {
    /// Checks that the settings suit a layout.
    ///
    /// # Errors
    /// - [`Error::Lease`] unless the lease is at least twice the allowed future plus one tick, and
    ///   at most a day. A generator that has used up its allowed future then still has half of its
    ///   lease to renew the lease.
    /// - [`TooLarge`](crate::Error::TooLarge) for a sequence start or a gap that does not fit the
    ///   layout's sequence.
    /// - [`Error::PrefetchCount`] unless a batch has 1 to
    ///   [`PREFETCH_COUNT_MAX`](Terms::PREFETCH_COUNT_MAX) ids.
    ///
    /// ```
    /// use edgeflake::lease::{Error, Settings, Terms};
    /// use edgeflake::preset::HAZELCAST;
    ///
    /// let check = |terms| Settings { terms, ..Settings::default() }.check(&HAZELCAST);
    /// let lease = |lease_ms| check(Terms { lease_ms, ..Terms::default() });
    /// assert_eq!(lease(30_001), Ok(()));
    /// assert!(matches!(lease(30_000), Err(Error::Lease { .. })));
    /// assert_eq!(lease(Terms::LEASE_MAX_MS), Ok(()));
    /// assert!(matches!(lease(Terms::LEASE_MAX_MS + 1), Err(Error::Lease { .. })));
    /// let count = |prefetch_count| check(Terms { prefetch_count, ..Terms::default() });
    /// assert_eq!(count(Terms::PREFETCH_COUNT_MAX), Ok(()));
    /// assert_eq!(count(0), Err(Error::PrefetchCount { count: 0, max: 100_000 }));
    /// ```
    pub fn check(&self, layout: &Layout) -> Result<(), Error> {
        let Terms { lease_ms, allowed_future_ms, sequence_start, gap_max, .. } = self.terms;
        let min_ms = allowed_future_ms.saturating_mul(2).saturating_add(layout.tick_ms());
        let max_ms = Terms::LEASE_MAX_MS;
        if lease_ms < min_ms || lease_ms > max_ms {
            return Err(Error::Lease { lease_ms, min_ms, max_ms });
        }
        Policy { sequence_start, gap_max, ..Policy::default() }.check(layout)?;
        let count = self.terms.prefetch_count;
        if count == 0 || count > Terms::PREFETCH_COUNT_MAX {
            let max = Terms::PREFETCH_COUNT_MAX;
            return Err(Error::PrefetchCount { count, max });
        }
        Ok(())
    }
}
