use crate::generator::counter::Counter;
use crate::lease::message::{Reply, Sequencer, Token};

/// The stored row of a node: the node's newest span, and the number of issued ids.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
/// let released = Row { from_tick: 1_000, until_tick: 9_000, ..Row::default() };
/// let rows = [(3, released)];
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), rows)?;
/// assert_eq!(authority.row(3), Some(released));
/// assert_eq!(authority.row(2), None);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    /// The first tick of the span.
    pub from_tick: u64,
    /// The first tick after the span. Only a release lowers it.
    pub until_tick: u64,
    /// For the node that is kept for batches: the number of counters of the tick `until_tick` that
    /// are already granted. For every other node: 0.
    pub until_sequence: u64,
    /// The token of the span. It is `None` once the span is released, and for batches.
    pub token: Option<Token>,
    /// The number of ids of the node that were issued, as far as holders have reported. Ids of
    /// batches count when the batch is granted.
    pub issued: u64,
    /// The number of issued ids that belong to the newest span.
    pub issued_of_span: u64,
}

impl Row {
    /// The number at which counts of issued ids stop, because JSON and SQL carry numbers exactly
    /// only to 2^53.
    ///
    /// ```
    /// assert_eq!(edgeflake::lease::Row::ISSUED_MAX, 9_007_199_254_740_991);
    /// ```
    pub const ISSUED_MAX: u64 = (1 << 53) - 1;

    /// Returns the sum of two counts of issued ids.
    pub(super) const fn issued_sum(one: u64, other: u64) -> u64 {
        let sum = one.saturating_add(other);
        if sum < Self::ISSUED_MAX { sum } else { Self::ISSUED_MAX }
    }

    /// Returns the counter after the span or, for the node that is kept for batches, after the
    /// newest batch.
    #[must_use]
    pub const fn until(&self) -> Counter {
        Counter { tick: self.until_tick, sequence: self.until_sequence }
    }

    /// Returns the first tick after the span, or after the newest batch.
    pub(super) const fn end(&self) -> u64 {
        self.until().end_tick()
    }
}

/// A change of the storage. The change must fail unless the storage still has the row or the
/// sequencer from which the change was decided. For a row, compare `from_tick`, `until_tick`,
/// `until_sequence` and `token`. Comparing `from_tick` is needed because one token may name two
/// spans of one node that end at the same tick. The sequencer must not have changed either, because
/// a node that was never used looks the same in every incarnation.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings, Write};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
/// let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let after = Row { from_tick: 1_000, until_tick: 301_000, ..Row::default() };
///
/// // The compare-and-set: store this only if the row still is `before`, and then apply it.
/// assert_eq!(authority.row(1), None);
/// authority.apply(&Write::Node { incarnation: 1, node: 1, before: None, after });
/// assert_eq!(authority.row(1), Some(after));
/// # Ok::<(), Error>(())
/// ```
#[expect(clippy::large_enum_variant, reason = "each decision has one value, which is Copy")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// A write of a node's row.
    Node {
        /// The incarnation. The write must fail unless the stored sequencer has this incarnation
        /// and still grants. If there was no row, the stored sequencer must also still have the
        /// node.
        incarnation: u64,
        /// The node.
        node: u64,
        /// The row from which the write was decided; `None` if there was no row.
        before: Option<Row>,
        /// The row after the write.
        after: Row,
    },
    /// A write of the sequencer's row.
    Sequencer {
        /// The write must fail if the span of a stored row ends after this tick.
        ended_by: u64,
        /// Whether the write also deletes the rows of all nodes. Otherwise it must fail if a row
        /// exists for a node that the sequencer gives up.
        drops_rows: bool,
        /// The sequencer from which the write was decided; `None` if there was no sequencer.
        before: Option<Sequencer>,
        /// The sequencer after the write.
        after: Sequencer,
    },
}

/// A write, if one is needed, and the reply to send after it.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Decision, Error, Renew, Reply, Request};
/// use edgeflake::lease::{Sequencer, Settings, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let renew = Renew { token, incarnation: 1, node: 1, tick: 5_000, issued: None, now_ms };
///
/// // Nothing is granted, so nothing is written.
/// let reply = Reply::Ended { token, incarnation: 1 };
/// assert_eq!(authority.decide(now_ms, &Request::Renew(renew)), Decision { write: None, reply });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The write that must be stored before the reply is sent. Every reply that confirms a span has
    /// a write. If there is nothing to change, the row is written unchanged, because this write
    /// fails if the table in memory is out of date.
    pub write: Option<Write>,
    /// The reply.
    pub reply: Reply,
}
