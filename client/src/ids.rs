use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use edgeflake::code;
use edgeflake::lease::{
    Call, CallFailure, Error as LeaseError, Holder, Refusal, Reply, State, Step, Wait,
};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use crate::error::Error;
use crate::report::Report;
use crate::transport::{Failure, Transport};

/// The longest wait for the answer of one call. The holder sends a call again before.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// The longest wait of a request, in ms.
const WAIT_MAX_MS: u64 = 5_000;

/// The largest number of ids that one request may ask for.
const COUNT_MAX: usize = 100_000;

/// Issues the ids of one leased node. Clones share the lease.
///
/// A future that is dropped takes nothing with it but ids that no other call gets.
#[derive(Clone)]
pub struct LeasedIds(Arc<Shared>);

struct Shared {
    held: Mutex<Held>,
    transport: Arc<dyn Transport>,
    report: Report,
    runtime: Handle,
}

struct Held {
    holder: Holder,
    /// The reason why the newest call failed.
    failure: Option<Failure>,
}

/// A request for ids. If its future is dropped, it gives back its place in the queue.
struct Request<'a> {
    shared: &'a Shared,
    wait: Wait,
    ids: Vec<u64>,
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.shared.held().holder.cancel(&mut self.wait, &mut self.ids);
    }
}

impl LeasedIds {
    pub(crate) fn new(
        sequencer: String,
        transport: Arc<dyn Transport>,
        holder: Holder,
        runtime: Handle,
    ) -> Self {
        let held = Mutex::new(Held { holder, failure: None });
        Self(Arc::new(Shared { held, transport, report: Report::new(sequencer), runtime }))
    }

    /// Returns the next id. It waits for at most 5 s: for the lease, or until an id is at most the
    /// allowed future ahead of the clock.
    ///
    /// # Errors
    /// `authority-unreachable`, `no-node-free`, `overloaded`, `exhausted`, `clock-back` and
    /// `clock-disagreement`, after which another try may help, see [`Error::retry_in`]; and at once
    /// `unauthorized`, `forbidden`, `unknown-sequencer`, `sequencer-destroyed`,
    /// `invalid-configuration`, `detached`.
    pub async fn next(&self) -> Result<u64, Error> {
        Ok(self.issue(Wait::of(1)).await?[0])
    }

    /// Returns the next id, with this value in the tag fields of the layout.
    ///
    /// # Errors
    /// Those of [`next`](Self::next), and `too-large` for a tag that is wider than its fields.
    pub async fn next_tagged(&self, tag: u64) -> Result<u64, Error> {
        Ok(self.issue(Wait::of(1).tagged(tag)).await?[0])
    }

    /// Returns the next `count` ids, of 1 to 100,000, and never fewer.
    ///
    /// # Errors
    /// Those of [`next`](Self::next), and `invalid-number` for a count that is not allowed.
    pub async fn batch(&self, count: usize) -> Result<Vec<u64>, Error> {
        if !(1..=COUNT_MAX).contains(&count) {
            let message = format!("count is {count}: 1 to {COUNT_MAX} is allowed");
            return Err(Error::new(code::INVALID_NUMBER, message));
        }
        self.issue(Wait::of(count)).await
    }

    /// Returns the next id from memory, for code that cannot await. If there is none, it asks the
    /// authority in the background.
    ///
    /// # Errors
    /// `not-ready` until the authority has answered, and those of [`next`](Self::next).
    pub fn try_next(&self) -> Result<u64, Error> {
        for slept_ms in [0, WAIT_MAX_MS] {
            let mut request = self.0.request(Wait::impatient(1));
            // After the longest wait, a request fails and gets the reason.
            request.wait.fired(slept_ms);
            loop {
                match request.step() {
                    Step::Done => return Ok(request.end()[0]),
                    Step::Send(call) => self.start(call),
                    Step::Sleep { .. } => break,
                    Step::Failed { error: LeaseError::AuthorityUnreachable, retry_in_ms } => {
                        let text = "no id is in memory yet, and the authority was asked: try again";
                        let error = Error::new(code::NOT_READY, text).retry_in_ms(retry_in_ms);
                        return Err(self.0.lasting().unwrap_or(error));
                    }
                    Step::Failed { error, retry_in_ms } => {
                        return Err(self.0.error(error, retry_in_ms));
                    }
                }
            }
        }
        Err(Error::new(code::NOT_READY, "no id is in memory yet: try again"))
    }

    /// Gives the lease back, so that its node is free at once, and resolves when the authority has
    /// answered, after 10 s at most. All clones then issue no more ids.
    pub async fn shutdown(&self) {
        let step = {
            let mut held = self.0.held();
            held.holder.detach();
            held.holder.step(now_ms(), &mut Wait::default(), &mut [], bits)
        };
        if let Step::Send(call) = step {
            self.clone().send(call).await;
        }
    }

    /// Returns the state of the lease.
    #[must_use]
    pub fn state(&self) -> State {
        self.0.held().holder.state()
    }

    async fn issue(&self, wait: Wait) -> Result<Vec<u64>, Error> {
        let mut request = self.0.request(wait);
        loop {
            match request.step() {
                Step::Done => return Ok(request.end()),
                Step::Send(call) => self.start(call),
                Step::Sleep { ms } => {
                    if let Some(error) = self.0.lasting() {
                        return Err(error);
                    }
                    sleep(Duration::from_millis(ms)).await;
                    request.wait.fired(ms);
                }
                Step::Failed { error, retry_in_ms } => {
                    return Err(self.0.error(error, retry_in_ms));
                }
            }
        }
    }

    /// Starts a call, which goes on if the request that needs it is dropped.
    fn start(&self, call: Call) {
        self.0.runtime.spawn(self.clone().send(call));
    }

    /// Sends a call, and gives the reply to the holder.
    async fn send(self, call: Call) {
        let Self(shared) = self;
        shared.held().failure = None;
        let began = Instant::now();
        let sent = timeout(ANSWER_MAX, shared.transport.send(&call)).await;
        let sent = sent.unwrap_or_else(|_| Err(Failure::Passing("no answer in 10 s".to_owned())));
        let (reply, failure) = match sent {
            Ok(reply) => (Ok(reply), None),
            Err(failure) => (reply_of(&failure), Some(failure)),
        };
        let mut held = shared.held();
        let outcome = held.holder.receive(now_ms(), call.number, reply);
        let cause = failure.as_ref().map(Failure::text);
        shared.report.called(outcome, began.elapsed(), &held.holder, cause);
        held.failure = failure;
    }
}

impl fmt::Debug for LeasedIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sequencer = self.0.report.sequencer();
        f.debug_struct("LeasedIds")
            .field("sequencer", &sequencer)
            .field("state", &self.state())
            .finish()
    }
}

impl Shared {
    fn request(&self, wait: Wait) -> Request<'_> {
        Request { shared: self, wait, ids: Vec::new() }
    }

    /// The holder is plain state, so a panic elsewhere leaves it whole.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the reason why no request can get an id until a person repairs something.
    fn lasting(&self) -> Option<Error> {
        let held = self.held();
        match &held.failure {
            Some(Failure::Lasting(error)) if held.holder.state() == State::Acquiring => {
                Some(error.clone())
            }
            _ => None,
        }
    }

    fn error(&self, error: LeaseError, retry_in_ms: Option<u64>) -> Error {
        if error == LeaseError::Refused(Refusal::UnknownSequencer) {
            let text = edgeflake_wire::unknown_sequencer(self.report.sequencer());
            return Error::new(error.code(), text).retry_in_ms(retry_in_ms);
        }
        match (&error, &self.held().failure) {
            (LeaseError::Refused(Refusal::InvalidConfiguration), Some(Failure::Lasting(error))) => {
                error.clone()
            }
            (LeaseError::AuthorityUnreachable, Some(failure)) => {
                let message = format!("{error}: {}", failure.text());
                Error::new(error.code(), message).retry_in_ms(retry_in_ms)
            }
            _ => Error::new(error.code(), error.to_string()).retry_in_ms(retry_in_ms),
        }
    }
}

impl Request<'_> {
    fn step(&mut self) -> Step {
        let mut held = self.shared.held();
        held.holder.issue(now_ms(), &mut self.wait, &mut self.ids, bits)
    }

    /// Returns the ids of a request that has them all.
    fn end(mut self) -> Vec<u64> {
        let ids = core::mem::take(&mut self.ids);
        self.shared.report.issued(ids.len());
        ids
    }
}

impl Failure {
    fn text(&self) -> &str {
        match self {
            Self::Passing(text) => text,
            Self::Lasting(error) => error.message(),
        }
    }
}

/// Returns the reply of a call that failed, as the holder takes it.
fn reply_of(failure: &Failure) -> Result<Reply, CallFailure> {
    match failure {
        Failure::Lasting(error) if error.code() == code::INVALID_CONFIGURATION => {
            Ok(Reply::Refused { refusal: Refusal::InvalidConfiguration, incarnation: 0 })
        }
        _ => Err(CallFailure),
    }
}

/// Returns the time of the system in Unix ms.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns 128 random bits.
///
/// # Panics
/// If the system gives none: two holders with one token would share a span.
#[expect(clippy::expect_used, reason = "without random bits nothing may go on")]
fn bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bits");
    u128::from_le_bytes(bytes)
}
