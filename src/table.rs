use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{Row, Token};

/// The rows of a shard, with what finds the next node to grant in O(log n).
///
/// The first node is that of batches: it is never granted.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct Table {
    nodes: Range<u64>,
    /// By node, from the first of `nodes` on; as long as the last node that was ever used.
    rows: Vec<Option<Row>>,
    /// The lowest node to grant that was never used, as an index of `rows`.
    unused: usize,
    /// Nodes with a token: the end of their span, the node, 0.
    held: Index,
    /// Nodes that were released: the end of their span, the node, 0.
    released: Index,
    /// The two halves of the token of a node's newest span, the node.
    tokens: Index,
}

/// One type for all, since each kind of tree is 7 KB of WebAssembly.
type Index = BTreeSet<(u64, u64, u64)>;

impl Table {
    pub(crate) const fn new(nodes: Range<u64>) -> Self {
        Self {
            nodes,
            rows: Vec::new(),
            unused: 1,
            held: BTreeSet::new(),
            released: BTreeSet::new(),
            tokens: BTreeSet::new(),
        }
    }

    pub(crate) fn nodes(&self) -> Range<u64> {
        self.nodes.clone()
    }

    pub(crate) const fn batch_node(&self) -> u64 {
        self.nodes.start
    }

    pub(crate) fn row(&self, node: u64) -> Option<Row> {
        self.rows.get(self.index(node)?).copied().flatten()
    }

    /// The nodes that were ever used, with their rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        self.nodes.clone().zip(&self.rows).filter_map(|(node, row)| Some((node, (*row)?)))
    }

    pub(crate) fn put(&mut self, node: u64, after: Row) {
        let Some(index) = self.index(node) else { return };
        if let Some(before) = self.row(node) {
            self.held.remove(&(before.until_tick, node, 0));
            self.released.remove(&(before.until_tick, node, 0));
            if let Some(token) = before.token {
                let (high, low) = token.halves();
                self.tokens.remove(&(high, low, node));
            }
        }
        if let Some(token) = after.token {
            let (high, low) = token.halves();
            self.tokens.insert((high, low, node));
        }
        if node != self.batch_node() {
            let set = if after.token.is_some() { &mut self.held } else { &mut self.released };
            set.insert((after.until_tick, node, 0));
        }
        if index >= self.rows.len() {
            self.rows.resize(index + 1, None);
        }
        self.rows[index] = Some(after);
        while self.rows.get(self.unused).is_some_and(Option::is_some) {
            self.unused += 1;
        }
    }

    /// The newest span that this token was granted: a token that was granted twice, because less
    /// than half of its first span was left at the retry, means the later one.
    pub(crate) fn of_token(&self, token: Token) -> Option<(u64, Row)> {
        let (high, low) = token.halves();
        let nodes = self.tokens.range((high, low, 0)..=(high, low, u64::MAX));
        let rows = nodes.filter_map(|(_, _, node)| Some((*node, self.row(*node)?)));
        rows.max_by_key(|(_, row)| row.until_tick)
    }

    /// The node to grant until `until_tick`: of those free for at least `lease_ticks` the one that
    /// is free longest, else one that was never used, else any that is free, longest first. So the
    /// table stays as small as the peak, and ids of a node are not reused in a hurry.
    pub(crate) fn choose(
        &self,
        now: u64,
        until_tick: u64,
        lease_ticks: u64,
        excluded: Option<u64>,
    ) -> Option<(u64, Option<Row>)> {
        let first = |index: &Index| {
            let mut ends = index.iter().map(|(until, node, _)| (*until, *node));
            ends.find(|(_, node)| Some(*node) != excluded)
        };
        let expired = first(&self.held).filter(|(until, _)| *until <= now);
        let released = first(&self.released).filter(|(until, _)| *until < until_tick);
        let free = match (expired, released) {
            (Some(expired), Some(released)) => Some(expired.min(released)),
            (expired, released) => expired.or(released),
        };
        let rested = free.filter(|(until, _)| until.saturating_add(lease_ticks) <= now);
        if let Some((_, node)) = rested {
            return Some((node, self.row(node)));
        }
        let mut unused = self.nodes.start + self.unused as u64..self.nodes.end;
        if let Some(node) = unused.find(|node| self.row(*node).is_none() && Some(*node) != excluded)
        {
            return Some((node, None));
        }
        free.map(|(_, node)| (node, self.row(node)))
    }

    /// The earliest end of a span that somebody holds, as a tick.
    pub(crate) fn first_end(&self) -> Option<u64> {
        self.held.first().map(|(until_tick, _, _)| *until_tick)
    }

    /// The first tick after all spans and batches.
    pub(crate) fn latest_end(&self) -> u64 {
        let end = |row: Row| row.until_tick + u64::from(row.until_sequence > 0);
        self.rows().map(|(_, row)| end(row)).max().unwrap_or(0)
    }

    fn index(&self, node: u64) -> Option<usize> {
        if self.nodes.contains(&node) {
            usize::try_from(node - self.nodes.start).ok()
        } else {
            None
        }
    }
}
