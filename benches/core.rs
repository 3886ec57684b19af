//! Measures edgeflake's generator, the generators of other crates, and a floor that no generator
//! can beat, in one run: `cargo bench --manifest-path benches/Cargo.toml`.
//!
//! The name of a generator's bench has in brackets the layout and the allowed future, or how the
//! generator waits. A bench fails if it gets fewer ids than it asked for.

use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use edgeflake::{Generator, Layout, Policy, SharedGenerator, Span, now_ms, preset};
use ferroid::define_snowflake_id;
use ferroid::generator::{BasicSnowflakeGenerator, Poll};
use ferroid::time::{MonotonicClock, TWITTER_EPOCH};
use scru64::Scru64Generator;
use snowflake_me::Snowflake;
use snowflaked::Generator as Snowflaked;
use snowid::SnowID;
use tsid::TsidFactory;
use uuid::Uuid;

use shard::Shard;

#[path = "gates/src/shard.rs"]
mod shard;

const BATCH: usize = 1_024;

/// An allowed future, in ms, that no bench uses up.
const UNBOUNDED: u64 = 1 << 40;

/// Returns a layout with more ids per ms than any bench can issue, so that no bench waits for the
/// clock.
fn wide() -> Layout {
    "unused:1 timestamp:41 node:6 sequence:16 @1704067200000".parse().expect("a layout")
}

define_snowflake_id!(WideId, u64, reserved: 1, timestamp: 41, machine_id: 6, sequence: 16);

fn generator(layout: Layout, allowed_future_ms: u64) -> Generator {
    let span = Span::whole(&layout, 1).expect("node 1");
    let policy = Policy { allowed_future_ms, ..Policy::default() };
    Generator::new(layout, span, policy).expect("a generator")
}

fn next(c: &mut Criterion) {
    let mut group = c.benchmark_group("next");
    group.throughput(Throughput::Elements(1));
    let time = now_ms();
    for (name, layout) in [("twitter", preset::TWITTER), ("hazelcast", preset::HAZELCAST)] {
        let mut ids = generator(layout, UNBOUNDED);
        group.bench_function(format!("edgeflake, time given ({name}, unbounded)"), |b| {
            b.iter(|| ids.next(black_box(time)).expect("an id"));
        });
    }
    let span = Span::whole(&preset::TWITTER, 1).expect("node 1");
    let shared = SharedGenerator::new(preset::TWITTER, span, UNBOUNDED).expect("a generator");
    group.bench_function("edgeflake shared, time given (twitter, unbounded)", |b| {
        b.iter(|| shared.next(black_box(time)).expect("an id"));
    });
    group.bench_function("floor: the system's clock", |b| {
        b.iter(|| SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis());
    });
    let mut ids = generator(wide(), 15_000);
    group.bench_function("edgeflake, system's clock (41/6/16, 15 s)", |b| {
        b.iter(|| ids.next(now_ms()).expect("an id"));
    });
    let snowid = SnowID::new(1).expect("node 1");
    group.bench_function("snowid, its clock (42/10/12, unbounded)", |b| {
        b.iter(|| snowid.generate());
    });
    let clock = MonotonicClock::<1>::with_epoch(TWITTER_EPOCH);
    let ferroid = BasicSnowflakeGenerator::<WideId, _>::new(1, clock);
    group.bench_function("ferroid, its clock (41/6/16, none)", |b| {
        b.iter(|| {
            loop {
                if let Poll::Ready { id } = ferroid.poll_id() {
                    break id;
                }
            }
        });
    });
    let mut snowflaked = Snowflaked::new(1);
    group.bench_function("snowflaked, its clock (42/10/12, waits: 4,096 ids per ms)", |b| {
        b.iter(|| snowflaked.generate::<u64>());
    });
    let me = Snowflake::builder()
        .bit_len_sequence(16)
        .bit_len_data_center_id(3)
        .data_center_id(&|| Ok(1))
        .bit_len_machine_id(3)
        .machine_id(&|| Ok(1))
        .finalize()
        .expect("a node");
    group.bench_function("snowflake_me, its clock (41/6/16, none)", |b| {
        b.iter(|| me.next_id().expect("an id"));
    });
    let mut tsid = TsidFactory::with_node_bits(6, 1);
    group.bench_function("tsid, its clock (42/6/16, unbounded)", |b| b.iter(|| tsid.create()));
    let mut scru64 = Scru64Generator::new("1/1".parse().expect("a node"));
    group.bench_function("scru64, its clock (38/1/23 with ticks of 256 ms, 10 s)", |b| {
        b.iter(|| {
            loop {
                if let Some(id) = scru64.generate() {
                    break id;
                }
            }
        });
    });
    group.bench_function("uuid v7, its clock (128 bits)", |b| b.iter(Uuid::now_v7));
    group.finish();
}

fn fill(c: &mut Criterion) {
    let mut group = c.benchmark_group("fill");
    group.throughput(Throughput::Elements(BATCH as u64));
    let mut batch = vec![0; BATCH];
    let time = now_ms();
    group.bench_function("floor: writing the memory", |b| {
        b.iter(|| {
            for (id, value) in batch.iter_mut().zip(black_box(time)..) {
                *id = value;
            }
            black_box(&mut batch);
        });
    });
    for (name, layout) in [("twitter", preset::TWITTER), ("hazelcast", preset::HAZELCAST)] {
        let mut ids = generator(layout, UNBOUNDED);
        group.bench_function(format!("edgeflake ({name}, unbounded)"), |b| {
            b.iter(|| {
                assert_eq!(ids.fill(black_box(time), &mut batch), BATCH);
                black_box(&mut batch);
            });
        });
    }
    let snowid = SnowID::new(1).expect("node 1");
    group.bench_function("snowid (42/10/12, unbounded)", |b| {
        b.iter(|| {
            batch.fill(0);
            snowid.generate_batch(&mut batch);
            assert_ne!(batch[BATCH - 1], 0);
            black_box(&mut batch);
        });
    });
    group.finish();
}

/// Measures the time per id when several threads issue ids at once.
fn threads(c: &mut Criterion) {
    let time = now_ms();
    let layout = preset::TWITTER;
    let span = Span::whole(&layout, 1).expect("node 1");
    for count in [1, 2, 4] {
        let mut group = c.benchmark_group(format!("{count} threads"));
        group.throughput(Throughput::Elements(1));
        let shared = SharedGenerator::new(layout, span, UNBOUNDED).expect("a generator");
        group.bench_function("edgeflake shared (twitter, unbounded)", |b| {
            b.iter_custom(|ids| together(count, ids, || shared.next(black_box(time)).is_ok()));
        });
        let locked = Mutex::new(generator(layout, UNBOUNDED));
        group.bench_function("edgeflake in a mutex (twitter, unbounded)", |b| {
            b.iter_custom(|ids| {
                let next = || locked.lock().expect("a lock").next(black_box(time)).is_ok();
                together(count, ids, next)
            });
        });
        let snowid = SnowID::new(1).expect("node 1");
        group.bench_function("snowid (42/10/12, unbounded)", |b| {
            b.iter_custom(|ids| together(count, ids, || black_box(snowid.generate()) != 0));
        });
        group.finish();
    }
}

/// Issues `ids` ids on `threads` threads. The first thread also issues the remainder.
fn together(threads: u64, ids: u64, issue: impl Fn() -> bool + Sync) -> Duration {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let issue = &issue;
            let part = ids / threads + if thread == 0 { ids % threads } else { 0 };
            scope.spawn(move || assert!((0..part).all(|_| issue()), "a thread issued too few ids"));
        }
    });
    start.elapsed()
}

/// Measures the decisions of an authority without storage, with 2^10, 2^13 and 2^16 nodes, because
/// the time may grow with the logarithm of this number. All nodes have been used. Every reply is
/// checked, and a refusal fails the bench.
fn authority(c: &mut Criterion) {
    let mut group = c.benchmark_group("authority");
    for nodes in [1_024, 8_192, 65_536] {
        let mut shard = Shard::new(nodes);
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("renew ({nodes} nodes)"), |b| b.iter(|| shard.renew()));
        group.throughput(Throughput::Elements(2));
        group.bench_function(format!("acquire and release ({nodes} nodes)"), |b| {
            b.iter(|| {
                let grant = shard.acquire();
                shard.release(&grant);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, next, fill, threads, authority);
criterion_main!(benches);
