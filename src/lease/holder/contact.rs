use core::mem::discriminant;

use super::step::Call;
use super::wait::Wait;
use crate::lease::error::Error;
use crate::lease::message::Request;
#[cfg(model)]
use crate::lease::message::{Acquire, Prefetch, Renew};

/// The longest wait, in ms, while the clock has not moved or has gone back.
const STILL_MAX_MS: u64 = 4_000;

/// The state of the exchange with the authority.
#[expect(clippy::large_enum_variant, reason = "there is one per holder")]
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub(crate) enum Contact {
    #[default]
    Idle,
    /// A call is outstanding. `random` has the random bits for handling its reply.
    Called { call: Call, timer: Timer, random: u64 },
    /// The newest call failed. No new call is made before the timer ends.
    Paused { timer: Timer, error: Error },
}

impl Contact {
    /// Returns how many ms the holder must still wait before it may send another call.
    pub(crate) fn left_ms(&mut self, now_ms: u64, wait: &mut Wait) -> u64 {
        match self {
            Self::Idle => 0,
            Self::Called { timer, .. } | Self::Paused { timer, .. } => timer.left_ms(now_ms, wait),
        }
    }

    /// Returns the number of the outstanding call if `request` is of the same kind, and is
    /// therefore a retry.
    pub(crate) fn retried(&self, request: &Request) -> Option<u64> {
        match self {
            Self::Called { call, .. } if discriminant(&call.request) == discriminant(request) => {
                Some(call.number)
            }
            _ => None,
        }
    }
}

/// The hash leaves out the time, the number and the tries of a call, and the reason of a pause. So
/// the model check (tests/world) counts states that differ only in these values as one state. The
/// start of a wait matters only if the wait is longer than `STILL_MAX_MS`, because timers end such
/// a wait after `STILL_MAX_MS` only if the clock shows its start or an earlier time.
#[cfg(model)]
impl core::hash::Hash for Contact {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        if let Self::Called { call: Call { number: _, shard, request, tries: _ }, timer, random } =
            self
        {
            timer.length_ms.hash(state);
            (timer.length_ms > STILL_MAX_MS).then_some(timer.since_ms).hash(state);
            let mut request = *request;
            match &mut request {
                Request::Acquire(Acquire { now_ms, .. })
                | Request::Prefetch(Prefetch { now_ms, .. }) => *now_ms = 0,
                Request::Renew(Renew { now_ms, tick, .. }) => (*now_ms, *tick) = (0, 0),
                _ => {}
            }
            (shard, request, random).hash(state);
        }
    }
}

/// A wait: for the reply to a call, or for the end of a pause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) number: u64,
    pub(crate) since_ms: u64,
    pub(crate) length_ms: u64,
}

impl Timer {
    /// Returns how many ms are left at the time `now_ms`, by the clock.
    pub(crate) fn left_by_clock_ms(&mut self, now_ms: u64) -> u64 {
        self.since_ms = self.since_ms.min(now_ms);
        self.length_ms.saturating_sub(now_ms - self.since_ms)
    }

    /// Returns how many ms are left at the time `now_ms`, by the clock or by the timers of this
    /// request, whichever leaves less. If the clock stepped back, the wait starts again at the
    /// clock's new value. If the clock has not moved, it may be frozen, so only timers end the
    /// wait. In both cases at most `STILL_MAX_MS` are left, so that one request can wait until the
    /// end.
    fn left_ms(&mut self, now_ms: u64, wait: &mut Wait) -> u64 {
        if now_ms < self.since_ms {
            self.length_ms = self.length_ms.min(STILL_MAX_MS);
        }
        let by_clock_ms = self.left_by_clock_ms(now_ms);
        let length_ms =
            if now_ms == self.since_ms { self.length_ms.min(STILL_MAX_MS) } else { self.length_ms };
        by_clock_ms.min(length_ms.saturating_sub(wait.on(self.number)))
    }
}
