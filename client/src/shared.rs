use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgeflake::lease::{
    CallFailure, Error as LeaseError, Holder, Refusal, Reply, State, Step, Wait,
};
use edgeflake::{code, now_ms};
use tokio::runtime::Handle;

use crate::error::Error;
use crate::report::Report;
use crate::transport::{Failure, Transport};

/// The state that all clones of a generator share.
pub(crate) struct Shared {
    pub(crate) issuer: Mutex<Issuer>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) report: Report,
    pub(crate) runtime: Handle,
}

/// The holder, which issues the ids. Only one request at a time uses the holder.
pub(crate) struct Issuer {
    pub(crate) holder: Holder,
    /// The reason why the newest call to the authority failed.
    pub(crate) failure: Option<Failure>,
}

/// A request for ids. If the request's future is dropped, the request's place in the queue becomes
/// free.
pub(crate) struct Request<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) wait: Wait,
    pub(crate) ids: Vec<u64>,
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.shared.issuer().holder.cancel(&mut self.wait, &mut self.ids);
    }
}

impl Shared {
    pub(crate) fn request(&self, wait: Wait) -> Request<'_> {
        Request { shared: self, wait, ids: Vec::new() }
    }

    /// Locks the issuer. Ignores an earlier panic of a thread that held the lock, because the
    /// holder is consistent even after a panic.
    pub(crate) fn issuer(&self) -> MutexGuard<'_, Issuer> {
        self.issuer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// If no request can succeed until a person repairs something, returns the error of the newest
    /// call.
    pub(crate) fn lasting(&self) -> Option<Error> {
        let issuer = self.issuer();
        match &issuer.failure {
            Some(Failure::Lasting(error)) if issuer.holder.state() == State::Acquiring => {
                Some(error.clone())
            }
            _ => None,
        }
    }

    pub(crate) fn error(&self, error: LeaseError, retry_in_ms: Option<u64>) -> Error {
        if error == LeaseError::Refused(Refusal::UnknownSequencer) {
            let text = self.transport.unknown_sequencer(self.report.sequencer());
            return Error::new(error.code(), text).retry_in_ms(retry_in_ms);
        }
        match (&error, &self.issuer().failure) {
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
    pub(crate) fn step(&mut self) -> Step {
        let mut issuer = self.shared.issuer();
        issuer.holder.issue(now_ms(), &mut self.wait, &mut self.ids, bits)
    }

    /// Ends a request that has all its ids, and returns the ids.
    pub(crate) fn end(mut self) -> Vec<u64> {
        let ids = core::mem::take(&mut self.ids);
        self.shared.report.issued(ids.len());
        ids
    }
}

/// Converts the failure of a call to the result that the holder expects.
pub(crate) fn reply_of(failure: &Failure) -> Result<Reply, CallFailure> {
    match failure {
        Failure::Lasting(error) if error.code() == code::INVALID_CONFIGURATION => {
            Ok(Reply::refused(Refusal::InvalidConfiguration, None))
        }
        _ => Err(CallFailure),
    }
}

/// Returns 128 random bits.
///
/// # Panics
/// If the system provides no random bits. Without random bits, two holders could draw equal tokens,
/// and then issue ids from the same span.
#[expect(clippy::expect_used, reason = "without random bits, two holders could share a lease")]
pub(crate) fn bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bits");
    u128::from_le_bytes(bytes)
}
