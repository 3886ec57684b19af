//! Checks lemma 2: a generator issues each counter of its span at most once, in ascending order,
//! and no other counter. All orders of a few calls are checked, each at any time.
//! `tests/core/lease/batch.rs` checks all batches.

use edgeflake::{Generator, Layout, Policy, SequenceStart, Span};

const TICKS: u64 = 4;
const IDS_PER_TICK: u64 = 2;
const NODE: u64 = 1;
const CALLS: u32 = 5;

/// A call below this number asks for the next id, and its number is the time. Other calls change
/// which ids may be issued.
const NOWS: u64 = TICKS + 2;
const EXTEND: u64 = NOWS;
const ALLOW: u64 = NOWS + 1;
const RESUME: u64 = NOWS + 2;
const KINDS: u64 = NOWS + 3;

pub(crate) fn check() -> u64 {
    let starts = [SequenceStart::Zero, SequenceStart::Random { max: 1 }, SequenceStart::Rotating];
    let mut count = 0;
    for (sequence_start, bits) in
        starts.into_iter().flat_map(|start| (0..8).map(move |bits| (start, bits)))
    {
        let (allowed_future_ms, gap_max, seed) = (bits >> 2, bits >> 1 & 1, 1 + (bits & 1));
        let policy = Policy { allowed_future_ms, sequence_start, gap_max, seed, tag: 0 };
        for from_tick in 0..TICKS {
            for until_tick in from_tick + 1..=TICKS {
                for calls in 0..KINDS.pow(CALLS) {
                    live(policy, from_tick, until_tick, calls);
                    count += 1;
                }
            }
        }
    }
    count
}

/// Runs a generator. Each digit of `calls` is one call.
fn live(policy: Policy, from_tick: u64, mut until_tick: u64, calls: u64) {
    let layout: Layout = "timestamp:2 node:2 sequence:1 @1 tick=1ms".parse().unwrap();
    let span = Span::new(&layout, NODE, from_tick, until_tick).unwrap();
    let mut ids = Generator::new(layout, span, policy).unwrap();
    let rotates = policy.sequence_start == SequenceStart::Rotating;
    let (mut issued, mut last_tick, mut last) = (0_u64, None, None);
    let mut rest = calls;
    for _ in 0..CALLS {
        let call = rest % KINDS;
        rest /= KINDS;
        let id = match call {
            EXTEND => {
                until_tick = (until_tick + 1).min(TICKS);
                ids.extend(until_tick).unwrap();
                None
            }
            ALLOW => {
                ids.set_allowed_future_ms(2);
                None
            }
            RESUME => {
                last.inspect(|id| ids.resume_after(*id).unwrap());
                None
            }
            now_ms => ids.next(now_ms).ok(),
        };
        let Some(id) = id else { continue };
        let parts = layout.decode(id).unwrap();
        let bit = 1 << (parts.tick * IDS_PER_TICK + parts.sequence);
        let is_within = parts.node == NODE && (from_tick..until_tick).contains(&parts.tick);
        let ascends = last_tick < Some(parts.tick)
            || last_tick == Some(parts.tick) && (rotates || last < Some(id));
        assert!(is_within && ascends && issued & bit == 0, "call {call} gives {parts:?}");
        issued |= bit;
        (last_tick, last) = (Some(parts.tick), Some(id));
    }
    // The first tick that is given back is after all issued counters.
    let unused = ids.close();
    assert!(issued >> (unused * IDS_PER_TICK) == 0 && unused <= until_tick, "closed at {unused}");
    assert!(from_tick <= unused, "closed at {unused}, before the span");
}
