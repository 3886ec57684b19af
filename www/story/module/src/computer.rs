use edgeflake::lease::{Error, Holder, Wait};

use crate::classic::Classic;

/// A computer that issues ids in two ways with one clock: with a lease, and in the classic way.
#[derive(Debug, Default)]
pub(crate) struct Computer {
    /// How far the computer's clock is ahead of the true time, in ms.
    pub(crate) ahead_ms: i64,
    pub(crate) holder: Holder,
    pub(crate) classic: Classic,
    /// The node of the computer's classic generator.
    pub(crate) classic_node: u64,
    /// The requests that wait for their ids.
    pub(crate) waiting: Vec<IdRequest>,
    /// The error of the newest request, if it failed.
    pub(crate) failure: Option<Error>,
}

/// A request for one id.
#[derive(Debug)]
pub(crate) struct IdRequest {
    pub(crate) wait: Wait,
    pub(crate) ids: Vec<u64>,
    pub(crate) since_ms: u64,
    /// The length of the request's timer in ms, and the time at which it fires.
    pub(crate) sleeps_ms: u64,
    pub(crate) wakes_ms: u64,
}

impl IdRequest {
    pub(crate) fn new(true_ms: u64) -> Self {
        let (since_ms, wakes_ms) = (true_ms, true_ms);
        Self { wait: Wait::of(1), ids: Vec::new(), since_ms, sleeps_ms: 0, wakes_ms }
    }
}

impl Computer {
    pub(crate) const fn clock_ms(&self, true_ms: u64) -> u64 {
        true_ms.saturating_add_signed(self.ahead_ms)
    }

    /// Takes out the first request whose timer has fired.
    pub(crate) fn wake(&mut self, true_ms: u64) -> Option<IdRequest> {
        let index = self.waiting.iter().position(|request| request.wakes_ms <= true_ms)?;
        let mut request = self.waiting.remove(index);
        request.wait.fired(request.sleeps_ms);
        Some(request)
    }
}
