use edgeflake::lease::{
    Action, BoundConfig, Call, CallFailure, Destruction, Reply, Request, ShardRouter, Shrinking,
};

/// The outcome of a call to a shard.
pub type CallResult = Result<Reply, CallFailure>;

/// A task of a holder or an operator, which sends one request after another until it is done.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few at a time")]
pub enum Task {
    Direct { shard: u64, request: Request, reply: Option<CallResult> },
    Routed(ShardRouter),
    Destruction(Destruction),
    Shrinking(Shrinking),
}

impl Task {
    pub const fn direct(shard: u64, request: Request) -> Self {
        Self::Direct { shard, request, reply: None }
    }

    pub const fn creation(config: BoundConfig) -> Self {
        Self::direct(0, Request::Create(config))
    }

    /// Makes the task for a call of a holder at this place on the circle of regions. The sequencer
    /// has `shards` shards.
    pub const fn of_call(call: &Call, place: u16, shards: u64) -> Self {
        match call.shard {
            Some(shard) => Self::direct(shard, call.request),
            None => Self::Routed(ShardRouter::new(call.request, place, shards, call.tries)),
        }
    }

    pub const fn action(&self) -> Action {
        match self {
            Self::Direct { reply: Some(reply), .. } => Action::Done(*reply),
            Self::Direct { shard, request, .. } => {
                Action::Send { shard: *shard, request: *request }
            }
            Self::Routed(router) => router.action(),
            Self::Destruction(destruction) => destruction.action(),
            Self::Shrinking(shrinking) => shrinking.action(),
        }
    }

    pub fn receive(&mut self, received: CallResult) {
        match self {
            Self::Direct { reply, .. } => *reply = Some(received),
            Self::Routed(router) => router.receive(received),
            Self::Destruction(destruction) => destruction.receive(received),
            Self::Shrinking(shrinking) => shrinking.receive(received),
        }
    }
}
