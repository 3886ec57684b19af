use crate::error::Error;
use crate::layout::{Layout, Role};

/// One node and a half-open interval of ticks. A lease grants a span.
///
/// The holder of a span may issue each counter in it once, and no other counter. A span is never
/// empty.
///
/// ```
/// use edgeflake::{Error, Span, preset::TWITTER};
///
/// let span = Span::new(&TWITTER, 7, 1_000, 2_000)?;
/// assert_eq!((span.node(), span.from_tick(), span.until_tick()), (7, 1_000, 2_000));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    node: u64,
    from_tick: u64,
    until_tick: u64,
}

impl Span {
    /// Creates the span of the ticks `from_tick..until_tick` of a node.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a node that the layout does not have, [`Error::EmptySpan`] for a
    /// span without ticks, and [`Error::SpanTooLong`] for a span that reaches past the layout's
    /// last tick.
    ///
    /// ```
    /// use edgeflake::{Error, Span, preset::HAZELCAST};
    ///
    /// assert_eq!(Span::new(&HAZELCAST, 65_535, 5, 6)?.until_tick(), 6);
    /// assert!(matches!(Span::new(&HAZELCAST, 65_536, 5, 6), Err(Error::TooLarge { .. })));
    /// assert!(matches!(Span::new(&HAZELCAST, 0, 5, 5), Err(Error::EmptySpan { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(
        layout: &Layout,
        node: u64,
        from_tick: u64,
        until_tick: u64,
    ) -> Result<Self, Error> {
        let max = layout.role_max(Role::Node);
        if node > max {
            return Err(Error::TooLarge { role: Role::Node, value: node, max });
        }
        if from_tick >= until_tick {
            return Err(Error::EmptySpan { from_tick, until_tick });
        }
        if until_tick > layout.ticks() {
            return Err(Error::SpanTooLong { until_tick, ticks: layout.ticks() });
        }
        Ok(Self { node, from_tick, until_tick })
    }

    /// Creates the span of all ticks of a node that you assign by hand. Ids from this span are
    /// unique only if you assign the node once, because nothing keeps another process with the same
    /// node from issuing the same ids.
    ///
    /// An earlier run of your program counts as another process. The earlier run may have issued
    /// ids that are still ahead of the clock, because it had an allowed future, or because the
    /// clock has gone back in the meantime. So allow no future, or begin [after these
    /// ids](Self::after_restart). If the clock may go back, store the last id, and call
    /// [`resume_after`](crate::Generator::resume_after) with it.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a node that the layout does not have.
    ///
    /// ```
    /// use edgeflake::{Error, Span, preset::TWITTER};
    ///
    /// assert_eq!(Span::whole(&TWITTER, 7), Span::new(&TWITTER, 7, 0, 1 << 41));
    /// assert!(matches!(Span::whole(&TWITTER, 1_024), Err(Error::TooLarge { max: 1_023, .. })));
    /// ```
    pub const fn whole(layout: &Layout, node: u64) -> Result<Self, Error> {
        Self::new(layout, node, 0, layout.ticks())
    }

    /// Creates the span of a node that you assign by hand, for a restart. The span begins at the
    /// first tick that no earlier process can have used. This holds if each earlier process ended
    /// before `now_ms` (Unix ms), if its ids ran ahead of the clock by at most `allowed_future_ms`
    /// ms, and if the clock has not gone back in the meantime.
    ///
    /// # Errors
    /// The errors of [`Layout::tick`], [`Error::TooLarge`] for a node that the layout does not
    /// have, and [`Error::EmptySpan`] at the end of the layout.
    ///
    /// ```
    /// use edgeflake::{Error, SharedGenerator, Span, preset::TWITTER};
    ///
    /// let now_ms = TWITTER.epoch_ms() + 1_000;
    /// let start = |now_ms| {
    ///     let span = Span::after_restart(&TWITTER, 7, now_ms, 15_000)?;
    ///     SharedGenerator::new(TWITTER, span, 15_000)
    /// };
    /// let before = start(now_ms)?;
    /// let last = before.next(now_ms + 1)?;
    /// assert!(start(now_ms + 2)?.next(now_ms + 3)? > last);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn after_restart(
        layout: &Layout,
        node: u64,
        now_ms: u64,
        allowed_future_ms: u64,
    ) -> Result<Self, Error> {
        let last_tick = layout.tick(now_ms.saturating_add(allowed_future_ms))?;
        Self::new(layout, node, last_tick + 1, layout.ticks())
    }

    /// Returns the node.
    #[must_use]
    pub const fn node(&self) -> u64 {
        self.node
    }

    /// Returns the first tick.
    #[must_use]
    pub const fn from_tick(&self) -> u64 {
        self.from_tick
    }

    /// Returns the first tick after the span.
    #[must_use]
    pub const fn until_tick(&self) -> u64 {
        self.until_tick
    }
}
