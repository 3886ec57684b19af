//! What holders and the authority say to each other. Every request and reply names the incarnation
//! of the sequencer, once it is known.

use core::fmt;

use crate::{Identity, Instant, Span, Token};

/// What a holder asks of the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Asks for a span.
    Acquire(Acquire),
    /// Asks for a later end of a span.
    Renew(Renew),
}

/// Asks for a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquire {
    /// Made for this attempt, the same in its retries.
    pub token: Token,
    /// The incarnation that the holder knows, if any.
    pub incarnation: Option<u64>,
    /// A node that must not be granted: that of a lease to be swapped.
    pub excluded_node: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Asks for a later end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renew {
    /// The token of the lease.
    pub token: Token,
    /// The incarnation of the grant.
    pub incarnation: u64,
    /// The node of the lease.
    pub node: u64,
    /// The tick of the holder's next counter: at least that of the first tick of its span.
    pub tick: u64,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// What the authority answers.
#[expect(clippy::large_enum_variant, reason = "a grant comes twice a lease; without alloc, Copy")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To an acquire: a span.
    Granted(Grant),
    /// To a renew: the end of the span, which may be as it was.
    Renewed(Renewal),
    /// To a renew: the lease is not renewed any more. Takes nothing away: the holder uses its span
    /// to the end and acquires another.
    Ended {
        /// The token of the lease.
        token: Token,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
    /// To either: no, and why.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
}

/// A span, and all that a holder needs to use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The token of the acquire.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// What the sequencer is bound to.
    pub identity: Identity,
    /// The node and its ticks.
    pub span: Span,
    /// How long leases last, in ms.
    pub lease_ms: u64,
    /// How far the holder may run ahead of its clock, in ms.
    pub allowed_future_ms: u64,
}

/// A later end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// The token of the lease.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The first tick after the span.
    pub until_tick: u64,
    /// How long leases last, in ms.
    pub lease_ms: u64,
    /// How far the holder may run ahead of its clock, in ms.
    pub allowed_future_ms: u64,
}

/// Why the authority refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The clocks of holder and authority differ by more than is allowed at a grant.
    ClockDisagreement {
        /// The authority's clock, in Unix ms.
        authority_ms: u64,
        /// The holder's clock, in Unix ms.
        holder_ms: u64,
        /// The most they may differ by, in ms.
        max_ms: u64,
    },
    /// All nodes are held.
    NoNodeFree {
        /// When the first lease ends, in ms from the authority's now.
        retry_in_ms: u64,
    },
    /// The request is for another incarnation of the sequencer than the reply's.
    OtherIncarnation {
        /// The incarnation of the request.
        found: u64,
    },
    /// The authority's clock is outside the layout's time.
    OutsideLayout {
        /// The authority's clock, in Unix ms.
        now_ms: u64,
        /// When the layout begins, in Unix ms.
        epoch_ms: u64,
        /// When the layout ends, in Unix ms.
        end_ms: u64,
    },
}

impl Refusal {
    /// A stable name.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClockDisagreement { .. } => "clock-disagreement",
            Self::NoNodeFree { .. } => "no-node-free",
            Self::OtherIncarnation { .. } => "other-incarnation",
            Self::OutsideLayout { .. } => "outside-layout",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ClockDisagreement { authority_ms, holder_ms, max_ms } => write!(
                f,
                "clocks disagree by {} ms: authority {}, holder {}; at most {max_ms} ms are allowed",
                authority_ms.abs_diff(holder_ms),
                Instant(authority_ms),
                Instant(holder_ms),
            ),
            Self::NoNodeFree { retry_in_ms } => {
                write!(f, "no node is free: the first lease ends in {retry_in_ms} ms")
            }
            Self::OtherIncarnation { found } => {
                write!(f, "incarnation {found} is not the sequencer's")
            }
            Self::OutsideLayout { now_ms, epoch_ms, end_ms } => write!(
                f,
                "the authority's clock {} is outside the layout's time from {} until {}",
                Instant(now_ms),
                Instant(epoch_ms),
                Instant(end_ms),
            ),
        }
    }
}
