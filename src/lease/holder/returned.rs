//! Keeps the ids of requests whose callers left before they had an answer.
//!
//! Requests take ids ahead of the clock, and wait until the ids are due. If a caller leaves
//! meanwhile, other requests may take its ids, but ids must still ascend: a request gets only ids
//! that are larger than the ids of all answers that were sent before the request began. So an id
//! can be used again only if its tick is later than the ticks of all answers that were sent since
//! the id was taken.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::layout::Layout;

/// The largest number of requests whose ids are kept.
const LISTS_MAX: usize = 1_000;

/// The ids of a lease that requests gave back.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(super) struct Returned {
    /// The ids of each request, with their tags removed, in descending order. No list is empty.
    lists: Vec<Vec<u64>>,
    /// The latest tick with which a request may have been answered since ids were taken ahead.
    answered_tick: Option<u64>,
    /// Whether ids were taken ahead since `Lease::note_newest` last noted an answer.
    pub(super) has_ahead: bool,
}

impl Returned {
    pub(super) const fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Notes that a request may be answered with an id of this tick.
    pub(super) fn note_answered(&mut self, tick: u64) {
        self.answered_tick = self.answered_tick.max(Some(tick));
    }

    /// Returns whether an id of this tick is above all ids that were used in answers.
    pub(super) fn is_above_answered(&self, tick: u64) -> bool {
        Some(tick) > self.answered_tick
    }

    /// Fills `ids` with ids of these ticks, and drops ids of earlier ticks. Returns the number of
    /// ids that it filled in, and the tick of the last id.
    pub(super) fn take(
        &mut self,
        layout: &Layout,
        ticks: &RangeInclusive<u64>,
        ids: &mut [u64],
    ) -> (usize, u64) {
        let (mut filled, mut taken_tick) = (0, 0);
        while filled < ids.len() {
            let firsts = self.lists.iter().enumerate();
            let firsts = firsts.filter_map(|(index, list)| {
                let id = *list.last()?;
                Some((tick_of(layout, id), index, id))
            });
            let Some((tick, index, id)) = firsts.min() else { break };
            if tick > *ticks.end() {
                break;
            }
            if tick >= *ticks.start() && self.is_above_answered(tick) {
                ids[filled] = id;
                filled += 1;
                taken_tick = tick;
            }
            self.lists[index].pop();
            if self.lists[index].is_empty() {
                self.lists.swap_remove(index);
            }
        }
        (filled, taken_tick)
    }

    /// Keeps the ids of a request, unless the ids of [`LISTS_MAX`] requests are kept already. `ids`
    /// must be in descending order.
    pub(super) fn keep(&mut self, ids: Vec<u64>) {
        if !ids.is_empty() && self.lists.len() < LISTS_MAX {
            self.lists.push(ids);
        }
    }
}

fn tick_of(layout: &Layout, id: u64) -> u64 {
    layout.decode(id).map_or(0, |parts| parts.tick)
}
