//! Prefetched batches are issued to their end, and not past it.

use edgeflake::lease::{Counter, Drain};
use edgeflake::{Error, Layout, Role, preset};

fn tiny() -> Layout {
    "timestamp:4 node:2 sequence:2 @1000 tick=10ms".parse().unwrap()
}

const fn at(tick: u64, sequence: u64) -> Counter {
    Counter { tick, sequence }
}

fn counters(layout: &Layout, ids: &[u64]) -> Vec<Counter> {
    ids.iter()
        .map(|id| layout.decode(*id).unwrap())
        .map(|parts| {
            assert_eq!(parts.node, 1);
            at(parts.tick, parts.sequence)
        })
        .collect()
}

#[test]
fn every_interval_gives_all_of_its_counters_once() {
    let layout = tiny();
    let all: Vec<_> = (0..16).flat_map(|tick| (0..4).map(move |s| at(tick, s))).collect();
    for from in 0..all.len() {
        for until in from + 1..=all.len() {
            let end = all.get(until).copied().unwrap_or(at(16, 0));
            let ids: Vec<_> = Drain::new(&layout, 1, all[from], end).unwrap().collect();
            assert_eq!(counters(&layout, &ids), all[from..until]);

            let mut drain = Drain::new(&layout, 1, all[from], end).unwrap();
            let mut filled = [0; 70];
            assert_eq!(drain.fill(&mut filled[..1]), 1);
            let count = 1 + drain.fill(&mut filled[1..]);
            assert_eq!(filled[..count], ids);
            assert_eq!(drain.fill(&mut filled), 0);
            assert_eq!(drain.next(), None);
        }
    }
}

#[test]
fn what_is_not_of_the_layout_is_refused() {
    let layout = tiny();
    let refused = |node, from, until| Drain::new(&layout, node, from, until).map(|_| ());
    assert_eq!(refused(3, at(15, 3), at(16, 0)), Ok(()));
    assert_eq!(
        refused(4, at(0, 0), at(1, 0)),
        Err(Error::TooLarge { role: Role::Node, value: 4, max: 3 })
    );
    assert_eq!(
        refused(1, at(15, 0), at(16, 1)),
        Err(Error::SpanTooLong { until_tick: 17, ticks: 16 })
    );
    assert_eq!(
        refused(1, at(0, 4), at(2, 0)),
        Err(Error::TooLarge { role: Role::Sequence, value: 4, max: 3 })
    );
    for (from, until) in [(at(2, 1), at(2, 1)), (at(2, 1), at(2, 0)), (at(3, 0), at(2, 1))] {
        assert!(matches!(refused(1, from, until), Err(Error::EmptySpan { .. })), "{from:?}");
    }
    assert!(refused(1, at(0, 0), at(u64::MAX, 1)).is_err());
}

#[test]
fn the_last_counters_of_64_bits() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let last = layout.ticks() - 1;
    let ids: Vec<_> = Drain::new(&layout, 0, at(last, 4_090), at(last + 1, 0)).unwrap().collect();
    assert_eq!(ids, [u64::MAX - 5, u64::MAX - 4, u64::MAX - 3, u64::MAX - 2]);
    for sequence in [4_094, 4_095] {
        let drain = Drain::new(&layout, 0, at(last, sequence), at(last + 1, 0));
        assert!(matches!(drain, Err(Error::EmptySpan { .. })), "sequence {sequence}");
    }
    assert!(Drain::new(&preset::TWITTER, 1_023, at(0, 0), at(0, 1)).is_ok());
}
