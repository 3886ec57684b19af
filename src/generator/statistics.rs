/// Counts of a generator's work so far.
///
/// ```
/// use edgeflake::{Error, Generator, Policy, Span, Statistics, preset::TWITTER};
///
/// let span = Span::new(&TWITTER, 1, 1_000, 2_000)?;
/// let policy = Policy { allowed_future_ms: 1, ..Policy::default() };
/// let mut ids = Generator::new(TWITTER, span, policy)?;
/// let now_ms = TWITTER.start_ms(1_000);
///
/// // These ids fill a tick that the clock has reached, and one that it has not.
/// ids.fill(now_ms, &mut [0; 2 * 4_096]);
/// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
/// assert!(ids.next(now_ms - 1).is_err());
/// assert_eq!(
///     ids.statistics(),
///     Statistics {
///         issued: 2 * 4_096,
///         fills: 1,
///         ticks_borrowed: 1,
///         furthest_ahead_ms: 1,
///         clock_steps_back: 1,
///         exhausted: 2,
///     }
/// );
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of ids that were issued.
    pub issued: u64,
    /// The number of calls of [`fill`](crate::Generator::fill).
    pub fills: u64,
    /// The number of ticks that the generator entered before the clock reached them.
    pub ticks_borrowed: u64,
    /// The longest time by which an id was ahead of the clock, in ms.
    pub furthest_ahead_ms: u64,
    /// The number of calls at which the clock showed an earlier time than at the call before.
    pub clock_steps_back: u64,
    /// The number of calls that found no id within the allowed future.
    pub exhausted: u64,
}
