//! Isolates, and the requests that they serve.

use edgeflake::lease::{Holder, Record, Wait};
use edgeflake::{SequenceStart, Span};
use edgeflake_world::{Answered, Clock, Lease};

/// The longest wait for ids while all is well, in ms.
pub(crate) const PROMISE_MS: u64 = 5_000;

/// The most ids of a small request.
pub(crate) const SMALL_MAX: usize = 1_000;

/// How far ahead of the allowed future large requests take ids, in ms.
const LARGE_AHEAD_MS: u64 = 20;

/// A process at the edge, with a holder for each sequencer.
pub(crate) struct Isolate {
    pub(crate) held: Vec<HolderSlot>,
    pub(crate) clock: Clock,
    pub(crate) place: u16,
    /// Whether the isolate runs an older version of the code, as some do during a deploy.
    pub(crate) is_old: bool,
    /// The isolate does not run until this time, in ms of the world.
    pub(crate) paused_until_ms: u64,
}

/// The holder of one sequencer in an isolate. `life` is a number that no other holder has.
#[derive(Default)]
pub(crate) struct HolderSlot {
    pub(crate) holder: Holder,
    pub(crate) life: u64,
    /// Number of shards as the holder knows it.
    pub(crate) shards: u64,
    /// Where a tick's sequence starts, according to the newest grant.
    pub(crate) start: SequenceStart,
    /// The file in which the holder records its lease, if it has one.
    pub(crate) file: Option<File>,
    /// The content of the holder's file when another process took the file, as long as the holder
    /// has not noticed this.
    pub(crate) taken: Option<File>,
    /// The number of the call that asks for another node, if there is one.
    pub(crate) swap: Option<u64>,
    /// Total number of ids that the holder's requests have wanted.
    pub(crate) wanted: usize,
    /// For each small request that failed or was cancelled: the time of this, in ms of the world,
    /// and the number of ids that the request had taken.
    pub(crate) failed: Vec<(u64, usize)>,
    /// When a request of this calm first failed because there was no sequencer, in ms of the world.
    pub(crate) missing_ms: Option<u64>,
    /// When a cancelled request last gave back its ids, in ms of the world.
    pub(crate) returned_ms: u64,
    /// How far, at least, the authority's clock was ahead of the holder's at the grant, in ms.
    pub(crate) behind_ms: u64,
}

/// The content of a file: a holder's record, if one was written. A file outlives its isolate.
#[derive(Clone, Copy, Default)]
pub(crate) struct File(pub(crate) Option<Record>);

impl HolderSlot {
    pub(crate) fn lease(&self) -> Option<Lease> {
        let (mut span, incarnation) = (self.holder.span()?, self.holder.incarnation()?);
        if let Some(File(record)) = self.taken {
            // The holder still issues the ids that its record reserves, and no later ones.
            let token = self.holder.record(0)?.grant.token;
            let record = record.filter(|record| record.grant.token == token)?;
            let until_tick = record.reserved_tick.min(span.until_tick());
            let layout = record.grant.config.layout();
            span = Span::new(layout, span.node(), span.from_tick(), until_tick).ok()?;
        }
        Some(Lease { life: self.life, incarnation, span })
    }

    /// If another process has taken the file, lets the holder notice this and continue with a new
    /// file. Returns whether the file was taken.
    pub(crate) fn lose(&mut self) -> bool {
        let is_lost = self.taken.take().is_some();
        if is_lost {
            self.holder.lose();
            self.file = Some(File::default());
        }
        is_lost
    }

    /// Notes a small request that failed or was cancelled, at a time in ms of the world.
    pub(crate) fn fails(&mut self, now_ms: u64, client: &Client) {
        if client.count <= SMALL_MAX {
            self.failed.push((now_ms, client.noted));
        }
    }

    /// Returns the number of ids that were lost in the last [`PROMISE_MS`] before a time in ms of
    /// the world: small requests took these ids and then failed. Some of these ids may still be
    /// ahead of the clock, so that later requests wait longer.
    pub(crate) fn lost(&mut self, now_ms: u64) -> usize {
        self.failed.retain(|(failed_ms, _)| failed_ms + PROMISE_MS > now_ms);
        self.failed.iter().map(|(_, ids)| ids).sum()
    }

    /// Whether `count` ids are available in time, if the holder's clock shows `now_ms`, in Unix ms.
    /// Without a lease this is unknown, because the size of the next batches is unknown. With a
    /// lease, random starts and gaps may leave out half of the counters.
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
    pub(crate) count: usize,
    pub(crate) ids: Vec<u64>,
    /// The largest ids that clients of this life had got when this client came.
    pub(crate) answered: Answered,
    /// Number of this client's ids that the ledger knows.
    pub(crate) noted: usize,
    pub(crate) wait: Wait,
    /// Length of the timer for which the client waits, in ms.
    pub(crate) sleeps_ms: u64,
    pub(crate) since_ms: u64,
    /// Whether the client must get its ids in time.
    pub(crate) is_promised: bool,
    /// Total number of ids that the holder's ended requests had wanted when this client came.
    pub(crate) before: usize,
    /// The holder's span when this client came.
    pub(crate) span: Option<Span>,
    /// Number of ids that waiting small requests wanted when this client came, and that failed
    /// small requests had taken.
    pub(crate) small: usize,
}

impl Client {
    /// The longest wait of this client while the lease serves it, in ms. The client waits for
    /// earlier small requests, for the ids that a large request takes at once, and for the ticks
    /// that these requests have begun.
    pub(crate) fn wait_most_ms(&self, tick_ms: u64) -> u64 {
        LARGE_AHEAD_MS + (self.small as u64 + 2) * tick_ms
    }
}
