use super::counter::Counter;
use crate::error::Error;
use crate::layout::packing::Packing;
use crate::layout::{Layout, Role};
use crate::span::Span;

/// Issues all ids of a prefetched batch (an interval of a node's counters), whatever the clock
/// says. `Drain` is not `Clone`, because a copy would issue the same ids.
///
/// ```
/// use edgeflake::Error;
/// use edgeflake::lease::{Counter, Drain};
/// use edgeflake::preset::TWITTER;
///
/// let from = Counter { tick: 7, sequence: 4_095 };
/// let until = Counter { tick: 8, sequence: 1 };
/// let mut batch = Drain::new(&TWITTER, 3, from, until)?;
/// let ids: Vec<u64> = batch.by_ref().collect();
/// assert_eq!((ids.len(), batch.left()), (2, 0));
/// assert_eq!(TWITTER.decode(ids[0])?.sequence, 4_095);
/// assert_eq!(TWITTER.decode(ids[1])?.tick, 8);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub struct Drain {
    next: u64,
    until: u64,
    packing: Packing,
}

impl Drain {
    /// Creates a drain that issues the counters of `node` from `from` up to, but not including,
    /// `until`. The ids have the tag 0.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a node or sequence that the layout does not have,
    /// [`Error::EmptySpan`] unless `from` is before `until`, and [`Error::SpanTooLong`] for an end
    /// past the layout's last tick.
    ///
    /// ```
    /// use edgeflake::Error;
    /// use edgeflake::lease::{Counter, Drain};
    /// use edgeflake::preset::TWITTER;
    ///
    /// let at = |tick, sequence| Counter { tick, sequence };
    /// assert!(Drain::new(&TWITTER, 3, at(7, 4_095), at(8, 0)).is_ok());
    /// let empty = Drain::new(&TWITTER, 3, at(8, 0), at(8, 0));
    /// assert!(matches!(empty, Err(Error::EmptySpan { .. })));
    /// let wide = Drain::new(&TWITTER, 3, at(7, 4_096), at(8, 0));
    /// assert!(matches!(wide, Err(Error::TooLarge { max: 4_095, .. })));
    /// ```
    pub fn new(layout: &Layout, node: u64, from: Counter, until: Counter) -> Result<Self, Error> {
        // The constructor of a span checks the node and the ticks that the interval touches.
        Span::new(layout, node, from.tick, until.end_tick())?;
        let max = layout.role_max(Role::Sequence);
        for Counter { sequence, .. } in [from, until] {
            if sequence > max {
                return Err(Error::TooLarge { role: Role::Sequence, value: sequence, max });
            }
        }
        let (next, until_counter) = (from.number(layout), until.number(layout));
        if next >= until_counter {
            return Err(Error::EmptySpan { from_tick: from.tick, until_tick: until.tick });
        }
        Ok(Self { next, until: until_counter, packing: Packing::new(layout.fields(), node) })
    }

    /// Returns the number of ids that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.until - self.next
    }

    /// Fills `ids` from its start with the next ids, and returns the number of ids that it filled
    /// in. If the batch has too few ids left, the rest of `ids` stays as it is.
    ///
    /// ```
    /// use edgeflake::{Parts, preset::TWITTER};
    /// use edgeflake::Error;
    /// use edgeflake::lease::{Counter, Drain};
    ///
    /// let (from, until) = (Counter { tick: 7, sequence: 0 }, Counter { tick: 8, sequence: 2 });
    /// let mut batch = Drain::new(&TWITTER, 3, from, until)?;
    /// let mut ids = [0; 5_000];
    /// assert_eq!(batch.fill(&mut ids), 4_098);
    /// assert_eq!(TWITTER.decode(ids[4_097])?, Parts { tick: 8, node: 3, sequence: 1, tag: 0 });
    /// assert_eq!(batch.fill(&mut ids), 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fill(&mut self, ids: &mut [u64]) -> usize {
        let count = ids.len().min(usize::try_from(self.left()).unwrap_or(usize::MAX));
        self.packing.fill(self.next, &mut ids[..count]);
        self.next += count as u64;
        count
    }
}

impl Iterator for Drain {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        (self.next < self.until).then(|| {
            let id = self.packing.id(self.next);
            self.next += 1;
            id
        })
    }
}
