//! The shared generator issues no id twice to several threads. `properties.rs` shows that it issues
//! the ids of the single one.

use std::sync::atomic::{AtomicU64, Ordering};

use edgeflake::{Error, Layout, SharedGenerator, Span, preset};

const MANY: u64 = if cfg!(miri) { 100 } else { 100_000 };

fn tiny() -> Layout {
    "timestamp:4 node:2 sequence:2 @1000 tick=10ms".parse().unwrap()
}

#[test]
fn the_end_of_a_span_only_rises() {
    let layout = tiny();
    let ids = SharedGenerator::new(layout, Span::new(&layout, 1, 3, 5).unwrap(), 1_000).unwrap();
    ids.extend(4).unwrap();
    assert_eq!(ids.span().until_tick(), 5);
    assert_eq!(ids.fill(1_000, &mut [0; 64]), 8);
    assert_eq!(ids.next(1_000), Err(Error::SpanEnded { until_tick: 5 }));
    ids.extend(16).unwrap();
    assert_eq!(ids.fill(1_000, &mut [0; 64]), 44);
    assert_eq!(ids.extend(17), Err(Error::SpanTooLong { until_tick: 17, ticks: 16 }));
}

#[test]
fn a_closed_one_issues_nothing() {
    let layout = tiny();
    let ids = SharedGenerator::new(layout, Span::new(&layout, 1, 3, 5).unwrap(), 1_000).unwrap();
    ids.next(1_000).unwrap();
    assert_eq!(ids.close(), Some(4));
    assert_eq!(ids.close(), None);
    assert_eq!(ids.next(1_000), Err(Error::Closed));
    assert_eq!(ids.fill(1_000, &mut [0; 3]), 0);
}

#[test]
fn a_second_close_without_a_sequence() {
    let layout: Layout = "timestamp:41 node:10 @0".parse().unwrap();
    let ids = SharedGenerator::new(layout, Span::whole(&layout, 1).unwrap(), 0).unwrap();
    assert_eq!((ids.close(), ids.close()), (Some(0), None));
}

#[test]
fn the_last_counter_of_64_bits_is_not_taken_for_closed() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let last_tick = layout.ticks() - 1;
    let span = Span::new(&layout, 0, last_tick, layout.ticks()).unwrap();
    let ids = SharedGenerator::new(layout, span, 0).unwrap();
    let now_ms = layout.start_ms(last_tick);
    assert_eq!(ids.fill(now_ms, &mut vec![0; 5_000]), 4_094);
    assert_eq!(ids.next(now_ms).map_err(|error| error.code()), Err("layout-ended"));
    assert_eq!(ids.close(), Some(layout.ticks()));
}

#[test]
fn s2_j13_g9_four_threads_and_a_close_among_them() {
    let layout = preset::HAZELCAST;
    let span = Span::new(&layout, 7, 1_000, 100_000).unwrap();
    let ids = SharedGenerator::new(layout, span, 90_000).unwrap();
    let now_ms = layout.epoch_ms() + 1_000;
    let issued_in_all = AtomicU64::new(0);
    let (mut all, closed) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut issued = Vec::new();
                    while let Ok(id) = ids.next(now_ms) {
                        issued.push(id);
                        issued_in_all.fetch_add(1, Ordering::Relaxed);
                    }
                    issued
                })
            })
            .collect();
        while issued_in_all.load(Ordering::Relaxed) < MANY {
            std::thread::yield_now();
        }
        let closed = ids.close().unwrap();
        let issued: Vec<_> =
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        (issued, closed)
    });
    let count = all.len();
    assert!(count as u64 >= MANY);
    assert!(all.iter().all(|id| layout.decode(*id).unwrap().tick < closed));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
