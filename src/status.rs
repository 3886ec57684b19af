use crate::{Authority, Row};

/// How much of a shard is in use.
///
/// ```
/// use edgeflake::{Authority, Error, Identity, Row, Sequencer, Status, Token, Tunables};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(Identity::new(EDGE, 0, 8, 1)?);
/// let token = Some(Token::from_random(7));
/// let held = Row { from_tick: 1_000, until_tick: 9_000, token, issued: 70, ..Row::default() };
/// let over = Row { from_tick: 1_000, until_tick: 2_000, token, issued: 5, ..Row::default() };
/// let rows = [(1, held), (2, over)];
/// let authority = Authority::load(0, Some(sequencer), Tunables::default(), rows)?;
/// let status = authority.status(EDGE.start_ms(5_000));
/// assert_eq!(status, Status { nodes: 7, used: 2, held: 1, issued: 75 });
/// assert_eq!(status.free(), 6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// How many nodes there are to grant: all but the one that is kept for batches.
    pub nodes: u64,
    /// How many of them were ever granted.
    pub used: u64,
    /// How many of them have a span that has not ended, or was released but ends later.
    pub held: u64,
    /// How many ids were issued, as far as holders have reported; all of the batches.
    pub issued: u64,
}

impl Status {
    /// How many nodes can be granted.
    #[must_use]
    pub const fn free(&self) -> u64 {
        self.nodes - self.held
    }

    /// Both shards together.
    ///
    /// ```
    /// use edgeflake::Status;
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
            issued: issued(self.issued, other.issued),
        }
    }
}

impl Authority {
    /// How much of the shard is in use at a time in Unix ms.
    #[must_use]
    pub fn status(&self, now_ms: u64) -> Status {
        let Some(sequencer) = self.sequencer() else { return Status::default() };
        let nodes = self.nodes();
        let granted = (nodes.end - nodes.start).saturating_sub(1);
        let mut status = Status { nodes: granted, ..Status::default() };
        let now = sequencer.identity.layout().tick_clamped(now_ms);
        for (node, row) in self.rows() {
            status.issued = issued(status.issued, row.issued);
            if node != nodes.start {
                status.used += 1;
                status.held += u64::from(row.until_tick > now);
            }
        }
        status
    }
}

const fn issued(one: u64, other: u64) -> u64 {
    let sum = one.saturating_add(other);
    if sum < Row::ISSUED_MAX { sum } else { Row::ISSUED_MAX }
}
