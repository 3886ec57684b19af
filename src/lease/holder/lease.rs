use crate::generator::Generator;
use crate::lease::error::Error;
use crate::lease::message::{Grant, Release, Renew};
use crate::span::Span;

/// Longest wait for a clock that went back, in ms. If the clock takes longer to catch up, the
/// holder swaps the lease. One of the generators that we compare with (the queue variant) has the
/// same limit.
pub(super) const BACK_WAIT_MAX_MS: u64 = 15;

/// How far ahead of the ids the record reserves, in ms. While ids are issued, the record is written
/// each time this much has passed, and a write takes some ms on a slow disk. Without an allowed
/// future, the first id after a restart may wait this long for the clock.
pub(super) const RESERVED_MS: u64 = 1_000;

/// A span that a holder was granted, and what it needs to use and renew the span.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(super) struct Lease {
    /// The grant, with the span and the terms of the newest renewal.
    pub(super) grant: Grant,
    /// The generator of the span or, in a storing holder, of the part that the record allows.
    pub(super) generator: Generator,
    /// The tick from which the lease is renewed: half a lease before the end of the span, or
    /// somewhat later. `None` once the authority has said that the lease ended, or when the span
    /// reaches the end of the layout.
    pub(super) renew_from_tick: Option<u64>,
    /// Whether no id may be issued yet, because no record of this lease is written.
    pub(super) unwritten: bool,
    /// Whether the holder resumed the lease from a record.
    pub(super) resumed: bool,
    /// The time at which the last id that a request waits for comes within the allowed future, and
    /// the latest time that the clock has shown, both in Unix ms.
    pub(super) due_ms: u64,
    pub(super) latest_ms: u64,
}

impl Lease {
    /// Raises the end of the span.
    pub(super) fn extend(&mut self, until_tick: u64) -> Result<(), Error> {
        let span = &mut self.grant.span;
        if until_tick > span.until_tick() {
            *span = Span::new(self.generator.layout(), span.node(), span.from_tick(), until_tick)?;
        }
        Ok(())
    }

    /// Whether the span still has the next id, although the generator's part of it has ended.
    pub(super) fn reaches_further(&self, now_ms: u64) -> bool {
        self.next_tick(now_ms) < self.grant.span.until_tick()
    }

    /// The tick of the next id at a time in Unix ms: the clock's or the generator's, whichever is
    /// later.
    pub(super) fn next_tick(&self, now_ms: u64) -> u64 {
        self.generator.tick().max(self.generator.layout().tick_clamped(now_ms))
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

    /// Whether a swap shortens this wait. It does after the clock went back, because another node
    /// still has counters for the clock's time. If this generator has issued nothing, a swap does
    /// not help, because its own node still has them.
    pub(super) fn swap_helps(&self, retry_in_ms: u64) -> bool {
        let longest_ms = match (self.generator.statistics().issued, self.resumed) {
            (0, false) => return false,
            // After a restart, wait until the clock has passed the ticks that were reserved before.
            (0, true) => RESERVED_MS,
            _ => BACK_WAIT_MAX_MS,
        };
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
