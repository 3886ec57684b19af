use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use edgeflake::lease::{Call, Error as LeaseError, Holder, State, Step, Wait};
use edgeflake::{code, now_ms};
use edgeflake_wire::DEFAULT_SEQUENCER;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use crate::error::{Error, check_name};
use crate::report::Report;
use crate::shared::{Issuer, Shared, bits, reply_of};
use crate::transport::{Failure, Transport};

/// The longest wait for the answer to one call to the authority. The holder repeats an unanswered
/// call after 1.5 s to 12 s, even while an earlier try still waits for its answer.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// The largest number of ids that one request may ask for.
const COUNT_MAX: usize = 100_000;

/// Issues the ids of one leased node. Clones share the lease.
///
/// If you drop the future of a call, each id that the call has already taken goes to a later call,
/// or is never issued.
#[derive(Clone)]
pub struct LeasedIds(Arc<Shared>);

/// The options of a [`LeasedIds`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Builder {
    authority: String,
    token: Option<String>,
    sequencer: Option<String>,
    prefetches: bool,
}

impl LeasedIds {
    /// Returns a builder, which sets the options of a generator.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(
        sequencer: String,
        transport: Arc<dyn Transport>,
        holder: Holder,
        runtime: Handle,
    ) -> Self {
        let issuer = Mutex::new(Issuer { holder, failure: None });
        Self(Arc::new(Shared { issuer, transport, report: Report::new(sequencer), runtime }))
    }

    /// Returns the next id. Waits at most 5 s: for a lease, or for the clock if the id would be
    /// ahead of the clock by more than the allowed future.
    ///
    /// # Errors
    /// - After `authority-unreachable`, `unexpected-reply`, `no-node-free`, `batches-exhausted`,
    ///   `overloaded`, `exhausted`, `clock-back`, `clock-disagreement` and `other-incarnation`,
    ///   another try may succeed: see [`Error::retry_in`].
    /// - The call returns other errors without a wait, such as `unauthorized`, `forbidden`,
    ///   `unknown-sequencer`, `sequencer-destroyed`, `invalid-configuration`, `layout-ended` and
    ///   `detached`.
    pub async fn next(&self) -> Result<u64, Error> {
        Ok(self.issue(Wait::of(1)).await?[0])
    }

    /// Returns the next id, with `tag` in the tag fields of the layout.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next), and `too-large` if the tag is wider than the tag fields.
    pub async fn next_tagged(&self, tag: u64) -> Result<u64, Error> {
        Ok(self.issue(Wait::of(1).tagged(tag)).await?[0])
    }

    /// Returns exactly `count` ids; `count` is 1 to 100,000.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next), and `invalid-number` if `count` is not allowed.
    pub async fn batch(&self, count: usize) -> Result<Vec<u64>, Error> {
        if !(1..=COUNT_MAX).contains(&count) {
            let message = format!("count is {count}: give 1 to {COUNT_MAX}");
            return Err(Error::new(code::INVALID_NUMBER, message));
        }
        self.issue(Wait::of(count)).await
    }

    /// Returns the next id from memory, for code that cannot await. If memory has no id, calls the
    /// authority in the background.
    ///
    /// # Errors
    /// `not-ready` until the authority has answered, and the errors of [`next`](Self::next).
    pub fn try_next(&self) -> Result<u64, Error> {
        for slept_ms in [0, Wait::MAX_MS] {
            let mut request = self.0.request(Wait::impatient(1));
            // The second pass pretends that the request has waited as long as it may. So the
            // request fails, and its error says why there is no id.
            request.wait.fired(slept_ms);
            loop {
                match request.step() {
                    Step::Done => return Ok(request.end()[0]),
                    Step::Send(call) => self.start(call),
                    Step::Sleep { .. } => break,
                    Step::Failed { error: LeaseError::AuthorityUnreachable, retry_in_ms } => {
                        let text = "no id is in memory yet, but a lease was requested: try again";
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

    /// Gives the lease back, so that its node is free at once. The generator and its clones issue
    /// no more ids. Resolves when the authority has answered, or after 10 s.
    pub async fn shutdown(&self) {
        let step = {
            let mut issuer = self.0.issuer();
            issuer.holder.detach();
            issuer.holder.step(now_ms(), &mut Wait::default(), &mut [], bits)
        };
        if let Step::Send(call) = step {
            self.clone().send(call).await;
        }
    }

    /// Returns the state of the lease.
    #[must_use]
    pub fn state(&self) -> State {
        self.0.issuer().holder.state()
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

    /// Starts a call to the authority. The call continues even if the request that needs the call
    /// is dropped.
    fn start(&self, call: Call) {
        self.0.runtime.spawn(self.clone().send(call));
    }

    /// Sends a call to the authority, and gives the reply to the holder.
    async fn send(self, call: Call) {
        let Self(shared) = self;
        shared.issuer().failure = None;
        let began = Instant::now();
        let sent = timeout(ANSWER_MAX, shared.transport.send(&call)).await;
        let sent = sent.unwrap_or_else(|_| Err(Failure::Passing("no answer in 10 s".to_owned())));
        let (reply, failure) = match sent {
            Ok(reply) => (Ok(reply), None),
            Err(failure) => (reply_of(&failure), Some(failure)),
        };
        let mut issuer = shared.issuer();
        let outcome = issuer.holder.receive(now_ms(), call.number, reply);
        shared.report.called(outcome, began.elapsed(), &issuer.holder, failure.as_ref());
        issuer.failure = failure;
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

impl Builder {
    /// Sets the URL of the authority, such as `https://ids.example.com`. With the feature
    /// `postgres`, the URL of a database is allowed, too: `postgres://user:password@host/database`.
    pub fn authority(mut self, url: impl Into<String>) -> Self {
        self.authority = url.into();
        self
    }

    /// Sets the secret that the holder sends: the value of the authority's `EDGEFLAKE_LEASE_TOKEN`.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets the name of the sequencer (a series of ids). Without this call, the name is `default`.
    pub fn sequencer(mut self, name: impl Into<String>) -> Self {
        self.sequencer = Some(name.into());
        self
    }

    /// Makes the generator fetch ids in batches, without a lease. Choose this option if you have
    /// more processes than the layout has nodes.
    pub fn batches(mut self) -> Self {
        self.prefetches = true;
        self
    }

    /// Makes the generator, which sends nothing yet. Call this method within a tokio runtime,
    /// because the generator calls the authority in this runtime.
    ///
    /// # Errors
    /// `invalid-option` if the URL, token or name cannot be used, or if there is no tokio runtime.
    pub fn build(self) -> Result<LeasedIds, Error> {
        let sequencer = self.sequencer.unwrap_or_else(|| DEFAULT_SEQUENCER.to_owned());
        check_name(&sequencer)?;
        let transport = transport(&self.authority, self.token.as_deref(), &sequencer)?;
        let holder = if self.prefetches { Holder::prefetching() } else { Holder::new() };
        with_transport(sequencer, transport, holder)
    }
}

/// Returns the transport for the URL of an authority.
fn transport(url: &str, token: Option<&str>, sequencer: &str) -> Result<Arc<dyn Transport>, Error> {
    let is_database = url.starts_with("postgres://") || url.starts_with("postgresql://");
    #[cfg(feature = "postgres")]
    if is_database {
        if token.is_some() {
            return Err(Error::option("token is given, but PostgreSQL takes none: leave it out"));
        }
        return Ok(Arc::new(crate::postgres::Postgres::new(url, sequencer)?));
    }
    #[cfg(feature = "http")]
    if !is_database {
        return Ok(Arc::new(crate::http::Http::new(url, token, sequencer)?));
    }
    let feature = if is_database { "postgres" } else { "http" };
    Err(Error::option(format!(
        "authority needs the feature {feature} of edgeflake-client, which is off: enable it"
    )))
}

/// Makes a generator that calls its authority through a transport.
pub(crate) fn with_transport(
    sequencer: String,
    transport: Arc<dyn Transport>,
    holder: Holder,
) -> Result<LeasedIds, Error> {
    let runtime = Handle::try_current()
        .map_err(|_| Error::option("there is no tokio runtime here: call build within one"))?;
    Ok(LeasedIds::new(sequencer, transport, holder, runtime))
}
