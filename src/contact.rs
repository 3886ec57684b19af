use crate::{Error, Request, Wait};

/// A request to be sent to the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// To be given back with the reply.
    pub number: u64,
    /// What to send.
    pub request: Request,
}

/// A call that got no reply: it could not be sent, or what came back could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFailed;

/// What is going on with the authority.
#[derive(Debug, Default)]
pub(crate) enum Contact {
    #[default]
    Idle,
    /// A call is outstanding.
    Called { call: Call, timer: Timer, jitter: u64 },
    /// The last call came to nothing; no other before this is over.
    Paused { timer: Timer, error: Error },
}

impl Contact {
    /// How long no other call may be made, in ms.
    pub(crate) fn left_ms(&mut self, now_ms: u64, wait: &mut Wait) -> u64 {
        match self {
            Self::Idle => 0,
            Self::Called { timer, .. } | Self::Paused { timer, .. } => timer.left_ms(now_ms, wait),
        }
    }
}

/// When a call is given up, or a pause is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) number: u64,
    pub(crate) since_ms: u64,
    pub(crate) length_ms: u64,
}

impl Timer {
    /// What is left at a time in Unix ms, as the clock or the timers of this request say. A clock
    /// that stepped back starts anew.
    fn left_ms(&mut self, now_ms: u64, wait: &mut Wait) -> u64 {
        self.since_ms = self.since_ms.min(now_ms);
        let passed_ms = (now_ms - self.since_ms).max(wait.on(self.number));
        self.length_ms.saturating_sub(passed_ms)
    }
}
