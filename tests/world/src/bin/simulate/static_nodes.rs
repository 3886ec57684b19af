//! Nodes that are assigned by hand. Their processes end and start again.
//!
//! Static nodes promise less than leases: a restarted process must start after all ids of its
//! predecessor. A strict process, which has no allowed future, does so once the clock has passed
//! the predecessor's last tick. With an allowed future, the process must be told the last id.

use std::collections::HashSet;

use edgeflake::{Generator, Layout, Parts, Policy, SequenceStart, Span};
use edgeflake_world::{Count, Random, Tally};

/// Number of lives of a process.
const LIVES: u64 = 6;

/// Runs the lives of one process with a static node. The last life may also be told the id of
/// another process. After that, this life must issue only ids of later ticks.
pub(crate) fn run(random: &mut Random, tally: &mut Tally) {
    let layout: Layout = "timestamp:40 node:3 sequence:3 @1000 tick=1ms".parse().unwrap();
    let span = Span::whole(&layout, 5).unwrap();
    let is_strict = random.one_in(2);
    let (mut now_ms, mut last) = (10_000, None);
    let mut ids = HashSet::new();
    for life in 1..=LIVES {
        let policy = Policy {
            allowed_future_ms: if is_strict { 0 } else { random.pick([1, 20, 15_000]) },
            sequence_start: random.pick([SequenceStart::Zero, SequenceStart::Rotating]),
            gap_max: random.pick([0, 2]),
            seed: random.next(),
            ..Policy::default()
        };
        let mut generator = Generator::new(layout, span, policy).unwrap();
        if let Some(id) = last {
            if is_strict {
                now_ms = now_ms.max(layout.start_ms(layout.decode(id).unwrap().tick) + 1);
            } else {
                generator.resume_after(id).unwrap();
            }
        }
        let mut told_tick = None;
        for nth in 0..random.below(60) {
            // The clock must not go back before the first id, because no rule protects a strict
            // process that starts before its predecessor's last tick.
            if nth > 0 && random.one_in(4) {
                now_ms = (now_ms + random.below(30)).saturating_sub(random.below(20)).max(1_000);
            }
            if let Ok(id) = generator.next(now_ms) {
                assert!(ids.insert(id), "id {id} of a static node came twice");
                tally.count(Count::StaticIds);
                let tick = layout.decode(id).unwrap().tick;
                assert!(
                    told_tick < Some(tick),
                    "an id of tick {tick}, although the process was told of {told_tick:?}"
                );
                // With a rotating start, the newest id may not have the largest sequence of its
                // tick, but it has the latest tick.
                last = Some(id);
            }
            // Only the last life is told of an id, because a later life would continue after
            // `last`, which may be below that id.
            if life == LIVES && random.one_in(4) {
                let tick = generator.tick() + random.below(3);
                let parts = Parts { tick, node: 5, sequence: random.below(8), tag: 0 };
                generator.resume_after(layout.encode(parts).unwrap()).unwrap();
                told_tick = Some(tick);
                tally.count(Count::Told);
            }
        }
    }
}
