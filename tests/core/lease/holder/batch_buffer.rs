//! Batches while no node is free: how many ids each has, how long it is used, and what ends it.

use edgeflake::lease::{Call, Holder, Reply, Request, Step, Terms, Wait};

use super::isolate::{Isolate, Shard, terms};
use super::transcript::Player;
use crate::lease::transcript::transcripts;

transcripts! { Player:
    #[test]
    fn s34_h5_h13_where_no_node_is_free_ids_come_from_batches_until_there_is_one() "
        // The first call for a batch comes at once, without a pause.
        a=1 -> acquire t0; refused full ms=60000 -> no-node-free; a -> prefetch
        batch 100 -> prefetched [batching]; a -> 0:1000.0
        // The holder asks for a span after about 2 s, then after twice as long, and no request waits for
        // it. Once it is granted, no more batches are fetched.
        @3007 id -> 0:1000.1; @3030 id -> acquire t0 i3, 1 taken; id -> 0:1000.3
        refused full ms=60000 -> no-node-free; id -> 0:1001.0; @7077 id -> 0:1001.1
        @7137 id -> acquire t0 i3, 1 taken; grant 7 7137 7237 -> acquired [attached]; id -> 7:7137.0
        @7236 id -> renew t0 i3 7@7236 issued 2 to 0, 1 taken [renewing]; ended -> ended [attached]
        @7237 id -> acquire t1 i3 [acquiring]; refused full ms=60000 -> no-node-free [attached]
        a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1026.0
    "

    /// The first request of a holder that only prefetches has as many ids as the authority says, or
    /// as are missing.
    #[test]
    fn h20_one_is_fetched_while_one_is_used() "
        new prefetching; ids 2 -> prefetch 100; new prefetching; ids 100 -> prefetch 100
        new prefetching; ids 101 -> prefetch 101
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]
        layout -> timestamp:40 node:4 sequence:2 @0 tick=1ms; incarnation -> Some(3); a -> 0:1000.0
        ids 49 -> 0:1000.1..=1012.1
        // No request waits for the batch.
        id -> prefetch 100, 1 taken; ids 48 -> 0:1012.3..=1024.2; a=1 -> 0:1024.3 [acquiring]
        batch 100 -> prefetched [batching]; a -> 0:1024.3; ids 40 -> 0:1026.0..=1035.3
        detach -> [detached]; id -> detached; attach -> [acquiring]; id -> prefetch
    "

    #[test]
    fn a_large_request_is_filled_from_several_batches() "
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        a=1000 -> prefetch 901, 99 taken [acquiring]; batch 901 -> prefetched [batching]
        a -> prefetch 1802, 1000 taken [acquiring]; batch 1802 -> prefetched [batching]
        a -> 0:1000.1..=1251.0
    "

    #[test]
    fn h8_a_holder_may_say_how_many_ids_a_batch_has_and_how_long_it_is_used() "
        new prefetching count=10 validity=50; a=1 -> prefetch 10; batch 10 -> prefetched [batching]
        a -> 0:1000.0; @1049 id -> 0:1000.1; @1050 a=1 -> prefetch 10; batch 10 -> prefetched
        a -> 0:1003.0
        // The configured size outlasts the prefetched batch.
        detach -> [detached]; attach -> [acquiring]; ids 5 -> prefetch 10
        new prefetching validity=0; @1000 a=1 -> prefetch; batch 100 -> prefetched [batching]
        @9999999999 id -> 0:1000.0
    "

    /// The clock has gone back since the batch came.
    #[test]
    fn a_batch_of_the_future_is_valid() "
        new prefetching; @5000 id -> prefetch; batch 100 -> prefetched [batching]
        @1000 id -> 0:1000.0
    "

    #[test]
    fn large_requests_leave_small_ones_their_ids() "
        new prefetching; A=2000 -> prefetch 1000; B=1 -> sleep 1; batch 500 -> prefetched [batching]
        A -> prefetch 100, 499 taken; B -> 0:1124.3 [acquiring]
        // A request that vanished long ago keeps no ids.
        C=1 -> sleep 1; batch 10 -> prefetched [batching]; A -> prefetch 1000, 508 taken
        @6001 D=1 -> prefetch 100, try 1, 1 taken [acquiring]
    "

    #[test]
    fn where_there_is_no_batch_either_a_span_is_asked_for_again() "
        id -> acquire t0; refused full ms=60000 -> no-node-free; id -> prefetch
        refused exhausted ms=300 -> batches-exhausted; @1150 id -> sleep 1; @1151 id -> acquire t0
        grant 7 1151 1251 -> acquired [attached]
    "

    #[test]
    fn a_batch_that_does_not_fit_is_not_used() "
        // The layout does not have the node or the counters, or the batch is empty.
        new prefetching; a=1 -> prefetch; batch 100 node=16 -> too-large; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 100 sequence=4 -> too-large; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 0 -> invalid-span; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 100 until=99999999999999 -> invalid-span
        a -> sleep 50
        // The batch is of an unknown incarnation.
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        ids 98 -> prefetch 100, 98 taken; a=2 -> sleep 1, 1 taken [acquiring]
        batch 100 i=9 -> unexpected-reply; a -> sleep 50, 1 taken
    "

    #[test]
    fn what_ends_a_lease_ends_batches() "
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        ids 49 -> 0:1000.1..=1012.1; id -> prefetch 100, 1 taken
        refused destroyed i=4 -> sequencer-destroyed [destroyed]
        id -> sequencer-destroyed, retry in 2015
        new prefetching -> [acquiring]; a=1 -> prefetch; batch 100 -> prefetched [batching]
        a -> 0:1000.0; ids 49 -> 0:1000.1..=1012.1; id -> prefetch 100, 1 taken
        refused other i=4 -> other-incarnation [acquiring]; id -> sleep 50; incarnation -> Some(4)
    "
}

/// Replies with as many ids as a call asks for, and returns that number.
fn answer(shard: &mut Shard, isolate: &mut Isolate, now_ms: u64, call: Call) -> Option<u64> {
    let Request::Prefetch(prefetch) = call.request else { panic!("{call:?}") };
    let batch = shard.batch(prefetch.count.unwrap_or(terms().prefetch_count));
    isolate.receive(now_ms, call, Reply::Batched(batch));
    prefetch.count
}

fn prefetching() -> Isolate {
    Isolate { holder: Holder::prefetching(), ..Isolate::default() }
}

/// Takes ids with one request, and returns what its calls asked for.
fn take(isolate: &mut Isolate, shard: &mut Shard, now_ms: u64, count: usize) -> Vec<Option<u64>> {
    let (mut ids, mut wait, mut asked) = (vec![0; count], Wait::default(), Vec::new());
    loop {
        match isolate.step(now_ms, &mut wait, &mut ids) {
            Step::Done => break,
            Step::Send(call) => asked.push(answer(shard, isolate, now_ms, call)),
            other => panic!("{other:?}"),
        }
    }
    assert!(ids.is_sorted_by(|a, b| a < b));
    asked
}

/// Returns how many ids are asked for after a batch of `count` ids that lasted `lasted_ms`.
fn next_after(count: u64, lasted_ms: u64) -> Vec<Option<u64>> {
    let terms = Terms { prefetch_count: 10, ..terms() };
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms));
    let mut wait = Wait::default();
    let Step::Send(call) = isolate.step(1_000, &mut wait, &mut [0]) else { panic!("not asked") };
    let batch = shard.batch(count);
    isolate.receive(1_000, call, Reply::Batched(batch));
    assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Done);
    let left = usize::try_from(count - 1).unwrap();
    take(&mut isolate, &mut shard, 1_000 + lasted_ms, left)
}

#[test]
fn batches_double_while_they_are_short_and_halve_when_they_are_long() {
    for (count, lasted_ms, next) in [
        (40, 0, 80),
        (40, 999, 80),
        (40, 1_000, 40),
        (40, 3_999, 40),
        (40, 4_000, 20),
        (40, 599_999, 20),
        // The number is never below the terms, and never above the maximum.
        (10, 4_000, 10),
        (19, 4_000, 10),
        (50_000, 999, 100_000),
        (50_001, 999, 100_000),
        (100_000, 0, 100_000),
    ] {
        if cfg!(miri) && count > 40 {
            continue;
        }
        assert_eq!(next_after(count, lasted_ms), [Some(next)], "{count} ids in {lasted_ms} ms");
    }
}

#[test]
fn h6_h18_h19_a_batch_is_used_for_as_long_as_it_is_valid() {
    for (prefetch_validity_ms, waited_ms, is_used) in [
        (600_000, 599_999, true),
        (600_000, 600_000, false),
        (1, 0, true),
        (1, 1, false),
        // 0 means no limit.
        (0, u64::MAX / 2, true),
    ] {
        let terms = Terms { prefetch_validity_ms, ..terms() };
        let (mut isolate, mut shard) = (prefetching(), Shard::new(terms));
        take(&mut isolate, &mut shard, 1_000, 1);
        let step = isolate.first_step(1_000 + waited_ms);
        assert_eq!(step == Step::Done, is_used, "{waited_ms} of {prefetch_validity_ms} ms");
        if !is_used {
            let Step::Send(call) = step else { panic!("{step:?}") };
            assert!(matches!(call.request, Request::Prefetch(_)));
        }
    }
}

/// Returns why a large request and then a request for one id that comes 3 s later failed, with
/// batches as large as a tick. Only the first calls are answered.
fn why_in_vain(answered: usize) -> [&'static str; 2] {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    let (mut now_ms, mut calls, mut reasons) = (1_000, 0, ["ids"; 2]);
    let (mut large, mut small) = ((Wait::of(2_000), Vec::new()), (Wait::of(1), Vec::new()));
    loop {
        let is_small = reasons[0] != "ids";
        let (wait, ids) = if is_small { &mut small } else { &mut large };
        match isolate.holder.issue(now_ms, wait, ids, || 7) {
            Step::Send(call) => {
                calls += 1;
                if calls <= answered {
                    let batch = shard.batch(4);
                    now_ms += 20;
                    isolate.receive(now_ms, call, Reply::Batched(batch));
                }
            }
            Step::Sleep { ms } => {
                wait.fired(ms);
                now_ms += ms;
            }
            Step::Failed { error, retry_in_ms } => {
                assert!(retry_in_ms.is_some_and(|ms| ms > 0), "{retry_in_ms:?}");
                reasons[usize::from(is_small)] = error.code();
                if is_small {
                    return reasons;
                }
            }
            Step::Done => return reasons,
        }
    }
}

/// This holds no matter how long it has waited for earlier calls.
#[test]
fn a_request_of_many_batches_looks_soon_after_each_call() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    let (mut wait, mut ids, mut now_ms) = (Wait::default(), [0; 40], 1_000);
    for _ in 0..10 {
        let Step::Send(call) = isolate.step(now_ms, &mut wait, &mut ids) else { panic!("no call") };
        let mut slept = Vec::new();
        while slept.len() < 20 {
            let Step::Sleep { ms } = isolate.step(now_ms, &mut wait, &mut ids) else {
                panic!("no wait")
            };
            wait.fired(ms);
            now_ms += ms;
            slept.push(ms);
        }
        assert_eq!((slept[0], slept[7], slept.is_sorted()), (1, 1, true), "{slept:?}");
        let batch = shard.batch(4);
        isolate.receive(now_ms, call, Reply::Batched(batch));
    }
    isolate.step(now_ms, &mut wait, &mut ids);
    assert!(!ids.contains(&0), "{ids:?}");
}

/// Without an allowed future a batch has at most a tick's ids, however many are asked for.
#[test]
fn batches_that_are_too_small_are_no_silent_authority() {
    assert_eq!(why_in_vain(usize::MAX), ["exhausted", "ids"]);
    assert_eq!(why_in_vain(0), ["authority-unreachable"; 2]);
    // Calls before a request say nothing about its own wait.
    assert_eq!(why_in_vain(10), ["exhausted", "authority-unreachable"]);
}
