//! Measures how many operations per second an authority decides, without storage:
//! `cargo bench --manifest-path benches/Cargo.toml --bench authority`.
//!
//! It measures with 1,024, 8,192 and 65,536 nodes, all of which have been used, so that the cost of
//! an operation can be compared with the logarithm of the number of nodes. Every reply is checked,
//! and a refusal fails the bench.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
#[path = "gates/src/shard.rs"]
mod shard;

use shard::Shard;

/// Counts the bytes that are allocated.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does all of the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        IN_USE.fetch_add(memory.size(), Ordering::Relaxed);
        unsafe { System.alloc(memory) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        IN_USE.fetch_sub(memory.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, memory) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const NODES: [u64; 3] = [1_024, 8_192, 65_536];

fn operations(c: &mut Criterion) {
    let mut group = c.benchmark_group("authority");
    for nodes in NODES {
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
        // An isolate that lives for three leases makes this mix of operations.
        group.throughput(Throughput::Elements(8));
        group.bench_function(format!("6 renew, acquire and release ({nodes} nodes)"), |b| {
            b.iter(|| {
                (0..6).for_each(|_| shard.renew());
                {
                    let grant = shard.acquire();
                    shard.release(&grant);
                };
            });
        });
    }
    group.finish();
}

/// Prints how much memory an authority takes, and measures no time.
fn memory(_: &mut Criterion) {
    for nodes in NODES {
        let before = IN_USE.load(Ordering::Relaxed);
        let shard = Shard::new(nodes);
        let bytes = IN_USE.load(Ordering::Relaxed) - before;
        println!(
            "authority/memory ({nodes} nodes)  {bytes} bytes, {} a node",
            bytes as u64 / nodes
        );
        drop(shard);
    }
}

criterion_group!(benches, operations, memory);
criterion_main!(benches);
