//! Tests what keeps a static node, which no authority grants, from repeating its ids.

use std::collections::BTreeSet;

use edgeflake::{Error, Generator, Policy, SharedGenerator, Span, StaticNodes, preset};

/// In other libraries, a restart within the allowed future issues the same ids again (Hazelcast
/// issue 17975), and so does a restart after the clock went back (Leaf issues 97, 216). Here a
/// static node can begin after all ticks that it may have used.
#[test]
fn a_restart_of_a_static_node() {
    let (layout, future_ms) = (preset::HAZELCAST, 15_000);
    let start_ms = layout.epoch_ms() + 1_000_000;
    let whole = |_: u64| Span::whole(&layout, 7).unwrap();
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
}

/// In other libraries, a second generator of a static node in the same process issues the same ids.
/// So does a generator that starts within the last tick of the generator before it.
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
