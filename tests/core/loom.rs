//! Runs all interleavings of threads on a shared generator in loom: `RUSTFLAGS="--cfg loom" cargo
//! test --release --test loom`.
#![cfg(loom)]

use edgeflake::{Layout, SharedGenerator, Span};
use loom::sync::Arc;
use loom::thread;

const NOW_MS: u64 = 2;

fn shared() -> (Layout, Arc<SharedGenerator>) {
    let layout: Layout = "timestamp:4 node:2 sequence:1 @0".parse().unwrap();
    let span = Span::new(&layout, 1, 1, 4).unwrap();
    (layout, Arc::new(SharedGenerator::new(layout, span, 1).unwrap()))
}

fn distinct(mut ids: Vec<u64>) {
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id came twice");
}

#[test]
fn no_id_twice() {
    loom::model(|| {
        let (_, ids) = shared();
        let other = Arc::clone(&ids);
        let thread = thread::spawn(move || vec![other.next(NOW_MS), other.next(NOW_MS + 1)]);
        let mut issued = vec![ids.next(NOW_MS + 1), ids.next(NOW_MS)];
        issued.extend(thread.join().unwrap());
        distinct(issued.into_iter().flatten().collect());
    });
}

#[test]
fn nothing_after_close() {
    loom::model(|| {
        let (layout, ids) = shared();
        let other = Arc::clone(&ids);
        let thread = thread::spawn(move || vec![other.next(NOW_MS), other.next(NOW_MS)]);
        let mut issued = vec![ids.next(NOW_MS)];
        let closed = ids.close().unwrap();
        assert!(ids.next(NOW_MS).is_err());
        issued.extend(thread.join().unwrap());
        let issued: Vec<u64> = issued.into_iter().flatten().collect();
        assert!(issued.iter().all(|id| layout.decode(*id).unwrap().tick < closed));
        distinct(issued);
    });
}

#[test]
fn a_close_among_fills_and_another_close() {
    loom::model(|| {
        let (layout, ids) = shared();
        let other = Arc::clone(&ids);
        let thread = thread::spawn(move || {
            let mut batch = [0; 3];
            let count = other.fill(NOW_MS, &mut batch);
            (batch[..count].to_vec(), other.close())
        });
        let mut batch = [0; 2];
        let count = ids.fill(NOW_MS, &mut batch);
        let closed = ids.close();
        let (mut issued, closed_there) = thread.join().unwrap();
        issued.extend(&batch[..count]);
        assert!(closed.is_some() != closed_there.is_some(), "exactly one call must close");
        let closed = closed.or(closed_there).unwrap();
        assert!(issued.iter().all(|id| layout.decode(*id).unwrap().tick < closed));
        distinct(issued);
    });
}

#[test]
fn an_end_that_rises() {
    loom::model(|| {
        let (layout, ids) = shared();
        let other = Arc::clone(&ids);
        let thread = thread::spawn(move || {
            let mut batch = [0; 8];
            let count = other.fill(3, &mut batch);
            batch[..count].to_vec()
        });
        ids.extend(5).unwrap();
        let mut batch = [0; 8];
        let count = ids.fill(3, &mut batch);
        let mut issued = thread.join().unwrap();
        issued.extend(&batch[..count]);
        assert!(issued.iter().all(|id| layout.decode(*id).unwrap().tick < 5));
        distinct(issued);
    });
}
