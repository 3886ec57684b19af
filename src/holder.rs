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
//!   adopted once.
//! - A retry of a call has the same number and the same token. Two answers to it may differ; either
//!   may be adopted, and only one is.
//! - A renewal only raises the end of the span whose token it names.
//! - A lost authority is noticed only when the span ends.

use crate::contact::{Call, CallFailed, Contact, Timer};
use crate::{
    Acquire, Error, Generator, Grant, Policy, Refusal, Renew, Renewal, Reply, Request, Span, State,
    Step, Token, Wait,
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

// A request that waits from the start of a call or pause on lives to see its end, so that somebody
// always makes the next call, also when the clock stands still.
const _: () = assert!(CALL_WAIT_MS * 3 < REQUEST_WAIT_MAX_MS && PAUSE_MAX_MS < REQUEST_WAIT_MAX_MS);

/// Holds the lease of one sequencer in one isolate.
///
/// ```
/// use edgeflake::{Authority, Error, Holder, Identity, State, Step, Tunables, Wait, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 4, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let mut authority = Authority::load(identity, 0, 1, tunables, [])?;
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
/// // From half of the lease on, a request that has its ids also renews.
/// now_ms += 150_000;
/// let step = holder.step(now_ms, &mut Wait::default(), &mut ids, || 7);
/// assert!(matches!(step, Step::Send(_)) && holder.state() == State::Renewing);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Holder {
    lease: Option<Lease>,
    contact: Contact,
    /// The token of an attempt to acquire that has not been granted yet.
    attempt: Option<Token>,
    incarnation: Option<u64>,
    /// The newest number of a call or timer.
    number: u64,
    /// Calls that failed since the last one that did not.
    failures: u32,
}

#[derive(Debug)]
struct Lease {
    token: Token,
    incarnation: u64,
    generator: Generator,
    /// From which tick on it is renewed: half a lease before the end of the span. `None` once the
    /// authority has said that it ended, or when the span reaches to the end of the layout.
    renew_from_tick: Option<u64>,
}

impl Holder {
    /// A holder without a lease.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
        random: impl FnOnce() -> u128,
    ) -> Step {
        let Some(lease) = &mut self.lease else {
            return self.acquire(now_ms, wait, random);
        };
        wait.filled += lease.generator.fill(now_ms, &mut ids[wait.filled..]);
        if wait.filled == ids.len() {
            return self.renew(now_ms, wait, random).map_or(Step::Done, Step::Send);
        }
        // Filled as far as possible, so there is a reason why not all of it.
        let reason = lease.generator.ready(now_ms).err();
        match reason.unwrap_or(Error::Exhausted { retry_in_ms: 0 }) {
            Error::SpanEnded { .. } => self.acquire(now_ms, wait, random),
            error @ Error::Exhausted { retry_in_ms } => {
                let total_ms = wait.total_ms(now_ms);
                sleep(total_ms, retry_in_ms.max(total_ms / 4), error)
            }
            error => Step::Failed { error, retry_in_ms: None },
        }
    }

    /// The call that renews the lease, when that is due and no other is on its way.
    fn renew(
        &mut self,
        now_ms: u64,
        wait: &mut Wait,
        random: impl FnOnce() -> u128,
    ) -> Option<Call> {
        let lease = self.lease.as_ref()?;
        let tick = lease.generator.tick();
        if tick < lease.renew_from_tick? {
            return None;
        }
        if self.contact.left_ms(now_ms, wait) > 0 {
            return None;
        }
        let number = match &self.contact {
            Contact::Called { call: Call { number, request: Request::Renew(_) }, .. } => {
                Some(*number)
            }
            _ => None,
        };
        let request = Request::Renew(Renew {
            token: lease.token,
            incarnation: lease.incarnation,
            node: lease.generator.span().node(),
            tick,
            now_ms,
        });
        Some(self.call(now_ms, number, request, random()))
    }

    /// What a request without a span does.
    fn acquire(&mut self, now_ms: u64, wait: &mut Wait, random: impl FnOnce() -> u128) -> Step {
        let total_ms = wait.total_ms(now_ms);
        let left_ms = self.contact.left_ms(now_ms, wait);
        let number = match &self.contact {
            Contact::Called { .. } if left_ms > 0 => {
                let ms = (total_ms / 4).clamp(1, LOOK_MAX_MS);
                return sleep(total_ms, ms, Error::AuthorityUnreachable);
            }
            Contact::Paused { error, .. } if left_ms > 0 => {
                return sleep(total_ms, left_ms, *error);
            }
            Contact::Called { call: Call { number, request: Request::Acquire(_) }, .. } => {
                Some(*number)
            }
            _ => None,
        };
        if total_ms >= REQUEST_WAIT_MAX_MS {
            return sleep(total_ms, PAUSE_MIN_MS, Error::AuthorityUnreachable);
        }
        let random = random();
        let token = *self.attempt.get_or_insert(Token::from_random(random));
        let request = Request::Acquire(Acquire {
            token,
            incarnation: self.incarnation,
            excluded_node: None,
            now_ms,
        });
        Step::Send(self.call(now_ms, number, request, random))
    }

    /// A new call, or a retry of the one with `retried`.
    fn call(&mut self, now_ms: u64, retried: Option<u64>, request: Request, random: u128) -> Call {
        let length_ms = match (&self.contact, retried) {
            (Contact::Called { timer, .. }, Some(_)) => timer.length_ms * 2,
            _ => CALL_WAIT_MS,
        };
        let timer = self.timer(now_ms, length_ms.min(PAUSE_MAX_MS));
        let call = Call { number: retried.unwrap_or(timer.number), request };
        let jitter = u64::from(random.to_le_bytes()[0]);
        self.contact = Contact::Called { call, timer, jitter };
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
    /// let refusal = Refusal::NoNodeFree { retry_in_ms: 2_000 };
    /// holder.receive(9, call.number, Ok(Reply::Refused { refusal, incarnation: 1 }));
    ///
    /// // The pause before the next call is half of that time to all of it.
    /// let step = holder.step(9, &mut Wait::default(), &mut [0], || 7);
    /// assert!(matches!(step, Step::Sleep { ms: 1_000..=2_000 }));
    /// ```
    pub fn receive(&mut self, now_ms: u64, number: u64, reply: Result<Reply, CallFailed>) {
        let Contact::Called { call, jitter, .. } = &self.contact else { return };
        if call.number != number {
            return;
        }
        let (request, jitter) = (call.request, *jitter);
        self.contact = Contact::Idle;
        let outcome = match (request, reply) {
            (Request::Acquire(asked), Ok(Reply::Granted(grant)))
                if grant.token == asked.token
                    && asked.incarnation.is_none_or(|known| known == grant.incarnation)
                    && grant.identity.has_node(grant.span.node()) =>
            {
                self.adopt(&grant)
            }
            (Request::Renew(asked), Ok(Reply::Renewed(renewal)))
                if renewal.token == asked.token && renewal.incarnation == asked.incarnation =>
            {
                self.extend(&renewal)
            }
            (Request::Renew(asked), Ok(Reply::Ended { token, .. })) if token == asked.token => {
                self.end(token);
                Ok(())
            }
            (_, Ok(Reply::Refused { refusal, incarnation })) => {
                self.refused(request, refusal, incarnation)
            }
            (_, Ok(_)) => Err(Error::UnexpectedReply),
            (_, Err(CallFailed)) => Err(Error::AuthorityUnreachable),
        };
        match outcome {
            Ok(()) => self.failures = 0,
            Err(error) => {
                let most_ms = match error {
                    Error::Refused(Refusal::NoNodeFree { retry_in_ms }) => retry_in_ms,
                    _ => PAUSE_MIN_MS << self.failures.min(u64::BITS / 4),
                };
                let most_ms = most_ms.clamp(PAUSE_MIN_MS, PAUSE_MAX_MS);
                // Between half and all of it, so that isolates do not come back together.
                let timer = self.timer(now_ms, most_ms / 2 + most_ms * jitter / (2 * 255));
                self.contact = Contact::Paused { timer, error };
                self.failures += 1;
            }
        }
    }

    fn adopt(&mut self, grant: &Grant) -> Result<(), Error> {
        let layout = *grant.identity.layout();
        let policy = Policy { allowed_future_ms: grant.allowed_future_ms, ..Policy::default() };
        let generator = Generator::new(layout, grant.span, policy)?;
        let mut lease = Lease {
            token: grant.token,
            incarnation: grant.incarnation,
            generator,
            renew_from_tick: None,
        };
        lease.plan_renewal(grant.lease_ms);
        self.lease = Some(lease);
        self.attempt = None;
        self.incarnation = Some(grant.incarnation);
        Ok(())
    }

    fn extend(&mut self, renewal: &Renewal) -> Result<(), Error> {
        let lease = self.lease_of(renewal.token).ok_or(Error::UnexpectedReply)?;
        let tick = lease.generator.tick();
        lease.generator.extend(renewal.until_tick)?;
        lease.generator.set_allowed_future_ms(renewal.allowed_future_ms);
        lease.plan_renewal(renewal.lease_ms);
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

    fn refused(
        &mut self,
        request: Request,
        refusal: Refusal,
        incarnation: u64,
    ) -> Result<(), Error> {
        if matches!(refusal, Refusal::OtherIncarnation { .. }) {
            self.incarnation = Some(incarnation);
            if let Request::Renew(asked) = request {
                self.end(asked.token);
                return Ok(());
            }
        }
        Err(Error::Refused(refusal))
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
        match (&self.lease, &self.contact) {
            (None, _)
            | (_, Contact::Called { call: Call { request: Request::Acquire(_), .. }, .. }) => {
                State::Acquiring
            }
            (Some(_), Contact::Called { .. }) => State::Renewing,
            (Some(_), _) => State::Attached,
        }
    }

    /// The span that it issues from, if it has one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.lease.as_ref().map(|lease| lease.generator.span())
    }
}

impl Lease {
    fn plan_renewal(&mut self, lease_ms: u64) {
        let layout = self.generator.layout();
        let until_tick = self.generator.span().until_tick();
        let half_ticks = layout.ticks_in(lease_ms) / 2;
        self.renew_from_tick =
            (until_tick < layout.ticks()).then(|| until_tick.saturating_sub(half_ticks));
    }
}

/// Sleeps `ms` if the request's whole wait allows it, else fails with `error`.
fn sleep(total_ms: u64, ms: u64, error: Error) -> Step {
    if total_ms + ms > REQUEST_WAIT_MAX_MS {
        let retry_in_ms = match error {
            Error::Refused(Refusal::NoNodeFree { retry_in_ms })
            | Error::Exhausted { retry_in_ms } => retry_in_ms,
            _ => ms,
        };
        return Step::Failed { error, retry_in_ms: Some(retry_in_ms) };
    }
    Step::Sleep { ms: ms.max(1) }
}
