//! A holder for tests, which draws consecutive numbers as random bits. A test gives the holder
//! replies to its calls. In a transcript, replies have names such as `grant 7 1000 1100 nodes=7`.

use edgeflake::lease::{
    Acquire, Batch, BoundConfig, Call, CallFailure, Counter, Grant, Holder, Refusal, Renew,
    Renewal, Reply, Request, Step, Terms, Token, Wait,
};
use edgeflake::{Layout, Span};

use crate::transcript::Words;

pub(crate) const LEASE_MS: u64 = 100;
pub(crate) const INCARNATION: u64 = 3;

/// Ticks of 1 ms start at 0, so that a tick is a time in ms.
pub(crate) fn layout() -> Layout {
    "timestamp:40 node:4 sequence:2 @0".parse().unwrap()
}

/// A holder, and the random bits that it drew last.
#[derive(Default)]
pub(crate) struct Isolate {
    pub(crate) holder: Holder,
    pub(crate) drawn: u128,
}

impl Isolate {
    pub(crate) fn step(&mut self, now_ms: u64, wait: &mut Wait, ids: &mut [u64]) -> Step {
        let drawn = &mut self.drawn;
        self.holder.step(now_ms, wait, ids, || {
            *drawn += 1;
            *drawn
        })
    }

    pub(crate) fn issue(&mut self, now_ms: u64, wait: &mut Wait, ids: &mut Vec<u64>) -> Step {
        let drawn = &mut self.drawn;
        self.holder.issue(now_ms, wait, ids, || {
            *drawn += 1;
            *drawn
        })
    }

    /// Steps a new request for one id.
    pub(crate) fn first_step(&mut self, now_ms: u64) -> Step {
        self.step(now_ms, &mut Wait::default(), &mut [0])
    }

    pub(crate) fn sent(&mut self, now_ms: u64) -> Call {
        match self.first_step(now_ms) {
            Step::Send(call) => call,
            other => panic!("{other:?}"),
        }
    }

    /// Issues one id. The holder must not send a call for it.
    pub(crate) fn id(&mut self, now_ms: u64) -> u64 {
        let mut ids = [0];
        assert_eq!(self.step(now_ms, &mut Wait::default(), &mut ids), Step::Done);
        ids[0]
    }

    pub(crate) fn receive(&mut self, now_ms: u64, call: Call, reply: Reply) {
        self.holder.receive(now_ms, call.number, Ok(reply));
    }

    /// Gives the holder a span of this layout and these terms.
    pub(crate) fn leased(mut self, layout: Layout, now_ms: u64, span: Span, terms: Terms) -> Self {
        let call = self.sent(now_ms);
        let config = BoundConfig::new(layout, 0, layout.nodes().min(16), 1).unwrap();
        let granted = Grant::new(token(&call), INCARNATION, config, span, terms);
        self.receive(now_ms, call, Reply::Granted(granted));
        self
    }
}

pub(crate) fn token(call: &Call) -> Token {
    match call.request {
        Request::Acquire(Acquire { token, .. }) | Request::Renew(Renew { token, .. }) => token,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn terms() -> Terms {
    Terms { lease_ms: LEASE_MS, allowed_future_ms: 10, ..Terms::default() }
}

/// Simulates a shard's node for batches. Its next batch begins at `tick`.
pub(crate) struct Shard {
    tick: u64,
    terms: Terms,
}

impl Shard {
    pub(crate) const fn new(terms: Terms) -> Self {
        Self { tick: 1_000, terms }
    }

    /// Makes a batch of `count` ids that begins with a new tick.
    pub(crate) fn batch(&mut self, count: u64) -> Batch {
        let from = Counter { tick: self.tick, sequence: 0 };
        let until = Counter { tick: self.tick + count / 4, sequence: count % 4 };
        self.tick = until.tick + 1;
        Batch {
            incarnation: INCARNATION,
            config: BoundConfig::new(layout(), 0, 16, 1).unwrap(),
            node: 0,
            from,
            until,
            terms: self.terms,
        }
    }
}

pub(crate) const fn refused(refusal: Refusal) -> Reply {
    Reply::Refused { refusal, incarnation: INCARNATION }
}

impl Words<'_> {
    /// Returns the terms of a reply.
    pub(super) fn terms(&self) -> Terms {
        let own = terms();
        Terms {
            lease_ms: self.option("lease").unwrap_or(own.lease_ms),
            allowed_future_ms: self.option("future").unwrap_or(own.allowed_future_ms),
            statistics: self.option("statistics") != Some(0),
            ..own
        }
    }

    /// Returns the configuration that these words describe, from the options `shards` and `nodes`.
    pub(super) fn config(&self) -> BoundConfig {
        let shards = self.option("shards").unwrap_or(1);
        BoundConfig::new(layout(), 0, self.option("nodes").unwrap_or(16), shards).unwrap()
    }
}

/// Returns the reply that an event names, as the reply to this call.
pub(super) fn reply(call: &Call, words: &Words, shard: &mut Shard) -> Result<Reply, CallFailure> {
    let known = match call.request {
        Request::Acquire(acquire) => acquire.incarnation,
        _ => None,
    };
    let incarnation = words.option("i").or(known).unwrap_or(INCARNATION);
    let called = match call.request {
        Request::Acquire(acquire) => acquire.token,
        Request::Renew(renew) => renew.token,
        Request::Release(release) => release.token,
        _ => token_of(0),
    };
    let token = words.option("t").map_or(called, token_of);
    let terms = words.terms();
    Ok(match words.get(0).unwrap() {
        "grant" => {
            let [node, from_tick, until_tick] = [1, 2, 3].map(|place| words.number(place));
            let span = Span::new(&layout(), node, from_tick, until_tick).unwrap();
            Reply::Granted(Grant::new(token, incarnation, words.config(), span, terms))
        }
        "renewed" => {
            let until_tick = words.number(1);
            Reply::Renewed(Renewal { token, incarnation, until_tick, terms })
        }
        "ended" => Reply::Ended { token, incarnation },
        "released" => Reply::Released { token, incarnation },
        "batch" => {
            let fits = shard.batch(words.number(1));
            let node = words.option("node").unwrap_or(fits.node);
            let mut batch = Batch { incarnation, node, ..fits };
            batch.from.sequence = words.option("sequence").unwrap_or(batch.from.sequence);
            batch.until.tick = words.option("until").unwrap_or(batch.until.tick);
            Reply::Batched(batch)
        }
        "refused" => Reply::Refused { refusal: words.refusal(words.get(1).unwrap()), incarnation },
        _ => return Err(CallFailure),
    })
}

pub(super) fn token_of(bits: u64) -> Token {
    Token::from_random(bits.into())
}
