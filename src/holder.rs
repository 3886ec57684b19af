//! # How an isolate keeps a lease without ever waiting for somebody else's request
//!
//! Problem: many requests of one isolate need one lease, and none of them may await what another
//! one started: the platform kills whoever does. The request that asked may also vanish, its reply
//! may be lost, doubled or late, and the clock may stand still all the while.
//!
//! So the holder is plain state that every request looks at in turn. [`Holder::step`] tells a
//! request what to do next: it has its ids, it shall send a [`Call`] (off its own path) and ask
//! again, it shall sleep on a timer of its own and ask again, or it has failed. A call that nobody
//! answers is sent again by whichever request notices; its deadline is reached by the clock or by
//! the timers of that request alone, see [`Wait`].
//!
//! What keeps ids unique here, whatever arrives:
//! - One call is outstanding, and numbered. A reply to any other number is dropped, so a span is
//!   adopted once. Only a release is sent beside it, whose reply changes nothing.
//! - A retry of a call has the same number and the same token. Two answers to it may differ; either
//!   may be adopted, and only one is.
//! - A renewal only raises the end of the span whose token it names.
//! - A lease is released with its generator closed, and forgotten before the release is sent.
//! - A lost authority is noticed only when the span ends.
//!
//! Where no node is free, ids come from batches: one is used while the next one is fetched, and a
//! span is asked for now and then.

mod storing;

use crate::contact::{Call, CallFailed, Contact, Timer};
use crate::stock::Stock;
use crate::{
    Acquire, Batch, Drain, Error, Generator, Grant, Identity, Policy, Prefetch, Refusal, Release,
    Renew, Renewal, Reply, Request, Span, State, Step, Terms, Token, Wait,
};

/// Longest wait of one request for its ids, in ms.
const REQUEST_WAIT_MAX_MS: u64 = 5_000;

/// How long a call is waited for before it is sent again, in ms; twice as long after each retry.
/// A cold object answers in some hundreds of ms; two retries fit into one request's wait.
const CALL_WAIT_MS: u64 = 1_500;

/// Pause after a failed call, in ms: doubled with each further failure, up to the longest.
const PAUSE_MIN_MS: u64 = 100;
const PAUSE_MAX_MS: u64 = 4_000;

/// Longest sleep between two looks at a call that is outstanding, in ms. The sleeps start at 1 ms
/// and are a quarter of what was waited so far, so that looking adds at most that to a cold start.
const LOOK_MAX_MS: u64 = 25;

/// Longest wait for a clock that went back to catch up, in ms: the queue variant of the peers waits
/// as long. After that the lease is swapped.
const BACK_WAIT_MAX_MS: u64 = 15;

/// How far ahead is written down, in ms: so often it is written while ids are issued, which takes
/// some ms on a slow disk, and so long the first id after a restart waits for the clock where there
/// is no look-ahead.
const RESERVED_MS: u64 = 1_000;

const UNWRITTEN: Step = Step::Failed { error: Error::Unwritten, retry_in_ms: None };

// A request that waits from the start of a call or pause on lives to see its end, so that somebody
// always makes the next call, also when the clock stands still.
const _: () = assert!(CALL_WAIT_MS * 3 < REQUEST_WAIT_MAX_MS && PAUSE_MAX_MS < REQUEST_WAIT_MAX_MS);
// It lives to see a clock come to where it was before a restart, too.
const _: () = assert!(RESERVED_MS < REQUEST_WAIT_MAX_MS);

/// Holds the lease of one sequencer in one isolate.
///
/// ```
/// use edgeflake::{Authority, Error, Holder, Identity, Sequencer, State, Step, Tunables, Wait};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(Identity::new(EDGE, 0, 4, 1)?);
/// let mut authority = Authority::load(0, Some(sequencer), Tunables::default(), [])?;
/// let (mut holder, mut now_ms) = (Holder::new(), EDGE.start_ms(5_000));
///
/// // What a request does for its ids.
/// let (mut ids, mut wait) = ([0; 3], Wait::default());
/// loop {
///     match holder.step(now_ms, &mut wait, &mut ids, || 7) {
///         Step::Done => break,
///         Step::Send(call) => {
///             // On the other side: decide, write, apply, answer.
///             let decision = authority.decide(now_ms, &call.request);
///             authority.apply(&decision.write.unwrap());
///             holder.receive(now_ms, call.number, Ok(decision.reply));
///         }
///         Step::Sleep { ms } => {
///             now_ms += ms;
///             wait.fired(ms);
///         }
///         Step::Failed { error, .. } => return Err(error),
///     }
/// }
/// assert_eq!(EDGE.unpack(ids[2])?.sequence, 2);
/// assert_eq!((holder.state(), holder.span().unwrap().until_tick()), (State::Attached, 305_000));
///
/// // From half of the lease on, and before five eighths of it, a request that has its ids also
/// // renews.
/// now_ms += 187_500;
/// let step = holder.step(now_ms, &mut Wait::default(), &mut ids, || 7);
/// assert!(matches!(step, Step::Send(_)) && holder.state() == State::Renewing);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub struct Holder {
    lease: Option<Lease>,
    stock: Stock,
    contact: Contact,
    /// While this lasts no node is free, and ids come from batches.
    full: Option<Timer>,
    /// Whether ids come from batches alone.
    prefetches: bool,
    /// A release that has not been sent yet.
    closed: Option<(u64, Release)>,
    detached: bool,
    /// Whether ids of a lease are issued only when that is written down.
    stores: bool,
    /// The lease that may be written down when it is given back, by its token.
    written: Option<Token>,
    /// The token of an attempt to acquire that has not been granted yet.
    attempt: Option<Token>,
    /// Of what was granted last.
    identity: Option<Identity>,
    incarnation: Option<u64>,
    /// The newest number of a call or timer.
    number: u64,
    /// Calls that failed since the last one that did not.
    failures: u32,
    /// Why the newest of them did.
    failure: Option<Error>,
}

#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
struct Lease {
    token: Token,
    incarnation: u64,
    identity: Identity,
    /// Of the span, or of the part of it that is written down.
    generator: Generator,
    span: Span,
    /// From which tick on it is renewed: half a lease before the end of the span, or somewhat
    /// later. `None` once the authority has said that it ended, or when the span reaches to the end
    /// of the layout.
    renew_from_tick: Option<u64>,
    /// Of its grant, or of its newest renewal.
    terms: Terms,
    /// Whether nothing of it may be issued, since nothing of it is written down.
    unwritten: bool,
    /// Whether it was used before this holder had it.
    resumed: bool,
}

impl Holder {
    /// A holder without a lease.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A holder that takes no lease and only prefetches batches, as Hazelcast's clients do.
    ///
    /// ```
    /// use edgeflake::{Holder, Request, Step, Wait};
    ///
    /// let step = Holder::prefetching().step(0, &mut Wait::default(), &mut [0; 7], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let Request::Prefetch(prefetch) = call.request else { unreachable!() };
    /// assert_eq!(prefetch.count, Some(100));
    /// ```
    #[must_use]
    pub fn prefetching() -> Self {
        Self { prefetches: true, ..Self::default() }
    }

    /// Fills `ids` as far as possible at a time in Unix ms, and says what the request shall do
    /// next. `wait` and `ids` are the request's own and the same in all of its steps. `random`
    /// gives 128 random bits, and is called only when a call is made.
    ///
    /// ```
    /// use edgeflake::{Holder, Step, Wait};
    ///
    /// // Two requests of one isolate: one calls the authority, and both wait.
    /// let mut holder = Holder::new();
    /// let (mut first, mut second) = (Wait::default(), Wait::default());
    /// assert!(matches!(holder.step(0, &mut first, &mut [0], || 7), Step::Send(_)));
    /// assert_eq!(holder.step(0, &mut second, &mut [0], || 7), Step::Sleep { ms: 1 });
    /// assert_eq!(holder.step(0, &mut first, &mut [0], || 7), Step::Sleep { ms: 1 });
    /// ```
    pub fn step(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        ids: &mut [u64],
        random: impl FnMut() -> u128,
    ) -> Step {
        if let Some((shard, release)) = self.closed {
            if self.written == Some(release.token) {
                return UNWRITTEN;
            }
            self.closed = None;
            self.number += 1;
            let request = Request::Release(release);
            return Step::Send(Call { number: self.number, shard: Some(shard), request });
        }
        if self.detached {
            return Step::Failed { error: Error::Detached, retry_in_ms: None };
        }
        let missing = &mut ids[wait.filled..];
        let mut filled = 0;
        if let Some(lease) = &mut self.lease {
            if lease.unwritten {
                return UNWRITTEN;
            }
            filled = lease.generator.fill(now_ms, missing);
            // Where the lease serves, nobody asks for a node.
            if filled > 0 && filled == missing.len() {
                self.full = None;
            }
        }
        if filled < missing.len() {
            filled += self.stock.fill(now_ms, &mut missing[filled..]);
        }
        wait.filled += filled;
        if wait.filled == ids.len() {
            return self.keep_up(now_ms, wait, random).map_or(Step::Done, Step::Send);
        }
        let missing = ids.len() - wait.filled;
        let Some(lease) = &mut self.lease else {
            return self.seek(now_ms, wait, missing, None, random);
        };
        // Filled as far as possible, so there is a reason why not all of it.
        let reason = lease.generator.ready(now_ms).err();
        match reason.unwrap_or(Error::Exhausted { retry_in_ms: 0 }) {
            Error::SpanEnded { .. } if lease.reaches_further(now_ms) => UNWRITTEN,
            Error::SpanEnded { .. } => self.seek(now_ms, wait, missing, None, random),
            Error::Exhausted { retry_in_ms } if lease.swap_helps(retry_in_ms) => {
                let node = lease.generator.span().node();
                self.seek(now_ms, wait, missing, Some(node), random)
            }
            error @ Error::Exhausted { retry_in_ms } => {
                let total_ms = wait.total_ms(now_ms);
                sleep(total_ms, retry_in_ms.max(total_ms / 4), error)
            }
            error => Step::Failed { error, retry_in_ms: None },
        }
    }

    /// The call of a request that has its ids, when one is due and no other is on its way.
    fn keep_up(
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
            if is_full && !self.stock.is_low(now_ms) || self.contact.left_ms(now_ms, wait) > 0 {
                return None;
            }
            return Some(self.call_for_ids(now_ms, 1, None, random));
        };
        Some(self.call(now_ms, shard, request, random))
    }

    /// What a request without a span does.
    fn seek(
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
            Contact::Called { .. } if left_ms > 0 => {
                let ms = (total_ms / 4).clamp(1, LOOK_MAX_MS);
                return sleep(total_ms, ms, self.why());
            }
            Contact::Paused { error, .. } if left_ms > 0 => {
                let error = *error;
                if is_final(&error) {
                    return Step::Failed { error, retry_in_ms: Some(left_ms) };
                }
                return sleep(total_ms, left_ms, error);
            }
            _ => {}
        }
        if total_ms >= REQUEST_WAIT_MAX_MS {
            return sleep(total_ms, PAUSE_MIN_MS, self.why());
        }
        Step::Send(self.call_for_ids(now_ms, missing, excluded_node, random))
    }

    /// Why a request has waited in vain.
    fn why(&self) -> Error {
        self.failure.unwrap_or(Error::AuthorityUnreachable)
    }

    fn is_full(&mut self, now_ms: u64) -> bool {
        self.prefetches
            || self.full.as_mut().is_some_and(|timer| timer.left_by_clock_ms(now_ms) > 0)
    }

    /// A call for a batch while no node is free, else for a span.
    fn call_for_ids(
        &mut self,
        now_ms: u64,
        missing: usize,
        excluded_node: Option<u64>,
        mut random: impl FnMut() -> u128,
    ) -> Call {
        let incarnation = self.incarnation;
        let request = if self.is_full(now_ms) {
            let count = self.stock.count(missing);
            Request::Prefetch(Prefetch { incarnation, count, now_ms })
        } else {
            let token = *self.attempt.get_or_insert_with(|| Token::from_random(random()));
            Request::Acquire(Acquire { token, incarnation, excluded_node, now_ms })
        };
        self.call(now_ms, None, request, random)
    }

    /// A new call, or a retry of the one that is outstanding.
    fn call(
        &mut self,
        now_ms: u64,
        shard: Option<u64>,
        request: Request,
        mut random: impl FnMut() -> u128,
    ) -> Call {
        let retried = self.contact.retried(&request);
        let length_ms = match (&self.contact, retried) {
            (Contact::Called { timer, .. }, Some(_)) => timer.length_ms * 2,
            _ => CALL_WAIT_MS,
        };
        let timer = self.timer(now_ms, length_ms.min(PAUSE_MAX_MS));
        let call = Call { number: retried.unwrap_or(timer.number), shard, request };
        // Not the bits of the token: what is drawn from these shows in ids.
        let (low, high) = split(random());
        self.contact = Contact::Called { call, timer, random: low ^ high };
        call
    }

    /// Takes the reply to the call of this number, at a time in Unix ms. A reply to a call that is
    /// not outstanding is dropped.
    ///
    /// ```
    /// use edgeflake::{Holder, Refusal, Reply, Step, Wait};
    ///
    /// let mut holder = Holder::new();
    /// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let refusal = Refusal::Overloaded { retry_in_ms: 2_000 };
    /// holder.receive(9, call.number, Ok(Reply::Refused { refusal, incarnation: 1 }));
    ///
    /// // The pause before the next call is half of that time to all of it.
    /// let step = holder.step(9, &mut Wait::default(), &mut [0], || 7);
    /// assert!(matches!(step, Step::Sleep { ms: 1_000..=2_000 }));
    /// ```
    pub fn receive(&mut self, now_ms: u64, number: u64, reply: Result<Reply, CallFailed>) {
        let Contact::Called { call, random, .. } = &self.contact else { return };
        if call.number != number {
            return;
        }
        let (request, random) = (call.request, *random);
        self.contact = Contact::Idle;
        let outcome = match (request, reply) {
            (Request::Acquire(asked), Ok(Reply::Granted(grant)))
                if grant.token == asked.token
                    && asked.incarnation.is_none_or(|known| known == grant.incarnation)
                    && grant.identity.has_node(grant.span.node()) =>
            {
                self.adopt(&grant, asked.excluded_node, random)
            }
            (Request::Renew(asked), Ok(Reply::Renewed(renewal)))
                if renewal.token == asked.token && renewal.incarnation == asked.incarnation =>
            {
                self.extend(&renewal, random)
            }
            (Request::Renew(asked), Ok(Reply::Ended { token, .. })) if token == asked.token => {
                self.end(token);
                Ok(())
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
            (_, Err(CallFailed)) => Err(Error::AuthorityUnreachable),
        };
        match outcome {
            Ok(()) => {
                self.failures = 0;
                self.failure = None;
            }
            Err(error) => {
                let most_ms = match error {
                    Error::Refused(refusal) if is_final(&error) => {
                        refusal.retry_in_ms().unwrap_or(PAUSE_MAX_MS)
                    }
                    Error::Refused(Refusal::BatchesExhausted { retry_in_ms }) => retry_in_ms,
                    Error::Refused(Refusal::Overloaded { retry_in_ms }) => {
                        retry_in_ms << self.failures.min(u64::BITS / 4)
                    }
                    _ => PAUSE_MIN_MS << self.failures.min(u64::BITS / 4),
                };
                let most_ms = most_ms.clamp(PAUSE_MIN_MS, PAUSE_MAX_MS);
                let timer = self.timer(now_ms, jittered(most_ms, random));
                self.contact = Contact::Paused { timer, error };
                self.failures += 1;
                self.failure = Some(error);
            }
        }
    }

    fn adopt(
        &mut self,
        grant: &Grant,
        excluded_node: Option<u64>,
        random: u64,
    ) -> Result<(), Error> {
        let swapped = self.hold(grant, random)?;
        if let Some(lease) = swapped
            && Some(lease.generator.span().node()) == excluded_node
        {
            self.give_back(lease);
        }
        Ok(())
    }

    /// Closes a lease, for the next step to release it.
    fn give_back(&mut self, lease: Lease) {
        // Also if nobody said so: a write that failed may have reached the disk.
        self.written = self.stores.then_some(lease.token);
        self.closed = Some(lease.close());
    }

    /// Issues from this grant from now on; gives what it issued from before.
    fn hold(&mut self, grant: &Grant, random: u64) -> Result<Option<Lease>, Error> {
        let Grant { token, incarnation, identity, span, terms } = *grant;
        let policy = Policy {
            allowed_future_ms: terms.allowed_future_ms,
            sequence_start: terms.sequence_start,
            gap_max: terms.gap_max,
            tag: 0,
            seed: random,
        };
        // What is written down of the span grows; nothing is issued before there is something.
        let (layout, from_tick) = (*identity.layout(), span.from_tick());
        let until_tick = if self.stores { from_tick + 1 } else { span.until_tick() };
        let part = Span::new(&layout, span.node(), from_tick, until_tick)?;
        let generator = Generator::new(layout, part, policy)?;
        let mut lease = Lease {
            token,
            incarnation,
            identity,
            generator,
            span,
            renew_from_tick: None,
            terms,
            unwritten: self.stores,
            resumed: false,
        };
        lease.plan_renewal(random);
        let before = self.lease.replace(lease);
        self.stock = Stock::default();
        self.full = None;
        self.attempt = None;
        self.identity = Some(identity);
        self.incarnation = Some(incarnation);
        Ok(before)
    }

    fn extend(&mut self, renewal: &Renewal, random: u64) -> Result<(), Error> {
        let stores = self.stores;
        let lease = self.lease_of(renewal.token).ok_or(Error::UnexpectedReply)?;
        let tick = lease.generator.tick();
        lease.extend(renewal.until_tick)?;
        if !stores {
            lease.generator.extend(lease.span.until_tick())?;
        }
        lease.generator.set_allowed_future_ms(renewal.terms.allowed_future_ms);
        lease.terms = renewal.terms;
        lease.plan_renewal(random);
        // A renewal that did not help is asked for again after a pause, not at once.
        match lease.renew_from_tick {
            Some(from_tick) if from_tick <= tick => Err(Error::UnexpectedReply),
            _ => Ok(()),
        }
    }

    /// The lease is used to the end and not renewed.
    fn end(&mut self, token: Token) {
        if let Some(lease) = self.lease_of(token) {
            lease.renew_from_tick = None;
        }
    }

    fn add(&mut self, now_ms: u64, batch: &Batch) -> Result<(), Error> {
        let ids = Drain::new(batch.identity.layout(), batch.node, batch.from, batch.until)?;
        self.stock.add(now_ms, ids, batch.terms);
        self.identity = Some(batch.identity);
        self.incarnation = Some(batch.incarnation);
        Ok(())
    }

    fn refused(
        &mut self,
        now_ms: u64,
        request: &Request,
        refusal: Refusal,
        incarnation: u64,
        random: u64,
    ) -> Result<(), Error> {
        match refusal {
            Refusal::NoNodeFree { retry_in_ms } if matches!(request, Request::Acquire(_)) => {
                let most_ms = retry_in_ms.clamp(PAUSE_MIN_MS, PAUSE_MAX_MS);
                self.full = Some(self.timer(now_ms, jittered(most_ms, random)));
                return Ok(());
            }
            // Perhaps a node is free by now.
            Refusal::BatchesExhausted { .. } => self.full = None,
            // What is left of its span was not of the sequencer that there is now.
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
        Err(Error::Refused(refusal))
    }

    /// Nothing of what was granted is issued any more.
    fn forget(&mut self) {
        self.lease = None;
        self.stock = Stock::default();
        self.full = None;
        self.attempt = None;
    }

    /// Gives the lease back: no more ids until it is attached again. The next step sends the
    /// release, if there is one.
    ///
    /// ```
    /// use edgeflake::{Error, Holder, State, Step, Wait};
    ///
    /// let mut holder = Holder::new();
    /// holder.detach();
    /// assert_eq!(holder.state(), State::Detached);
    /// let failed = Step::Failed { error: Error::Detached, retry_in_ms: None };
    /// assert_eq!(holder.step(0, &mut Wait::default(), &mut [0], || 7), failed);
    ///
    /// holder.attach();
    /// assert!(matches!(holder.step(0, &mut Wait::default(), &mut [0], || 7), Step::Send(_)));
    /// ```
    pub fn detach(&mut self) {
        if let Some(lease) = self.lease.take() {
            self.give_back(lease);
        }
        self.forget();
        // The reply to a call that is on its way is not waited for.
        self.contact = Contact::Idle;
        self.detached = true;
    }

    /// Issues ids again, from a span that is yet to be acquired.
    pub const fn attach(&mut self) {
        self.detached = false;
    }

    fn lease_of(&mut self, token: Token) -> Option<&mut Lease> {
        self.lease.as_mut().filter(|lease| lease.token == token)
    }

    fn timer(&mut self, now_ms: u64, length_ms: u64) -> Timer {
        self.number += 1;
        Timer { number: self.number, since_ms: now_ms, length_ms }
    }

    /// What the holder is doing.
    #[must_use]
    pub const fn state(&self) -> State {
        if self.detached {
            return State::Detached;
        }
        match (&self.lease, &self.contact) {
            (_, Contact::Paused { error: Error::Refused(Refusal::SequencerDestroyed), .. }) => {
                State::Destroyed
            }
            (None, _)
            | (_, Contact::Called { call: Call { request: Request::Acquire(_), .. }, .. }) => {
                State::Acquiring
            }
            (_, Contact::Called { call: Call { request: Request::Renew(_), .. }, .. }) => {
                State::Renewing
            }
            (Some(_), _) => State::Attached,
        }
    }

    /// The span that it issues from, if it has one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.lease.as_ref().map(|lease| lease.span)
    }

    /// What the sequencer is bound to, as its last grant or batch said.
    #[must_use]
    pub const fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// The sequencer's incarnation, if it is known.
    #[must_use]
    pub const fn incarnation(&self) -> Option<u64> {
        self.incarnation
    }
}

impl Lease {
    /// Raises the end of the span.
    fn extend(&mut self, until_tick: u64) -> Result<(), Error> {
        if until_tick > self.span.until_tick() {
            let (node, from_tick) = (self.span.node(), self.span.from_tick());
            self.span = Span::new(self.generator.layout(), node, from_tick, until_tick)?;
        }
        Ok(())
    }

    /// Whether the span goes on for the next id, where the generator's part of it has ended.
    fn reaches_further(&self, now_ms: u64) -> bool {
        self.next_tick(now_ms) < self.span.until_tick()
    }

    /// The tick of the next id at a time in Unix ms, as far as the clock and the generator say.
    fn next_tick(&self, now_ms: u64) -> u64 {
        self.generator.tick().max(self.generator.layout().tick_clamped(now_ms))
    }

    /// Later by up to an eighth of the lease, so that isolates that started together do not renew
    /// together.
    fn plan_renewal(&mut self, random: u64) {
        let (layout, until_tick) = (self.generator.layout(), self.span.until_tick());
        let lease_ticks = layout.ticks_in(self.terms.lease_ms);
        let later = u64::from(random.to_le_bytes()[0]) * (lease_ticks / 8) / u64::from(u8::MAX);
        self.renew_from_tick = (until_tick < layout.ticks())
            .then(|| until_tick.saturating_sub(lease_ticks / 2).saturating_add(later));
    }

    /// Whether the wait is for a clock that went back, and another node has counters for its time:
    /// this one does, if nothing was issued from it yet.
    fn swap_helps(&self, retry_in_ms: u64) -> bool {
        let longest_ms = match (self.generator.statistics().issued, self.resumed) {
            (0, false) => return false,
            // What was reserved before the restart, and perhaps not used, is waited for.
            (0, true) => RESERVED_MS,
            _ => BACK_WAIT_MAX_MS,
        };
        retry_in_ms > longest_ms.max(self.generator.layout().tick_ms())
    }

    fn shard(&self) -> u64 {
        self.identity.shard_of(self.generator.span().node()).unwrap_or(0)
    }

    fn renew(&self, now_ms: u64) -> Renew {
        Renew {
            token: self.token,
            incarnation: self.incarnation,
            node: self.generator.span().node(),
            tick: self.generator.tick(),
            issued: self.issued(),
            now_ms,
        }
    }

    fn issued(&self) -> Option<u64> {
        self.terms.statistics.then(|| self.generator.statistics().issued)
    }

    /// Closes the generator, for good.
    fn close(self) -> (u64, Release) {
        let (shard, issued) = (self.shard(), self.issued());
        let Self { token, incarnation, generator, .. } = self;
        let node = generator.span().node();
        let until_tick = generator.close();
        (shard, Release { token, incarnation, node, until_tick, issued })
    }
}

/// Without the numbers and the failures: by these alone no two states of the model check differ, see
/// tests/model.
#[cfg(model)]
impl core::hash::Hash for Holder {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        let Self {
            lease,
            stock,
            contact,
            full,
            prefetches,
            closed,
            detached,
            stores,
            written,
            attempt,
            identity: _,
            incarnation,
            number: _,
            failures: _,
            failure: _,
        } = self;
        (lease, stock, contact, full, prefetches, closed).hash(state);
        (detached, stores, written, attempt, incarnation).hash(state);
    }
}

/// Whether it is not worth to wait for a better answer within one request.
const fn is_final(error: &Error) -> bool {
    matches!(
        error,
        Error::Refused(
            Refusal::SequencerDestroyed | Refusal::UnknownSequencer | Refusal::OutsideLayout { .. }
        )
    )
}

/// Between half and all of it, so that isolates do not come back together.
fn jittered(most_ms: u64, random: u64) -> u64 {
    most_ms / 2 + most_ms * u64::from(random.to_le_bytes()[0]) / (2 * u64::from(u8::MAX))
}

/// Both halves of 128 bits.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is left")]
const fn split(bits: u128) -> (u64, u64) {
    (bits as u64, (bits >> u64::BITS) as u64)
}

/// Sleeps `ms` if the request's whole wait allows it, else fails with `error`.
fn sleep(total_ms: u64, ms: u64, error: Error) -> Step {
    if total_ms + ms > REQUEST_WAIT_MAX_MS {
        let retry_in_ms = match error {
            Error::Refused(refusal) => refusal.retry_in_ms().unwrap_or(ms),
            Error::Exhausted { retry_in_ms } => retry_in_ms,
            _ => ms,
        };
        return Step::Failed { error, retry_in_ms: Some(retry_in_ms) };
    }
    Step::Sleep { ms: ms.max(1) }
}
