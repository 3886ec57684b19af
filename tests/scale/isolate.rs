//! An isolate, and the requests that reach it.

use edgeflake::lease::{Call, Holder, Reply, Request, ShardRouter, Wait};

/// One of its requests is followed step by step; the others come at its rate and fare alike.
#[derive(Default)]
pub(crate) struct Isolate {
    pub(crate) holder: Holder,
    /// Tells it from the one that was here before; 0 if there is none.
    pub(crate) life: u32,
    pub(crate) place: u16,
    /// Requests a second.
    pub(crate) rate: f64,
    pub(crate) ends_ms: u64,
    /// The request that waits.
    pub(crate) client: Option<Client>,
    /// Since when requests wait, in ms.
    pub(crate) waits_since_ms: Option<u64>,
}

pub(crate) struct Client {
    pub(crate) wait: Wait,
    pub(crate) since_ms: u64,
    /// The timer that it sleeps on.
    pub(crate) sleeps_ms: u64,
}

impl Client {
    pub(crate) fn new(now_ms: u64) -> Self {
        Self { wait: Wait::default(), since_ms: now_ms, sleeps_ms: 0 }
    }
}

/// A call on its way.
pub(crate) struct Task {
    pub(crate) isolate: u32,
    pub(crate) life: u32,
    pub(crate) number: u64,
    pub(crate) work: Work,
    /// What is asked now, and of which shard.
    pub(crate) request: Request,
    pub(crate) shard: u64,
    pub(crate) reply: Option<Result<Reply, edgeflake::lease::CallFailure>>,
}

#[expect(clippy::large_enum_variant, reason = "boxed with the task")]
pub(crate) enum Work {
    Direct,
    Routed(ShardRouter),
}

impl Task {
    pub(crate) const fn new(
        (isolate, life): (u32, u32),
        call: &Call,
        place: u16,
        shards: u64,
    ) -> Self {
        let (work, shard) = match call.shard {
            Some(shard) => (Work::Direct, shard),
            None => (Work::Routed(ShardRouter::new(call.request, place, shards, call.tries)), 0),
        };
        let Call { number, request, .. } = *call;
        Self { isolate, life, number, work, request, shard, reply: None }
    }
}
