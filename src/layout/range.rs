use core::ops::{Range, RangeInclusive};

use super::{Layout, Parts, Role};
use crate::error::Error;

impl Layout {
    /// Returns the smallest and the largest id of a time window `[start, end)` in Unix ms, of all
    /// nodes or of one node. Use the two ids with `BETWEEN` in a query, or to page by time.
    ///
    /// An id is in the window if its tick starts in the window, so adjacent windows share no id and
    /// leave no id out. A window that reaches beyond the layout's time is cut to that time.
    ///
    /// If you give a node, both ends are ids of that node. Ids of other nodes still lie between the
    /// ends if the window has more than one tick, or if the sequence stands above the node. So a
    /// query must also compare the node.
    ///
    /// # When an id is issued
    /// An id's tick is not the moment at which the id was issued. The tick may lie ahead of its
    /// generator's clock by the allowed future (15,000 ms by default) or behind it by the age of a
    /// prefetched batch, and clocks differ. To find all ids that were *issued* in a window, move
    /// its `end` later by the allowed future plus the clocks' error, and its `start` earlier by the
    /// batches' age plus the same error. The range then also has ids that were issued shortly
    /// before or after the window.
    ///
    /// # Errors
    /// - [`Error::AboveTimestamp`]: a field in use stands above the timestamp, so the ids of a
    ///   window form many ranges.
    /// - [`Error::EmptyWindow`]: the window ends at or before its start.
    /// - [`Error::WindowOutsideLayout`]: the layout has no ids in the window.
    /// - [`Error::WindowWithinTick`]: no tick starts in the window.
    /// - [`Error::TooLarge`]: the layout does not have the node.
    ///
    /// ```
    /// use edgeflake::{Error, preset::HAZELCAST};
    ///
    /// let day = 1_516_060_800_000..1_516_147_200_000; // 2018-01-16
    /// let ids = HAZELCAST.id_range(day.clone(), None)?;
    /// assert_eq!(HAZELCAST.start_ms(HAZELCAST.decode(*ids.start())?.tick), day.start);
    /// assert_eq!(HAZELCAST.start_ms(HAZELCAST.decode(*ids.end())?.tick), day.end - 1);
    ///
    /// let ids_of_node = HAZELCAST.id_range(day, Some(7))?;
    /// assert_eq!(*ids_of_node.start(), ids.start() + 7);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn id_range(
        &self,
        window_ms: Range<u64>,
        node: Option<u64>,
    ) -> Result<RangeInclusive<u64>, Error> {
        self.sorts_by_time()?;
        let Range { start: from_ms, end: until_ms } = window_ms;
        if from_ms >= until_ms {
            return Err(Error::EmptyWindow { from_ms, until_ms });
        }
        let (epoch_ms, end_ms) = (self.epoch_ms(), self.end_ms());
        if until_ms <= epoch_ms || from_ms >= end_ms {
            return Err(Error::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms });
        }
        let from_tick = self.first_tick_from(from_ms);
        let until_tick = self.first_tick_from(until_ms);
        if from_tick >= until_tick {
            let tick_ms = self.tick_ms();
            return Err(Error::WindowWithinTick { from_ms, until_ms, tick_ms });
        }
        let smallest = Parts { tick: from_tick, node: node.unwrap_or(0), sequence: 0, tag: 0 };
        let largest = Parts {
            tick: until_tick - 1,
            node: node.unwrap_or(self.role_max(Role::Node)),
            sequence: self.role_max(Role::Sequence),
            tag: self.role_max(Role::Tag),
        };
        Ok(self.encode(smallest)?..=self.encode(largest)?)
    }

    /// Returns the first tick that starts at a time in Unix ms or later; [`ticks`](Self::ticks) if
    /// none does.
    const fn first_tick_from(&self, ms: u64) -> u64 {
        let tick = self.ticks_in(ms.saturating_sub(self.epoch_ms()));
        if tick < self.ticks() { tick } else { self.ticks() }
    }

    fn sorts_by_time(&self) -> Result<(), Error> {
        let above = self.fields().iter().take_while(|field| field.role() != Role::Timestamp);
        match above.into_iter().find(|field| field.role() != Role::Unused) {
            Some(field) => Err(Error::AboveTimestamp { field: field.name() }),
            None => Ok(()),
        }
    }
}
