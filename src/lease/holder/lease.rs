use super::load::Load;
use super::returned::Returned;
use crate::generator::Generator;
use crate::lease::error::Error;
use crate::lease::message::{Grant, Release, Renew};
use crate::span::Span;

/// The longest wait for a clock that went back, in ms. If the clock takes longer to catch up, the
/// holder swaps the lease for a lease of another node. The generator in the article that describes
/// the layout `worker-queue` has the same limit.
pub(super) const BACK_WAIT_MAX_MS: u64 = 15;

/// The time, in ms, for which the record of a storing holder reserves ticks ahead. While ids are
/// issued, the record is written once in this time; a write takes a few ms on a slow disk. If no
/// future is allowed, the first id after a restart may have to wait for the clock for this time.
pub(super) const RESERVED_MS: u64 = 1_000;

/// A span that a holder was granted, and the state that the holder needs to use and renew the span.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(super) struct Lease {
    /// The grant, with the span and the terms of the newest renewal.
    pub(super) grant: Grant,
    /// The generator of the span or, in a storing holder, of the part of the span that the record
    /// reserves.
    pub(super) generator: Generator,
    /// The tick from which the lease is renewed: half a lease before the end of the span, or
    /// somewhat later. It is `None` if the authority has said that the lease has ended, or if the
    /// span reaches the end of the layout.
    pub(super) renew_from_tick: Option<u64>,
    /// Whether no id may be issued yet, because this lease has no record on the disk.
    pub(super) unwritten: bool,
    /// Whether the holder resumed the lease from a record.
    pub(super) resumed: bool,
    /// The latest time, in Unix ms, that the authority's clock has certainly passed, and the number
    /// of ms by which the holder's clock was behind this time at the grant.
    pub(super) passed_ms: u64,
    pub(super) behind_ms: u64,
    /// The time at which the last id that a request waits for will be within the allowed future,
    /// and the latest [time](Self::time_ms) so far. Both are in Unix ms.
    pub(super) due_ms: u64,
    pub(super) latest_ms: u64,
    /// The ids of requests whose callers have left. Other requests may take these ids.
    pub(super) returned: Returned,
    pub(super) load: Load,
}

impl Lease {
    /// Compares the holder's clock, which shows `now_ms` at the grant, with the authority's. The
    /// start of the span shows a time that the authority's clock has passed, because no span begins
    /// beyond the allowed future.
    pub(super) fn compare_clocks(&mut self, now_ms: u64) {
        let start_ms = self.generator.layout().start_ms(self.grant.span.from_tick());
        self.passed_ms = start_ms.saturating_sub(self.grant.terms.allowed_future_ms);
        self.behind_ms = self.passed_ms.saturating_sub(now_ms);
    }

    /// Returns the time for the generator when the holder's clock shows `now_ms`. A clock that was
    /// behind at the grant is corrected, but by at most `behind_ms`, because timers may fire early.
    pub(super) fn time_ms(&self, now_ms: u64) -> u64 {
        now_ms + self.behind_ms.min(self.passed_ms.saturating_sub(now_ms))
    }

    /// Raises the end of the span.
    pub(super) fn extend(&mut self, until_tick: u64) -> Result<(), Error> {
        let span = &mut self.grant.span;
        if until_tick > span.until_tick() {
            *span = Span::new(self.generator.layout(), span.node(), span.from_tick(), until_tick)?;
        }
        Ok(())
    }

    /// Returns whether the span has another id after the part of the span that the record reserves.
    pub(super) fn reaches_further(&self, time_ms: u64) -> bool {
        self.next_tick(time_ms) < self.grant.span.until_tick()
    }

    /// Returns the tick of the next id at a time in Unix ms: the tick of that time or the
    /// generator's tick, whichever is later.
    pub(super) fn next_tick(&self, time_ms: u64) -> u64 {
        self.generator.tick().max(self.generator.layout().tick_clamped(time_ms))
    }

    /// Plans the renewal for half a lease before the end, or later by up to an eighth of the lease,
    /// so that isolates that started together do not renew together.
    pub(super) fn plan_renewal(&mut self, random: u64) {
        let (layout, until_tick) = (self.generator.layout(), self.grant.span.until_tick());
        let lease_ticks = layout.ticks_in(self.grant.terms.lease_ms);
        let later = u64::from(random.to_le_bytes()[0]) * (lease_ticks / 8) / u64::from(u8::MAX);
        self.renew_from_tick = (until_tick < layout.ticks())
            .then(|| until_tick.saturating_sub(lease_ticks / 2).saturating_add(later));
    }

    /// Returns whether swapping the lease shortens this wait. A swap helps if the clock went back,
    /// because the span of another node begins at the authority's time.
    pub(super) fn swap_helps(&self, retry_in_ms: u64) -> bool {
        // After a restart, the holder waits until the clock has passed the ticks that were reserved
        // before the restart.
        let is_after_restart = self.resumed && self.generator.statistics().issued == 0;
        let longest_ms = if is_after_restart { RESERVED_MS } else { BACK_WAIT_MAX_MS };
        retry_in_ms > longest_ms.max(self.generator.layout().tick_ms())
    }

    pub(super) fn shard(&self) -> u64 {
        self.grant.config.shard_of(self.generator.span().node()).unwrap_or(0)
    }

    pub(super) fn renew(&self, now_ms: u64) -> Renew {
        Renew {
            token: self.grant.token,
            incarnation: self.grant.incarnation,
            node: self.generator.span().node(),
            tick: self.generator.tick(),
            issued: self.issued(),
            now_ms,
        }
    }

    fn issued(&self) -> Option<u64> {
        self.grant.terms.statistics.then(|| self.generator.statistics().issued)
    }

    /// Closes the generator for good, and returns the release with its shard.
    pub(super) fn close(self) -> (u64, Release) {
        let (shard, issued) = (self.shard(), self.issued());
        let Self { grant: Grant { token, incarnation, .. }, generator, .. } = self;
        let node = generator.span().node();
        let until_tick = generator.close();
        (shard, Release { token, incarnation, node, until_tick, issued })
    }
}
