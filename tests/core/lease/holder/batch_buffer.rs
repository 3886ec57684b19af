//! Batches while no node is free: how many ids each has, how long it is used, and what ends it.

use edgeflake::lease::{
    Batch, BoundConfig, Call, Counter, Error, Holder, Refusal, Reply, Request, State, Step, Terms,
    Wait,
};

use super::isolate::{INCARNATION, Isolate, grant, layout, refused, terms};

/// How far the node of batches has got.
struct Shard {
    tick: u64,
    terms: Terms,
}

impl Shard {
    const fn new(terms: Terms) -> Self {
        Self { tick: 1_000, terms }
    }

    /// Makes a batch of `count` ids that begins with a new tick.
    fn batch(&mut self, count: u64) -> Reply {
        let from = Counter { tick: self.tick, sequence: 0 };
        let until = Counter { tick: self.tick + count / 4, sequence: count % 4 };
        self.tick = until.tick + 1;
        Reply::Batched(Batch {
            incarnation: INCARNATION,
            config: BoundConfig::new(layout(), 0, 16, 1).unwrap(),
            node: 0,
            from,
            until,
            terms: self.terms,
        })
    }

    /// Replies with as many ids as a call asks for, and returns that number.
    fn answer(&mut self, isolate: &mut Isolate, now_ms: u64, call: Call) -> Option<u64> {
        let Request::Prefetch(prefetch) = call.request else { panic!("{call:?}") };
        let reply = self.batch(prefetch.count.unwrap_or(self.terms.prefetch_count));
        isolate.receive(now_ms, call, reply);
        prefetch.count
    }
}

/// The first request of a holder that only prefetches has this many ids.
fn prefetching() -> Isolate {
    Isolate { holder: Holder::prefetching(), ..Isolate::default() }
}

/// Takes ids with one request, and returns what its calls asked for.
fn take(isolate: &mut Isolate, shard: &mut Shard, now_ms: u64, count: usize) -> Vec<Option<u64>> {
    let (mut ids, mut wait, mut asked) = (vec![0; count], Wait::default(), Vec::new());
    loop {
        match isolate.step(now_ms, &mut wait, &mut ids) {
            Step::Done => break,
            Step::Send(call) => asked.push(shard.answer(isolate, now_ms, call)),
            other => panic!("{other:?}"),
        }
    }
    assert!(ids.is_sorted_by(|a, b| a < b));
    asked
}

#[test]
fn the_first_batch_is_as_large_as_the_authority_says_or_as_is_missing() {
    for (missing, asked) in [(1, None), (2, Some(100)), (100, Some(100)), (101, Some(101))] {
        let Step::Send(call) =
            prefetching().step(1_000, &mut Wait::default(), &mut vec![0; missing])
        else {
            panic!("nothing asked for");
        };
        let Request::Prefetch(prefetch) = call.request else { panic!("{call:?}") };
        assert_eq!(prefetch.count, asked, "{missing}");
        assert_eq!(call.shard, None);
    }
}

#[test]
fn h20_one_is_fetched_while_one_is_used() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 1), [None]);
    // Half of the batch's 100 ids are left.
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 49), []);
    let mut wait = Wait::default();
    let Step::Send(call) = isolate.step(1_000, &mut wait, &mut [0]) else { panic!("not fetched") };
    // No request waits for the batch.
    assert_eq!(isolate.step(1_000, &mut Wait::default(), &mut [0; 49]), Step::Done);
    assert_eq!(isolate.first_step(1_000), Step::Sleep { ms: 1 });
    shard.answer(&mut isolate, 1_000, call);
    isolate.id(1_000);
    // With one batch in reserve, no third is fetched.
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 40), []);
}

#[test]
fn a_holder_of_batches_is_batching_while_it_has_one() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    assert_eq!(isolate.holder.state(), State::Acquiring);
    let mut wait = Wait::default();
    let Step::Send(call) = isolate.step(1_000, &mut wait, &mut [0]) else { panic!("not asked") };
    assert_eq!(isolate.holder.state(), State::Acquiring);
    shard.answer(&mut isolate, 1_000, call);
    assert_eq!(isolate.holder.state(), State::Batching);
    assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Done);
    let mut ids = [0; 99];
    assert!(matches!(isolate.step(1_000, &mut Wait::default(), &mut ids), Step::Send(_)));
    assert_ne!(ids[98], 0);
    assert_eq!(isolate.holder.state(), State::Acquiring);
    isolate.holder.detach();
    assert_eq!(isolate.holder.state(), State::Detached);
}

/// Returns how many ids are asked for after a batch of `count` ids that lasted `lasted_ms`.
fn next_after(count: u64, lasted_ms: u64) -> Vec<Option<u64>> {
    let terms = Terms { prefetch_count: 10, ..terms() };
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms));
    let mut wait = Wait::default();
    let Step::Send(call) = isolate.step(1_000, &mut wait, &mut [0]) else { panic!("not asked") };
    let reply = shard.batch(count);
    isolate.receive(1_000, call, reply);
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
fn large_requests_leave_small_ones_their_ids() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    let (mut large, mut many) = (Wait::of(2_000), Vec::new());
    let (mut small, mut one) = (Wait::of(1), Vec::new());
    let issue = |isolate: &mut Isolate, now_ms, wait: &mut Wait, ids: &mut Vec<u64>| {
        isolate.holder.issue(now_ms, wait, ids, || 7)
    };
    let taken = |ids: &[u64]| ids.iter().filter(|id| **id != 0).count();
    let Step::Send(call) = issue(&mut isolate, 1_000, &mut large, &mut many) else {
        panic!("not asked")
    };
    assert!(matches!(issue(&mut isolate, 1_000, &mut small, &mut one), Step::Sleep { .. }));
    // The batch is too small for both requests, and the large one is stepped first.
    let reply = shard.batch(500);
    isolate.receive(1_000, call, reply);
    let Step::Send(call) = issue(&mut isolate, 1_000, &mut large, &mut many) else {
        panic!("not asked")
    };
    assert_eq!(taken(&many), 499);
    assert_eq!(issue(&mut isolate, 1_000, &mut small, &mut one), Step::Done);

    // A request that vanished long ago keeps no ids.
    let (mut vanished, mut none) = (Wait::of(1), Vec::new());
    assert!(matches!(issue(&mut isolate, 1_000, &mut vanished, &mut none), Step::Sleep { .. }));
    let reply = shard.batch(10);
    isolate.receive(1_000, call, reply);
    assert!(!matches!(issue(&mut isolate, 1_000, &mut large, &mut many), Step::Done));
    assert_eq!(taken(&many), 508);
    let (mut later, mut last) = (Wait::of(1), Vec::new());
    let _ = issue(&mut isolate, 6_001, &mut later, &mut last);
    assert_eq!(taken(&last), 1);
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

#[test]
fn h8_a_holder_may_say_how_many_ids_a_batch_has_and_how_long_it_is_used() {
    let terms = Terms { prefetch_count: 100, prefetch_validity_ms: 600_000, ..terms() };
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms));
    isolate.holder.set_prefetch(Some(10), Some(50));
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 1), [Some(10)]);
    // The batch is valid to 1,050. The next one has the same size, not the authority's.
    isolate.id(1_049);
    let Step::Send(call) = isolate.first_step(1_050) else { panic!("still valid") };
    assert_eq!(shard.answer(&mut isolate, 1_050, call), Some(10));
    // The configured size outlasts the prefetched batch.
    isolate.holder.detach();
    isolate.holder.attach();
    assert_eq!(take(&mut isolate, &mut shard, 1_050, 5), [Some(10)]);

    let mut isolate = prefetching();
    isolate.holder.set_prefetch(None, Some(0));
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 1), [None]);
    isolate.id(u64::MAX / 2);
}

/// The clock has gone back since the batch came.
#[test]
fn a_batch_of_the_future_is_valid() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    take(&mut isolate, &mut shard, 5_000, 1);
    isolate.id(1_000);
}

#[test]
fn a_large_request_is_filled_from_several_batches() {
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 1), [None]);
    // 99 ids are left, and 901 are missing. The batch was used up at once, so the next has twice as
    // many.
    assert_eq!(take(&mut isolate, &mut shard, 1_000, 1_000), [Some(901), Some(1_802)]);
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
                    let reply = shard.batch(4);
                    now_ms += 20;
                    isolate.receive(now_ms, call, reply);
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
        let reply = shard.batch(4);
        isolate.receive(now_ms, call, reply);
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

fn full(isolate: &mut Isolate, now_ms: u64, call: Call) {
    isolate.receive(now_ms, call, refused(Refusal::NoNodeFree { retry_in_ms: 60_000 }));
}

#[test]
fn s34_h5_h13_where_no_node_is_free_ids_come_from_batches_until_there_is_one() {
    let (mut isolate, mut shard) = (Isolate::default(), Shard::new(terms()));
    let call = isolate.sent(1_000);
    assert!(matches!(call.request, Request::Acquire(_)));
    full(&mut isolate, 1_000, call);
    // The call comes at once, without a pause.
    let call = isolate.sent(1_000);
    shard.answer(&mut isolate, 1_000, call);
    isolate.id(1_000);
    // The holder asks for a span after 2 to 4 s, then after twice as long, and no request waits for
    // it.
    let (mut now_ms, mut asked_ms) = (1_000, vec![1_000]);
    while now_ms < 61_000 {
        now_ms += 1;
        let step = isolate.first_step(now_ms);
        assert_eq!(isolate.holder.state(), State::Batching);
        match step {
            Step::Done => {}
            Step::Send(call) if matches!(call.request, Request::Acquire(_)) => {
                asked_ms.push(now_ms);
                isolate.id(now_ms);
                full(&mut isolate, now_ms, call);
            }
            Step::Send(call) => {
                shard.answer(&mut isolate, now_ms, call);
            }
            other => panic!("{other:?}"),
        }
        if cfg!(miri) {
            now_ms += 250;
        }
    }
    for (pair, most) in asked_ms.windows(2).zip([4_000, 8_000, 16_000, 32_000, 64_000]) {
        assert!((most / 2..=most + 300).contains(&(pair[1] - pair[0])), "{asked_ms:?}");
    }
    // A span is granted, so that of batches is over, and no more batches are fetched.
    let call = loop {
        now_ms += 1;
        match isolate.first_step(now_ms) {
            Step::Send(call) if matches!(call.request, Request::Acquire(_)) => break call,
            Step::Send(call) => {
                shard.answer(&mut isolate, now_ms, call);
            }
            _ => {}
        }
    };
    isolate.receive(now_ms, call, grant(&call, 7, now_ms, now_ms + 100));
    assert_eq!(isolate.holder.state(), State::Attached);
    for now_ms in now_ms..now_ms + 40 {
        let id = isolate.id(now_ms);
        assert_eq!(layout().decode(id).unwrap().node, 7);
    }
    // The span has ended.
    now_ms += 100;
    let call = isolate.sent(now_ms);
    full(&mut isolate, now_ms, call);
    assert_eq!(isolate.holder.state(), State::Attached);
    let call = isolate.sent(now_ms);
    shard.answer(&mut isolate, now_ms, call);
    assert_eq!(isolate.holder.state(), State::Batching);
}

#[test]
fn where_there_is_no_batch_either_a_span_is_asked_for_again() {
    let (mut isolate, mut wait) = (Isolate::default(), Wait::default());
    let call = isolate.sent(1_000);
    full(&mut isolate, 1_000, call);
    let call = isolate.sent(1_000);
    let refusal = Refusal::BatchesExhausted { retry_in_ms: 300 };
    isolate.receive(1_000, call, refused(refusal));
    let Step::Sleep { ms } = isolate.step(1_000, &mut wait, &mut [0]) else { panic!("no pause") };
    assert!((150..=300).contains(&ms), "{ms}");
    let call = isolate.sent(1_000 + ms);
    assert!(matches!(call.request, Request::Acquire(_)));
    // A request gives up with this reason.
    isolate.receive(1_300, call, refused(refusal));
    let failed = Step::Failed { error: Error::Refused(refusal), retry_in_ms: Some(300) };
    assert_eq!(isolate.step(6_000, &mut wait, &mut [0]), failed);
}

#[test]
fn a_batch_that_does_not_fit_is_not_used() {
    let batched = |known: bool| {
        let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
        if known {
            take(&mut isolate, &mut shard, 1_000, 100);
        }
        let Reply::Batched(fits) = shard.batch(100) else { panic!("a batch") };
        (isolate, fits)
    };
    // The batch is of an unknown incarnation.
    let (mut isolate, fits) = batched(true);
    let call = isolate.sent(601_000);
    isolate.receive(601_000, call, Reply::Batched(Batch { incarnation: 9, ..fits }));
    assert!(matches!(isolate.first_step(601_000), Step::Sleep { .. }));
    // The layout does not have the node or the counters, or the batch is empty.
    let (_, fits) = batched(false);
    let at = |tick, sequence| Counter { tick, sequence };
    for wrong in [
        Batch { node: 16, ..fits },
        Batch { from: at(1_000, 4), ..fits },
        Batch { until: fits.from, ..fits },
        Batch { until: at(u64::MAX, 1), ..fits },
    ] {
        let mut isolate = prefetching();
        let call = isolate.sent(1_000);
        isolate.receive(1_000, call, Reply::Batched(wrong));
        assert!(matches!(isolate.first_step(1_000), Step::Sleep { .. }), "{wrong:?}");
    }
}

#[test]
fn what_ends_a_lease_ends_batches() {
    for refusal in [Refusal::SequencerDestroyed, Refusal::OtherIncarnation { found: INCARNATION }] {
        let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
        take(&mut isolate, &mut shard, 1_000, 50);
        let call = isolate.sent(1_000);
        isolate.receive(1_000, call, Reply::Refused { refusal, incarnation: INCARNATION + 1 });
        assert_ne!(isolate.first_step(1_000), Step::Done);
    }
    let (mut isolate, mut shard) = (prefetching(), Shard::new(terms()));
    take(&mut isolate, &mut shard, 1_000, 1);
    isolate.holder.detach();
    isolate.holder.attach();
    assert!(matches!(isolate.first_step(1_000), Step::Send(_)));
}
