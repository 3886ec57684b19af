//! The replies that the events of a transcript name, such as `grant 7 1000 1100 nodes=7`.

use edgeflake::Span;
use edgeflake::lease::{
    Batch, BoundConfig, Call, CallFailure, Grant, Renewal, Reply, Request, Terms, Token,
};

use super::isolate::{INCARNATION, Shard, layout, terms};
use crate::transcript::Words;

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

    /// Returns the configuration of a reply or a record.
    pub(super) fn config(&self) -> BoundConfig {
        let shards = self.option("shards").unwrap_or(1);
        BoundConfig::new(layout(), 0, self.option("nodes").unwrap_or(16), shards).unwrap()
    }
}

/// Returns the reply to a call that an event names.
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
        _ => token(0),
    };
    let token = words.option("t").map_or(called, token);
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

pub(super) fn token(bits: u64) -> Token {
    Token::from_random(bits.into())
}
