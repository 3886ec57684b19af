//! Messages are lost, delayed, or delivered twice, and some are very late.

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{CallFailure, Reply, Request};

use crate::object::Answer;
use crate::random::Random;
use crate::tally::{Count, Tally};

/// The receiver of an answer.
#[derive(Clone, Copy)]
pub(crate) enum Caller {
    /// A holder in this life is waiting for the reply to its call of this number.
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
    /// A task answers its holder, which is in the same isolate. This message can be doubled and
    /// late too.
    Answer {
        site: usize,
        caller: Caller,
        reply: Result<Reply, CallFailure>,
    },
}

impl Message {
    /// Returns the sender's message if it is told that this one was lost.
    fn failed(&self) -> Self {
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

/// How messages fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    /// None is lost, and each takes at most this many ms.
    Calm(u64),
    /// One in six is lost or doubled, and some are late. The delays are multiples of this many ms.
    Storm(u64),
    /// Messages fare as in a storm, and none gets to this shard or from it.
    Cut(u64, u64),
}

impl Network {
    /// Draws the delays in ms of the copies of a message, and whether its sender is told that it
    /// failed.
    pub(crate) fn send(
        self,
        shard: Option<u64>,
        message: Message,
        random: &mut Random,
        tally: &mut Tally,
    ) -> Vec<(u64, Message)> {
        let unit_ms = match self {
            Self::Calm(most_ms) => return vec![(random.below(most_ms + 1), message)],
            Self::Cut(cut, _) if shard == Some(cut) => {
                tally.count(Count::Lost);
                return if random.one_in(2) { Vec::new() } else { vec![(5, message.failed())] };
            }
            Self::Storm(unit_ms) | Self::Cut(_, unit_ms) => unit_ms,
        };
        let copies = if random.one_in(6) { random.pick([0, 2, 2]) } else { 1 };
        let mut arrivals = Vec::with_capacity(copies);
        for copy in 0..copies {
            let most = match copy {
                0 => random.pick([3, 3, 3, 3, 3, 3, 3, 50, 400, 3_000]),
                _ => random.pick([50, 400, 400, 1_000, 3_000]),
            };
            let most = if random.one_in(50) { 10_000 } else { most };
            let delay_ms = random.below(most * unit_ms);
            if delay_ms > 1_000 {
                tally.count(Count::Late);
            }
            arrivals.push((delay_ms, message.clone()));
        }
        match copies {
            0 => {
                tally.count(Count::Lost);
                if random.one_in(2) {
                    arrivals.push((random.below(50), message.failed()));
                }
            }
            2 => tally.count(Count::Doubled),
            _ => {}
        }
        arrivals
    }
}
