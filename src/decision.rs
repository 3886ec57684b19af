use crate::{Reply, Token};

/// What is stored of a node: its newest span.
///
/// ```
/// use edgeflake::{Authority, Error, Identity, Row, Tunables, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 4, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let released = Row { from_tick: 1_000, until_tick: 9_000, token: None };
/// let authority = Authority::load(identity, 0, 1, tunables, [(3, released)])?;
/// assert_eq!(authority.row(3), Some(released));
/// assert_eq!(authority.row(2), None);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first tick of the span.
    pub from_tick: u64,
    /// The first tick after the span. Goes down only by a release.
    pub until_tick: u64,
    /// The token of the span, `None` once it is released.
    pub token: Option<Token>,
}

/// A change of one node's row, to be made only if the row is still as it was.
///
/// ```
/// use edgeflake::{Authority, Error, Identity, Row, Tunables, Write, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 4, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let mut authority = Authority::load(identity, 0, 1, tunables, [])?;
/// let after = Row { from_tick: 1_000, until_tick: 301_000, token: None };
/// let write = Write { node: 0, before: None, after };
///
/// // The compare-and-set: stored only where the row still is `before`, and then applied.
/// assert_eq!(authority.row(write.node), write.before);
/// authority.apply(&write);
/// assert_eq!(authority.row(write.node), Some(write.after));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The node.
    pub node: u64,
    /// The row from which this was decided, `None` if there was none.
    pub before: Option<Row>,
    /// The row as it shall be.
    pub after: Row,
}

/// What to write, if anything, and then what to answer.
///
/// ```
/// use edgeflake::{Authority, Decision, Error, Identity, Renew, Reply, Request, Token, Tunables};
/// use edgeflake::preset::EDGE;
///
/// let identity = Identity::new(EDGE, 0, 4, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let authority = Authority::load(identity, 0, 1, tunables, [])?;
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let renew = Renew { token, incarnation: 1, node: 0, tick: 5_000, now_ms };
///
/// // Nothing is granted, so nothing is written.
/// let reply = Reply::Ended { token, incarnation: 1 };
/// assert_eq!(authority.decide(now_ms, &Request::Renew(renew)), Decision { write: None, reply });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Must be stored before the reply is sent. Every reply that confirms a span has one, even if
    /// it changes nothing: the write is the proof that the table is not out of date.
    pub write: Option<Write>,
    /// The answer.
    pub reply: Reply,
}
