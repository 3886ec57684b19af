use super::decision::Row;

/// Counts of the nodes and ids of a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The number of nodes that can be granted: all nodes except the node that is kept for batches.
    pub nodes: u64,
    /// The number of nodes that were granted in this incarnation.
    pub used: u64,
    /// The number of nodes that are in use now: their span is held, or was released with an end in
    /// the future.
    pub held: u64,
    /// The number of ids that were issued, as far as holders have reported. All ids of a granted
    /// batch count as issued.
    pub issued: u64,
}

impl Status {
    /// Returns the number of nodes that can be granted now.
    #[must_use]
    pub const fn free(&self) -> u64 {
        self.nodes - self.held
    }

    /// Returns the sums of the counts of two shards.
    #[must_use]
    pub const fn with(&self, other: &Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            used: self.used + other.used,
            held: self.held + other.held,
            issued: Row::issued_sum(self.issued, other.issued),
        }
    }
}
