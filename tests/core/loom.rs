//! Runs all interleavings of threads on a shared generator in loom: `RUSTFLAGS="--cfg loom" cargo
//! test --release --test loom`.
#![cfg(loom)]

use std::collections::BTreeSet;

use edgeflake::{Layout, SharedGenerator, Span};
use loom::sync::Arc;
use loom::thread;

const NOW_MS: u64 = 2;

/// A thread's part. It returns its ids and, if it has closed the generator, the first tick that was
/// not used.
type Part = fn(&SharedGenerator) -> (Vec<u64>, Option<u64>);

/// Checks in all interleavings that no id comes twice, and that all ids are before the closed tick
/// or, if no part closes, before the end of the span.
fn check(here: Part, there: Part, closes: bool) {
    loom::model(move || {
        let layout: Layout = "timestamp:4 node:2 sequence:1 @0".parse().unwrap();
        let span = Span::new(&layout, 1, 1, 4).unwrap();
        let ids = Arc::new(SharedGenerator::new(layout, span, 1).unwrap());
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

fn take(ids: &SharedGenerator, times: [u64; 2]) -> Vec<u64> {
    times.iter().filter_map(|now_ms| ids.next(*now_ms).ok()).collect()
}

fn fill<const N: usize>(ids: &SharedGenerator, now_ms: u64) -> Vec<u64> {
    let mut batch = [0; N];
    let count = ids.fill(now_ms, &mut batch);
    batch[..count].to_vec()
}

#[test]
fn no_id_twice() {
    let here = |ids: &SharedGenerator| (take(ids, [NOW_MS + 1, NOW_MS]), None);
    check(here, |ids| (take(ids, [NOW_MS, NOW_MS + 1]), None), false);
}

#[test]
fn nothing_after_close() {
    let here = |ids: &SharedGenerator| {
        let issued: Vec<u64> = ids.next(NOW_MS).into_iter().collect();
        let closed = ids.close();
        assert!(ids.next(NOW_MS).is_err());
        (issued, closed)
    };
    check(here, |ids| (take(ids, [NOW_MS; 2]), None), true);
}

#[test]
fn a_close_among_fills_and_another_close() {
    let here = |ids: &SharedGenerator| (fill::<2>(ids, NOW_MS), ids.close());
    check(here, |ids| (fill::<3>(ids, NOW_MS), ids.close()), true);
}

#[test]
fn an_end_that_rises() {
    let here = |ids: &SharedGenerator| {
        ids.extend(5).unwrap();
        (fill::<8>(ids, 3), None)
    };
    check(here, |ids| (fill::<8>(ids, 3), None), false);
}
