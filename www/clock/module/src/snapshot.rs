use core::array::from_fn;

use edgeflake::lease::State;
use edgeflake::preset::EDGE;
use serde::Serialize;

use crate::shard::{ALLOWED_FUTURE_MS, LEASE_MS};
use crate::tally::Tally;
use crate::world::{PROCESSES, World};

/// Everything that the page shows besides dots and rectangles. Every time is in Unix ms.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Snapshot<'a> {
    true_ms: u64,
    lease_ms: u64,
    allowed_future_ms: u64,
    processes: [Process; PROCESSES],
    leased: &'a Tally,
    classic: &'a Tally,
    /// The number of rectangles that were granted.
    leases: usize,
    /// The first rule that the ledger found broken, if it found one.
    violation: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Process {
    clock_ms: u64,
    /// The time by which its clock is ahead.
    off_ms: i64,
    is_frozen: bool,
    /// The time by which its newest id is ahead of its clock.
    ahead_ms: i64,
    issued: u64,
    waiting: usize,
    failed: u64,
    classic_node: u64,
    lease: Option<Lease>,
    is_renewing: bool,
    /// The reason why a request would get no id now.
    why: Option<String>,
    /// The reason why the newest request failed.
    refusal: Option<String>,
}

/// The lease that a holder has, as far as the holder knows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Lease {
    node: u64,
    until_ms: u64,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn of(world: &'a mut World) -> Self {
        let processes = from_fn(|index| Process::of(world, index));
        let World { true_ms, leased, classic, shard, .. } = world;
        Self {
            true_ms: *true_ms,
            lease_ms: LEASE_MS,
            allowed_future_ms: ALLOWED_FUTURE_MS,
            processes,
            leased,
            classic,
            leases: shard.leases.len(),
            violation: shard.ledger.violation(),
        }
    }
}

impl Process {
    fn of(world: &mut World, index: usize) -> Self {
        let true_ms = world.true_ms;
        let classic_node = world.classic_node(index);
        let process = &mut world.processes[index];
        let clock_ms = process.clock.now_ms(true_ms);
        let since = |ms: u64, from_ms: u64| ms.cast_signed() - from_ms.cast_signed();
        Self {
            clock_ms,
            off_ms: since(clock_ms, true_ms),
            is_frozen: process.clock.is_frozen(),
            ahead_ms: process.newest_ms.map_or(0, |newest_ms| since(newest_ms, clock_ms)),
            issued: process.issued,
            waiting: process.waiting.len(),
            failed: process.failed,
            classic_node,
            lease: process.holder.span().map(|span| Lease {
                node: span.node(),
                until_ms: EDGE.start_ms(span.until_tick()),
            }),
            is_renewing: process.holder.state() == State::Renewing,
            why: process.holder.ready(clock_ms).err().map(|error| error.to_string()),
            refusal: process.refusal.map(|error| error.to_string()),
        }
    }
}
