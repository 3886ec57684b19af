//! Isolates, and the requests that they serve.

use edgeflake::SequenceStart;
use edgeflake::lease::{Holder, Record, Wait};

use crate::clock::Clock;
use crate::ledger::Lease;

/// A process at the edge, with a holder for each sequencer.
pub(crate) struct Isolate {
    pub(crate) held: Vec<Held>,
    pub(crate) clock: Clock,
    pub(crate) place: u16,
    /// Until then nothing of it runs, in ms of the world.
    pub(crate) paused_until_ms: u64,
}

/// A holder, and a number of its own that tells it from the one before it.
pub(crate) struct Held {
    pub(crate) holder: Holder,
    pub(crate) life: u64,
    /// How many shards it believes that there are.
    pub(crate) shards: u64,
    /// As the newest grant says.
    pub(crate) start: SequenceStart,
    /// Where it writes down its lease, if it does.
    pub(crate) file: Option<File>,
}

/// What is written down, and outlives the isolate.
#[derive(Clone, Copy, Default)]
pub(crate) struct File(pub(crate) Option<Record>);

impl Held {
    pub(crate) fn lease(&self) -> Option<Lease> {
        let (span, incarnation) = (self.holder.span()?, self.holder.incarnation()?);
        Some(Lease { life: self.life, incarnation, span })
    }
}

/// Somebody who waits for ids.
pub(crate) struct Client {
    pub(crate) site: usize,
    pub(crate) isolate: usize,
    pub(crate) life: u64,
    pub(crate) ids: Vec<u64>,
    /// How many of them the ledger knows.
    pub(crate) noted: usize,
    pub(crate) wait: Wait,
    /// The timer that it sleeps on.
    pub(crate) sleeps_ms: u64,
    pub(crate) since_ms: u64,
    /// Whether it must get its ids, and in time.
    pub(crate) is_promised: bool,
}
