//! What an authority answers.

use super::bound_config::BoundConfig;
use super::refusal::Refusal;
use super::sequencer::Sequencer;
use super::settings::Terms;
use super::token::Token;
use crate::generator::counter::Counter;
use crate::span::Span;

/// What the authority of a shard answers.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Renew, Reply, Request, Sequencer};
/// use edgeflake::lease::{Settings, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 2, 1)?);
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
///
/// // A lease that this authority does not know.
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let renew = Renew { token, incarnation: 1, node: 1, tick: 5_000, issued: None, now_ms };
/// let reply = authority.decide(now_ms, &Request::Renew(renew)).reply;
/// assert_eq!(reply, Reply::Ended { token, incarnation: 1 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The reply to an acquire: a span.
    Granted(Grant),
    /// The reply to a renew: the end of the span, which may be as it was.
    Renewed(Renewal),
    /// The reply to a release: the rest of the span is free.
    Released {
        /// The token of the lease, void from now on.
        token: Token,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
    /// The reply to a renew or release: the authority does not renew the lease or take back its
    /// rest. The holder loses nothing: it uses its span to the end, and acquires another.
    Ended {
        /// The token of the lease.
        token: Token,
        /// The sequencer's incarnation.
        incarnation: u64,
    },
    /// The reply to a prefetch: a batch.
    Batched(Batch),
    /// The reply to a request about the sequencer as a whole: what the shard knows of it now.
    Described(Option<Sequencer>),
    /// The reply to any request that is refused, with the reason.
    Refused {
        /// Why the authority refuses.
        refusal: Refusal,
        /// The sequencer's incarnation; 0 if the shard knows no sequencer.
        incarnation: u64,
    },
}

/// A span, and all that a holder needs to use it.
///
/// ```
/// use edgeflake::{Generator, Policy, Span, preset::EDGE};
/// use edgeflake::lease::{BoundConfig, Error, Grant, Terms, Token};
///
/// let grant = Grant {
///     token: Token::from_random(7),
///     incarnation: 1,
///     config: BoundConfig::new(EDGE, 0, 2, 1)?,
///     span: Span::new(&EDGE, 1, 5_000, 305_000)?,
///     terms: Terms::default(),
/// };
/// let allowed_future_ms = grant.terms.allowed_future_ms;
/// let policy = Policy { allowed_future_ms, ..Policy::default() };
/// let mut ids = Generator::new(*grant.config.layout(), grant.span, policy)?;
/// assert_eq!(EDGE.unpack(ids.next(EDGE.start_ms(5_000))?)?.node, 1);
/// # Ok::<(), Error>(())
/// ```
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

/// A later end of a span.
///
/// ```
/// use edgeflake::{Generator, Policy, Span, preset::EDGE};
/// use edgeflake::lease::{Error, Renewal, Terms, Token};
///
/// let span = Span::new(&EDGE, 1, 5_000, 305_000)?;
/// let mut ids = Generator::new(EDGE, span, Policy::hazelcast())?;
/// let renewal = Renewal {
///     token: Token::from_random(7),
///     incarnation: 1,
///     until_tick: 455_000,
///     terms: Terms::default(),
/// };
/// ids.extend(renewal.until_tick)?;
/// ids.set_allowed_future_ms(renewal.terms.allowed_future_ms);
/// assert!(ids.next(EDGE.start_ms(454_999)).is_ok());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renewal {
    /// The token of the lease.
    pub token: Token,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The first tick after the span.
    pub until_tick: u64,
    /// The settings that the holder follows from now on.
    pub terms: Terms,
}

/// An interval of counters of the node that a shard keeps for batches: from `from` up to, but not
/// including, `until`. The holder uses them whatever the clock says.
///
/// ```
/// use edgeflake::lease::{Batch, BoundConfig, Counter, Drain, Error, Terms};
/// use edgeflake::preset::TWITTER;
///
/// let batch = Batch {
///     incarnation: 1,
///     config: BoundConfig::new(TWITTER, 0, 1_024, 1)?,
///     node: 0,
///     from: Counter { tick: 5_000, sequence: 4_000 },
///     until: Counter { tick: 5_001, sequence: 4 },
///     terms: Terms::default(),
/// };
/// let ids = Drain::new(batch.config.layout(), batch.node, batch.from, batch.until)?;
/// assert_eq!(ids.count(), 100);
/// # Ok::<(), Error>(())
/// ```
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

/// A call that got no reply, because it could not be sent, or because what came back could not be
/// read.
///
/// ```
/// use edgeflake::lease::{CallFailed, Holder, Step, Wait};
///
/// let mut holder = Holder::new();
/// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
/// let Step::Send(call) = step else { unreachable!() };
/// holder.receive(1, call.number, Err(CallFailed));
///
/// // The holder makes the next call after a pause, of 50 to 100 ms at first.
/// let step = holder.step(1, &mut Wait::default(), &mut [0], || 7);
/// assert!(matches!(step, Step::Sleep { ms: 50..=100 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFailed;
