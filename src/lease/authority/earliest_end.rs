use alloc::vec;
use alloc::vec::Vec;

/// Keeps a set of indices, each with an end (a tick), and finds the index with the earliest end.
/// Each change and each query takes O(log n). The data structure is a tournament tree, in which the
/// earlier end of each pair wins. A sorted tree would have to sort or rebalance when all rows are
/// loaded at once.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct EarliestEnd {
    /// The ends of the winners. The overall winner is at 1, and the winner at `i` is the earlier
    /// end of those at `2 * i` and `2 * i + 1`. The last half has the ends of the indices
    /// themselves. [`NONE`] stands for an index that is not in the set.
    ends: Vec<u64>,
}

/// Stands for no end. No real end has this value, because every tick is below 2^53.
const NONE: u64 = u64::MAX;

impl EarliestEnd {
    /// Creates the set of these indices. Each index must be below `width`.
    pub(crate) fn of(width: usize, ends: impl Iterator<Item = (usize, Option<u64>)>) -> Self {
        let width = width.next_power_of_two();
        let mut earliest = Self { ends: vec![NONE; 2 * width] };
        for (index, end) in ends {
            earliest.ends[width + index] = end.unwrap_or(NONE);
        }
        earliest.play();
        earliest
    }

    /// Sets the end of an index. `None` takes the index out of the set.
    pub(crate) fn set(&mut self, index: usize, end: Option<u64>) {
        if index >= self.width() {
            if end.is_none() {
                return;
            }
            self.grow(index + 1);
        }
        let mut at = self.width() + index;
        self.ends[at] = end.unwrap_or(NONE);
        while at > 1 {
            let winner = self.ends[at].min(self.ends[at ^ 1]);
            at /= 2;
            if self.ends[at] == winner {
                return;
            }
            self.ends[at] = winner;
        }
    }

    /// Returns the earliest end with its index. If ends are equal, the lowest index wins.
    pub(crate) fn first(&self) -> Option<(u64, usize)> {
        self.first_under(1)
    }

    /// Returns the same as [`first`](Self::first), but leaves out the index `excluded`.
    pub(crate) fn first_but(&self, excluded: usize) -> Option<(u64, usize)> {
        let first = self.first()?;
        if first.1 != excluded {
            return Some(first);
        }
        // On the way up from the excluded index, the siblings cover every other index.
        let mut at = self.width() + excluded;
        let mut first = None;
        while at > 1 {
            first = first.into_iter().chain(self.first_under(at ^ 1)).min();
            at /= 2;
        }
        first
    }

    fn first_under(&self, top: usize) -> Option<(u64, usize)> {
        let end = self.ends[top];
        let mut at = top;
        while at < self.width() {
            at = if self.ends[2 * at] == end { 2 * at } else { 2 * at + 1 };
        }
        (end != NONE).then(|| (end, at - self.width()))
    }

    /// Returns the number of indices for which there is room.
    const fn width(&self) -> usize {
        self.ends.len() / 2
    }

    fn grow(&mut self, least: usize) {
        let width = least.next_power_of_two();
        let mut ends = vec![NONE; 2 * width];
        let indices = &self.ends[self.width()..];
        ends[width..][..indices.len()].copy_from_slice(indices);
        self.ends = ends;
        self.play();
    }

    /// Computes the winners of all pairs.
    fn play(&mut self) {
        for at in (1..self.width()).rev() {
            self.ends[at] = self.ends[2 * at].min(self.ends[2 * at + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn as_a_sorted_set() {
        let mut earliest = EarliestEnd::of(0, [].into_iter());
        let mut sorted = BTreeSet::new();
        let mut ends = [None; 37];
        let mut random = 1_u64;
        for step in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (random >> 33) as usize % (1 + step % ends.len());
            // The test draws from few ends, so that many are equal.
            let end = Some((random >> 60) + 1).filter(|end| *end < 12);
            if let Some(before) = ends[index] {
                sorted.remove(&(before, index));
            }
            ends[index] = end;
            sorted.extend(end.map(|end| (end, index)));
            earliest.set(index, end);
            if step % 16 == 0 {
                earliest = EarliestEnd::of(ends.len(), ends.into_iter().enumerate());
            }
            assert_eq!(earliest.first(), sorted.first().copied());
            for excluded in [0, index, ends.len() - 1, ends.len()] {
                let expected = sorted.iter().find(|(_, index)| *index != excluded);
                assert_eq!(earliest.first_but(excluded), expected.copied());
            }
        }
    }
}
