//! What holders and the authority say to each other. Every request and reply names the incarnation
//! of the sequencer, once it is known.

use core::fmt;

use crate::{Identity, Instant, Span, Token};

/// What a holder asks of the authority.
///
/// ```
/// use edgeflake::{Holder, Request, Step, Wait};
///
/// // A holder without a lease asks for a span.
/// let step = Holder::new().step(0, &mut Wait::default(), &mut [0], || 7);
/// let Step::Send(call) = step else { unreachable!() };
/// assert!(matches!(call.request, Request::Acquire(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Asks for a span.
    Acquire(Acquire),
    /// Asks for a later end of a span.
    Renew(Renew),
}

/// Asks for a span.
///
/// ```
/// use edgeflake::{Acquire, Authority, Error, Identity, Reply, Request, Row, Token, Tunables};
/// use edgeflake::preset::EDGE;
///
/// let identity = Identity::new(EDGE, 0, 2, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let released = Row { from_tick: 0, until_tick: 10, token: None };
/// let authority = Authority::load(identity, 0, 1, tunables, [(0, released)])?;
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(500_000));
/// let node = |excluded_node| {
///     let acquire = Acquire { token, incarnation: None, excluded_node, now_ms };
///     match authority.decide(now_ms, &Request::Acquire(acquire)).reply {
///         Reply::Granted(grant) => Some(grant.span.node()),
///         _ => None,
///     }
/// };
/// assert_eq!((node(None), node(Some(0))), (Some(0), Some(1)));
/// # Ok::<(), Error>(())
/// ```
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
///
/// ```
/// use edgeflake::{Authority, Error, Identity, Renew, Renewal, Reply, Request, Row, Token};
/// use edgeflake::{Tunables, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 2, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let token = Token::from_random(7);
/// let held = Row { from_tick: 1_000, until_tick: 301_000, token: Some(token) };
/// let authority = Authority::load(identity, 0, 1, tunables, [(0, held)])?;
///
/// // At half of its lease.
/// let (tick, now_ms) = (151_000, EDGE.start_ms(151_000));
/// let renew = Renew { token, incarnation: 1, node: 0, tick, now_ms };
/// let reply = authority.decide(now_ms, &Request::Renew(renew)).reply;
/// assert!(matches!(reply, Reply::Renewed(Renewal { until_tick: 451_000, .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renew {
    /// The token of the lease.
    pub token: Token,
    /// The incarnation of the grant.
    pub incarnation: u64,
    /// The node of the lease.
    pub node: u64,
    /// The tick of the holder's next counter: at least the first of its span.
    pub tick: u64,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// What the authority answers.
///
/// ```
/// use edgeflake::{Authority, Error, Identity, Renew, Reply, Request, Token, Tunables};
/// use edgeflake::preset::EDGE;
///
/// let identity = Identity::new(EDGE, 0, 2, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let authority = Authority::load(identity, 0, 1, tunables, [])?;
///
/// // A lease that this authority does not know.
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let renew = Renew { token, incarnation: 1, node: 0, tick: 5_000, now_ms };
/// let reply = authority.decide(now_ms, &Request::Renew(renew)).reply;
/// assert_eq!(reply, Reply::Ended { token, incarnation: 1 });
/// # Ok::<(), Error>(())
/// ```
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
///
/// ```
/// use edgeflake::{Error, Generator, Grant, Identity, Policy, Span, Token, preset::EDGE};
///
/// let grant = Grant {
///     token: Token::from_random(7),
///     incarnation: 1,
///     identity: Identity::new(EDGE, 0, 2, 1)?,
///     span: Span::new(&EDGE, 1, 5_000, 305_000)?,
///     lease_ms: 300_000,
///     allowed_future_ms: 15_000,
/// };
/// let policy = Policy { allowed_future_ms: grant.allowed_future_ms, ..Policy::default() };
/// let mut ids = Generator::new(*grant.identity.layout(), grant.span, policy)?;
/// assert_eq!(EDGE.unpack(ids.next(EDGE.start_ms(5_000))?)?.node, 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The token of the acquire.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// What the sequencer is bound to.
    pub identity: Identity,
    /// The node, and the ticks that may be used.
    pub span: Span,
    /// How long leases last, in ms.
    pub lease_ms: u64,
    /// How far the holder may run ahead of its clock, in ms.
    pub allowed_future_ms: u64,
}

/// A later end of a span.
///
/// ```
/// use edgeflake::{Error, Generator, Policy, Renewal, Span, Token, preset::EDGE};
///
/// let span = Span::new(&EDGE, 1, 5_000, 305_000)?;
/// let mut ids = Generator::new(EDGE, span, Policy::hazelcast())?;
/// let renewal = Renewal {
///     token: Token::from_random(7),
///     incarnation: 1,
///     until_tick: 455_000,
///     lease_ms: 300_000,
///     allowed_future_ms: 15_000,
/// };
/// ids.extend(renewal.until_tick)?;
/// ids.set_allowed_future_ms(renewal.allowed_future_ms);
/// assert!(ids.next(EDGE.start_ms(454_999)).is_ok());
/// # Ok::<(), Error>(())
/// ```
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
///
/// ```
/// use edgeflake::{Acquire, Authority, Error, Identity, Refusal, Reply, Request, Token};
/// use edgeflake::{Tunables, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 2, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let authority = Authority::load(identity, 0, 1, tunables, [])?;
///
/// let (token, holder_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms: holder_ms };
/// let authority_ms = holder_ms + 10_001;
/// let refusal = Refusal::ClockDisagreement { authority_ms, holder_ms, max_ms: 10_000 };
/// let reply = authority.decide(authority_ms, &Request::Acquire(acquire)).reply;
/// assert_eq!(reply, Reply::Refused { refusal, incarnation: 1 });
/// # Ok::<(), Error>(())
/// ```
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
    /// A stable name, for programs.
    ///
    /// ```
    /// let refusal = edgeflake::Refusal::NoNodeFree { retry_in_ms: 9 };
    /// assert_eq!(refusal.code(), "no-node-free");
    /// ```
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
