//! The messages between isolates, objects and witnesses.

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{CallFailure, Reply, Request};
use edgeflake_world::Answer;

/// The receiver of an answer.
#[derive(Clone, Copy)]
pub(crate) enum Caller {
    /// A holder in this life waits for the reply to its call with this number.
    Holder { isolate: usize, life: u64, number: u64 },
    /// A careless client that takes leases over HTTP.
    Careless,
}

/// `leg` counts the messages that a task has sent.
#[derive(Clone)]
pub(crate) enum Message {
    Request {
        site: usize,
        task: u64,
        leg: u64,
        shard: u64,
        request: Request,
    },
    /// An instance of a shard calls its witness.
    Call {
        site: usize,
        shard: u64,
        instance: u64,
        number: u64,
        call: WitnessCall,
    },
    /// The witness answers the instance that called.
    Answered {
        site: usize,
        shard: u64,
        instance: u64,
        number: u64,
        answer: Answer,
    },
    Reply {
        task: u64,
        leg: u64,
        reply: Result<Reply, CallFailure>,
    },
    /// A task answers its holder, which is in the same isolate. This message can be duplicated or
    /// late, too.
    Answer {
        site: usize,
        caller: Caller,
        reply: Result<Reply, CallFailure>,
    },
}

impl Message {
    /// Returns the message that tells the waiting side that this message was lost.
    pub(crate) fn failed(&self) -> Self {
        let reply = Err(CallFailure);
        match *self {
            Self::Request { task, leg, .. } | Self::Reply { task, leg, .. } => {
                Self::Reply { task, leg, reply }
            }
            Self::Call { site, shard, instance, number, .. }
            | Self::Answered { site, shard, instance, number, .. } => {
                Self::Answered { site, shard, instance, number, answer: Answer::Lost }
            }
            Self::Answer { site, caller, .. } => Self::Answer { site, caller, reply },
        }
    }
}
