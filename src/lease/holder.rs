//! # How an isolate keeps a lease without ever waiting for another request
//!
//! Problem: many requests of one isolate need one lease, and no request may await an operation that
//! another request started, because the platform kills a request that does so. In addition, the
//! platform may end the request that called the authority, the reply may be lost, late or
//! duplicated, and the clock may stand still during all of this.
//!
//! So the holder is plain state that every request looks at in turn. [`Holder::step`] tells a
//! request what to do next: finish with its ids, send a [`Call`] in the background and call `step`
//! again, sleep on a timer of its own and call `step` again, or fail. If a call gets no reply, the
//! next request that looks at the holder sends the call again. A request stops waiting for the
//! reply when either the clock or its own timers say that the time is over; see [`Wait`].
//!
//! Four rules keep ids unique here, whatever arrives:
//! - One call is outstanding at a time, and it has a number. A reply with any other number is
//!   dropped, so a span is adopted only once. A release may be outstanding as well, but its reply
//!   changes nothing.
//! - A retry of a call has the same number and the same token. The retry may get a different reply
//!   than the call, so the holder adopts only the first reply that arrives.
//! - A renewal only raises the end of the span whose token it names.
//! - The holder closes the generator and forgets the lease before it sends a release.
//!
//! Requests notice a failed authority only when the span ends. While no node is free, ids come from
//! batches: the holder uses one batch while it fetches the next batch, and asks for a span from
//! time to time.

mod batch_buffer;
mod binding;
mod bound;
mod cancel;
mod contact;
mod lease;
mod load;
mod queue;
mod ready;
mod receive;
mod returned;
mod seek;
mod state;
mod step;
mod storing;
mod take;
mod wait;

pub use self::state::State;
pub use self::step::{Call, Outcome, Step};
pub use self::wait::Wait;

use self::batch_buffer::BatchBuffer;
use self::bound::Bound;
use self::contact::{Contact, Timer};
use self::lease::{Lease, RESERVED_MS};
use self::queue::Queue;
use crate::error::Error as GeneratorError;
use crate::lease::error::Error;
use crate::lease::message::{BoundConfig, Refusal, Release, Request, Token};
use crate::span::Span;

/// The wait for a reply before the holder sends the call again, in ms. The first wait is long
/// enough for a cold object, which takes a few hundred ms to answer. Two retries fit into one
/// request's wait. The wait doubles after each retry, up to `CALL_WAIT_MAX_MS`, because an object
/// that takes long to answer may be overloaded, and frequent retries would overload it further.
const CALL_WAIT_MS: u64 = 1_500;
const CALL_WAIT_MAX_MS: u64 = 12_000;

/// The pause after a failed call, in ms. It doubles with each further failure, up to
/// `PAUSE_MAX_MS`.
const PAUSE_MIN_MS: u64 = 100;
const PAUSE_MAX_MS: u64 = 4_000;

/// The pause that is added to the time in an `Overloaded` refusal, in ms. It doubles with each
/// further refusal, because the platform names one time to all callers of an overloaded object.
const OVERLOAD_PAUSE_MIN_MS: u64 = 400;

/// The longest pause after an `Overloaded` refusal, in ms. If 100,000 isolates came back every 4 s,
/// they would keep one object busy with refusals alone, and no isolate would get a span.
const OVERLOAD_PAUSE_MAX_MS: u64 = 60_000;

/// The time for which a holder uses batches before it asks for a span again, in ms. It doubles each
/// time no node is free, up to `FULL_MAX_MS`, because otherwise the acquires of 20,000 isolates
/// would use the capacity that four shards need for batches.
const FULL_MIN_MS: u64 = 4_000;
const FULL_MAX_MS: u64 = 64_000;

/// The longest sleep between two looks at an outstanding call, in ms. The sleeps start at 1 ms and
/// are a quarter of the time since the call was sent, so they make a call at most a quarter longer.
const LOOK_MAX_MS: u64 = 25;

const UNWRITTEN: Step = Step::Failed { error: Error::Unwritten, retry_in_ms: None };

// A request that begins to wait when a call or pause begins is still waiting when that call or
// pause ends. So some request always makes the next call, even if the clock stands still.
// `Timer::left_ms` ensures the same for longer pauses.
const _: () = assert!(CALL_WAIT_MS * 3 < Wait::MAX_MS && PAUSE_MAX_MS < Wait::MAX_MS);
// A request that begins to wait after a restart is also still waiting when the clock reaches the
// end of the ticks that were reserved before the restart.
const _: () = assert!(RESERVED_MS < Wait::MAX_MS);

/// Holds the lease of one sequencer in one isolate.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Holder, Sequencer, Settings, State};
/// use edgeflake::lease::{Step, Wait};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
/// let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let (mut holder, mut now_ms) = (Holder::new(), EDGE.start_ms(5_000));
///
/// // A request runs this loop for its ids.
/// let (mut ids, mut wait) = ([0; 3], Wait::default());
/// loop {
///     match holder.step(now_ms, &mut wait, &mut ids, || 7) {
///         Step::Done => break,
///         Step::Send(call) => {
///             // The authority's side: decide, write, apply, answer.
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
/// assert_eq!(EDGE.decode(ids[2])?.sequence, 2);
/// assert_eq!((holder.state(), holder.span().unwrap().until_tick()), (State::Attached, 305_000));
///
/// // The renewal falls due between half and five eighths of the lease. It is sent by a request
/// // that already has its ids.
/// now_ms += 187_500;
/// let step = holder.step(now_ms, &mut Wait::default(), &mut ids, || 7);
/// assert!(matches!(step, Step::Send(_)) && holder.state() == State::Renewing);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
#[cfg_attr(model, derive(Clone))]
pub struct Holder {
    lease: Option<Lease>,
    batches: BatchBuffer,
    contact: Contact,
    /// The timer after which the holder asks for a span again, because a node may be free by then.
    /// While the timer runs, ids come from batches.
    full: Option<Timer>,
    /// The number of times in a row that the authority had no free node.
    refusals: u32,
    /// The requests that wait for ids.
    queue: Queue,
    /// Whether the holder takes no lease and issues only ids of batches.
    prefetches: bool,
    /// The caller's own batch size and validity, which replace the authority's values.
    prefetch_count: Option<u64>,
    prefetch_validity_ms: Option<u64>,
    /// The release that is to be sent, with its shard.
    closed: Option<(u64, Release)>,
    detached: bool,
    /// Whether the holder issues ids of a lease only after a record of it is written.
    stores: bool,
    /// The token of the lease whose record may still be on the disk. The record must be removed
    /// before this lease is released.
    written: Option<Token>,
    /// The token of the acquire that has not been answered with a grant yet.
    attempt: Option<Token>,
    /// The configuration of the newest grant or batch.
    config: Option<BoundConfig>,
    incarnation: Option<u64>,
    /// The only layout and incarnation whose ids the holder may issue; `None` unless the holder is
    /// bound.
    bound: Option<Bound>,
    /// The newest number that the holder gave to a call or a timer.
    number: u64,
    /// The number of calls that have failed since the last success.
    failures: u32,
    /// The reason why the newest call failed.
    failure: Option<Error>,
}

impl Holder {
    /// Creates a holder without a lease.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a holder that takes no lease and only prefetches batches, as Hazelcast's clients do.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Request, Step, Wait};
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

    /// Sets how many ids a batch has at first and for how many ms the holder uses it, instead of
    /// the authority's [`prefetch_count`](crate::lease::Terms::prefetch_count) and
    /// [`prefetch_validity_ms`](crate::lease::Terms::prefetch_validity_ms). `None` keeps the
    /// authority's value. The authority never gives more than
    /// [`PREFETCH_COUNT_MAX`](crate::lease::Terms::PREFETCH_COUNT_MAX) ids at once.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Request, Step, Wait};
    ///
    /// let mut holder = Holder::prefetching();
    /// holder.set_prefetch(Some(1_000), None);
    /// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
    /// let Step::Send(call) = step else { unreachable!() };
    /// let Request::Prefetch(prefetch) = call.request else { unreachable!() };
    /// assert_eq!(prefetch.count, Some(1_000));
    /// ```
    pub const fn set_prefetch(&mut self, count: Option<u64>, validity_ms: Option<u64>) {
        self.prefetch_count = count;
        self.prefetch_validity_ms = validity_ms;
    }

    /// Fills `ids` as far as possible at the time `now_ms`, in Unix ms, and returns what the
    /// request must do next. Pass the same `wait` and `ids` in all steps of one request. `random`
    /// returns 128 random bits, and is called only when the holder makes a call.
    ///
    /// ```
    /// use edgeflake::lease::{Holder, Step, Wait};
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
        let step = self.next_step(now_ms, wait, ids, random);
        if wait.request.is_some() {
            self.queue_up(wait, ids.len(), &step);
        }
        if wait.ahead.is_some() && step == Step::Done && wait.rest == 0 {
            self.answer(wait);
        }
        step
    }

    fn next_step(
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
            return Step::Send(Call { number: self.number, shard: Some(shard), request, tries: 0 });
        }
        if self.detached {
            return Step::Failed { error: Error::Detached, retry_in_ms: None };
        }
        if let Some(error) = self.ended() {
            return Step::Failed { error, retry_in_ms: None };
        }
        if let Some(step) = self.take(now_ms, wait, ids) {
            if !matches!(step, Step::Sleep { .. }) {
                return step;
            }
            // The lease must be renewed even while requests wait in the queue. `keep_up` gets a
            // copy of `wait`, because a wait measures one thing at a time. The copy measures the
            // renewal, and the original measures the request ahead in the queue.
            let call = self.keep_up(now_ms, &mut wait.clone(), random);
            return call.map_or(step, Step::Send);
        }
        if wait.filled == ids.len() {
            if let Some(call) = self.keep_up(now_ms, wait, random) {
                return Step::Send(call);
            }
            let left_ms = wait.due_ms.saturating_sub(wait.total_ms(now_ms));
            // A large request waits once, after its last slice. Its ids are already taken, so it
            // waits even if late timers make the wait longer than `Wait::MAX_MS`.
            if left_ms > 0 && wait.rest == 0 {
                return Step::Sleep { ms: left_ms };
            }
            return Step::Done;
        }
        let missing = ids.len() - wait.filled;
        let Some(lease) = &mut self.lease else {
            return self.seek(now_ms, wait, missing, None, random);
        };
        // `take` has taken all ids that it could, so the generator's error says why the other ids
        // are missing.
        let time_ms = lease.time_ms(now_ms);
        let reason = lease.generator.ready(time_ms).err();
        let error = reason.unwrap_or(GeneratorError::Exhausted { retry_in_ms: 0 });
        match (error, error.retry_in_ms()) {
            (GeneratorError::SpanEnded { .. }, _) if lease.reaches_further(time_ms) => UNWRITTEN,
            (GeneratorError::SpanEnded { .. }, _) => self.seek(now_ms, wait, missing, None, random),
            (_, Some(retry_in_ms)) if lease.swap_helps(retry_in_ms) => {
                let node = lease.generator.span().node();
                self.seek(now_ms, wait, missing, Some(node), random)
            }
            (_, Some(retry_in_ms)) => sleep(wait.total_ms(now_ms), retry_in_ms, error.into()),
            (_, None) => Step::Failed { error: error.into(), retry_in_ms: None },
        }
    }

    /// Drops the lease and all batches, so that the holder issues no more of their ids.
    fn forget(&mut self) {
        self.lease = None;
        self.batches = BatchBuffer::default();
        self.full = None;
        self.attempt = None;
    }

    /// Gives the lease back. The holder issues no more ids until you [`attach`](Self::attach) it
    /// again. If the holder had a lease, the next step sends the release.
    ///
    /// ```
    /// use edgeflake::lease::{Error, Holder, State, Step, Wait};
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
        // If a call is under way, its reply is not used.
        self.contact = Contact::Idle;
        self.detached = true;
    }

    /// Lets a detached holder issue ids again. The holder's next step acquires a span.
    pub const fn attach(&mut self) {
        self.detached = false;
    }

    fn lease_of(&mut self, token: Token) -> Option<&mut Lease> {
        self.lease.as_mut().filter(|lease| lease.grant.token == token)
    }

    fn timer(&mut self, now_ms: u64, length_ms: u64) -> Timer {
        self.number += 1;
        Timer { number: self.number, since_ms: now_ms, length_ms }
    }

    /// Returns the current state of the holder.
    #[must_use]
    pub const fn state(&self) -> State {
        if self.detached {
            return State::Detached;
        }
        match self.ended() {
            None => {}
            Some(Error::OtherLayout) => return State::Detached,
            Some(_) => return State::Destroyed,
        }
        // `full` is `None` once the lease gives ids again.
        let is_batching = !self.batches.is_empty() && (self.lease.is_none() || self.full.is_some());
        match (&self.lease, &self.contact) {
            (_, Contact::Paused { error: Error::Refused(Refusal::SequencerDestroyed), .. }) => {
                State::Destroyed
            }
            _ if is_batching => State::Batching,
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

    /// Returns the span of the lease, if the holder has one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.lease.as_ref().map(|lease| lease.grant.span)
    }

    /// Returns the sequencer's bound configuration, as the newest grant or batch gave it.
    #[must_use]
    pub const fn config(&self) -> Option<&BoundConfig> {
        self.config.as_ref()
    }

    /// Returns the sequencer's incarnation, if it is known.
    #[must_use]
    pub const fn incarnation(&self) -> Option<u64> {
        self.incarnation
    }
}

/// The hash leaves out values such as numbers, failures and the length of the timer `full`. So the
/// model check (tests/world) counts states that differ only in such values as one state.
#[cfg(model)]
impl core::hash::Hash for Holder {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        let Self {
            lease,
            batches,
            contact,
            full,
            refusals: _,
            queue: _,
            prefetches,
            prefetch_count: _,
            prefetch_validity_ms: _,
            closed,
            detached,
            stores,
            written,
            attempt,
            config: _,
            incarnation,
            bound: _,
            number: _,
            failures: _,
            failure: _,
        } = self;
        let full_since_ms = full.map(|timer| timer.since_ms);
        (lease, batches, contact, full_since_ms, prefetches, closed).hash(state);
        (detached, stores, written, attempt, incarnation).hash(state);
    }
}

/// Returns whether an error is final, so that it ends the request at once.
const fn is_final(error: &Error) -> bool {
    matches!(
        error,
        Error::Refused(
            Refusal::SequencerDestroyed
                | Refusal::UnknownSequencer
                | Refusal::OutsideLayout { .. }
                | Refusal::Unreadable
                | Refusal::UnsuitableSettings
                | Refusal::InvalidConfiguration
        )
    )
}

/// Returns the error of a request for which the next id is still `retry_in_ms` ms beyond the
/// allowed future.
const fn exhausted(retry_in_ms: u64) -> Error {
    Error::Generator(GeneratorError::Exhausted { retry_in_ms })
}

/// Sleeps `ms` if the request may still wait that long, and otherwise fails with `error`.
fn sleep(total_ms: u64, ms: u64, error: Error) -> Step {
    if total_ms.saturating_add(ms) > Wait::MAX_MS {
        let retry_in_ms = match error {
            Error::Refused(refusal) => refusal.retry_in_ms().unwrap_or(ms).max(ms),
            Error::Generator(error) => error.retry_in_ms().unwrap_or(ms),
            _ => ms,
        };
        return Step::Failed { error, retry_in_ms: Some(retry_in_ms) };
    }
    Step::Sleep { ms: ms.max(1) }
}
