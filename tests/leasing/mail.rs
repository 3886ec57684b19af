//! Messages: lost, on their way for a while, or twice; now and then for an age.

use std::collections::BTreeMap;

use edgeflake::{CallFailed, Reply, Request};

use crate::random::Random;

/// Whom an answer is for.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) isolate: usize,
    pub(crate) life: u64,
    pub(crate) number: u64,
}

/// `leg` counts what a task has sent.
#[derive(Clone)]
pub(crate) enum Message {
    Request {
        task: u64,
        leg: u64,
        shard: u64,
        request: Request,
    },
    Reply {
        task: u64,
        leg: u64,
        reply: Result<Reply, CallFailed>,
    },
    /// Of a task to its holder, which is in the same isolate: doubled and late all the same.
    Answer {
        caller: Caller,
        reply: Result<Reply, CallFailed>,
    },
}

#[derive(Default)]
pub(crate) struct Mail {
    /// By the time at which they arrive.
    messages: BTreeMap<(u64, u64), Box<Message>>,
    sent: u64,
}

impl Mail {
    /// Who waits for a message that is lost is told so, or not.
    pub(crate) fn send(&mut self, now_ms: u64, message: Message, random: &mut Random) {
        let copies = if random.one_in(6) { random.pick([0, 2, 2]) } else { 1 };
        let message = Box::new(message);
        for copy in 0..copies {
            let most = match copy {
                0 => random.pick([3, 3, 3, 3, 3, 3, 3, 50, 400, 3_000]),
                _ => random.pick([50, 400, 400, 1_000, 3_000]),
            };
            let most = if random.one_in(50) { 10_000 } else { most };
            self.post(now_ms + random.below(most), message.clone());
        }
        if copies == 0 && random.one_in(2) {
            let reply = Err(CallFailed);
            let told = match *message {
                Message::Request { task, leg, .. } | Message::Reply { task, leg, .. } => {
                    Message::Reply { task, leg, reply }
                }
                Message::Answer { caller, .. } => Message::Answer { caller, reply },
            };
            self.post(now_ms + random.below(50), Box::new(told));
        }
    }

    fn post(&mut self, at_ms: u64, message: Box<Message>) {
        self.sent += 1;
        self.messages.insert((at_ms, self.sent), message);
    }

    /// A message that has arrived by now.
    pub(crate) fn arrived(&mut self, now_ms: u64) -> Option<Message> {
        let entry = self.messages.first_entry().filter(|entry| entry.key().0 <= now_ms)?;
        Some(*entry.remove())
    }

    /// For how long nothing will arrive.
    pub(crate) fn quiet_ms(&self, now_ms: u64) -> u64 {
        let next = self.messages.first_key_value();
        next.map_or(500, |((at_ms, _), _)| at_ms.saturating_sub(now_ms).min(500))
    }
}
