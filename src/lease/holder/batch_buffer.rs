use crate::generator::Drain;
use crate::lease::message::Terms;

/// If a batch is used up in less than this time, in ms, the next batch is twice as large.
const SHORT_MS: u64 = 1_000;

/// If a batch lasts this long or longer, in ms, the next batch is half as large.
const LONG_MS: u64 = 4_000;

/// The batches of a holder: the batch in use, and the next one.
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct BatchBuffer {
    used: Option<Lot>,
    next: Option<Lot>,
    /// The number of ids to ask for in the next batch; `None` before the first batch.
    count: Option<u64>,
}

#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
struct Lot {
    ids: Drain,
    count: u64,
    terms: Terms,
    received_ms: u64,
    /// The time, in Unix ms, at which the first id of the batch was taken.
    since_ms: Option<u64>,
}

impl Lot {
    fn is_fresh(&self, now_ms: u64) -> bool {
        let validity_ms = self.terms.prefetch_validity_ms;
        validity_ms == 0 || now_ms.saturating_sub(self.received_ms) < validity_ms
    }
}

impl BatchBuffer {
    pub(crate) fn add(&mut self, now_ms: u64, ids: Drain, terms: Terms) {
        let count = ids.left();
        self.count.get_or_insert(terms.prefetch_count);
        self.next = Some(Lot { ids, count, terms, received_ms: now_ms, since_ms: None });
    }

    /// Fills `ids` from its start, and returns the number of ids that it filled in.
    pub(crate) fn fill(&mut self, now_ms: u64, ids: &mut [u64]) -> usize {
        let mut filled = 0;
        while filled < ids.len() {
            let Some(lot) = self.used.as_mut().filter(|lot| lot.is_fresh(now_ms)) else {
                self.used = self.next.take();
                if self.used.is_none() {
                    break;
                }
                continue;
            };
            let since_ms = *lot.since_ms.get_or_insert(now_ms);
            filled += lot.ids.fill(&mut ids[filled..]);
            if lot.ids.left() == 0 {
                let (count, base) = (lot.count, lot.terms.prefetch_count);
                self.used = None;
                self.size_up(count, base, now_ms.saturating_sub(since_ms));
            }
        }
        filled
    }

    /// Returns the number of ids that may still be used.
    pub(crate) fn left(&self, now_ms: u64) -> u64 {
        let lots = [&self.used, &self.next].into_iter().flatten();
        lots.filter(|lot| lot.is_fresh(now_ms)).map(|lot| lot.ids.left()).sum()
    }

    fn size_up(&mut self, count: u64, base: u64, lasted_ms: u64) {
        let next = match lasted_ms {
            ..SHORT_MS => count.saturating_mul(2),
            LONG_MS.. => count / 2,
            _ => count,
        };
        self.count = Some(next.max(base).min(Terms::PREFETCH_COUNT_MAX));
    }

    /// Returns whether there is no batch.
    pub(crate) const fn is_empty(&self) -> bool {
        self.used.is_none() && self.next.is_none()
    }

    /// Returns whether the holder should fetch the next batch, because the buffer has few ids left.
    pub(crate) fn is_low(&self, now_ms: u64) -> bool {
        let enough = |lot: &Lot| lot.is_fresh(now_ms) && lot.ids.left() * 2 >= lot.count;
        self.next.is_none() && !self.used.as_ref().is_some_and(enough)
    }

    /// Returns whether the buffer has an id for a request now.
    pub(crate) fn is_ready(&self, now_ms: u64) -> bool {
        self.left(now_ms) > 0
    }

    /// Returns the number of ids to ask for when requests still need `missing` ids. `first` is the
    /// size of the first batch, if the caller has set this size. If the result is `None`, the
    /// authority chooses the number.
    pub(crate) fn count(&self, missing: usize, first: Option<u64>) -> Option<u64> {
        let missing = missing as u64;
        match self.count.or(first) {
            Some(count) => Some(count.max(missing)),
            None if missing <= 1 => None,
            None => Some(missing.max(Terms::default().prefetch_count)),
        }
    }
}
