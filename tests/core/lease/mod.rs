//! Tests leases: the authority, the holder and the shard router, each by itself, and the steps by
//! which a shell (the code that does the I/O) carries out a decision.

mod authority;
mod batch;
mod database;
mod fence;
mod holder;
mod objects;
mod overload;
mod registry;
mod router;

use edgeflake::lease::{
    Acquire, Authority, Prefetch, Release, Renew, Reply, Request, Token, Write,
};

/// Decides a request, and applies the write, which must be based on the authority's rows.
pub(crate) fn ask(authority: &mut Authority, now_ms: u64, request: Request) -> Reply {
    let decision = authority.decide(now_ms, &request);
    match &decision.write {
        Some(Write::Node { node, before, .. }) => assert_eq!(authority.row(*node), *before),
        Some(Write::Sequencer { before, .. }) => {
            assert_eq!(authority.sequencer(), before.as_ref());
        }
        None => {}
    }
    decision.write.iter().for_each(|write| authority.apply(write));
    decision.reply
}

pub(crate) fn acquire(bits: u128, now_ms: u64) -> Acquire {
    Acquire { token: Token::from_random(bits), incarnation: None, excluded_node: None, now_ms }
}

/// Makes a renewal by a holder whose clock shows the tick of its next id.
pub(crate) fn renew(bits: u128, incarnation: u64, node: u64, tick: u64) -> Renew {
    let token = Token::from_random(bits);
    Renew { token, incarnation, node, tick, issued: None, now_ms: tick }
}

pub(crate) fn release(bits: u128, incarnation: u64, node: u64, until_tick: u64) -> Release {
    let token = Token::from_random(bits);
    Release { token, incarnation, node, until_tick, issued: None }
}

pub(crate) fn prefetch(count: Option<u64>, now_ms: u64) -> Request {
    Request::Prefetch(Prefetch { incarnation: None, count, now_ms })
}
