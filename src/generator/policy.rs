use crate::error::Error;
use crate::layout::{Layout, Role};

/// The way in which a generator uses its ticks. The default is strict: ids never run ahead of the
/// clock, and the sequence of each tick starts at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policy {
    /// The allowed future: how far ids may run ahead of the clock, in ms, measured from the clock
    /// to the start of the id's tick.
    pub allowed_future_ms: u64,
    /// The start of the sequence in a new tick.
    pub sequence_start: SequenceStart,
    /// The largest number of counters that are skipped at random after each id, so that ids do not
    /// reveal how many ids were issued. 0 skips no counters.
    pub gap_max: u64,
    /// The tag of each id for which the caller gives no tag.
    pub tag: u64,
    /// 64 random bits. From these bits, the generator draws the starts of sequences and the gaps.
    /// Two generators with the same seed draw the same numbers, so pass fresh bits to each
    /// generator.
    pub seed: u64,
}

/// The start of the sequence in a new tick.
///
/// ```
/// use edgeflake::{Error, Generator, Policy, SequenceStart, Span, preset::EDGE};
///
/// // The sequence of `EDGE` has 2 bits, so its largest value is 3.
/// let start = |max| {
///     let sequence_start = SequenceStart::Random { max };
///     let policy = Policy { sequence_start, ..Policy::default() };
///     Generator::new(EDGE, Span::whole(&EDGE, 7)?, policy)
/// };
/// assert!(start(3).is_ok());
/// assert!(matches!(start(4), Err(Error::TooLarge { max: 3, .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SequenceStart {
    /// The sequence starts at 0.
    #[default]
    Zero,
    /// The sequence starts at a random number up to `max`, and ascends to the end of the tick. Even
    /// with only one id per tick, ids then spread evenly over database shards that are chosen by
    /// `id % n`.
    Random {
        /// The largest number at which a sequence starts.
        max: u64,
    },
    /// The sequence starts at a random number, ascends to its largest number, and then wraps around
    /// to 0. A tick has as many ids as with `Zero`, but the ids of one tick are not in order.
    Rotating,
}

impl Policy {
    /// Returns the policy of Twitter's generator of 2010 (`IdWorker.scala`), and of Java articles
    /// that use Twitter's layout with 5 datacenter, 5 worker and 12 sequence bits: no allowed
    /// future, and the sequence of each tick starts at 0.
    ///
    /// The originals spin until the clock's next ms, and fail if the clock went back. Instead,
    /// `next` returns [`Error::Exhausted`] or [`Error::ClockBack`], which say when to retry.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// let now_ms = TWITTER.start_ms(1_000);
    /// assert_eq!(ids.fill(now_ms, &mut [0; 5_000]), 4_096);
    /// assert_eq!(ids.next(now_ms - 9), Err(Error::Exhausted { retry_in_ms: 10 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn twitter() -> Self {
        Self {
            allowed_future_ms: 0,
            sequence_start: SequenceStart::Zero,
            gap_max: 0,
            tag: 0,
            seed: 0,
        }
    }

    /// Returns the policy of Hazelcast's Flake ID generator: ids may run up to 15,000 ms ahead
    /// (`DEFAULT_ALLOWED_FUTURE_MILLIS`).
    ///
    /// After a restart, Hazelcast's generator can repeat ids that it issued ahead of the clock. A
    /// [`Generator`](crate::Generator) whose node is leased never repeats an id.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::HAZELCAST};
    ///
    /// let span = Span::new(&HAZELCAST, 7, 1_000, 90_000)?;
    /// let mut ids = Generator::new(HAZELCAST, span, Policy::hazelcast())?;
    /// let now_ms = HAZELCAST.start_ms(1_000);
    /// assert_eq!(ids.fill(now_ms, &mut vec![0; 1_000_000]), 15_001 * 64);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn hazelcast() -> Self {
        Self { allowed_future_ms: 15_000, ..Self::twitter() }
    }

    /// Returns the policy of a Go article whose layout has 10 machine and 12 sequence bits: in each
    /// tick the sequence starts at a random number, and wraps around. When all sequence numbers of
    /// the tick are used, `next` returns an error. `seed` is 64 random bits.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::RANDOM_START};
    ///
    /// let span = Span::new(&RANDOM_START, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(RANDOM_START, span, Policy::random_start(1))?;
    /// let now_ms = RANDOM_START.start_ms(1_000);
    /// let mut tick = [0; 4_096];
    /// assert_eq!(ids.fill(now_ms, &mut tick), 4_096);
    /// assert!(!tick.is_sorted() && RANDOM_START.decode(tick[0])?.sequence > 0);
    /// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn random_start(seed: u64) -> Self {
        Self { sequence_start: SequenceStart::Rotating, seed, ..Self::twitter() }
    }

    /// Returns the policy of Meituan Leaf (`SnowflakeIDGenImpl`): the sequence of each tick starts
    /// at a random number from 0 to 99. `seed` is 64 random bits.
    ///
    /// Leaf waits if the clock went back by up to 5 ms, and fails if it went back further. Instead,
    /// `next` returns [`Error::Exhausted`] or [`Error::ClockBack`], which say when to retry.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::LEAF};
    ///
    /// let span = Span::new(&LEAF, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(LEAF, span, Policy::leaf(1))?;
    /// let mut starts = (1_000..2_000)
    ///     .map(|tick| Ok(LEAF.decode(ids.next(LEAF.start_ms(tick))?)?.sequence))
    ///     .collect::<Result<Vec<_>, Error>>()?;
    /// starts.sort();
    /// assert_eq!((starts[0], starts[999]), (0, 99));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn leaf(seed: u64) -> Self {
        Self { sequence_start: SequenceStart::Random { max: 99 }, seed, ..Self::twitter() }
    }

    /// Returns the largest number of counters that can be skipped at the start of a tick.
    pub(crate) const fn start_max(&self) -> u64 {
        match self.sequence_start {
            SequenceStart::Random { max } => max,
            SequenceStart::Zero | SequenceStart::Rotating => 0,
        }
    }

    /// Checks that the policy fits a layout.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a sequence start or gap that does not fit the sequence, or a tag
    /// that does not fit the tag fields.
    pub(crate) const fn check(&self, layout: &Layout) -> Result<(), Error> {
        let parts = [
            (Role::Sequence, self.start_max()),
            (Role::Sequence, self.gap_max),
            (Role::Tag, self.tag),
        ];
        let mut i = 0;
        while i < parts.len() {
            let (role, value) = parts[i];
            let max = layout.role_max(role);
            if value > max {
                return Err(Error::TooLarge { role, value, max });
            }
            i += 1;
        }
        Ok(())
    }
}
