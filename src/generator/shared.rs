//! # One counter for many threads
//!
//! Problem: threads that share a span must not issue a counter twice. After `close` no thread may
//! issue a counter, not even a thread that read the counter before `close`. A lock ensures both
//! rules, but if a thread is suspended while it holds the lock, all other threads wait.
//!
//! Here the next counter is one atomic number, and a value that is never a counter marks the
//! generator as closed. A thread issues an id by exchanging the counter for a later counter. A
//! thread that closes the generator exchanges the counter for the mark, so the exchanges that other
//! threads have prepared fail. The end of the span is a separate atomic number, which only grows.
//! So a thread that reads an old end stops earlier than necessary, but never too late.
//!
//! The first id of each ms takes two divisions. Its thread then stores the time and the ceiling
//! (the end of the counters that are allowed at this time), so the other ids of the ms take only
//! comparisons. Time and ceiling are two atomic numbers that only grow, and a thread stores the
//! time first and reads it last. So a thread that reads its own time has not read the ceiling of a
//! later time, and an older ceiling only lets it stop earlier.
//!
//! It would be faster to give each thread a run of ids of its own. However, an id could then be
//! smaller than an id that another thread issued before.

use core::hint;

use super::counter::{Counter, first_counter};
use super::run::ended;
use crate::error::Error;
use crate::layout::Layout;
use crate::layout::packing::Packing;
use crate::span::Span;

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};

#[cfg(not(loom))]
use core::sync::atomic::{AtomicU64, Ordering};

/// The value of `next` in a closed generator. No counter has this value: see `first_counter`.
const CLOSED: u64 = u64::MAX;

/// The smallest and the largest number of processor pauses before a thread retries an exchange that
/// it lost. `PAUSES_MIN` pauses take about half a microsecond. In this time, the thread that won
/// the exchange issues a few dozen ids.
const PAUSES_MIN: u32 = 16;
const PAUSES_MAX: u32 = 64;

/// A value that shares no cache line with other values, even on processors that fetch lines in
/// pairs. So a write to this value evicts no other value from the caches of other cores.
#[derive(Debug)]
#[repr(align(128))]
struct Alone<T>(T);

/// Issues the ids of one span from many threads, without a lock.
///
/// Make one generator per lease. The sequence of each tick starts at 0, and ids have no gaps and no
/// tag. If you need another policy, use a [`Generator`](crate::Generator).
///
/// ```
/// use edgeflake::{Error, SharedGenerator, Span, preset::HAZELCAST};
///
/// let now_ms = HAZELCAST.epoch_ms() + 1_000;
/// let ids = SharedGenerator::new(HAZELCAST, Span::new(&HAZELCAST, 1, 1_000, 9_000)?, 15_000)?;
/// let mut issued: Vec<u64> = std::thread::scope(|scope| {
///     let threads: Vec<_> = (0..2)
///         .map(|_| scope.spawn(|| (0..1_000).map(|_| ids.next(now_ms)).collect::<Vec<_>>()))
///         .collect();
///     threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Result<_, _>>()
/// })?;
/// issued.sort();
/// issued.dedup();
/// assert_eq!(issued.len(), 2_000);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct SharedGenerator {
    /// The next counter, or [`CLOSED`].
    next: Alone<AtomicU64>,
    until_tick: AtomicU64,
    /// The latest time that the clock has shown, in Unix ms. No id depends on it: it decides only
    /// whether an error is `Exhausted` or `ClockBack`.
    latest_ms: AtomicU64,
    /// The latest time at which `take` took a counter, in Unix ms. `next` is never before the tick
    /// of this time.
    ready_ms: AtomicU64,
    /// The end of the counters that are allowed at `ready_ms` or at an earlier time.
    ceiling: AtomicU64,
    packing: Packing,
    layout: Layout,
    /// The span at the creation of the generator. The current end is `until_tick`.
    span: Span,
    allowed_future_ms: u64,
}

impl SharedGenerator {
    /// Creates a generator for `span`. Ids may run ahead of the clock by `allowed_future_ms` ms.
    ///
    /// # Errors
    /// The errors of [`Span::new`] if the span was made for another layout and does not fit
    /// `layout`.
    ///
    /// ```
    /// use edgeflake::{SharedGenerator, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
    /// let ids = SharedGenerator::new(TWITTER, span, 15_000)?;
    /// assert_eq!(ids.span(), span);
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    pub fn new(layout: Layout, span: Span, allowed_future_ms: u64) -> Result<Self, Error> {
        let span = Span::new(&layout, span.node(), span.from_tick(), span.until_tick())?;
        Ok(Self {
            next: Alone(AtomicU64::new(first_counter(&layout, span.from_tick()))),
            until_tick: AtomicU64::new(span.until_tick()),
            latest_ms: AtomicU64::new(0),
            ready_ms: AtomicU64::new(0),
            ceiling: AtomicU64::new(0),
            packing: Packing::new(layout.fields(), span.node()),
            layout,
            span,
            allowed_future_ms,
        })
    }

    /// Continues in the tick after the tick of `id`, which this node must have issued: see
    /// [`Generator::resume_after`](crate::Generator::resume_after).
    ///
    /// # Errors
    /// The errors of `Generator::resume_after`.
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let start = || SharedGenerator::new(TWITTER, Span::whole(&TWITTER, 7)?, 15_000);
    /// let before = start()?;
    /// let last = (0..50_000).map(|_| before.next(now_ms)).last().unwrap()?;
    ///
    /// let after = start()?;
    /// after.resume_after(last)?;
    /// assert!(after.next(now_ms)? > last);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn resume_after(&self, id: u64) -> Result<(), Error> {
        let parts = self.layout.decode(id)?;
        if parts.node != self.span.node() {
            return Err(Error::OtherNode { found: parts.node, node: self.span.node() });
        }
        // A closed generator stays closed, because no counter is larger than `CLOSED`.
        self.next.0.fetch_max(first_counter(&self.layout, parts.tick + 1), Ordering::Relaxed);
        Ok(())
    }

    /// Returns the next id at the time `now_ms`, in Unix ms.
    ///
    /// # Errors
    /// The errors of [`Generator::next`](crate::Generator::next), and [`Error::Closed`] after
    /// [`close`](Self::close).
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let ids = SharedGenerator::new(TWITTER, Span::new(&TWITTER, 7, 1_000, 2_000)?, 0)?;
    /// let now_ms = TWITTER.start_ms(1_000);
    /// for sequence in 0..4_096 {
    ///     assert_eq!(TWITTER.decode(ids.next(now_ms)?)?.sequence, sequence);
    /// }
    /// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[expect(
        clippy::inline_always,
        reason = "the call takes 3/4 of a mutex's time if inlined, and more than a mutex otherwise"
    )]
    #[inline(always)]
    pub fn next(&self, now_ms: u64) -> Result<u64, Error> {
        match self.take_next(now_ms) {
            Some(counter) => Ok(self.packing.id(counter)),
            None => self.next_slowly(now_ms),
        }
    }

    /// Issues the ids for which `take_next` returns `None`. If there is no id, returns the error.
    #[cold]
    #[inline(never)]
    fn next_slowly(&self, now_ms: u64) -> Result<u64, Error> {
        Ok(self.packing.id(self.take(now_ms, 1)?.0))
    }

    /// Fills `ids` from its start with the ids that [`next`](Self::next) would return at the time
    /// `now_ms`. Returns the number of ids that it filled in. It takes these ids in one atomic
    /// step, so no id of another thread lies between them.
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let ids = SharedGenerator::new(TWITTER, Span::new(&TWITTER, 7, 1_000, 2_000)?, 1)?;
    /// assert_eq!(ids.fill(TWITTER.start_ms(1_000), &mut [0; 10_000]), 2 * 4_096);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fill(&self, now_ms: u64, ids: &mut [u64]) -> usize {
        let Ok((counter, count)) = self.take(now_ms, ids.len() as u64) else { return 0 };
        // `take` returns a `count` of at most `ids.len()`, so it fits a `usize`.
        let count = usize::try_from(count).unwrap_or(ids.len());
        self.packing.fill(counter, &mut ids[..count]);
        count
    }

    /// Takes the next counter. Returns `None` at the first call of each ms, if the counter is not
    /// below the ceiling, if the clock went back, and if another thread takes the counter at the
    /// same moment.
    #[inline]
    fn take_next(&self, now_ms: u64) -> Option<u64> {
        let ceiling = self.ceiling.load(Ordering::Acquire);
        if now_ms != self.ready_ms.load(Ordering::Acquire) {
            return None;
        }
        let next = self.next.0.load(Ordering::Relaxed);
        if next >= ceiling {
            return None;
        }
        self.next.0.compare_exchange(next, next + 1, Ordering::Relaxed, Ordering::Relaxed).ok()
    }

    /// Takes up to `wanted` counters. Returns the first counter, and the number of counters taken.
    fn take(&self, now_ms: u64, wanted: u64) -> Result<(u64, u64), Error> {
        let until_tick = self.until_tick.load(Ordering::Relaxed);
        let mut next = self.next.0.load(Ordering::Relaxed);
        let mut latest_ms = self.latest_ms.load(Ordering::Relaxed);
        if now_ms > latest_ms {
            latest_ms = self.latest_ms.fetch_max(now_ms, Ordering::Relaxed).max(now_ms);
        }
        let tick = self.layout.tick(now_ms)?;
        let ahead_ms = now_ms.saturating_add(self.allowed_future_ms);
        let end_tick = until_tick.min(self.layout.tick_clamped(ahead_ms) + 1);
        let (floor, ceiling) =
            (first_counter(&self.layout, tick), first_counter(&self.layout, end_tick));
        let mut pauses = PAUSES_MIN;
        loop {
            if next == CLOSED {
                return Err(Error::Closed);
            }
            let counter = next.max(floor);
            if counter >= ceiling {
                return Err(self.refused(counter, now_ms, latest_ms, until_tick));
            }
            let count = wanted.min(ceiling - counter);
            let taken = self.next.0.compare_exchange_weak(
                next,
                counter + count,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            if taken.is_ok() {
                if now_ms > self.ready_ms.load(Ordering::Relaxed) {
                    self.ready_ms.fetch_max(now_ms, Ordering::Release);
                    self.ceiling.fetch_max(ceiling, Ordering::Release);
                }
                return Ok((counter, count));
            }
            // Moving the counter's cache line to another core takes longer than issuing an id. So a
            // thread that lost the exchange pauses, and leaves the line to the core that has it.
            for _ in 0..pauses {
                hint::spin_loop();
            }
            pauses = PAUSES_MAX.min(2 * pauses);
            next = self.next.0.load(Ordering::Relaxed);
        }
    }

    /// Returns the reason why the id of a counter cannot be issued.
    #[cold]
    fn refused(&self, counter: u64, now_ms: u64, latest_ms: u64, until_tick: u64) -> Error {
        if counter >= first_counter(&self.layout, until_tick) {
            return ended(&self.layout, now_ms, until_tick);
        }
        let start_ms = self.layout.start_ms(Counter::of(&self.layout, counter).tick);
        let ahead_ms = now_ms.saturating_add(self.allowed_future_ms);
        Error::ahead(latest_ms - now_ms, start_ms.saturating_sub(ahead_ms))
    }

    /// Moves the end of the span to `until_tick`. If the span already ends there or later, nothing
    /// changes.
    ///
    /// # Errors
    /// [`Error::SpanTooLong`] for an end past the layout's last tick.
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let ids = SharedGenerator::new(TWITTER, Span::new(&TWITTER, 7, 1_000, 1_001)?, 0)?;
    /// let now_ms = TWITTER.start_ms(1_001);
    /// assert_eq!(ids.next(now_ms), Err(Error::SpanEnded { until_tick: 1_001 }));
    /// ids.extend(2_000)?;
    /// assert!(ids.next(now_ms).is_ok());
    /// assert!(matches!(ids.extend(TWITTER.ticks() + 1), Err(Error::SpanTooLong { .. })));
    /// assert_eq!(ids.span().until_tick(), 2_000);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn extend(&self, until_tick: u64) -> Result<(), Error> {
        let ticks = self.layout.ticks();
        if until_tick > ticks {
            return Err(Error::SpanTooLong { until_tick, ticks });
        }
        self.until_tick.fetch_max(until_tick, Ordering::Relaxed);
        Ok(())
    }

    /// Ends the generator, and returns the first tick that the generator did not use. You can
    /// release the lease from this tick on. After this call, no thread gets an id. Returns `None`
    /// if the generator was closed before.
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let ids = SharedGenerator::new(TWITTER, Span::new(&TWITTER, 7, 1_000, 2_000)?, 0)?;
    /// ids.next(TWITTER.start_ms(1_500))?;
    /// assert_eq!(ids.close(), Some(1_501));
    /// assert_eq!(ids.next(TWITTER.start_ms(1_500)), Err(Error::Closed));
    /// assert_eq!(ids.close(), None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn close(&self) -> Option<u64> {
        let next = self.next.0.swap(CLOSED, Ordering::Relaxed);
        if next == CLOSED {
            return None;
        }
        Some(Counter::of(&self.layout, next).end_tick())
    }

    /// Returns the span with its current end.
    #[must_use]
    pub fn span(&self) -> Span {
        let until_tick = self.until_tick.load(Ordering::Relaxed);
        Span::new(&self.layout, self.span.node(), self.span.from_tick(), until_tick)
            .unwrap_or(self.span)
    }
}
