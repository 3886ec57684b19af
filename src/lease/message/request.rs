//! The requests to an authority. A holder's requests name the sequencer's incarnation once the
//! holder knows it.

use super::bound_config::BoundConfig;
use super::sequencer::Sequencer;
use super::token::Token;

/// A request to the authority of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// Asks for a span.
    Acquire(Acquire),
    /// Asks for a later end of a span.
    Renew(Renew),
    /// Gives back the rest of a span.
    Release(Release),
    /// Asks for a batch.
    Prefetch(Prefetch),
    /// Asks for the sequencer as the shard knows it.
    Describe,
    /// Tells the registry to bind the sequencer to a configuration, unless the sequencer is bound
    /// already. The reply says to which configuration it is bound.
    Create(BoundConfig),
    /// Tells the registry to end the sequencer. The sequencer is destroyed once every shard has
    /// confirmed its end.
    Destroy,
    /// Tells a shard other than the registry what the registry says about the sequencer.
    Follow(Sequencer),
    /// Tells the registry that a shard grants and renews no more.
    Confirm(Confirm),
    /// Tells a shard to give up its last nodes. They must never have been granted.
    Shrink(Shrink),
}

impl Request {
    /// Returns the request as its holder would send it at `now_ms`, if it arrived at `arrived_ms`,
    /// both in Unix ms of the authority's clock. Without this correction, the time for which a
    /// request waits at the authority would look like a wrong clock of the holder.
    ///
    /// ```
    /// use edgeflake::lease::{Prefetch, Request};
    ///
    /// let sent = |now_ms| Request::Prefetch(Prefetch { incarnation: None, count: None, now_ms });
    /// assert_eq!(sent(5_000).after_wait(5_100, 9_100), sent(9_000));
    /// ```
    #[must_use]
    pub const fn after_wait(mut self, arrived_ms: u64, now_ms: u64) -> Self {
        if let Self::Acquire(Acquire { now_ms: holder_ms, .. })
        | Self::Prefetch(Prefetch { now_ms: holder_ms, .. }) = &mut self
        {
            *holder_ms = holder_ms.saturating_add(now_ms).saturating_sub(arrived_ms);
        }
        self
    }

    /// Returns the time of the holder's clock, in Unix ms, if the authority compares this time with
    /// its own clock.
    #[must_use]
    pub(crate) const fn holder_ms(&self) -> Option<u64> {
        match self {
            Self::Acquire(Acquire { now_ms, .. }) | Self::Prefetch(Prefetch { now_ms, .. }) => {
                Some(*now_ms)
            }
            _ => None,
        }
    }
}

/// Asks for a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Acquire {
    /// The token that the holder made for this attempt, and uses in its retries.
    pub token: Token,
    /// The incarnation, if the holder knows it.
    pub incarnation: Option<u64>,
    /// A node that must not be granted, because the holder wants another node instead.
    pub excluded_node: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Asks for a later end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renew {
    /// The token of the lease.
    pub token: Token,
    /// The incarnation of the grant.
    pub incarnation: u64,
    /// The node of the lease.
    pub node: u64,
    /// The tick of the holder's next counter, which is at least the first tick of its span.
    pub tick: u64,
    /// The number of ids that were issued under this lease so far; `None` if the holder does not
    /// report this number.
    pub issued: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Gives back the rest of a span: the holder has closed its generator and never uses this lease
/// again, whatever the reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    /// The token of the lease.
    pub token: Token,
    /// The incarnation of the grant.
    pub incarnation: u64,
    /// The node of the lease.
    pub node: u64,
    /// The first tick in which no counter was issued.
    pub until_tick: u64,
    /// The number of ids that were issued under this lease; `None` if the holder does not report
    /// this number.
    pub issued: Option<u64>,
}

/// Asks for a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefetch {
    /// The incarnation, if the holder knows it.
    pub incarnation: Option<u64>,
    /// The number of ids to grant, at least 1. `None` leaves the number to the authority's
    /// settings. The authority may grant fewer.
    pub count: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Tells the registry that a shard grants and renews no more, because its sequencer is being
/// destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Confirm {
    /// The incarnation that is being destroyed.
    pub incarnation: u64,
    /// The shard that has ended.
    pub shard: u64,
    /// The latest end of a span that the shard granted, as a tick.
    pub until_tick: u64,
}

/// Tells a shard to give up, for good, all nodes except the first `node_count`. Only nodes that
/// were never granted can be given up, so another sequencer may have them, whatever the clocks do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shrink {
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The number of nodes that the sequencer keeps.
    pub node_count: u64,
}
