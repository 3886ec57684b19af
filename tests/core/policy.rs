//! Tests policies: where ticks start, gaps, tags, and what holds for all policies.

use std::collections::BTreeSet;

use edgeflake::{Error, Generator, Layout, Parts, Policy, Role, SequenceStart, Span, preset};

const NOW_MS: u64 = 1_000;

const TICKS: u64 = if cfg!(miri) { 60 } else { 200 };

/// Ticks of 1 ms start at 0, with 8 ids each.
fn layout() -> Layout {
    "timestamp:20 tag:2 node:2 sequence:3 @0".parse().unwrap()
}

fn generator(policy: Policy) -> Generator {
    Generator::new(layout(), Span::new(&layout(), 1, 10, 100_000).unwrap(), policy).unwrap()
}

fn parts(id: u64) -> Parts {
    layout().decode(id).unwrap()
}

/// Takes all ids of one tick.
fn tick(ids: &mut Generator, now_ms: u64) -> Vec<u64> {
    let mut sequences = Vec::new();
    while let Ok(id) = ids.next(now_ms) {
        assert_eq!(parts(id).tick, now_ms);
        sequences.push(parts(id).sequence);
    }
    sequences
}

#[test]
fn a_random_start_ascends_to_the_end_of_the_tick() {
    let mut ids = generator(Policy {
        sequence_start: SequenceStart::Random { max: 5 },
        seed: 1,
        ..Policy::default()
    });
    let mut starts = BTreeSet::new();
    for now_ms in NOW_MS..NOW_MS + TICKS {
        let sequences = tick(&mut ids, now_ms);
        assert_eq!(sequences, (sequences[0]..8).collect::<Vec<_>>());
        starts.insert(sequences[0]);
    }
    assert_eq!(starts, (0..=5).collect());
}

/// If a database chooses one of 8 partitions by the remainder of the id, the first ids of all ticks
/// together reach all partitions.
#[test]
fn g6_g12_a_rotating_start_goes_through_the_whole_tick() {
    let mut ids = generator(Policy::random_start(1));
    let mut starts = [0; 8];
    for now_ms in NOW_MS..NOW_MS + TICKS {
        let sequences = tick(&mut ids, now_ms);
        let expected: Vec<_> = (0..8).map(|i| (sequences[0] + i) % 8).collect();
        assert_eq!(sequences, expected);
        starts[usize::try_from(sequences[0]).unwrap()] += 1;
    }
    assert!(starts.iter().all(|count| *count > TICKS / 20), "{starts:?}");
}

#[test]
fn other_random_bits_give_other_starts() {
    for policy in [Policy::random_start, Policy::leaf] {
        let starts = |seed: u64| {
            let span = Span::new(&preset::LEAF, 1, 10, 100_000).unwrap();
            let mut ids = Generator::new(preset::LEAF, span, policy(seed)).unwrap();
            let ids: Vec<u64> =
                (10..30).map(|tick| ids.next(preset::LEAF.start_ms(tick)).unwrap()).collect();
            ids
        };
        assert_eq!(starts(1), starts(1));
        assert_ne!(starts(1), starts(2));
    }
}

#[test]
fn g11_q15_gaps_leave_counters_out_at_random() {
    let policy = Policy { allowed_future_ms: 9_999, gap_max: 3, seed: 1, ..Policy::default() };
    let mut ids = generator(policy);
    let count = if cfg!(miri) { 300 } else { 4_000 };
    let counters: Vec<u64> = (0..count)
        .map(|_| parts(ids.next(NOW_MS).unwrap()))
        .map(|parts| parts.tick * 8 + parts.sequence)
        .collect();
    let steps: BTreeSet<_> = counters.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps, (1..=4).collect());
    let last = counters[counters.len() - 1];
    // The average step is 2.5.
    assert!((count * 9 / 4..count * 11 / 4).contains(&(last - counters[0])));
}

#[test]
fn a_policy_that_does_not_fit_is_refused() {
    let refused = |policy| {
        let span = Span::new(&layout(), 1, 10, 13).unwrap();
        Generator::new(layout(), span, policy).map(|_| ())
    };
    let start = |max| Policy { sequence_start: SequenceStart::Random { max }, ..Policy::default() };
    let gap = |gap_max| Policy { gap_max, ..Policy::default() };
    let tag = |tag| Policy { tag, ..Policy::default() };
    for (fits, policy, role, max) in [
        (start(7), start(8), Role::Sequence, 7),
        (gap(7), gap(8), Role::Sequence, 7),
        (tag(3), tag(4), Role::Tag, 3),
    ] {
        assert_eq!(refused(fits), Ok(()));
        assert_eq!(refused(policy), Err(Error::TooLarge { role, value: max + 1, max }));
    }
    assert!(
        Generator::new(preset::TWITTER, Span::whole(&preset::TWITTER, 0).unwrap(), Policy::leaf(1))
            .is_ok()
    );
}

#[test]
fn ids_of_one_tag_are_in_order_and_none_comes_twice() {
    let mut ids = generator(Policy { allowed_future_ms: 1_000, tag: 3, ..Policy::default() });
    let mut seen = [const { BTreeSet::new() }; 4];
    for tag in (0..if cfg!(miri) { 200 } else { 4_000 }).map(|i| i * 7 % 4) {
        let id = ids.next_tagged(NOW_MS, tag).unwrap();
        let of_tag = &mut seen[usize::try_from(parts(id).tag).unwrap()];
        assert!(parts(id).tag == tag && of_tag.last().is_none_or(|last| *last < id));
        of_tag.insert(id);
    }
    let refused = Err(Error::TooLarge { role: Role::Tag, value: 4, max: 3 });
    assert_eq!(ids.next_tagged(NOW_MS, 4), refused);
    assert_eq!(parts(ids.next(NOW_MS).unwrap()).tag, 3);
}

#[test]
fn statistics_count_what_happened() {
    let mut ids = generator(Policy { allowed_future_ms: 5, ..Policy::default() });
    // 8 ids are in the tick of the clock, and 12 more in the two ticks after it.
    assert_eq!(ids.fill(1_000, &mut [0; 20]), 20);
    let statistics = ids.statistics();
    assert_eq!((statistics.issued, statistics.fills), (20, 1));
    assert_eq!((statistics.ticks_borrowed, statistics.furthest_ahead_ms), (2, 2));
    // The clock is back by 2 ms, and the tick 1,002 has 4 ids left.
    assert_eq!(ids.fill(998, &mut [0; 100]), 12);
    assert!(ids.next(998).is_err());
    let statistics = ids.statistics();
    assert_eq!((statistics.issued, statistics.fills), (32, 2));
    assert_eq!((statistics.ticks_borrowed, statistics.furthest_ahead_ms), (3, 5));
    assert_eq!(statistics.clock_steps_back, 1);
    assert!(statistics.exhausted >= 1);
    ids.next(2_000).unwrap();
    // A clock that jumps forward is not counted.
    let statistics = ids.statistics();
    assert_eq!((statistics.ticks_borrowed, statistics.clock_steps_back), (3, 1));
}

/// The simulated worlds with static nodes show that no id repeats.
#[test]
fn going_on_after_an_id() {
    let mut ids = generator(Policy::default());
    let first = ids.next(NOW_MS).unwrap();
    ids.resume_after(layout().encode(Parts { node: 1, ..Parts::default() }).unwrap()).unwrap();
    assert_eq!(ids.next(NOW_MS), Ok(first + 1));
    ids.resume_after(first).unwrap();
    assert_eq!(parts(ids.next(NOW_MS + 9).unwrap()).tick, NOW_MS + 9);
    assert_eq!(ids.statistics().issued, 3);
    let other = layout().encode(Parts { node: 2, ..Parts::default() }).unwrap();
    assert_eq!(ids.resume_after(other), Err(Error::OtherNode { found: 2, node: 1 }));
}
