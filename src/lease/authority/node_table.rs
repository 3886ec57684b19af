use alloc::vec::Vec;
use core::ops::Range;

use super::decision::Row;
use super::earliest_end::EarliestEnd;
use super::tokens::Tokens;
use crate::lease::message::Token;

/// The rows of a shard, with indices that find the next node to grant in O(log n).
///
/// The first node is kept for batches and never granted.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct NodeTable {
    nodes: Range<u64>,
    /// The row of each node, in order; the list ends at the last node that was ever used.
    rows: Vec<Option<Row>>,
    /// The lowest node that may be granted and was never used, as an index of `rows`.
    unused: usize,
    /// Nodes with a token, by the end of their span and as indices of `rows`.
    held: EarliestEnd,
    /// Nodes that were released, by the end of their span and as indices of `rows`.
    released: EarliestEnd,
    /// Nodes with a token, as indices of `rows`.
    tokens: Tokens,
}

impl NodeTable {
    /// Creates the table of these rows, of which the first is that of the shard's first node.
    pub(crate) fn of(nodes: Range<u64>, rows: Vec<Option<Row>>) -> Self {
        let ends = |is_held: bool| {
            let end = move |row: &Option<Row>| {
                row.filter(|row| row.token.is_some() == is_held).map(|row| row.until_tick)
            };
            EarliestEnd::of(rows.len(), rows.iter().map(end).enumerate().skip(1))
        };
        Self {
            nodes,
            unused: rows.iter().skip(1).take_while(|row| row.is_some()).count() + 1,
            held: ends(true),
            released: ends(false),
            tokens: Tokens::of(&rows),
            rows,
        }
    }

    pub(crate) fn nodes(&self) -> Range<u64> {
        self.nodes.clone()
    }

    /// Reduces the shard's nodes to `nodes`, which must contain every node that was ever used.
    pub(crate) fn shrink(&mut self, nodes: Range<u64>) {
        self.nodes = nodes;
    }

    /// Returns the first node after the last one that was ever used.
    pub(crate) fn used_end(&self) -> u64 {
        self.nodes.start + self.rows.len() as u64
    }

    pub(crate) const fn batch_node(&self) -> u64 {
        self.nodes.start
    }

    pub(crate) fn row(&self, node: u64) -> Option<Row> {
        self.rows.get(self.index(node)?).copied().flatten()
    }

    /// Returns the nodes that were ever used, with their rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        self.nodes.clone().zip(&self.rows).filter_map(|(node, row)| Some((node, (*row)?)))
    }

    /// Returns the same as [`rows`](Self::rows), but for these nodes only.
    pub(crate) fn rows_of(&self, nodes: Range<u64>) -> impl Iterator<Item = (u64, Row)> {
        let index = |node: u64| {
            let index = usize::try_from(node.saturating_sub(self.nodes.start));
            index.unwrap_or(usize::MAX).min(self.rows.len())
        };
        let (start, end) = (index(nodes.start), index(nodes.end));
        let rows = self.rows.get(start..end).unwrap_or_default();
        (self.nodes.start + start as u64..)
            .zip(rows)
            .filter_map(|(node, row)| Some((node, (*row)?)))
    }

    pub(crate) fn put(&mut self, node: u64, after: Row) {
        let Some(index) = self.index(node) else { return };
        let before = self.row(node).and_then(|before| before.token);
        if node != self.batch_node() {
            let (held, released) = match after.token {
                Some(_) => (Some(after.until_tick), None),
                None => (None, Some(after.until_tick)),
            };
            self.held.set(index, held);
            self.released.set(index, released);
        }
        if index >= self.rows.len() {
            self.rows.resize(index + 1, None);
        }
        self.rows[index] = Some(after);
        if !self.tokens.has_room(index) {
            self.tokens = Tokens::of(&self.rows);
        } else if before != after.token {
            self.tokens.remove(index, before);
            self.tokens.add(index, after.token);
        }
        while self.rows.get(self.unused).is_some_and(Option::is_some) {
            self.unused += 1;
        }
    }

    /// Returns the newest span that this token was granted. If less than half of the first span is
    /// left at a retry, the token is granted again, and then names the later span.
    pub(crate) fn of_token(&self, token: Token) -> Option<(u64, Row)> {
        let rows = self.tokens.chain(token).filter_map(|index| {
            let (node, row) = self.at(index);
            Some((node, row.filter(|row| row.token == Some(token))?))
        });
        rows.max_by_key(|(node, row)| (row.until_tick, *node))
    }

    /// Chooses the node to grant, whose span can start at `from_max` at the latest. The first
    /// choice is the node that has been free for longest, if that is at least `lease_ticks`. The
    /// second is a node that was never used. The third is again the node that has been free for
    /// longest. So the table stays as small as the peak, and nodes are not reused in a hurry.
    pub(crate) fn choose(
        &self,
        now: u64,
        from_max: u64,
        lease_ticks: u64,
        excluded: Option<u64>,
    ) -> Option<(u64, Option<Row>)> {
        let excluded = excluded.and_then(|node| self.index(node));
        let first = |ends: &EarliestEnd| match excluded {
            Some(excluded) => ends.first_but(excluded),
            None => ends.first(),
        };
        let expired = first(&self.held).filter(|(until, _)| *until <= now);
        let released = first(&self.released).filter(|(until, _)| *until <= from_max);
        let free = match (expired, released) {
            (Some(expired), Some(released)) => Some(expired.min(released)),
            (expired, released) => expired.or(released),
        };
        let rested = free.filter(|(until, _)| until.saturating_add(lease_ticks) <= now);
        if let Some((_, index)) = rested {
            return Some(self.at(index));
        }
        // All nodes beyond the rows are unused, and at most one is excluded, so it is enough to
        // look at two.
        let beyond = self.rows.len().max(self.unused) + 2;
        let mut others = (self.unused..beyond).filter(|index| Some(*index) != excluded);
        let unused = others.find_map(|index| Some(self.at(index)).filter(|(_, row)| row.is_none()));
        if let Some((node, _)) = unused.filter(|(node, _)| self.nodes.contains(node)) {
            return Some((node, None));
        }
        free.map(|(_, index)| self.at(index))
    }

    /// Returns the earliest end of a span that is held, as a tick.
    pub(crate) fn first_held_end(&self) -> Option<u64> {
        self.held.first().map(|(until_tick, _)| until_tick)
    }

    /// Returns the earliest end of a span that was released, as a tick.
    pub(crate) fn first_released_end(&self) -> Option<u64> {
        self.released.first().map(|(until_tick, _)| until_tick)
    }

    /// Returns the first tick after all spans and batches.
    pub(crate) fn latest_end(&self) -> u64 {
        self.rows().map(|(_, row)| row.end()).max().unwrap_or(0)
    }

    /// Returns a node with its row, by its index.
    fn at(&self, index: usize) -> (u64, Option<Row>) {
        (self.nodes.start + index as u64, self.rows.get(index).copied().flatten())
    }

    fn index(&self, node: u64) -> Option<usize> {
        if self.nodes.contains(&node) {
            usize::try_from(node - self.nodes.start).ok()
        } else {
            None
        }
    }
}
