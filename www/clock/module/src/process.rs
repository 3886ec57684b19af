use edgeflake::lease::{Error, Holder, Wait};
use edgeflake_world::Clock;

use crate::classic::Classic;

/// A process that issues ids with a lease, and others in the classic way.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub(crate) clock: Clock,
    pub(crate) holder: Holder,
    pub(crate) classic: Classic,
    /// The requests that wait for their ids.
    pub(crate) waiting: Vec<IdRequest>,
    pub(crate) issued: u64,
    pub(crate) failed: u64,
    /// The error of the newest request that failed. It is `None` once a request has its id again.
    pub(crate) refusal: Option<Error>,
    /// The time of the newest id, in Unix ms.
    pub(crate) newest_ms: Option<u64>,
}

/// A request for one id.
#[derive(Debug)]
pub(crate) struct IdRequest {
    pub(crate) wait: Wait,
    pub(crate) ids: Vec<u64>,
    pub(crate) since_ms: u64,
    /// The length of the timer that it sleeps on, in ms, and the time at which that fires.
    pub(crate) sleeps_ms: u64,
    pub(crate) wakes_ms: u64,
}

impl IdRequest {
    pub(crate) fn new(true_ms: u64) -> Self {
        Self {
            wait: Wait::of(1),
            ids: Vec::new(),
            since_ms: true_ms,
            sleeps_ms: 0,
            wakes_ms: true_ms,
        }
    }
}

impl Process {
    /// Takes out the first request whose timer has fired.
    pub(crate) fn wake(&mut self, true_ms: u64) -> Option<IdRequest> {
        let index = self.waiting.iter().position(|request| request.wakes_ms <= true_ms)?;
        let mut request = self.waiting.remove(index);
        request.wait.fired(request.sleeps_ms);
        Some(request)
    }
}
