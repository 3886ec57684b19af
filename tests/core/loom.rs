//! Runs interleavings of threads on a shared generator in loom. `npm test -- loom` runs those with
//! at most 4 preemptions. `RUSTFLAGS="--cfg loom" cargo test --release --test loom` runs all.
#![cfg(loom)]

use std::collections::BTreeSet;

use edgeflake::{Layout, SharedGenerator, Span};
use loom::sync::Arc;
use loom::thread;

/// A tick is 1 ms long, and tick 0 starts at 0 ms.
const LAYOUT: &str = "timestamp:4 node:2 sequence:1 @0";
const NOW_MS: u64 = 2;
const ALLOWED_FUTURE_MS: u64 = 1;

/// A thread's part. It returns its ids and, if it has closed the generator, the first tick that was
/// not used.
type Part = fn(&SharedGenerator) -> (Vec<u64>, Option<u64>);

/// Checks that no id comes twice, and that all ids are before the closed tick or, if no part
/// closes, before the end of the span.
fn check(until_tick: u64, here: Part, there: Part, closes: bool) {
    loom::model(move || {
        let layout: Layout = LAYOUT.parse().unwrap();
        let span = Span::new(&layout, 1, 1, until_tick).unwrap();
        let ids = Arc::new(SharedGenerator::new(layout, span, ALLOWED_FUTURE_MS).unwrap());
        let other = Arc::clone(&ids);
        let thread = thread::spawn(move || there(&other));
        let (mut issued, closed) = here(&ids);
        let (issued_there, closed_there) = thread.join().unwrap();
        issued.extend(issued_there);
        assert!(closed.is_none() || closed_there.is_none(), "both calls have closed it");
        let closed = closed.or(closed_there);
        assert_eq!(closed.is_some(), closes);
        let end = closed.unwrap_or_else(|| ids.span().until_tick());
        assert!(issued.iter().all(|id| layout.decode(*id).unwrap().tick < end));
        let distinct: BTreeSet<_> = issued.iter().collect();
        assert_eq!(distinct.len(), issued.len(), "an id came twice");
    });
}

/// Takes an id at each time. Checks that each id is neither from a past tick nor ahead of the
/// allowed future.
fn take(ids: &SharedGenerator, times: [u64; 2]) -> Vec<u64> {
    let layout: Layout = LAYOUT.parse().unwrap();
    let mut issued = Vec::new();
    for now_ms in times {
        if let Ok(id) = ids.next(now_ms) {
            let tick = layout.decode(id).unwrap().tick;
            assert!((now_ms..=now_ms + ALLOWED_FUTURE_MS).contains(&tick), "{tick} at {now_ms}");
            issued.push(id);
        }
    }
    issued
}

fn fill<const N: usize>(ids: &SharedGenerator, now_ms: u64) -> Vec<u64> {
    let mut batch = [0; N];
    let count = ids.fill(now_ms, &mut batch);
    batch[..count].to_vec()
}

#[test]
fn no_id_twice() {
    let here = |ids: &SharedGenerator| (take(ids, [NOW_MS + 1, NOW_MS]), None);
    check(4, here, |ids| (take(ids, [NOW_MS, NOW_MS + 1]), None), false);
}

#[test]
fn no_id_ahead_of_the_allowed_future() {
    // The span ends so late that only the allowed future ends the ids of both times.
    let here = |ids: &SharedGenerator| (take(ids, [NOW_MS; 2]), None);
    check(6, here, |ids| (take(ids, [NOW_MS + 1; 2]), None), false);
}

#[test]
fn nothing_after_close() {
    let here = |ids: &SharedGenerator| {
        let issued: Vec<u64> = ids.next(NOW_MS).into_iter().collect();
        let closed = ids.close();
        assert!(ids.next(NOW_MS).is_err());
        (issued, closed)
    };
    check(4, here, |ids| (take(ids, [NOW_MS; 2]), None), true);
}

#[test]
fn a_close_among_fills_and_another_close() {
    let here = |ids: &SharedGenerator| (fill::<2>(ids, NOW_MS), ids.close());
    check(4, here, |ids| (fill::<3>(ids, NOW_MS), ids.close()), true);
}

#[test]
fn an_end_that_rises() {
    let here = |ids: &SharedGenerator| {
        ids.extend(5).unwrap();
        (fill::<8>(ids, 3), None)
    };
    check(4, here, |ids| (fill::<8>(ids, 3), None), false);
    check(4, here, |ids| (take(ids, [3; 2]), None), false);
}
