//! The messages between isolates, objects and witnesses.

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{CallFailure, Request};
use edgeflake_world::{Answer, CallResult, Sender};

/// The index of a site, which is one sequencer, and the index of an object of this site.
pub(crate) type Shard = (usize, usize);

/// The receiver of an answer.
#[derive(Clone, Copy)]
pub(crate) enum Caller {
    /// A holder in this life waits for the reply to its call with this number.
    Holder { isolate: usize, life: u64, number: u64 },
    /// A careless client that takes leases over HTTP.
    Careless,
}

#[derive(Clone)]
pub(crate) enum Message {
    /// A task sends a request to a shard.
    Request { shard: Shard, sender: Sender, request: Request },
    /// An instance of a shard calls its witness. `caller` is the instance and the call's number.
    Call { shard: Shard, caller: (u64, u64), call: WitnessCall },
    /// The witness answers the instance that called.
    Answered { shard: Shard, caller: (u64, u64), answer: Answer },
    /// A shard replies to a task.
    Reply { sender: Sender, reply: CallResult },
    /// A task answers its holder, which is in the same isolate. This message, too, can be
    /// duplicated or late.
    Answer { site: usize, caller: Caller, reply: CallResult },
}

impl Message {
    /// Returns the message that tells the waiting side that this message was lost.
    pub(crate) fn failed(&self) -> Self {
        let reply = Err(CallFailure);
        match *self {
            Self::Request { sender, .. } | Self::Reply { sender, .. } => {
                Self::Reply { sender, reply }
            }
            Self::Call { shard, caller, .. } | Self::Answered { shard, caller, .. } => {
                Self::Answered { shard, caller, answer: Answer::Lost }
            }
            Self::Answer { site, caller, .. } => Self::Answer { site, caller, reply },
        }
    }
}
