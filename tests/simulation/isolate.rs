//! Isolates, and the requests that they serve.

use edgeflake::lease::{Holder, Record, Wait};
use edgeflake::{SequenceStart, Span};

use crate::clock::Clock;
use crate::ledger::Lease;

/// The longest wait for ids where all is well, in ms.
pub(crate) const PROMISE_MS: u64 = 5_000;

/// The most ids that a small request wants.
pub(crate) const SMALL_MAX: usize = 1_000;

/// How far ahead large requests take ids, in ms.
const LARGE_AHEAD_MS: u64 = 20;

/// A process at the edge, with a holder for each sequencer.
pub(crate) struct Isolate {
    pub(crate) held: Vec<HolderSlot>,
    pub(crate) clock: Clock,
    pub(crate) place: u16,
    /// Until then nothing of it runs, in ms of the world.
    pub(crate) paused_until_ms: u64,
}

/// A holder, and a number of its own that tells it from the one before it.
pub(crate) struct HolderSlot {
    pub(crate) holder: Holder,
    pub(crate) life: u64,
    /// How many shards it believes that there are.
    pub(crate) shards: u64,
    /// The start of a tick as the newest grant says.
    pub(crate) start: SequenceStart,
    /// Where it writes down its lease, if it does.
    pub(crate) file: Option<File>,
    /// What was written down when another process took the file, which this one has not noticed.
    pub(crate) taken: Option<File>,
    /// The number of the call that asks for another node, if it does.
    pub(crate) swap: Option<u64>,
    /// How many ids all of its requests together have wanted.
    pub(crate) wanted: usize,
    /// When a small request failed, in ms of the world, and how many ids it had taken, which no client
    /// gets.
    pub(crate) failed: Vec<(u64, usize)>,
    /// When a request of this calm first failed because there was no sequencer, in ms of the world.
    pub(crate) missing_ms: Option<u64>,
}

/// What is written down, and outlives the isolate.
#[derive(Clone, Copy, Default)]
pub(crate) struct File(pub(crate) Option<Record>);

impl HolderSlot {
    pub(crate) fn lease(&self) -> Option<Lease> {
        let (mut span, incarnation) = (self.holder.span()?, self.holder.incarnation()?);
        if let Some(File(record)) = self.taken {
            // It issues up to what was written down, and nothing of what was not.
            let token = self.holder.record(0)?.grant.token;
            let record = record.filter(|record| record.grant.token == token)?;
            let until_tick = record.reserved_tick.min(span.until_tick());
            let layout = record.grant.config.layout();
            span = Span::new(layout, span.node(), span.from_tick(), until_tick).ok()?;
        }
        Some(Lease { life: self.life, incarnation, span })
    }

    /// It notices that another process has its file, and goes on with a new one.
    pub(crate) fn lose(&mut self) -> bool {
        let is_lost = self.taken.take().is_some();
        if is_lost {
            self.holder.lose();
            self.file = Some(File::default());
        }
        is_lost
    }

    /// A request failed at a time in ms of the world.
    pub(crate) fn fails(&mut self, now_ms: u64, client: &Client) {
        if client.count <= SMALL_MAX {
            self.failed.push((now_ms, client.noted));
        }
    }

    /// How many ids that may not be due at a time in ms of the world are lost with requests that
    /// failed.
    pub(crate) fn lost(&mut self, now_ms: u64) -> usize {
        self.failed.retain(|(failed_ms, _)| failed_ms + PROMISE_MS > now_ms);
        self.failed.iter().map(|(_, ids)| ids).sum()
    }

    /// Whether so many ids come in time after a time of its clock, in Unix ms. Without a lease
    /// nothing says how many the next batches have. With one, random starts and gaps may leave out
    /// half of the counters.
    pub(crate) fn has_room(&self, now_ms: u64, count: u64) -> bool {
        let (Some(span), Some(config)) = (self.holder.span(), self.holder.config()) else {
            return false;
        };
        let layout = config.layout();
        let is_valid = layout.tick(now_ms).is_ok_and(|tick| tick < span.until_tick());
        let least_ms = count * layout.tick_ms() / layout.ids_per_tick();
        is_valid && least_ms <= PROMISE_MS * 2 / 5
    }
}

/// A client that waits for ids.
pub(crate) struct Client {
    pub(crate) site: usize,
    pub(crate) isolate: usize,
    pub(crate) life: u64,
    /// How many ids it wants.
    pub(crate) count: usize,
    pub(crate) ids: Vec<u64>,
    /// How many of them the ledger knows.
    pub(crate) noted: usize,
    pub(crate) wait: Wait,
    /// The timer that it sleeps on.
    pub(crate) sleeps_ms: u64,
    pub(crate) since_ms: u64,
    /// Whether it must get its ids, and in time.
    pub(crate) is_promised: bool,
    /// How many ids the requests had wanted that were over when it came.
    pub(crate) before: usize,
    /// The lease that there was when it came, and how many ids the small requests before it wanted,
    /// or took in vain.
    pub(crate) span: Option<Span>,
    pub(crate) small: usize,
}

impl Client {
    /// The longest that it waits where the lease serves it, in ms: for the small requests before
    /// it, for what a large one takes at once, and for the ticks that both have begun.
    pub(crate) fn wait_most_ms(&self, tick_ms: u64) -> u64 {
        LARGE_AHEAD_MS + (self.small as u64 + 2) * tick_ms
    }
}
