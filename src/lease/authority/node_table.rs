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
    /// The row of each node, in order. The list ends at the last node that was ever used.
    rows: Vec<Option<Row>>,
    /// The lowest node that may be granted and was never used, as an index of `rows`.
    unused: usize,
    /// The nodes with a token, as indices of `rows`, with the ends of their spans.
    held: EarliestEnd,
    /// The nodes that were released, as indices of `rows`, with the ends of their spans.
    released: EarliestEnd,
    /// The nodes with a token, as indices of `rows`, by their tokens.
    tokens: Tokens,
}

impl NodeTable {
    /// Creates the table of these rows. The first row belongs to the shard's first node.
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

    /// Returns the first node after the last node that was ever used.
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

    /// Returns the rows of these nodes, as [`rows`](Self::rows) does.
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

    /// Returns the newest span that was granted to this token. If less than half of that span is
    /// left at a retry, the token is granted a second span, which is then the newest.
    pub(crate) fn of_token(&self, token: Token) -> Option<(u64, Row)> {
        let rows = self.tokens.chain(token).filter_map(|index| {
            let (node, row) = self.at(index);
            Some((node, row.filter(|row| row.token == Some(token))?))
        });
        rows.max_by_key(|(node, row)| (row.until_tick, *node))
    }

    /// Returns the node whose held span ends first, without the excluded node.
    pub(crate) fn first_held(&self, excluded: Option<u64>) -> Option<(u64, Row)> {
        self.first(&self.held, excluded)
    }

    /// Returns the node whose released span ends first, without the excluded node.
    pub(crate) fn first_released(&self, excluded: Option<u64>) -> Option<(u64, Row)> {
        self.first(&self.released, excluded)
    }

    fn first(&self, ends: &EarliestEnd, excluded: Option<u64>) -> Option<(u64, Row)> {
        let first = match excluded.and_then(|node| self.index(node)) {
            Some(excluded) => ends.first_but(excluded),
            None => ends.first(),
        };
        let (node, row) = self.at(first?.1);
        Some((node, row?))
    }

    /// Returns the lowest node that may be granted and was never used, without the excluded node.
    pub(crate) fn first_unused(&self, excluded: Option<u64>) -> Option<u64> {
        // All nodes after the last row are unused, and at most one node is excluded, so one of the
        // first two nodes after the last row may be granted.
        let beyond = self.rows.len().max(self.unused) + 2;
        let others = (self.unused..beyond).map(|index| self.at(index));
        let mut unused = others.filter(|(node, row)| row.is_none() && Some(*node) != excluded);
        unused.next().map(|(node, _)| node).filter(|node| self.nodes.contains(node))
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
