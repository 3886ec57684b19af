//! Tests batches, which are consecutive intervals of counters on a shard's first node. A batch is
//! issued up to its end, and not beyond it.

use edgeflake::lease::{
    Authority, BoundConfig, Counter, Drain, Refusal, Reply, Request, Sequencer, Settings,
};
use edgeflake::{Error, Layout};

use super::objects::Objects;
use super::{ask, prefetch};
use crate::transcript::transcripts;

transcripts! { Objects:
    #[test]
    fn q18_h17_batches_follow_each_other_without_a_hole() "
        // If a request names no number of ids, the batch has as many ids as the settings say.
        new future=15000 lease=300000; prefetch -> 0:1000.0..1025.0
        new future=15000 lease=300000; prefetch 1 -> 0:1000.0..1000.1
        prefetch 2 -> 0:1000.1..1000.3; prefetch 1 -> 0:1000.3..1001.0
        prefetch 6 -> 0:1001.0..1002.2
        // At 1002 ms the clock is before the end of the last batch, at 1003 ms just after it, and
        // at 2000 ms long after it.
        @1002 prefetch 1 -> 0:1002.2..1002.3; @1003 prefetch 1 -> 0:1003.0..1003.1
        @2000 prefetch 1 -> 0:2000.0..2000.1
        // Here the clock went back.
        @1000 prefetch 5 -> 0:2000.1..2001.2; prefetch 0 -> 0:2001.2..2001.3
    "

    #[test]
    fn a_batch_has_at_most_a_hundred_thousand_ids() "
        new future=100000 lease=300000; prefetch 100000 -> 0:1000.0..26000.0
        new future=100000 lease=300000; prefetch 100001 -> 0:1000.0..26000.0
        new future=100000 lease=300000; prefetch 18446744073709551615 -> 0:1000.0..26000.0
    "

    /// If fewer ids are left than were asked for, the batch has all that are left.
    #[test]
    fn no_batch_lies_further_ahead_than_ids_may() "
        new future=0; prefetch 3 -> 0:1000.0..1000.3; prefetch 50 -> 0:1000.3..1001.0
        prefetch 1 -> batches-exhausted 1; @990 prefetch 1 -> batches-exhausted 11
        @1001 prefetch 50 -> 0:1001.0..1002.0
        new future=1; @1000 prefetch 7 -> 0:1000.0..1001.3; prefetch 50 -> 0:1001.3..1002.0
        prefetch 1 -> batches-exhausted 1; @990 prefetch 1 -> batches-exhausted 11
        @1001 prefetch 50 -> 0:1002.0..1003.0
        new future=15000 lease=300000; @1000 prefetch 60003 -> 0:1000.0..16000.3
        prefetch 50 -> 0:16000.3..16001.0; prefetch 1 -> batches-exhausted 1
        @990 prefetch 1 -> batches-exhausted 11; @1001 prefetch 50 -> 0:16001.0..16002.0
        // A tick is longer than the allowed future of 10 ms. A batch can use the next tick from
        // 10 ms before that tick begins.
        new future=10 lease=3000 layout=timestamp:20_node:4_sequence:2_@0_tick=1000ms
        @5400 prefetch 9 -> 0:5.0..6.0; prefetch 1 -> batches-exhausted 590
        @5989 prefetch 1 -> batches-exhausted 1; @5990 prefetch 1 -> 0:6.0..6.1
    "

    #[test]
    fn the_last_batch_ends_with_the_layout() "
        new; @1048575 prefetch 3 -> 0:1048575.0..1048575.3; prefetch 9 -> 0:1048575.3..1048576.0
        prefetch 1 -> batches-exhausted 1; row 0 -> 1048575..1048576.0 free issued 0 of 4
        @1048576 prefetch 1 -> layout-ended 1048576 0 1048576
        @18446744073709551615 prefetch 1 -> layout-ended 18446744073709551615 0 1048576
    "

    /// Long after all spans have ended, the other node is granted again, but never the node for
    /// batches.
    #[test]
    fn the_node_of_batches_is_never_granted() "
        new nodes=2; acquire 1 -> 1:1000..1100; acquire 2 -> no-node-free 100
        prefetch -> 0:1000.0..1025.0; acquire 2 -> no-node-free 100
        @900000 acquire 2 -> 1:900000..900100; acquire 3 -> no-node-free 100
        // If a sequencer has one node per shard, it only gives batches.
        new nodes=1; @1000 acquire 1 -> no-node-free 100; prefetch -> 0:1000.0..1025.0
    "

    /// Ids of a batch count as issued when the batch is granted. The node for batches does not
    /// count as a node that can be granted.
    #[test]
    fn what_was_handed_out_is_counted() "
        new nodes=2 future=1; prefetch 5 -> 0:1000.0..1001.1
        row 0 -> 1000..1001.1 free issued 0 of 5; status -> 1 0 0 5; prefetch 9 -> 0:1001.1..1002.0
        row 0 -> 1001..1002.0 free issued 0 of 8; prefetch 9 -> batches-exhausted 1
        row 0 -> 1001..1002.0 free issued 0 of 8; @1002 prefetch 1 -> 0:1002.0..1002.1
        row 0 -> 1002..1002.1 free issued 0 of 9; status -> 1 0 0 9
    "
}

/// When timestamp and sequence fill 64 bits, the last two counters are never issued.
#[test]
fn the_last_batch_of_64_bits() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 1, 1).unwrap());
    let mut authority = Authority::load(0, Some(sequencer), Settings::default(), []).unwrap();
    let last = layout.ticks() - 1;
    let asked = prefetch(Some(9_999), last);
    let Reply::Batched(batch) = ask(&mut authority, last, asked) else { panic!("no batch") };
    let at = |sequence| Counter { tick: last, sequence };
    assert_eq!((batch.from, batch.until), (at(0), at(4_094)));
    assert_eq!(Drain::new(&layout, 0, batch.from, batch.until).unwrap().last(), Some(u64::MAX - 2));
    let Reply::Refused { refusal, .. } = ask(&mut authority, last, asked) else {
        panic!("a second batch")
    };
    assert!(matches!(refusal, Refusal::BatchesExhausted { .. }));
    let drain = Drain::new(&layout, 0, at(4_094), Counter { tick: last + 1, sequence: 0 });
    assert!(matches!(drain, Err(Error::EmptySpan { .. })));
    let Reply::Described(Some(_)) = ask(&mut authority, last, Request::Destroy) else {
        panic!("not destroyed")
    };
}

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
