use super::decision::Row;

/// How much of a shard is in use.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings, Status, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 8, 1)?);
/// let token = Some(Token::from_random(7));
/// let held = Row { from_tick: 1_000, until_tick: 9_000, token, issued: 70, ..Row::default() };
/// let over = Row { from_tick: 1_000, until_tick: 2_000, token, issued: 5, ..Row::default() };
/// let rows = [(1, held), (2, over)];
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), rows)?;
/// let status = authority.status(EDGE.start_ms(5_000));
/// assert_eq!(status, Status { nodes: 7, used: 2, held: 1, issued: 75 });
/// assert_eq!(status.free(), 6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Number of nodes to grant, which are all but the one that is kept for batches.
    pub nodes: u64,
    /// How many of them were granted in this incarnation.
    pub used: u64,
    /// How many of them are not free now, because their span is held, or was released with an end
    /// in the future.
    pub held: u64,
    /// How many ids were issued, as far as holders have reported. Of a granted batch, all ids
    /// count.
    pub issued: u64,
}

impl Status {
    /// How many nodes can be granted now.
    #[must_use]
    pub const fn free(&self) -> u64 {
        self.nodes - self.held
    }

    /// Returns the sums of this shard and another one.
    ///
    /// ```
    /// use edgeflake::lease::Status;
    ///
    /// let shard = Status { nodes: 7, used: 2, held: 1, issued: 75 };
    /// let both = Status { nodes: 14, used: 4, held: 2, issued: 150 };
    /// assert_eq!(shard.with(&shard), both);
    /// ```
    #[must_use]
    pub const fn with(&self, other: &Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            used: self.used + other.used,
            held: self.held + other.held,
            issued: Self::issued(self.issued, other.issued),
        }
    }

    pub(super) const fn issued(one: u64, other: u64) -> u64 {
        let sum = one.saturating_add(other);
        if sum < Row::ISSUED_MAX { sum } else { Row::ISSUED_MAX }
    }
}
