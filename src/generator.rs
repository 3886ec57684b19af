//! # Why a generator never waits and never goes back
//!
//! Problem: an id must be new even if the clock stands still or steps back, or if the isolate slept
//! for an hour. The usual generator remembers the millisecond of its last id. If that millisecond
//! has no ids left, the generator spins until the clock shows the next millisecond. In a Worker the
//! clock stands still inside a request, so the spin never ends. Generators that reset their
//! sequence when the clock steps back issue the same ids again.
//!
//! Here the state is one counter, `tick << S | sequence`, that only ascends:
//!
//! ```text
//! counter = max(last + 1, tick(now) << S, from_tick << S)
//! ```
//!
//! If the clock's tick is later than the counter's tick, the counter jumps to the clock's tick;
//! otherwise the clock changes nothing. When a tick is full, `counter + 1` is in the next tick. The
//! counter has two limits: the end of the allowed future (the time by which ids may run ahead of
//! the clock), and the end of the span. The nearer limit is the *ceiling*. The ceiling changes only
//! when the time, the allowed future or the span changes. Up to the ceiling, or to an earlier point
//! that the policy or the layout sets, consecutive ids differ by a constant step. Such a sequence
//! of ids is a *run*. The generator prepares one run at a time, so taking an id is one addition.
//!
//! Invariant: every counter before the next counter was issued or skipped. The next counter and all
//! later counters were never issued.

pub(crate) mod counter;
mod drain;
mod draw;
mod policy;
mod run;
#[cfg(target_has_atomic = "64")]
mod shared;
mod static_nodes;
mod statistics;

pub use self::drain::Drain;
pub use self::policy::{Policy, SequenceStart};
#[cfg(target_has_atomic = "64")]
pub use self::shared::SharedGenerator;
pub use self::static_nodes::StaticNodes;
pub use self::statistics::Statistics;

use self::counter::{Counter, first_counter};

use self::draw::Draw;
use crate::error::Error;
use crate::layout::Layout;
use crate::layout::packing::{Packing, fill_straight};
use crate::span::Span;

/// Issues the ids of one span.
///
/// Make one generator per lease. The generator's node and first tick never change, and the end of
/// its span only moves later. `Generator` is not `Clone`, because a copy would issue the same ids.
///
/// ```
/// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
///
/// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
/// let mut ids = Generator::new(TWITTER, span, Policy::hazelcast())?;
/// assert_eq!((ids.layout(), ids.span()), (&TWITTER, span));
///
/// // These ids fill two ticks, and the clock has reached only the first.
/// ids.fill(TWITTER.start_ms(1_000), &mut [0; 2 * 4_096]);
/// assert_eq!(ids.tick(), 1_002);
/// assert_eq!(ids.statistics().issued, 2 * 4_096);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(model, derive(Clone))]
pub struct Generator {
    /// The current run has `left` more ids. The first of these ids is `next_id`, and each id is
    /// larger by `step` than the id before. The run is valid only at the time `now_ms`.
    next_id: u64,
    step: u64,
    left: u64,
    now_ms: u64,
    /// The latest time that the clock has shown.
    latest_ms: u64,
    /// The number of ids that the current run had at its beginning, and the counter after the run's
    /// last id.
    run_length: u64,
    end: u64,
    packing: Packing,
    layout: Layout,
    span: Span,
    policy: Policy,
    draw: Draw,
    /// The newest tick for which the start of the sequence was drawn at random, and the distance by
    /// which the sequence of this tick is rotated.
    drawn_tick: Option<u64>,
    rotation: u64,
    /// The latest tick that the clock has reached or that an id belongs to.
    entered_tick: u64,
    statistics: Statistics,
}

impl Generator {
    /// Creates a generator for `span`.
    ///
    /// # Errors
    /// The errors of [`Span::new`] if the span was made for another layout and does not fit
    /// `layout`. [`Error::TooLarge`] if the policy's sequence start or gap does not fit the
    /// sequence, or if its tag does not fit the tag fields.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::{HAZELCAST, TWITTER}};
    ///
    /// let span = Span::new(&HAZELCAST, 1_024, 5, 6)?;
    /// assert!(Generator::new(HAZELCAST, span, Policy::default()).is_ok());
    /// let refused = Generator::new(TWITTER, span, Policy::default());
    /// assert!(matches!(refused, Err(Error::TooLarge { value: 1_024, max: 1_023, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(layout: Layout, span: Span, policy: Policy) -> Result<Self, Error> {
        let span = Span::new(&layout, span.node(), span.from_tick(), span.until_tick())?;
        policy.check(&layout)?;
        let mut packing = Packing::new(layout.fields(), span.node());
        packing.set_tag(layout.fields(), policy.tag);
        Ok(Self {
            next_id: 0,
            step: packing.step(),
            left: 0,
            now_ms: 0,
            latest_ms: 0,
            run_length: 0,
            end: first_counter(&layout, span.from_tick()),
            packing,
            layout,
            span,
            policy,
            draw: Draw::new(policy.seed),
            drawn_tick: None,
            rotation: 0,
            entered_tick: span.from_tick(),
            statistics: Statistics::default(),
        })
    }

    /// Returns the next id at the time `now_ms`, in Unix ms.
    ///
    /// # Errors
    /// - [`Error::Exhausted`]: the id would lie further ahead of the clock than the allowed future.
    /// - [`Error::ClockBack`]: the id would lie too far ahead of the clock, but only because the
    ///   clock went back.
    /// - [`Error::SpanEnded`]: the span has ended at `now_ms`, or all counters of the span are
    ///   used.
    /// - [`Error::BeforeEpoch`]: `now_ms` is before the layout's epoch.
    /// - [`Error::LayoutEnded`]: the layout has ended at `now_ms`, or all counters up to the
    ///   layout's end are used.
    ///
    /// A failed call issues nothing, and you can call `next` again.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let span = Span::new(&TWITTER, 1, 1_000, 2_000)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// for sequence in 0..4_096 {
    ///     assert_eq!(TWITTER.decode(ids.next(now_ms)?)?.sequence, sequence);
    /// }
    /// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    /// assert!(ids.next(now_ms + 1).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn next(&mut self, now_ms: u64) -> Result<u64, Error> {
        if let Some(id) = self.next_in_run(now_ms) {
            return Ok(id);
        }
        self.prepare(now_ms)?;
        Ok(self.take())
    }

    /// Returns the id that [`next`](Self::next) would return, if the last call had the same time
    /// and prepared more ids. Otherwise returns `None`, although `next` may have an id, and changes
    /// nothing.
    ///
    /// This method compiles to fewer instructions than `next`, because it has no errors.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let mut ids = Generator::new(TWITTER, Span::whole(&TWITTER, 1)?, Policy::twitter())?;
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// assert_eq!(ids.next_in_run(now_ms), None);
    /// let id = ids.next(now_ms)?;
    /// assert_eq!(ids.next_in_run(now_ms), Some(id + 1));
    /// assert_eq!(ids.next_in_run(now_ms + 1), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    #[expect(
        clippy::inline_always,
        reason = "in WebAssembly, an id takes a tenth more time if this is not inlined"
    )]
    #[inline(always)]
    pub fn next_in_run(&mut self, now_ms: u64) -> Option<u64> {
        if now_ms == self.now_ms && self.left > 0 { Some(self.take()) } else { None }
    }

    /// Takes an id of the current run, which must have one.
    #[expect(clippy::inline_always, reason = "the reason of `next_in_run`")]
    #[inline(always)]
    const fn take(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id = id.wrapping_add(self.step);
        self.left -= 1;
        id
    }

    /// Returns the next id, with `tag` instead of the policy's tag. Ids with the same tag ascend.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next), and [`Error::TooLarge`] for a tag that is wider than the
    /// layout's tag fields.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Layout, Policy, Span};
    ///
    /// let layout: Layout = "timestamp:40 tag.type:8 node:8 sequence:8 @0".parse()?;
    /// let mut ids = Generator::new(layout, Span::new(&layout, 1, 0, 9)?, Policy::default())?;
    /// assert_eq!(layout.decode(ids.next_tagged(0, 255)?)?.tag, 255);
    /// assert!(matches!(ids.next_tagged(0, 256), Err(Error::TooLarge { .. })));
    /// assert_eq!(layout.decode(ids.next(0)?)?.tag, 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn next_tagged(&mut self, now_ms: u64, tag: u64) -> Result<u64, Error> {
        Policy { tag, ..self.policy }.check(&self.layout)?;
        self.settle();
        self.packing.set_tag(self.layout.fields(), tag);
        let id = self.next(now_ms);
        self.settle();
        self.packing.set_tag(self.layout.fields(), self.policy.tag);
        id
    }

    /// Fills `ids` from its start with the ids that [`next`](Self::next) would return at the time
    /// `now_ms`. Returns the number of ids that it filled in.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let span = Span::new(&TWITTER, 1, 1_000, 2_000)?;
    /// let policy = Policy { allowed_future_ms: 1, ..Policy::default() };
    /// let mut ids = Generator::new(TWITTER, span, policy)?;
    /// assert_eq!(ids.fill(now_ms, &mut [0; 10_000]), 2 * 4_096);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fill(&mut self, now_ms: u64, ids: &mut [u64]) -> usize {
        self.statistics.fills += 1;
        let mut filled = 0;
        while filled < ids.len() {
            if self.ready(now_ms).is_err() {
                break;
            }
            let count = self.left.min((ids.len() - filled) as u64);
            let piece = filled..filled + usize::try_from(count).unwrap_or(0);
            filled = piece.end;
            fill_straight(&mut ids[piece], self.next_id, self.step);
            self.next_id = self.next_id.wrapping_add(self.step.wrapping_mul(count));
            self.left -= count;
        }
        filled
    }

    /// Fills `ids` as [`fill`](Self::fill) would with an allowed future that is `ahead_ms` longer.
    /// Returns the number of ids that it filled in, and the tick of the last id. Before the caller
    /// uses the ids, the caller must wait until that tick is within the allowed future.
    pub(crate) fn fill_ahead(
        &mut self,
        now_ms: u64,
        ahead_ms: u64,
        ids: &mut [u64],
    ) -> (usize, u64) {
        let allowed_future_ms = self.policy.allowed_future_ms;
        self.set_allowed_future_ms(allowed_future_ms.saturating_add(ahead_ms));
        let filled = self.fill(now_ms, ids);
        let tick = if filled > 0 { self.last_tick() } else { 0 };
        self.set_allowed_future_ms(allowed_future_ms);
        (filled, tick)
    }

    /// Returns `Ok` if [`next`](Self::next) would return an id at the time `now_ms`, and otherwise
    /// the error that `next` would return.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// let now_ms = TWITTER.start_ms(1_000);
    /// assert_eq!(ids.ready(now_ms), Ok(()));
    /// assert_eq!(ids.fill(now_ms, &mut [0; 4_096]), 4_096);
    /// assert_eq!(ids.ready(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ready(&mut self, now_ms: u64) -> Result<(), Error> {
        if now_ms == self.now_ms && self.left > 0 {
            return Ok(());
        }
        self.prepare(now_ms)
    }

    /// Moves the end of the span to `until_tick`. If the span already ends there or later, nothing
    /// changes.
    ///
    /// # Errors
    /// [`Error::SpanTooLong`] for an end past the layout's last tick.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 1_001)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// let now_ms = TWITTER.start_ms(1_001);
    /// assert_eq!(ids.next(now_ms), Err(Error::SpanEnded { until_tick: 1_001 }));
    /// ids.extend(2_000)?;
    /// assert!(ids.next(now_ms).is_ok());
    /// assert!(matches!(ids.extend(TWITTER.ticks() + 1), Err(Error::SpanTooLong { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn extend(&mut self, until_tick: u64) -> Result<(), Error> {
        if until_tick > self.span.until_tick() {
            self.span =
                Span::new(&self.layout, self.span.node(), self.span.from_tick(), until_tick)?;
            self.settle();
        }
        Ok(())
    }

    /// Changes the allowed future, in ms. Ids that are further ahead of the clock stay valid, and
    /// the generator issues the next id when the clock has caught up.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// let now_ms = TWITTER.start_ms(1_000);
    /// ids.set_allowed_future_ms(9);
    /// assert_eq!(ids.fill(now_ms, &mut [0; 50_000]), 10 * 4_096);
    /// ids.set_allowed_future_ms(0);
    /// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 10 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_allowed_future_ms(&mut self, allowed_future_ms: u64) {
        self.settle();
        self.policy.allowed_future_ms = allowed_future_ms;
    }

    /// Continues in the tick after the tick of `id`, for example the last id that you stored before
    /// a restart. The generator's node must have issued `id`. The rest of the id's tick is skipped,
    /// because the node may have issued other ids in this tick. If the generator is already past
    /// `id`, nothing changes.
    ///
    /// # Errors
    /// [`Error::UnusedBits`] for an id with bits set that the layout does not use, and
    /// [`Error::OtherNode`] for an id of another node.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let start = || Generator::new(TWITTER, Span::whole(&TWITTER, 7)?, Policy::hazelcast());
    /// let mut before = start()?;
    /// let last = (0..50_000).map(|_| before.next(now_ms)).last().unwrap()?;
    ///
    /// let mut after = start()?;
    /// after.resume_after(last)?;
    /// assert!(after.next(now_ms)? > last);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn resume_after(&mut self, id: u64) -> Result<(), Error> {
        let parts = self.layout.decode(id)?;
        if parts.node != self.span.node() {
            return Err(Error::OtherNode { found: parts.node, node: self.span.node() });
        }
        let next = first_counter(&self.layout, parts.tick + 1);
        if next > self.counter() {
            self.settle();
            self.end = next;
            self.entered_tick = self.entered_tick.max(parts.tick);
        }
        Ok(())
    }

    /// Ends the generator, and returns the first tick that the generator did not use. You can
    /// release the lease from this tick on.
    ///
    /// ```
    /// use edgeflake::{Error, Generator, Policy, Span, preset::TWITTER};
    ///
    /// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
    /// let mut ids = Generator::new(TWITTER, span, Policy::twitter())?;
    /// ids.next(TWITTER.start_ms(1_500))?;
    /// assert_eq!(ids.close(), 1_501);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn close(self) -> u64 {
        let unused = Counter::of(&self.layout, self.counter()).end_tick();
        // The random gap after the last id can reach past the end of the span.
        unused.min(self.span.until_tick())
    }

    /// Returns the tick of the next counter. The clock may already be past this tick.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        Counter::of(&self.layout, self.counter()).tick
    }

    /// Returns how many counters of the current [`tick`](Self::tick) are used or skipped.
    pub(crate) const fn used_in_tick(&self) -> u64 {
        Counter::of(&self.layout, self.counter()).sequence
    }

    /// Returns the next counter.
    const fn counter(&self) -> u64 {
        self.end - self.left
    }

    /// Returns the span with its current end.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    pub(crate) const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the layout of the ids.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the counts of the generator's work so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics;
        let issued = self.run_length - self.left;
        if issued > 0 {
            let last_tick = self.last_tick();
            let ahead_ms = self.layout.start_ms(last_tick).saturating_sub(self.now_ms);
            statistics.issued += issued;
            statistics.ticks_borrowed += last_tick.saturating_sub(self.entered_tick);
            statistics.furthest_ahead_ms = statistics.furthest_ahead_ms.max(ahead_ms);
        }
        statistics
    }

    /// Returns the tick of the last id that was taken from the current run.
    pub(crate) const fn last_tick(&self) -> u64 {
        Counter::of(&self.layout, self.counter() - 1).tick
    }
}

/// The hash leaves out all fields on which no later id depends. Of the statistics, it has only
/// whether an id was issued. So the model check (tests/world) has fewer states to visit.
#[cfg(model)]
impl core::hash::Hash for Generator {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        let Self {
            next_id,
            step: _,
            left,
            now_ms,
            latest_ms: _,
            run_length: _,
            end,
            packing: _,
            layout: _,
            span,
            policy,
            draw,
            drawn_tick,
            rotation,
            entered_tick: _,
            statistics: _,
        } = self;
        (left, end, span, policy, draw, rotation).hash(state);
        (*left > 0).then_some((next_id, now_ms)).hash(state);
        let draws = policy.sequence_start != crate::SequenceStart::Zero;
        draws.then_some(drawn_tick).hash(state);
        (self.statistics().issued > 0).hash(state);
    }
}
