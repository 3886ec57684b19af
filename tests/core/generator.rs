//! Tests which ids a generator issues and refuses, whatever the clock does. Also tests that
//! `SharedGenerator` never issues an id to two threads. `properties.rs` shows that
//! `SharedGenerator` issues the same ids as `Generator`.
//!
//! `new 3..5 future=90` makes a generator for the ticks 3 and 4. The layout is so small that tests
//! can go through all of it: 16 ticks of 10 ms from 1,000 ms on, with 4 ids per tick.

use std::sync::atomic::{AtomicU64, Ordering};

use edgeflake::{Error, Generator, Layout, Policy, SharedGenerator, Span, preset};

use crate::transcript::{Player, Words, numbers, transcripts};

/// The threads of a shared generator together take at least this number of ids.
const MANY: u64 = if cfg!(miri) { 100 } else { 100_000 };

fn tiny() -> Layout {
    "timestamp:4 node:2 sequence:2 @1000 tick=10ms".parse().unwrap()
}

fn generator(layout: Layout, from_tick: u64, until_tick: u64, allowed_future_ms: u64) -> Generator {
    let span = Span::new(&layout, 1, from_tick, until_tick).unwrap();
    let policy = Policy { allowed_future_ms, ..Policy::default() };
    Generator::new(layout, span, policy).unwrap()
}

/// A generator and its clock.
struct Issuer {
    generator: Generator,
    now_ms: u64,
}

impl Default for Issuer {
    fn default() -> Self {
        Self { generator: generator(tiny(), 0, 16, 0), now_ms: 1_000 }
    }
}

impl Player for Issuer {
    fn play(&mut self, words: &Words) -> String {
        let Self { generator: ids, now_ms } = self;
        let error = |error: Error| format!("{} {}", error.code(), numbers(&error));
        let counter = |id: &u64| {
            let parts = tiny().decode(*id).unwrap();
            assert_eq!(parts.node, 1);
            format!("{}.{}", parts.tick, parts.sequence)
        };
        match words.get(0).expect("an event") {
            "new" => {
                let (from, until) = words.get(1).unwrap().split_once("..").unwrap();
                let future_ms = words.option("future").unwrap_or_default();
                let ticks = [from, until].map(|tick| tick.parse().unwrap());
                *ids = generator(tiny(), ticks[0], ticks[1], future_ms);
                String::new()
            }
            "next" => ids.next(*now_ms).map_or_else(error, |id| counter(&id)),
            "fill" => {
                let mut filled = vec![0; words.get(1).map_or(64, |count| count.parse().unwrap())];
                let count = ids.fill(*now_ms, &mut filled);
                assert!(filled[..count].is_sorted_by(|a, b| a < b));
                format!("{count} {}..={}", counter(&filled[0]), counter(&filled[count - 1]))
            }
            "ready" => ids.ready(*now_ms).map_or_else(error, |()| "ready".to_owned()),
            "extend" => {
                let extended = ids.extend(words.number(1));
                extended.map_or_else(error, |()| format!("until {}", ids.span().until_tick()))
            }
            "future" => {
                ids.set_allowed_future_ms(words.number(1));
                String::new()
            }
            "close" => {
                let closed = std::mem::replace(ids, generator(tiny(), 0, 16, 0));
                closed.close().to_string()
            }
            other => panic!("unknown event {other}"),
        }
    }

    fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
    }
}

transcripts! { Issuer:
    #[test]
    fn g7_h26_j12_allowed_future_is_measured_to_the_start_of_the_tick() "
        new 0..16 future=0; ready -> ready; fill -> 4 0.0..=0.3; next -> exhausted 10
        ready -> exhausted 10; @1009 next -> exhausted 1; @1010 next -> 1.0; @1035 next -> 3.0
        new 0..16 future=9; @1000 fill -> 4 0.0..=0.3; next -> exhausted 1; @1001 next -> 1.0
        new 0..16 future=10; @1000 fill -> 8 0.0..=1.3; next -> exhausted 10
        @1009 next -> exhausted 1; @1010 next -> 2.0
        new 0..16 future=19; @1000 fill -> 8 0.0..=1.3; next -> exhausted 1; @1001 next -> 2.0
        new 0..16 future=20; @1000 fill -> 12 0.0..=2.3; next -> exhausted 10
        @1009 next -> exhausted 1; @1010 next -> 3.0
    "

    #[test]
    fn a_clock_that_goes_back_does_not_move_the_counter() "
        new 0..16 future=30; @1050 next -> 5.0; @1020 next -> 5.1; @1019 next -> clock-back 31 1
        @999 next -> before-epoch 999 1000; @0 next -> before-epoch 0 1000; @1020 next -> 5.2
    "

    /// If the clock goes back while the last id's tick has ids left, the error is `clock-back`. If
    /// that tick is full, the error is `exhausted`, because even at the clock's latest time no id
    /// would be left.
    #[test]
    fn j11_g8_what_a_wait_is_for() "
        new 0..16; @1105 next -> 10.0; @1009 next -> clock-back 96 91; @1099 next -> clock-back 6 1
        @1105 fill 9 -> 3 10.1..=10.3; next -> exhausted 5; @1104 next -> exhausted 6
        @1009 next -> exhausted 101; @1110 next -> 11.0; @1000 next -> clock-back 110 110
    "

    #[test]
    fn nothing_outside_the_span() "
        new 3..5 future=1000; fill -> 8 3.0..=4.3; next -> span-ended 5; @1055 next -> span-ended 5
        // A request after the span's end uses up nothing: ids are left when the clock goes back.
        new 3..5; @1050 next -> span-ended 5; @1049 next -> 4.0; @1050 next -> span-ended 5
        extend 6 -> until 6; next -> 5.0
    "

    #[test]
    fn the_end_of_a_span_only_rises() "
        new 3..5 future=1000; extend 4 -> until 5; fill -> 8 3.0..=4.3; extend 16 -> until 16
        fill -> 44 5.0..=15.3; extend 17 -> invalid-span 17 16; extend 16 -> until 16
    "

    #[test]
    fn the_layout_ends_with_its_date() "
        new 14..16 future=1000; @1140 fill -> 8 14.0..=15.3; next -> layout-ended 1140 1160
        @1160 next -> layout-ended 1160 1160
        @18446744073709551615 next -> layout-ended 18446744073709551615 1160
    "

    #[test]
    fn close_says_the_first_tick_not_used() "
        new 3..5; close -> 3
        new 3..5 future=90; @1000 next -> 3.0; close -> 4
        new 3..5 future=90; fill 4 -> 4 3.0..=3.3; close -> 4
        new 3..5 future=90; fill 5 -> 5 3.0..=4.0; close -> 5
        new 3..5 future=90; fill 8 -> 8 3.0..=4.3; close -> 5
        new 3..9; @1060 next -> 6.0; close -> 7
    "

    #[test]
    fn less_allowed_future_waits_for_the_clock() "
        new 0..16 future=100; @1000 fill -> 44 0.0..=10.3; future 0; next -> exhausted 110
        @1110 next -> 11.0
    "
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

/// The last two counters are never issued, because `u64::MAX` marks a closed `SharedGenerator`.
#[test]
fn the_last_counter_of_64_bits_does_not_overflow() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let last_tick = layout.ticks() - 1;
    let span = Span::new(&layout, 0, last_tick, layout.ticks()).unwrap();
    let now_ms = layout.start_ms(last_tick);
    let mut single = Generator::new(layout, span, Policy::default()).unwrap();
    let shared = SharedGenerator::new(layout, span, 0).unwrap();
    let mut batch = vec![0; 5_000];
    for count in [single.fill(now_ms, &mut batch), shared.fill(now_ms, &mut batch)] {
        assert_eq!((count, batch[count - 1]), (4_094, u64::MAX - 2));
    }
    for error in [single.next(now_ms).unwrap_err(), shared.next(now_ms).unwrap_err()] {
        assert_eq!(error.code(), "layout-ended");
    }
    assert_eq!((single.close(), shared.close()), (layout.ticks(), Some(layout.ticks())));
}

#[test]
fn a_span_of_another_layout_is_refused() {
    let span = Span::new(&preset::HAZELCAST, 60_000, 1, 2).unwrap();
    assert_eq!(
        Generator::new(preset::TWITTER, span, Policy::default()).map(|_| ()),
        Err(Error::TooLarge { role: edgeflake::Role::Node, value: 60_000, max: 1_023 })
    );
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
