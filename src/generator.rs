//! # Why nothing here waits, and nothing goes back
//!
//! Problem: an id must be new even if the clock stands still, steps back, or the isolate slept an
//! hour. The usual answer keeps the last millisecond and spins until the clock leaves it; in a
//! Worker the clock stands still inside a request, so that spin never ends, and generators that
//! reset their sequence when the clock steps back issue the same ids again.
//!
//! Here the state is one counter, `tick << S | sequence`, that only ascends:
//!
//! ```text
//! counter = max(last + 1, tick(now) << S, from_tick << S)
//! ```
//!
//! A clock that moved on lifts it, any other clock does not touch it, and a full tick carries into
//! the next one by itself. The counter may run ahead of the clock by the look-ahead, and never
//! leaves the span: so it is bounded by the smaller of the two, the *ceiling*, which changes only
//! when the time or the span does. Between two changes `next` is one comparison and one addition.
//!
//! Invariant: every counter below `next` was issued or given up; none at or above it was issued.

use crate::packing::Packing;
use crate::{Error, Layout, Span};

/// Issues the ids of one span.
///
/// One a lease: node and first tick are fixed, the span's end only rises. Not `Clone`, since a copy
/// would issue the same ids.
#[derive(Debug)]
pub struct Generator {
    next: u64,
    ceiling: u64,
    /// The time for which `ceiling` holds; `None` when it must be worked out again.
    now_ms: Option<u64>,
    packing: Packing,
    layout: Layout,
    span: Span,
    allowed_future_ms: u64,
}

impl Generator {
    /// A generator of `span`, which may run ahead of the clock by `allowed_future_ms` ms, measured
    /// from the clock to the start of the tick. 0 is the strict behaviour of Twitter's snowflake;
    /// 15,000 is Hazelcast's default (`DEFAULT_ALLOWED_FUTURE_MILLIS`).
    ///
    /// # Errors
    /// Those of [`Span::new`], for a span made for another layout.
    pub fn new(layout: Layout, span: Span, allowed_future_ms: u64) -> Result<Self, Error> {
        let span = Span::new(&layout, span.node(), span.from_tick(), span.until_tick())?;
        Ok(Self {
            next: first_counter(&layout, span.from_tick()),
            ceiling: 0,
            now_ms: None,
            packing: Packing::new(&layout, span.node(), 0),
            layout,
            span,
            allowed_future_ms,
        })
    }

    /// The next id, at a time in Unix ms.
    ///
    /// # Errors
    /// - [`Error::Exhausted`]: the id would lie further ahead of the clock than allowed.
    /// - [`Error::SpanEnded`]: the span has no counter left for this time.
    /// - [`Error::LayoutEnded`], [`Error::BeforeEpoch`]: the layout cannot express this time.
    ///
    /// After an error nothing has been issued and the generator can be asked again.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let mut ids = Generator::new(TWITTER, Span::new(&TWITTER, 1, 1_000, 2_000)?, 0)?;
    /// for sequence in 0..4_096 {
    ///     assert_eq!(TWITTER.unpack(ids.next(now_ms)?)?.sequence, sequence);
    /// }
    /// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    /// assert!(ids.next(now_ms + 1).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn next(&mut self, now_ms: u64) -> Result<u64, Error> {
        self.observe(now_ms);
        if self.next >= self.ceiling {
            return Err(self.refusal(now_ms));
        }
        let id = self.packing.id(self.next);
        self.next += 1;
        Ok(id)
    }

    /// Fills `ids` from its start with the next ids, as far as [`next`](Self::next) would go at
    /// this time, and says how many there are.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let mut ids = Generator::new(TWITTER, Span::new(&TWITTER, 1, 1_000, 2_000)?, 1)?;
    /// let mut batch = [0; 10_000];
    /// assert_eq!(ids.fill(now_ms, &mut batch), 2 * 4_096);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fill(&mut self, now_ms: u64, ids: &mut [u64]) -> usize {
        self.observe(now_ms);
        let left = usize::try_from(self.ceiling.saturating_sub(self.next)).unwrap_or(usize::MAX);
        let count = ids.len().min(left);
        for (id, counter) in ids[..count].iter_mut().zip(self.next..) {
            *id = self.packing.id(counter);
        }
        self.next += count as u64;
        count
    }

    /// How many ids there are at this time before [`next`](Self::next) fails: at least 1, or the
    /// error with which it fails at once.
    ///
    /// # Errors
    /// Those of [`next`](Self::next).
    pub fn available(&mut self, now_ms: u64) -> Result<u64, Error> {
        self.observe(now_ms);
        if self.next >= self.ceiling {
            return Err(self.refusal(now_ms));
        }
        Ok(self.ceiling - self.next)
    }

    /// Raises the end of the span; an end that is not later changes nothing.
    ///
    /// # Errors
    /// [`Error::SpanTooLong`] for an end past the layout's last tick.
    pub fn extend(&mut self, until_tick: u64) -> Result<(), Error> {
        if until_tick > self.span.until_tick() {
            self.span =
                Span::new(&self.layout, self.span.node(), self.span.from_tick(), until_tick)?;
            self.now_ms = None;
        }
        Ok(())
    }

    /// Changes the look-ahead, in ms. What was issued further ahead stays issued: the counter waits
    /// for the clock.
    pub const fn set_allowed_future_ms(&mut self, allowed_future_ms: u64) {
        self.allowed_future_ms = allowed_future_ms;
        self.now_ms = None;
    }

    /// Ends the generator and says which tick is the first that it did not use: the lease can be
    /// released from there.
    #[must_use]
    pub fn close(self) -> u64 {
        let tick = self.tick();
        if first_counter(&self.layout, tick) == self.next { tick } else { tick + 1 }
    }

    /// The tick of the next counter; the clock may have passed it.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.next >> self.layout.role_bits(crate::Role::Sequence)
    }

    /// The span as it is now.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The layout of the ids.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Brings `next` and `ceiling` up to a time.
    fn observe(&mut self, now_ms: u64) {
        if self.now_ms == Some(now_ms) {
            return;
        }
        self.now_ms = Some(now_ms);
        self.ceiling = 0;
        let Ok(tick) = self.layout.tick(now_ms) else {
            return;
        };
        if tick >= self.span.until_tick() {
            return;
        }
        self.next = self.next.max(first_counter(&self.layout, tick));
        let last_tick = self.layout.tick_clamped(now_ms.saturating_add(self.allowed_future_ms));
        let until_tick = self.span.until_tick().min(last_tick + 1);
        self.ceiling = first_counter(&self.layout, until_tick);
    }

    /// Why there is no next id at this time.
    fn refusal(&self, now_ms: u64) -> Error {
        let until_tick = self.span.until_tick();
        match self.layout.tick(now_ms) {
            Err(error) => error,
            Ok(tick) if tick < until_tick && self.tick() < until_tick => {
                let start_ms = self.layout.start_ms(self.tick());
                let retry_in_ms =
                    start_ms.saturating_sub(now_ms.saturating_add(self.allowed_future_ms));
                Error::Exhausted { retry_in_ms }
            }
            Ok(_) if until_tick == self.layout.ticks() => {
                Error::LayoutEnded { now_ms, end_ms: self.layout.end_ms() }
            }
            Ok(_) => Error::SpanEnded { until_tick },
        }
    }
}

/// The first counter of a tick. Past the last tick of a layout whose timestamp and sequence fill
/// all 64 bits this is the largest number, so that its last counter of all is never issued.
const fn first_counter(layout: &Layout, tick: u64) -> u64 {
    if tick < layout.ticks() {
        tick << layout.role_bits(crate::Role::Sequence)
    } else {
        match layout.ticks().checked_mul(layout.ids_per_tick()) {
            Some(counters) => counters,
            None => u64::MAX,
        }
    }
}
