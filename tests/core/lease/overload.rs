//! Far more isolates ask than a shard can answer. A holder with a lease keeps it, grants go before
//! batches, and after the crowd every holder has a span again, without an operator's help.

use std::collections::{BTreeMap, BTreeSet};

use edgeflake::Layout;
use edgeflake::lease::{
    Authority, BoundConfig, Holder, Refusal, Reply, Request, Sequencer, Settings, Step, Terms, Wait,
};

use super::shell::{acquire, ask, prefetch};

const LEASE_MS: u64 = 10_000;
const PER_SECOND_MAX: u64 = 40;

/// 60 nodes can be granted, and one is that of batches.
const NODES: u64 = 60;
const STEADY: usize = 50;
const CROWD: usize = if cfg!(miri) { 30 } else { 1_000 };
/// Isolates of the crowd that stay.
const STAY: usize = 5;

const CROWD_COMES_MS: u64 = 30_000;
const CROWD_GOES_MS: u64 = if cfg!(miri) { 35_000 } else { 90_000 };

/// The longest lease of the crowd, and the longest pause of a holder that found no node, have
/// ended.
const RECOVERED_MS: u64 = CROWD_GOES_MS + LEASE_MS + 64_000;
const END_MS: u64 = RECOVERED_MS + 2 * LEASE_MS;

/// Time between two requests of an isolate.
const REQUEST_EVERY_MS: u64 = if cfg!(miri) { 1_000 } else { 200 };

fn authority(per_second_max: u64) -> Authority {
    let layout: Layout = "timestamp:40 node:6 sequence:6 @0".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, NODES + 1, 1).unwrap());
    let terms = Terms { lease_ms: LEASE_MS, allowed_future_ms: 100, ..Terms::default() };
    let operations_per_second_max = per_second_max;
    let settings = Settings { terms, operations_per_second_max, ..Settings::default() };
    Authority::load(0, Some(sequencer), settings, []).unwrap()
}

#[derive(Default)]
struct Isolate {
    holder: Holder,
    wait: Wait,
    /// The isolate has had ids without a gap until this time.
    served_ms: u64,
}

/// The answers of one second, without refusals for overload.
#[derive(Clone, Copy, Debug, Default)]
struct Second {
    renewals: u64,
    acquires: u64,
    prefetches: u64,
    refused: u64,
}

struct World {
    authority: Authority,
    isolates: Vec<Isolate>,
    /// When each isolate is looked at next.
    times: BTreeSet<(u64, usize)>,
    seconds: BTreeMap<u64, Second>,
    ids: BTreeSet<u64>,
    random: u128,
}

impl World {
    fn new() -> Self {
        let isolates: Vec<_> = (0..STEADY + CROWD).map(|_| Isolate::default()).collect();
        // The steady isolates start one after the other, the crowd at once.
        let start_ms = |index| if index < STEADY { 100 * index as u64 } else { CROWD_COMES_MS };
        let times = (0..isolates.len()).map(|index| (start_ms(index), index)).collect();
        Self {
            authority: authority(PER_SECOND_MAX),
            isolates,
            times,
            seconds: BTreeMap::new(),
            ids: BTreeSet::new(),
            random: 1,
        }
    }

    fn run(&mut self) {
        while let Some((now_ms, index)) = self.times.pop_first() {
            let stays = index < STEADY + STAY;
            if now_ms < if stays { END_MS } else { CROWD_GOES_MS } {
                let next_ms = now_ms + self.request(now_ms, index);
                self.times.insert((next_ms, index));
            }
        }
    }

    /// Continues a request of an isolate, and returns the ms until its next step.
    fn request(&mut self, now_ms: u64, index: usize) -> u64 {
        let mut ids = [0];
        loop {
            let random = &mut self.random;
            let isolate = &mut self.isolates[index];
            let step = isolate.holder.step(now_ms, &mut isolate.wait, &mut ids, || {
                *random = random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645) + 1;
                *random >> 64 ^ *random
            });
            match step {
                Step::Done => {
                    assert!(self.ids.insert(ids[0]));
                    isolate.wait = Wait::default();
                    isolate.served_ms = now_ms;
                    return REQUEST_EVERY_MS;
                }
                Step::Sleep { ms } => {
                    isolate.wait.fired(ms);
                    return ms;
                }
                Step::Failed { .. } => {
                    assert!(index >= STEADY, "isolate {index} failed at {now_ms}: {step:?}");
                    isolate.wait = Wait::default();
                    return REQUEST_EVERY_MS;
                }
                Step::Send(call) => {
                    let reply = self.answer(now_ms, call.request);
                    self.isolates[index].holder.receive(now_ms, call.number, Ok(reply));
                }
            }
        }
    }

    fn answer(&mut self, now_ms: u64, request: Request) -> Reply {
        let second = self.seconds.entry(now_ms / 1_000).or_default();
        if let Some(refused) = self.authority.admit(now_ms, &request) {
            second.refused += 1;
            return refused;
        }
        match request {
            Request::Acquire(_) => second.acquires += 1,
            Request::Prefetch(_) => second.prefetches += 1,
            _ => second.renewals += 1,
        }
        ask(&mut self.authority, now_ms, request)
    }
}

#[test]
fn a_crowd_comes_and_goes() {
    let mut world = World::new();
    world.run();
    let crowded = CROWD_COMES_MS / 1_000 + 1..CROWD_GOES_MS / 1_000;
    let mut sum = Second::default();
    for (second, count) in &world.seconds {
        let Second { renewals, acquires, prefetches, refused } = *count;
        // A quarter of the capacity is left for renewals.
        assert!(acquires + prefetches <= PER_SECOND_MAX * 3 / 4, "second {second}: {count:?}");
        assert!(prefetches <= PER_SECOND_MAX / 2, "second {second}: {count:?}");
        if crowded.contains(second) {
            sum.renewals += renewals;
            sum.refused += refused;
            // Batches do not take the capacity of grants.
            let overloaded = refused > 0 && renewals < PER_SECOND_MAX / 4;
            assert!(!overloaded || acquires > 0, "second {second}: {count:?}");
        } else {
            assert!(refused == 0 || *second < RECOVERED_MS / 1_000, "second {second}: {count:?}");
        }
    }
    // Holders with a lease renewed it all the time, and all other requests were too many.
    let leases = (CROWD_GOES_MS - CROWD_COMES_MS) / LEASE_MS * STEADY as u64;
    assert!(sum.renewals >= leases, "{sum:?}");
    assert!(cfg!(miri) || sum.refused > 10 * sum.renewals, "{sum:?}");
    // Every isolate that stayed has a span and ids.
    for (index, isolate) in world.isolates[..STEADY + STAY].iter().enumerate() {
        let span = isolate.holder.span().expect("a span");
        assert!(span.until_tick() > END_MS, "isolate {index}: {span:?}");
        assert!(isolate.served_ms + 2 * REQUEST_EVERY_MS > END_MS, "isolate {index}");
    }
}

#[test]
fn renewals_before_grants_before_batches() {
    // The same number of each kind is answered, whatever came before in the second.
    for (per_second_max, prefetches, acquires) in
        [(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 2, 3), (5, 3, 4), (1_000, 500, 750)]
    {
        let admitted = |request: &dyn Fn(u128) -> Request| {
            let mut authority = authority(per_second_max);
            let requests = (0..2_000).map(request);
            requests.filter(|it| authority.admit(5_000, it).is_none()).count() as u64
        };
        assert_eq!(admitted(&|_| prefetch(None, 5_000)), prefetches, "{per_second_max}");
        let acquire = |bits| Request::Acquire(acquire(bits, 5_000));
        assert_eq!(admitted(&acquire), acquires, "{per_second_max}");
        for request in [Request::Describe, Request::Destroy] {
            assert_eq!(admitted(&|_| request), 2_000);
        }
    }
}

#[test]
fn a_refusal_names_the_rest_of_the_second_at_least() {
    let prefetch = |now_ms| prefetch(None, now_ms);
    let mut authority = authority(1);
    assert_eq!(authority.admit(5_000, &prefetch(5_000)), None);
    for (now_ms, retry_in_ms) in [(5_000, 2_000), (5_001, 1_999), (5_999, 1_001)] {
        let refusal = Refusal::Overloaded { retry_in_ms };
        let refused = Reply::Refused { refusal, incarnation: 1 };
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), Some(refused));
    }
    // A new second begins: the next one, or an earlier one because the clock went back.
    for now_ms in [6_000, 4_999] {
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), None);
        assert!(authority.admit(now_ms, &prefetch(now_ms)).is_some());
    }
}
