//! The handling of replies by a holder.

use super::batch_buffer::BatchBuffer;
use super::contact::Contact;
use super::lease::Lease;
use super::load::Load;
use super::returned::Returned;
use super::step::Outcome;
use super::{
    FULL_MAX_MS, FULL_MIN_MS, Holder, OVERLOAD_PAUSE_MAX_MS, OVERLOAD_PAUSE_MIN_MS, PAUSE_MAX_MS,
    PAUSE_MIN_MS, is_final,
};
use crate::generator::{Drain, Generator, Policy};
use crate::lease::error::Error;
use crate::lease::message::CallFailure;
use crate::lease::message::{Batch, Grant, Refusal, Renewal, Reply, Request, Terms, Token};
use crate::span::Span;

/// The time between two answered renewals is at least the lease time divided by this number.
const LEAST_PART: u64 = 8;

impl Holder {
    /// Takes the reply to a call, at a time in Unix ms, and returns the change that the reply
    /// caused. If the call with this number is not outstanding, the reply is dropped.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Refusal, Reply, Step, Wait};
    ///
    /// let mut holder = Holder::new();
    /// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let refusal = Refusal::Overloaded { retry_in_ms: 2_000 };
    /// holder.receive(9, call.number, Ok(Reply::Refused { refusal, incarnation: 1 }));
    ///
    /// // The next call comes 200 to 400 ms after the time that the refusal names.
    /// let step = holder.step(9, &mut Wait::default(), &mut [0], || 7);
    /// assert!(matches!(step, Step::Sleep { ms: 2_200..=2_400 }));
    /// ```
    pub fn receive(
        &mut self,
        now_ms: u64,
        number: u64,
        reply: Result<Reply, CallFailure>,
    ) -> Outcome {
        let Contact::Called { call, random, .. } = &self.contact else { return Outcome::Dropped };
        if call.number != number {
            return Outcome::Dropped;
        }
        let (request, random) = (call.request, *random);
        self.contact = Contact::Idle;
        let outcome = match (request, reply) {
            (Request::Acquire(asked), Ok(Reply::Granted(grant)))
                if grant.token == asked.token
                    && asked.incarnation.is_none_or(|known| known == grant.incarnation)
                    && grant.config.has_node(grant.span.node()) =>
            {
                self.adopt(now_ms, &grant, asked.excluded_node, random)
            }
            (Request::Renew(asked), Ok(Reply::Renewed(renewal)))
                if renewal.token == asked.token && renewal.incarnation == asked.incarnation =>
            {
                self.extend(&renewal, random)
            }
            (Request::Renew(asked), Ok(Reply::Ended { token, .. })) if token == asked.token => {
                self.end(token);
                Ok(Outcome::Ended)
            }
            (Request::Prefetch(asked), Ok(Reply::Batched(batch)))
                if asked.incarnation.is_none_or(|known| known == batch.incarnation) =>
            {
                self.add(now_ms, &batch)
            }
            (_, Ok(Reply::Refused { refusal, incarnation })) => {
                self.refused(now_ms, &request, refusal, incarnation, random)
            }
            (_, Ok(_)) => Err(Error::UnexpectedReply),
            (_, Err(CallFailure)) => Err(Error::AuthorityUnreachable),
        };
        match outcome {
            Ok(outcome) => {
                self.failures = 0;
                self.failure = None;
                outcome
            }
            Err(error) => {
                let most_ms = match error {
                    Error::Refused(refusal) if is_final(&error) => {
                        refusal.retry_in_ms().unwrap_or(PAUSE_MAX_MS)
                    }
                    Error::Refused(Refusal::BatchesExhausted { retry_in_ms }) => retry_in_ms,
                    Error::Refused(Refusal::Overloaded { .. }) => {
                        OVERLOAD_PAUSE_MIN_MS << self.failures.min(u64::BITS / 4)
                    }
                    _ => PAUSE_MIN_MS << self.failures.min(u64::BITS / 4),
                };
                // An overloaded shard gives each holder a time to come back. A holder that comes
                // earlier would probably be refused again.
                let (turn_ms, longest_ms) = match error {
                    Error::Refused(Refusal::Overloaded { retry_in_ms }) => {
                        (retry_in_ms.min(OVERLOAD_PAUSE_MAX_MS), OVERLOAD_PAUSE_MAX_MS)
                    }
                    _ => (0, PAUSE_MAX_MS),
                };
                let pause_ms = turn_ms + jittered(most_ms.clamp(PAUSE_MIN_MS, longest_ms), random);
                let timer = self.timer(now_ms, pause_ms);
                self.contact = Contact::Paused { timer, error };
                self.failures += 1;
                self.failure = Some(error);
                Outcome::Failed(error)
            }
        }
    }

    fn adopt(
        &mut self,
        now_ms: u64,
        grant: &Grant,
        excluded_node: Option<u64>,
        random: u64,
    ) -> Result<Outcome, Error> {
        let swapped = self.hold(grant, random)?;
        if let Some(lease) = &mut self.lease {
            lease.compare_clocks(now_ms);
        }
        if let Err(error) = self.stay_with(&grant.config, grant.incarnation) {
            // A bound holder gives back a lease of another layout or incarnation.
            if let Some(lease) = self.lease.take() {
                self.give_back(lease);
            }
            return Err(error);
        }
        if let Some(lease) = swapped
            && Some(lease.generator.span().node()) == excluded_node
        {
            self.give_back(lease);
        }
        Ok(Outcome::Acquired)
    }

    /// Closes a lease. The next step releases it.
    pub(super) fn give_back(&mut self, lease: Lease) {
        // The record may have reached the disk even if its write was not confirmed, so the record
        // counts as written.
        self.written = self.stores.then_some(lease.grant.token);
        self.closed = Some(lease.close());
    }

    /// Replaces the lease by a lease for this grant, and returns the old lease.
    pub(super) fn hold(&mut self, grant: &Grant, random: u64) -> Result<Option<Lease>, Error> {
        let Grant { incarnation, config, span, terms, .. } = *grant;
        let policy = Policy {
            allowed_future_ms: terms.allowed_future_ms,
            sequence_start: terms.sequence_start,
            gap_max: terms.gap_max,
            tag: 0,
            seed: random,
        };
        // In a storing holder, the generator gets only the ticks that the record reserves. Before
        // the first record is written, it gets one tick, because a span is never empty; `unwritten`
        // prevents the use of this tick.
        let (layout, from_tick) = (*config.layout(), span.from_tick());
        let until_tick = if self.stores { from_tick + 1 } else { span.until_tick() };
        let part = Span::new(&layout, span.node(), from_tick, until_tick)?;
        let generator = Generator::new(layout, part, policy)?;
        let mut lease = Lease {
            grant: *grant,
            generator,
            renew_from_tick: None,
            unwritten: self.stores,
            resumed: false,
            passed_ms: 0,
            behind_ms: 0,
            due_ms: 0,
            latest_ms: 0,
            returned: Returned::default(),
            load: Load::default(),
        };
        lease.plan_renewal(random);
        let before = self.lease.replace(lease);
        self.batches = BatchBuffer::default();
        self.full = None;
        self.refusals = 0;
        self.attempt = None;
        self.config = Some(config);
        self.incarnation = Some(incarnation);
        Ok(before)
    }

    fn extend(&mut self, renewal: &Renewal, random: u64) -> Result<Outcome, Error> {
        let stores = self.stores;
        let lease = self.lease_of(renewal.token).ok_or(Error::UnexpectedReply)?;
        let tick = lease.generator.tick();
        lease.extend(renewal.until_tick)?;
        if !stores {
            lease.generator.extend(lease.grant.span.until_tick())?;
        }
        lease.generator.set_allowed_future_ms(renewal.terms.allowed_future_ms);
        lease.grant.terms = renewal.terms;
        lease.plan_renewal(random);
        // If this holder's clock is far ahead of the authority's, the renewal adds less than half a
        // lease. The next renewal is then due after an eighth of a lease, and not at once.
        let part = lease.generator.layout().ticks_in(lease.grant.terms.lease_ms) / LEAST_PART;
        let least_tick = tick.saturating_add(part.max(1));
        lease.renew_from_tick = lease.renew_from_tick.map(|from_tick| from_tick.max(least_tick));
        Ok(Outcome::Renewed)
    }

    /// Notes that the lease is used to its end and not renewed.
    fn end(&mut self, token: Token) {
        if let Some(lease) = self.lease_of(token) {
            lease.renew_from_tick = None;
        }
    }

    fn add(&mut self, now_ms: u64, batch: &Batch) -> Result<Outcome, Error> {
        self.config = Some(batch.config);
        self.stay_with(&batch.config, batch.incarnation)?;
        let ids = Drain::new(batch.config.layout(), batch.node, batch.from, batch.until)?;
        let terms = Terms {
            prefetch_count: self.prefetch_count.unwrap_or(batch.terms.prefetch_count),
            prefetch_validity_ms: self
                .prefetch_validity_ms
                .unwrap_or(batch.terms.prefetch_validity_ms),
            ..batch.terms
        };
        self.batches.add(now_ms, ids, terms);
        self.queue.feed();
        self.incarnation = Some(batch.incarnation);
        Ok(Outcome::Prefetched)
    }

    fn refused(
        &mut self,
        now_ms: u64,
        request: &Request,
        refusal: Refusal,
        incarnation: u64,
        random: u64,
    ) -> Result<Outcome, Error> {
        match refusal {
            // The holder ignores the refusal's `retry_in_ms`, because all other holders would ask
            // at that moment, too.
            Refusal::NoNodeFree { .. } if matches!(request, Request::Acquire(_)) => {
                let most_ms = (FULL_MIN_MS << self.refusals.min(u64::BITS / 4)).min(FULL_MAX_MS);
                self.full = Some(self.timer(now_ms, jittered(most_ms, random)));
                self.refusals += 1;
                return Ok(Outcome::Failed(Error::Refused(refusal)));
            }
            // The holder asks for a span next, because a node may be free by now.
            Refusal::BatchesExhausted { .. } => self.full = None,
            // The span belongs to an incarnation that has ended.
            Refusal::OtherIncarnation { .. } => {
                self.forget();
                self.incarnation = Some(incarnation);
            }
            Refusal::SequencerDestroyed | Refusal::UnknownSequencer => {
                self.forget();
                self.incarnation = None;
            }
            _ => {}
        }
        self.end_bound(refusal, incarnation);
        Err(Error::Refused(refusal))
    }
}

/// Returns a random time between half of `most_ms` and `most_ms`, so that not all isolates come
/// back together.
fn jittered(most_ms: u64, random: u64) -> u64 {
    most_ms / 2 + most_ms * u64::from(random.to_le_bytes()[0]) / (2 * u64::from(u8::MAX))
}
