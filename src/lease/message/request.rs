//! The requests that an authority answers. Those of a holder name the sequencer's incarnation once
//! the holder knows it.

use super::bound_config::BoundConfig;
use super::sequencer::Sequencer;
use super::token::Token;

/// A request to the authority of a shard.
///
/// ```
/// use edgeflake::lease::{Holder, Request, Step, Wait};
///
/// // A holder without a lease asks for a span.
/// let step = Holder::new().step(0, &mut Wait::default(), &mut [0], || 7);
/// let Step::Send(call) = step else { unreachable!() };
/// assert!(matches!(call.request, Request::Acquire(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// Asks for a span.
    Acquire(Acquire),
    /// Asks for a later end of a span.
    Renew(Renew),
    /// Gives back what is left of a span.
    Release(Release),
    /// Asks for a batch.
    Prefetch(Prefetch),
    /// Asks what the shard knows of the sequencer.
    Describe,
    /// Tells the registry to bind the sequencer to a configuration, unless it is bound already. The
    /// reply says what it is bound to.
    Create(BoundConfig),
    /// Tells the registry to end the sequencer, which is destroyed when every shard has confirmed.
    Destroy,
    /// Tells a shard other than the registry what the registry says about the sequencer.
    Follow(Sequencer),
    /// Tells the registry that a shard has ended.
    Confirm(Confirm),
    /// Tells a shard to give up nodes at the end of the range that were never granted.
    Shrink(Shrink),
}

/// Asks for a span.
///
/// ```
/// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Reply, Request, Row, Sequencer};
/// use edgeflake::lease::{Settings, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 3, 1)?);
/// let rows = [(1, Row { until_tick: 10, ..Row::default() })];
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), rows)?;
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(500_000));
/// let node = |excluded_node| {
///     let acquire = Acquire { token, incarnation: None, excluded_node, now_ms };
///     match authority.decide(now_ms, &Request::Acquire(acquire)).reply {
///         Reply::Granted(grant) => Some(grant.span.node()),
///         _ => None,
///     }
/// };
/// assert_eq!((node(None), node(Some(1))), (Some(1), Some(2)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Acquire {
    /// The token that the holder made for this attempt, and uses in its retries.
    pub token: Token,
    /// The incarnation that the holder knows, if any.
    pub incarnation: Option<u64>,
    /// A node that must not be granted, because the holder wants to swap its lease of it.
    pub excluded_node: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Asks for a later end of a span.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Renew, Renewal, Reply, Request, Row};
/// use edgeflake::lease::{Sequencer, Settings, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 2, 1)?);
/// let token = Token::from_random(7);
/// let held =
///     Row { from_tick: 1_000, until_tick: 301_000, token: Some(token), ..Row::default() };
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [(1, held)])?;
///
/// // The holder renews at half of its lease.
/// let (tick, now_ms) = (151_000, EDGE.start_ms(151_000));
/// let renew = Renew { token, incarnation: 1, node: 1, tick, issued: Some(9_000), now_ms };
/// let reply = authority.decide(now_ms, &Request::Renew(renew)).reply;
/// assert!(matches!(reply, Reply::Renewed(Renewal { until_tick: 451_000, .. })));
/// # Ok::<(), Error>(())
/// ```
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
    /// How many ids were issued under this lease so far; `None` if the holder does not report it.
    pub issued: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Gives back what is left of a span: the holder has closed its generator and never touches this
/// lease again, whatever the reply.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Decision, Error, Release, Reply, Request, Row};
/// use edgeflake::lease::{Sequencer, Settings, Token, Write};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 2, 1)?);
/// let token = Token::from_random(7);
/// let held =
///     Row { from_tick: 1_000, until_tick: 301_000, token: Some(token), ..Row::default() };
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [(1, held)])?;
///
/// let release = Release { token, incarnation: 1, node: 1, until_tick: 2_000, issued: Some(7) };
/// let Decision { write, reply } = authority.decide(0, &Request::Release(release));
/// assert_eq!(reply, Reply::Released { token, incarnation: 1 });
/// let Some(Write::Node { after, .. }) = write else { unreachable!() };
/// assert_eq!((after.until_tick, after.token, after.issued), (2_000, None, 7));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    /// The token of the lease.
    pub token: Token,
    /// The incarnation of the grant.
    pub incarnation: u64,
    /// The node of the lease.
    pub node: u64,
    /// The first tick of which no counter was issued.
    pub until_tick: u64,
    /// How many ids were issued under this lease; `None` if the holder does not report it.
    pub issued: Option<u64>,
}

/// Asks for a batch.
///
/// ```
/// use edgeflake::lease::{Authority, Batch, BoundConfig, Counter, Error, Prefetch, Reply};
/// use edgeflake::lease::{Request, Sequencer, Settings};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 2, 1)?);
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
///
/// // There are 4 ids per tick, so 10 ids take two ticks and a half.
/// let now_ms = EDGE.start_ms(5_000);
/// let prefetch = Prefetch { incarnation: None, count: Some(10), now_ms };
/// let reply = authority.decide(now_ms, &Request::Prefetch(prefetch)).reply;
/// let Reply::Batched(Batch { node, from, until, .. }) = reply else { unreachable!() };
/// assert_eq!((node, from), (0, Counter { tick: 5_000, sequence: 0 }));
/// assert_eq!(until, Counter { tick: 5_002, sequence: 2 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefetch {
    /// The incarnation that the holder knows, if any.
    pub incarnation: Option<u64>,
    /// How many ids to grant, at least 1. `None` leaves the number to the authority's settings. The
    /// authority may grant fewer.
    pub count: Option<u64>,
    /// The holder's clock, in Unix ms.
    pub now_ms: u64,
}

/// Tells the registry that a shard of a sequencer that is being destroyed grants and renews no
/// more.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Confirm, Decision, Error, Life, Reply, Request};
/// use edgeflake::lease::{Sequencer, Settings};
/// use edgeflake::preset::EDGE;
///
/// let config = BoundConfig::new(EDGE, 0, 64, 2)?;
/// let life = Life::Destroying { confirmed: 1, until_tick: 5_000 };
/// let destroying = Sequencer { life, ..Sequencer::new(config) };
/// let registry = Authority::load(0, Some(destroying), Settings::default(), [])?;
///
/// let confirm = Confirm { incarnation: 1, shard: 1, until_tick: 9_000 };
/// let Decision { reply, .. } = registry.decide(0, &Request::Confirm(confirm));
/// let Reply::Described(Some(sequencer)) = reply else { unreachable!() };
/// assert_eq!(sequencer.life, Life::Destroyed { until_tick: 9_000 });
/// # Ok::<(), Error>(())
/// ```
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
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Decision, Error, Reply, Request, Sequencer};
/// use edgeflake::lease::{Settings, Shrink};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 1)?);
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let shrink = Shrink { incarnation: 1, node_count: 32 };
/// let Decision { reply, .. } = authority.decide(EDGE.start_ms(0), &Request::Shrink(shrink));
/// let Reply::Described(Some(sequencer)) = reply else { unreachable!() };
/// assert_eq!(sequencer.config.node_count(), 32);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shrink {
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// How many nodes the sequencer keeps.
    pub node_count: u64,
}
