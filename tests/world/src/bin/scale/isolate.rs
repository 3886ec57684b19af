//! An isolate, and the requests that reach it.

use edgeflake::lease::{Holder, Wait};
use edgeflake_world::Task;

/// The world simulates one request of an isolate step by step. The isolate's other requests come at
/// its rate, and have the same outcome.
#[derive(Default)]
pub(crate) struct Isolate {
    pub(crate) holder: Holder,
    /// A number that changes when another isolate starts here. It is 0 if there is no isolate.
    pub(crate) life: u32,
    pub(crate) place: u16,
    /// Requests per second.
    pub(crate) rate: f64,
    pub(crate) ends_ms: u64,
    /// The simulated request, if it waits.
    pub(crate) client: Option<Client>,
    /// The time since which requests wait, if they do, in ms.
    pub(crate) waits_since_ms: Option<u64>,
}

pub(crate) struct Client {
    pub(crate) wait: Wait,
    pub(crate) since_ms: u64,
    /// Length of the timer for which the client waits, in ms.
    pub(crate) sleeps_ms: u64,
}

impl Client {
    pub(crate) fn new(now_ms: u64) -> Self {
        Self { wait: Wait::default(), since_ms: now_ms, sleeps_ms: 0 }
    }
}

/// A call on its way.
pub(crate) struct Job {
    pub(crate) isolate: u32,
    pub(crate) life: u32,
    pub(crate) number: u64,
    pub(crate) task: Task,
}
