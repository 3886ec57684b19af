//! The replies of an authority.

use super::bound_config::BoundConfig;
use super::refusal::Refusal;
use super::sequencer::Sequencer;
use super::settings::Terms;
use super::token::Token;
use crate::generator::counter::Counter;
use crate::span::Span;

/// The reply of an authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The reply to an acquire: a span.
    Granted(Grant),
    /// The reply to a renew: the end of the span, which may be unchanged.
    Renewed(Renewal),
    /// The reply to a release: the rest of the span was taken back.
    Released {
        /// The token of the lease, which has ended.
        token: Token,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
    /// The reply to a renew or release that the authority cannot carry out. The holder loses
    /// nothing: it uses its span to the end, and acquires another span.
    Ended {
        /// The token of the lease.
        token: Token,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
    /// The reply to a prefetch: a batch.
    Batched(Batch),
    /// The reply to a request about the sequencer as a whole: the sequencer as the shard knows it
    /// now; `None` if the shard does not know it.
    Described(Option<Sequencer>),
    /// The reply to any request that is refused, with the reason.
    Refused {
        /// The reason why the request was refused.
        refusal: Refusal,
        /// The sequencer's incarnation; 0 if the shard knows no sequencer.
        incarnation: u64,
    },
}

impl Reply {
    /// Returns the refusal of a request by a shard that knows this sequencer, if it knows one.
    #[must_use]
    #[inline]
    pub fn refused(refusal: Refusal, sequencer: Option<&Sequencer>) -> Self {
        Self::Refused { refusal, incarnation: sequencer.map_or(0, |known| known.incarnation) }
    }
}

/// A span, and all data that a holder needs to use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grant {
    /// The token of the acquire.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The sequencer's bound configuration.
    pub config: BoundConfig,
    /// The node, and the ticks that may be used.
    pub span: Span,
    /// The settings that the holder follows.
    pub terms: Terms,
}

impl Grant {
    /// Creates a grant.
    #[must_use]
    pub const fn new(
        token: Token,
        incarnation: u64,
        config: BoundConfig,
        span: Span,
        terms: Terms,
    ) -> Self {
        Self { token, incarnation, config, span, terms }
    }
}

/// A later end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renewal {
    /// The token of the lease.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The first tick after the span. A renewal never makes a span end earlier.
    pub until_tick: u64,
    /// The settings that the holder follows from now on.
    pub terms: Terms,
}

/// An interval of counters of the node that a shard keeps for batches: from `from` up to, but not
/// including, `until`. The holder uses these counters whatever the clock says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The sequencer's bound configuration.
    pub config: BoundConfig,
    /// The node.
    pub node: u64,
    /// The first counter.
    pub from: Counter,
    /// The first counter after the batch.
    pub until: Counter,
    /// The settings that the holder follows.
    pub terms: Terms,
}

/// The failure of a call that got no reply, because the call could not be sent, or because the
/// answer could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFailure;

/// The record that a [storing](crate::lease::Holder::storing) holder writes, so that a later holder
/// can continue: the lease, and the tick up to which the lease may have been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The lease, with the current end of its span.
    pub grant: Grant,
    /// The reserved tick. No id with this tick or a later tick was issued, and no such id will be
    /// issued before the next record is written.
    pub reserved_tick: u64,
}
