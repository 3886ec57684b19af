//! Checks how much memory the table of an authority takes. The allocator counts the bytes, so the
//! result is the same in each run. Loading a table reserves memory once, and growing a table copies
//! it once.

#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::size_of;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use edgeflake::lease::{Authority, BoundConfig, Row, Sequencer, Settings, Token, Write};
use edgeflake::preset::EDGE;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each call goes to the system's allocator, and is counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes per node: the row, two ends in each of the two trees of ends, and two links of tokens. The
/// links are half as large in WebAssembly, so a node takes 104 bytes there.
const NODE_BYTES: usize = 64 + 2 * 2 * 8 + 2 * size_of::<usize>();

/// Memory of an authority in addition to its table.
const SLACK_BYTES: usize = 1_024;

/// Measures the bytes allocated while `run` runs: the peak, and what remains.
fn measured<T>(run: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    CALLS.store(0, Relaxed);
    let value = run();
    (value, MOST.load(Relaxed) - before, NOW.load(Relaxed) - before)
}

fn row(node: u64) -> Row {
    // Node 0 is the node for batches, which has no token.
    let token = (node > 0).then(|| Token::from_random(u128::from(node) * 0x9e37_79b9_7f4a_7c15));
    Row { from_tick: 1_000, until_tick: 2_000 + node, token, ..Row::default() }
}

fn main() {
    assert_eq!(size_of::<Option<Row>>(), 64);
    let max = BoundConfig::SHARD_NODES_MAX;
    for nodes in [65_536, max] {
        let config = BoundConfig::new(EDGE, 0, nodes, 1).unwrap();
        let sequencer = Some(Sequencer::new(config));
        let load = |count| {
            let rows = (0..count).map(|node| (node, row(node)));
            Authority::load(0, sequencer, Settings::default(), rows).unwrap()
        };
        let allowed = usize::try_from(nodes).unwrap() * NODE_BYTES + SLACK_BYTES;
        let (authority, most, still) = measured(|| load(nodes));
        let calls = CALLS.load(Relaxed);
        println!("{nodes} nodes loaded: at most {most} bytes, {} per node", most as u64 / nodes);
        assert!(
            most <= allowed && most - still <= SLACK_BYTES,
            "at most {most} bytes, {still} at the end; {allowed} are allowed"
        );
        // One of the allocations is for a table that is still empty.
        assert!(calls <= 5, "{calls} allocations; at most 5 are allowed");
        drop(authority);

        // Adding one node to a power of two makes the table grow to the next power of two.
        let mut authority = load(nodes / 2);
        let before = NOW.load(Relaxed);
        let node = nodes / 2;
        let write = Write::Node { incarnation: 1, node, before: None, after: row(node) };
        let ((), most, still) = measured(|| authority.apply(&write));
        println!("grown to {nodes}: {} bytes at most", before + most);
        let half = allowed / 2;
        assert!(
            most <= allowed && still <= half + SLACK_BYTES,
            "up to {most} bytes more, {still} more at the end; half of {allowed} is allowed"
        );
    }
}
