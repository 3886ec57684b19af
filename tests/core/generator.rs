//! The generator: what it issues, and what it refuses, for every clock.

use edgeflake::{Error, Generator, Layout, Policy, Span, preset};

/// A layout so small that tests can walk its whole life: 16 ticks of 10 ms, 4 ids per tick, 4
/// nodes.
fn tiny() -> Layout {
    "timestamp:4 node:2 sequence:2 @1000 tick=10ms".parse().unwrap()
}

fn generator(layout: Layout, from_tick: u64, until_tick: u64, allowed_future_ms: u64) -> Generator {
    let span = Span::new(&layout, 1, from_tick, until_tick).unwrap();
    let policy = Policy { allowed_future_ms, ..Policy::default() };
    Generator::new(layout, span, policy).unwrap()
}

fn counter(layout: &Layout, id: u64) -> u64 {
    let parts = layout.decode(id).unwrap();
    assert_eq!(parts.node, 1);
    parts.tick * layout.ids_per_tick() + parts.sequence
}

#[test]
fn j12_strict_waits_for_the_next_tick() {
    let layout = tiny();
    let mut ids = generator(layout, 0, 16, 0);
    for expected in 0..4 {
        assert_eq!(counter(&layout, ids.next(1_000).unwrap()), expected);
    }
    assert_eq!(ids.next(1_000), Err(Error::Exhausted { retry_in_ms: 10 }));
    assert_eq!(ids.next(1_009), Err(Error::Exhausted { retry_in_ms: 1 }));
    assert_eq!(counter(&layout, ids.next(1_010).unwrap()), 4);
    assert_eq!(counter(&layout, ids.next(1_035).unwrap()), 12);
}

#[test]
fn h26_allowed_future_is_measured_to_the_start_of_the_tick() {
    let layout = tiny();
    for (allowed_future_ms, count, retry_in_ms) in
        [(0, 4, 10), (9, 4, 1), (10, 8, 10), (19, 8, 1), (20, 12, 10)]
    {
        let mut ids = generator(layout, 0, 16, allowed_future_ms);
        assert_eq!(ids.ready(1_000), Ok(()));
        assert_eq!(ids.fill(1_000, &mut [0; 64]) as u64, count);
        assert_eq!(ids.next(1_000), Err(Error::Exhausted { retry_in_ms }));
        assert_eq!(ids.next(1_000 + retry_in_ms - 1), Err(Error::Exhausted { retry_in_ms: 1 }));
        assert!(ids.next(1_000 + retry_in_ms).is_ok());
    }
}

#[test]
fn a_clock_that_goes_back_does_not_move_the_counter() {
    let layout = tiny();
    let mut ids = generator(layout, 0, 16, 30);
    assert_eq!(counter(&layout, ids.next(1_050).unwrap()), 20);
    assert_eq!(counter(&layout, ids.next(1_020).unwrap()), 21);
    assert_eq!(ids.next(1_019), Err(Error::ClockBack { back_ms: 31, retry_in_ms: 1 }));
    assert_eq!(ids.next(999), Err(Error::BeforeEpoch { now_ms: 999, epoch_ms: 1_000 }));
    assert_eq!(ids.next(0), Err(Error::BeforeEpoch { now_ms: 0, epoch_ms: 1_000 }));
    assert_eq!(counter(&layout, ids.next(1_020).unwrap()), 22);
}

/// The clock moves backwards, and no tick is full.
#[test]
fn j11_g8_what_a_wait_is_for() {
    let layout = preset::TWITTER;
    let start_ms = layout.start_ms(1_000);
    let mut ids = generator(layout, 1_000, 300_000, 0);
    ids.next(start_ms + 101).unwrap();
    for back_ms in [101, 1] {
        let retry_in_ms = back_ms;
        let error = Error::ClockBack { back_ms, retry_in_ms };
        assert_eq!(ids.next(start_ms + 101 - back_ms), Err(error));
    }
    assert_eq!(ids.fill(start_ms + 101, &mut vec![0; 5_000]), 4_095);
    // There is none at the latest time of the clock either.
    for back_ms in [0, 1, 101] {
        let error = Error::Exhausted { retry_in_ms: back_ms + 1 };
        assert_eq!(ids.next(start_ms + 101 - back_ms), Err(error));
    }
    ids.next(start_ms + 102).unwrap();
    assert_eq!(ids.next(start_ms), Err(Error::ClockBack { back_ms: 102, retry_in_ms: 102 }));
}

#[test]
fn h3_h4_a_frozen_clock_never_repeats() {
    let layout = preset::HAZELCAST;
    let allowed_future_ms = if cfg!(miri) { 15 } else { 15_000 };
    let capacity = (allowed_future_ms + 1) * 64;
    let mut ids = generator(layout, 1_000, 300_000, allowed_future_ms as u64);
    let now_ms = layout.epoch_ms() + 1_000;
    let mut batch = vec![0; capacity + 1];
    let count = ids.fill(now_ms, &mut batch);
    assert_eq!(count, capacity);
    assert!(batch[..count].is_sorted_by(|a, b| a < b));
    assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
}

#[test]
fn nothing_outside_the_span() {
    let layout = tiny();
    let mut ids = generator(layout, 3, 5, 1_000);
    let mut batch = [0; 64];
    assert_eq!(ids.fill(1_000, &mut batch), 8);
    assert_eq!(counter(&layout, batch[0]), 12);
    assert_eq!(counter(&layout, batch[7]), 19);
    assert_eq!(ids.next(1_000), Err(Error::SpanEnded { until_tick: 5 }));
    assert_eq!(ids.next(1_055), Err(Error::SpanEnded { until_tick: 5 }));
}

#[test]
fn a_span_that_the_clock_has_passed_is_not_used_up_by_asking() {
    let layout = tiny();
    let mut ids = generator(layout, 3, 5, 0);
    assert_eq!(ids.next(1_050), Err(Error::SpanEnded { until_tick: 5 }));
    assert_eq!(counter(&layout, ids.next(1_049).unwrap()), 16);
    assert_eq!(ids.next(1_050), Err(Error::SpanEnded { until_tick: 5 }));
    ids.extend(6).unwrap();
    assert_eq!(counter(&layout, ids.next(1_050).unwrap()), 20);
}

#[test]
fn the_end_of_a_span_only_rises() {
    let layout = tiny();
    let mut ids = generator(layout, 3, 5, 1_000);
    ids.extend(4).unwrap();
    assert_eq!(ids.span().until_tick(), 5);
    assert_eq!(ids.fill(1_000, &mut [0; 64]), 8);
    ids.extend(16).unwrap();
    assert_eq!(ids.fill(1_000, &mut [0; 64]), 44);
    assert_eq!(ids.extend(17), Err(Error::SpanTooLong { until_tick: 17, ticks: 16 }));
    assert_eq!(ids.span().until_tick(), 16);
}

#[test]
fn the_layout_ends_with_its_date() {
    let layout = tiny();
    let mut ids = generator(layout, 14, 16, 1_000);
    assert_eq!(ids.fill(1_140, &mut [0; 64]), 8);
    let ended = |now_ms| Err(Error::LayoutEnded { now_ms, end_ms: 1_160 });
    assert_eq!(ids.next(1_140), ended(1_140));
    assert_eq!(ids.next(1_160), ended(1_160));
    assert_eq!(ids.next(u64::MAX), ended(u64::MAX));
}

#[test]
fn the_last_counter_of_64_bits_does_not_overflow() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let last_tick = layout.ticks() - 1;
    let span = Span::new(&layout, 0, last_tick, layout.ticks()).unwrap();
    let mut ids = Generator::new(layout, span, Policy::default()).unwrap();
    let mut batch = vec![0; 5_000];
    let count = ids.fill(layout.start_ms(last_tick), &mut batch);
    assert_eq!((count, batch[count - 1]), (4_094, u64::MAX - 2));
    let error = ids.next(layout.start_ms(last_tick)).unwrap_err();
    assert_eq!(error.code(), "layout-ended");
    assert_eq!(ids.close(), layout.ticks());
}

#[test]
fn close_says_the_first_tick_not_used() {
    let layout = tiny();
    assert_eq!(generator(layout, 3, 5, 0).close(), 3);
    for (issued, expected) in [(1, 4), (4, 4), (5, 5), (8, 5)] {
        let mut ids = generator(layout, 3, 5, 1_000);
        assert_eq!(ids.fill(1_000, &mut vec![0; issued]), issued);
        assert_eq!(ids.close(), expected, "{issued} issued");
    }
    let mut ids = generator(layout, 3, 9, 0);
    ids.next(1_060).unwrap();
    assert_eq!(ids.close(), 7);
}

#[test]
fn less_allowed_future_waits_for_the_clock() {
    let layout = tiny();
    let mut ids = generator(layout, 0, 16, 100);
    assert_eq!(ids.fill(1_000, &mut [0; 44]), 44);
    ids.set_allowed_future_ms(0);
    assert_eq!(ids.next(1_000), Err(Error::Exhausted { retry_in_ms: 110 }));
    assert_eq!(counter(&layout, ids.next(1_110).unwrap()), 44);
}

#[test]
fn a_span_of_another_layout_is_refused() {
    let span = Span::new(&preset::HAZELCAST, 60_000, 1, 2).unwrap();
    assert_eq!(
        Generator::new(preset::TWITTER, span, Policy::default()).map(|_| ()),
        Err(Error::TooLarge { role: edgeflake::Role::Node, value: 60_000, max: 1_023 })
    );
}

/// The counter's bits are in three pieces, as far from each other as possible.
#[test]
fn every_id_of_parted_fields() {
    for (above, between) in (0..8).flat_map(|above| (0..8).map(move |between| (above, between))) {
        let node = |name: &str, bits| match bits {
            0 => String::new(),
            _ => format!("node.{name}:{bits} "),
        };
        let (above, between) = (node("a", above), node("b", between));
        let text = format!("timestamp:4 {above}sequence.c:2 {between}sequence.d:2 unused:3 @1000");
        let layout: Layout = text.parse().unwrap();
        if layout.nodes() == 1 {
            continue;
        }
        let mut ids = [0; 16 * 16];
        assert_eq!(generator(layout, 0, 16, 20).fill(1_000, &mut ids), ids.len());
        let counters: Vec<_> = ids.iter().map(|id| counter(&layout, *id)).collect();
        assert!(counters.into_iter().eq(0..16 * 16), "{text}");
    }
}
