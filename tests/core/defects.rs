//! Shows that defects of other systems do not occur here.

use std::collections::BTreeSet;

use edgeflake::lease::{Authority, BoundConfig, Request, Sequencer, Settings, Terms};
use edgeflake::{Error, Generator, Layout, Policy, SharedGenerator, Span, StaticNodes, preset};

use crate::lease;

fn generator(layout: Layout, node: u64, policy: Policy) -> Generator {
    Generator::new(layout, Span::whole(&layout, node).unwrap(), policy).unwrap()
}

/// nodejs-snowflake hangs forever at its 1,025th id in a tick, and other generators at their
/// 4,097th.
#[test]
fn g7_a_frozen_clock_does_not_hang() {
    let layout = preset::TWITTER;
    let now_ms = layout.epoch_ms() + 1_000;
    let mut ids = generator(layout, 1, Policy::twitter());
    for _ in 0..4_096 {
        ids.next(now_ms).unwrap();
    }
    for _ in 0..3 {
        assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
    }
}

/// Twitter's generator (issue 6) resets the sequence before it checks the clock. When the clock
/// goes back, nodejs-snowflake resets the sequence, snowflaked panics, and flake-idgen throws a
/// `ReferenceError`.
#[test]
fn a_clock_that_goes_back_brings_no_id_again() {
    let layout = preset::TWITTER;
    let start_ms = layout.epoch_ms() + 1_000_000;
    for policy in [Policy::twitter(), Policy::hazelcast(), Policy::leaf(7), Policy::random_start(7)]
    {
        let mut ids = generator(layout, 1, policy);
        let mut seen = BTreeSet::new();
        for back_ms in [0, 1, 0, 10, 5, 0, 3_600_000, 0, 1_000_000, 0] {
            for _ in 0..if cfg!(miri) { 100 } else { 3_000 } {
                if let Ok(id) = ids.next(start_ms.saturating_sub(back_ms)) {
                    assert!(seen.insert(id));
                }
            }
        }
        assert!(seen.len() >= if cfg!(miri) { 400 } else { 3_900 });
    }
}

/// The sequence of sapphire's generator wraps within a ms, so of 5,000 ids in one ms only 4,096 are
/// unique.
#[test]
fn five_thousand_ids_in_one_ms_are_unique() {
    let layout = preset::TWITTER;
    let now_ms = layout.epoch_ms() + 1_000;
    let mut ids = generator(layout, 1, Policy { allowed_future_ms: 1, ..Policy::default() });
    let seen: BTreeSet<_> = (0..5_000).map(|_| ids.next(now_ms).unwrap()).collect();
    assert_eq!(seen.len(), 5_000);
}

/// snowcast's counter runs from 1 to 1,024 in 10 bits: the 1,024th id of an even node equals the
/// 1,024th id of the next node.
#[test]
fn full_ticks_of_neighbouring_nodes_are_disjoint() {
    let layout: Layout = "timestamp:41 node:13 sequence:10 @1388534400000".parse().unwrap();
    let now_ms = layout.epoch_ms() + 1_000;
    let mut seen = BTreeSet::new();
    for node in if cfg!(miri) { vec![0, 1] } else { vec![0, 1, 2, 3, 8_190, 8_191] } {
        let mut ids = generator(layout, node, Policy::twitter());
        let mut issued = 0;
        while let Ok(id) = ids.next(now_ms) {
            assert!(seen.insert(id), "node {node}");
            issued += 1;
        }
        assert_eq!(issued, 1_024);
    }
}

/// snowcast never assigns its last node, and reuses a freed one at once; Leaf (issue 26) and Baidu
/// (issue 37) never recycle a node.
#[test]
fn every_node_is_granted_and_comes_back_after_a_rest() {
    let layout: Layout = "timestamp:41 node:4 sequence:12 @0".parse().unwrap();
    // There are eight nodes to grant, and one that is kept for batches.
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 9, 1).unwrap());
    let terms = Terms { lease_ms: 100, allowed_future_ms: 0, ..Terms::default() };
    let settings = Settings { terms, ..Settings::default() };
    let mut authority = Authority::load(0, Some(sequencer), settings, []).unwrap();
    let mut bits = 0;
    let mut acquire = |now_ms| {
        bits += 1;
        let request = Request::Acquire(lease::acquire(bits, now_ms));
        lease::granted(lease::ask(&mut authority, now_ms, request)).ok().map(|(node, ..)| node)
    };
    // At 1,199 node 1 has been free for less than a lease time, so unused nodes are granted first.
    assert_eq!(acquire(1_000), Some(1));
    assert_eq!(acquire(1_100), Some(2));
    let rest: Vec<_> = (0..6).map(|_| acquire(1_199)).collect();
    assert_eq!(rest, [3, 4, 5, 6, 7, 8].map(Some));
    assert_eq!(acquire(1_199), Some(1));
    assert_eq!(acquire(1_199), None);
    assert_eq!(acquire(1_200), Some(2));
}

/// Elsewhere, a restart within the allowed future issues the same ids again (Hazelcast issue
/// 17975), and so does a restart after the clock went back (Leaf issues 97, 216). Here a static
/// node can begin after all ticks that it may have used, or after the last id, if the caller
/// remembers it.
#[test]
fn a_restart_of_a_static_node() {
    let (layout, future_ms) = (preset::HAZELCAST, 15_000);
    let start_ms = layout.epoch_ms() + 1_000_000;
    let whole = |_| Span::whole(&layout, 7).unwrap();
    let after = |now_ms| Span::after_restart(&layout, 7, now_ms, future_ms).unwrap();
    for (is_after, span) in [(false, &whole as &dyn Fn(u64) -> Span), (true, &after)] {
        let (mut seen, mut issued) = (BTreeSet::new(), 0);
        for now_ms in start_ms..start_ms + 4 {
            let ids = SharedGenerator::new(layout, span(now_ms), future_ms).unwrap();
            let mut batch = vec![0; 40_000];
            let count = ids.fill(now_ms + 1, &mut batch);
            issued += count;
            seen.extend(batch[..count].iter().copied());
        }
        assert_eq!(seen.len() == issued, is_after, "{issued} ids, {} different", seen.len());
    }

    let mut before = generator(layout, 2, Policy::hazelcast());
    let count = if cfg!(miri) { 500 } else { 500_000 };
    let last = (0..count).map(|_| before.next(start_ms).unwrap()).max().unwrap();
    let mut after = generator(layout, 2, Policy::hazelcast());
    after.resume_after(last).unwrap();
    assert!(after.next(start_ms - 1_000).unwrap() > last);
}

/// Elsewhere, a second generator of a static node in the same memory issues the same ids. So does a
/// generator that starts within the last tick of the generator before it.
#[test]
fn g14_g15_a_static_node_has_one_generator_at_a_time() {
    let (layout, other) = (preset::TWITTER, preset::HAZELCAST);
    let now_ms = layout.epoch_ms() + 1_000;
    let mut nodes = StaticNodes::new();
    let mut seen = BTreeSet::new();
    for round in 0..10 {
        let span = nodes.claim(&layout, 7).unwrap();
        assert_eq!(nodes.claim(&layout, 7), Err(Error::NodeInUse { node: 7 }));
        let mut ids = Generator::new(layout, span, Policy::hazelcast()).unwrap();
        for _ in 0..if cfg!(miri) { 100 } else { 5_000 } {
            assert!(seen.insert(ids.next(now_ms).unwrap()), "round {round}");
        }
        nodes.release(&layout, 7, ids.close());
        nodes.release(&layout, 7, 0);
    }
    assert!(nodes.claim(&layout, 8).is_ok());
    assert!(nodes.claim(&other, 7).is_ok());
    assert!(matches!(nodes.claim(&layout, 1_024), Err(Error::TooLarge { .. })));
    nodes.release(&layout, 8, layout.ticks());
    assert!(matches!(nodes.claim(&layout, 8), Err(Error::EmptySpan { .. })));
}

/// CosId's generator continues to issue ids after it has lost its lease.
#[test]
fn a_generator_ends_with_its_span() {
    let layout = preset::HAZELCAST;
    let span = Span::new(&layout, 1, 1_000, 1_100).unwrap();
    let mut ids = Generator::new(layout, span, Policy::hazelcast()).unwrap();
    let now_ms = layout.epoch_ms() + 1_099;
    assert!(ids.next(now_ms).is_ok());
    assert_eq!(ids.next(now_ms + 1), Err(Error::SpanEnded { until_tick: 1_100 }));
    assert_eq!(ids.next(now_ms + 3_600_000), Err(Error::SpanEnded { until_tick: 1_100 }));
}

/// Elsewhere, layouts ended unnoticed (Baidu issue 100: production incidents on that day).
#[test]
fn a_layout_that_ran_out_says_so_with_its_date() {
    let baidu: Layout =
        "unused:1 timestamp:28 node.worker:22 sequence:13 @1463673600000 tick=1000ms"
            .parse()
            .unwrap();
    let mut ids = generator(baidu, 1, Policy::default());
    let now_ms = 1_780_000_000_000;
    let error = ids.next(now_ms).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout ended at 2024-11-20T13:24:16.000Z: it is 2026-05-28T20:26:40.000Z, so choose \
         another layout"
    );
    assert!(ids.next(baidu.end_ms() - 1).is_ok());
}

/// Other generators guess missing settings: the node at random or from an IP address (TSID issue
/// 23, nodejs-snowflake, Sonyflake), and the epoch from the time of construction
/// (nodejs-snowflake).
#[test]
fn node_and_epoch_are_never_guessed() {
    assert!("timestamp:41 node:10 sequence:12".parse::<Layout>().is_err());
    // A generator requires a span, and a span requires a node of the layout.
    assert!(Span::whole(&preset::TWITTER, preset::TWITTER.nodes()).is_err());
}
