//! The calls to the authority by which requests get ids.

use super::contact::Contact;
use super::step::Call;
use super::step::Step;
use super::wait::Wait;
use super::{
    CALL_WAIT_MAX_MS, CALL_WAIT_MS, Holder, LOOK_MAX_MS, PAUSE_MIN_MS, exhausted, is_final, sleep,
};
use crate::lease::error::Error;
use crate::lease::message::{Acquire, Prefetch, Refusal, Request, Token};

impl Holder {
    /// Returns the renewal or batch call that is due, unless the holder must still wait for a reply
    /// or a pause. The request that sends this call has its ids, or waits in the queue.
    pub(super) fn keep_up(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        random: impl FnMut() -> u128,
    ) -> Option<Call> {
        let lease = self.lease.as_ref();
        let due = lease.filter(|lease| {
            lease.renew_from_tick.is_some_and(|from| from <= lease.generator.tick())
        });
        let (shard, request) = if let Some(lease) = due {
            if self.contact.left_ms(now_ms, wait) > 0 {
                return None;
            }
            (Some(lease.shard()), Request::Renew(lease.renew(now_ms)))
        } else {
            if !self.prefetches && self.full.is_none() {
                return None;
            }
            let is_full = self.is_full(now_ms);
            if is_full && !self.batches.is_low(now_ms) || self.contact.left_ms(now_ms, wait) > 0 {
                return None;
            }
            return Some(self.call_for_ids(now_ms, 1, None, random));
        };
        Some(self.call(now_ms, shard, request, random))
    }

    /// Returns the next step of a request whose ids need a call to the authority.
    pub(super) fn seek(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        missing: usize,
        excluded_node: Option<u64>,
        random: impl FnMut() -> u128,
    ) -> Step {
        let total_ms = wait.total_ms(now_ms);
        let left_ms = self.contact.left_ms(now_ms, wait);
        match &self.contact {
            Contact::Called { timer, .. } if left_ms > 0 => {
                // A request whose longest wait would end during this sleep fails now. The error
                // says that another request should try in `ms`.
                let is_over = total_ms >= Wait::MAX_MS;
                let called_ms = if is_over { total_ms } else { timer.length_ms - left_ms };
                let ms = (total_ms.min(called_ms) / 4).clamp(1, LOOK_MAX_MS);
                return sleep(total_ms, ms, self.why(wait));
            }
            Contact::Paused { error, .. } if left_ms > 0 => {
                let error = *error;
                if is_final(&error) {
                    // A sequencer may be created at any time. For the other refusals here, waiting
                    // does not help: the layout has ended or not begun, or the authority cannot
                    // read its storage or is configured wrongly.
                    let may_come = matches!(
                        error,
                        Error::Refused(Refusal::SequencerDestroyed | Refusal::UnknownSequencer)
                    );
                    let retry_in_ms = may_come.then_some(left_ms);
                    return Step::Failed { error, retry_in_ms };
                }
                return sleep(total_ms, left_ms, error);
            }
            _ => {}
        }
        if total_ms >= Wait::MAX_MS {
            return sleep(total_ms, PAUSE_MIN_MS, self.why(wait));
        }
        Step::Send(self.call_for_ids(now_ms, missing, excluded_node, random))
    }

    /// Returns the error of a request that has waited for `Wait::MAX_MS`. If batches came
    /// meanwhile, the error says that they had too few ids.
    pub(super) fn why(&self, wait: &Wait) -> Error {
        let was_fed = self.queue.was_fed(wait);
        let none = if was_fed { exhausted(LOOK_MAX_MS) } else { Error::AuthorityUnreachable };
        self.failure.unwrap_or(none)
    }

    pub(super) fn is_full(&mut self, now_ms: u64) -> bool {
        self.prefetches
            || self.full.as_mut().is_some_and(|timer| timer.left_by_clock_ms(now_ms) > 0)
    }

    /// Makes a call for a batch if the holder only prefetches or no node is free, else for a span.
    fn call_for_ids(
        &mut self,
        now_ms: u64,
        missing: usize,
        excluded_node: Option<u64>,
        mut random: impl FnMut() -> u128,
    ) -> Call {
        let incarnation = self.incarnation;
        let request = if self.is_full(now_ms) {
            let count = self.batches.count(missing, self.prefetch_count);
            Request::Prefetch(Prefetch { incarnation, count, now_ms })
        } else {
            let token = *self.attempt.get_or_insert_with(|| Token::from_random(random()));
            Request::Acquire(Acquire { token, incarnation, excluded_node, now_ms })
        };
        self.call(now_ms, None, request, random)
    }

    /// Makes a new call, or retries the outstanding call.
    fn call(
        &mut self,
        now_ms: u64,
        shard: Option<u64>,
        request: Request,
        mut random: impl FnMut() -> u128,
    ) -> Call {
        let retried = self.contact.retried(&request);
        let (length_ms, tries) = match (&self.contact, retried) {
            (Contact::Called { call, timer, .. }, Some(_)) => (timer.length_ms * 2, call.tries + 1),
            _ => (CALL_WAIT_MS, 0),
        };
        let timer = self.timer(now_ms, length_ms.min(CALL_WAIT_MAX_MS));
        let call = Call { number: retried.unwrap_or(timer.number), shard, request, tries };
        // The token must stay secret, but gaps and sequence starts show in ids. So gaps and starts
        // are drawn from the XOR of both halves of the random bits, which is no part of the token.
        let (low, high) = split(random());
        self.contact = Contact::Called { call, timer, random: low ^ high };
        call
    }
}

/// Splits 128 bits into the low and the high half.
#[expect(clippy::cast_possible_truncation, reason = "only the lower half is kept")]
const fn split(bits: u128) -> (u64, u64) {
    (bits as u64, (bits >> u64::BITS) as u64)
}
