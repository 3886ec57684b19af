//! Tests requests that want more ids than the allowed future has.

use std::collections::BTreeMap;

use edgeflake::lease::{Error, Step, Terms, Wait};
use edgeflake::preset::{HAZELCAST, RESOURCE_TYPE};
use edgeflake::{Layout, Span};

use super::isolate::{Isolate, terms};

/// A request and its outcome.
struct Request {
    wait: Wait,
    ids: Vec<u64>,
    began_ms: u64,
    end: Option<End>,
}

/// How a request ended: the time, in Unix ms, and if the request failed, the error and the time
/// after which to retry.
struct End {
    at_ms: u64,
    failure: Option<(Error, Option<u64>)>,
}

/// One isolate with its requests. The simulated worlds show that small requests do not wait for
/// large ones.
struct World {
    isolate: Isolate,
    now_ms: u64,
    requests: Vec<Request>,
    /// The timers, by time and number: the request that each one wakes, and how long that request
    /// has slept.
    timers: BTreeMap<(u64, u64), (usize, u64)>,
    number: u64,
}

impl World {
    /// Makes an isolate with a long lease of this layout.
    fn new(layout: Layout, allowed_future_ms: u64) -> Self {
        let now_ms = layout.start_ms(1_000_000);
        let tick = layout.tick(now_ms).unwrap();
        let span = Span::new(&layout, 1, tick, tick + 300_000).unwrap();
        let terms = Terms { lease_ms: 300_000, allowed_future_ms, ..terms() };
        let isolate = Isolate::default().leased(layout, now_ms, span, terms);
        let (requests, timers) = (Vec::new(), BTreeMap::new());
        Self { isolate, now_ms, requests, timers, number: 0 }
    }

    fn begin(&mut self, count: usize) -> usize {
        let (wait, began_ms) = (Wait::of(count), self.now_ms);
        self.requests.push(Request { wait, ids: Vec::new(), began_ms, end: None });
        self.look(self.requests.len() - 1);
        self.requests.len() - 1
    }

    fn look(&mut self, request: usize) {
        let Request { wait, ids, end, .. } = &mut self.requests[request];
        let step = self.isolate.holder.issue(self.now_ms, wait, ids, || 7);
        match step {
            Step::Done => *end = Some(End { at_ms: self.now_ms, failure: None }),
            Step::Failed { error, retry_in_ms } => {
                *end = Some(End { at_ms: self.now_ms, failure: Some((error, retry_in_ms)) });
            }
            Step::Sleep { ms } => {
                self.number += 1;
                self.timers.insert((self.now_ms + ms, self.number), (request, ms));
            }
            Step::Send(_) => panic!("a call, although the lease is long"),
        }
    }

    fn cancel(&mut self, request: usize) {
        self.timers.retain(|_, (timed, _)| *timed != request);
        let Request { wait, ids, end, .. } = &mut self.requests[request];
        self.isolate.holder.cancel(wait, ids);
        *end = Some(End { at_ms: self.now_ms, failure: None });
    }

    /// Lets the next timer fire. Returns whether there was one.
    fn go_on(&mut self) -> bool {
        let Some(((at_ms, _), (request, ms))) = self.timers.pop_first() else { return false };
        self.now_ms = self.now_ms.max(at_ms);
        self.requests[request].wait.fired(ms);
        self.look(request);
        true
    }

    fn finish(&mut self) {
        while self.go_on() {}
        let mut ids: Vec<u64> =
            self.requests.iter().flat_map(|request| &request.ids).copied().collect();
        ids.retain(|id| *id != 0);
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "an id came twice");
    }

    /// Returns how long a request waited until it ended, or has waited until now.
    fn age_ms(&self, request: usize) -> u64 {
        let Request { began_ms, end, .. } = &self.requests[request];
        end.as_ref().map_or(self.now_ms, |end| end.at_ms) - began_ms
    }

    /// Returns how long a request waited, or `None` if it failed. The request must have ended.
    fn waited_ms(&self, request: usize) -> Option<u64> {
        let Request { began_ms, end, .. } = &self.requests[request];
        let End { at_ms, failure } = end.as_ref().unwrap();
        failure.is_none().then_some(at_ms - began_ms)
    }
}

#[test]
fn s10_ids_come_as_soon_as_the_ticks_hold_them() {
    for (count, least_ms) in [(1, 0), (64, 0), (65, 1), (1_920, 29), (2_240, 34), (100_000, 1_562)]
    {
        let mut world = World::new(HAZELCAST, 0);
        let request = world.begin(count);
        world.finish();
        assert_eq!(world.waited_ms(request), Some(least_ms), "{count}");
        assert_eq!(world.requests[request].ids.len(), count);
        assert!(world.requests[request].ids.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn h4_what_cannot_be_served_in_time_is_refused_at_once() {
    for (allowed_future_ms, accepted) in [(0, 3), (15_000, 12)] {
        let mut world = World::new(HAZELCAST, allowed_future_ms);
        for _ in 0..150 {
            world.begin(100_000);
        }
        // All requests after the accepted ones have ended at once.
        let ended = |world: &World, request: usize| world.requests[request].end.is_some();
        assert!((accepted..150).all(|request| ended(&world, request)));
        // Each waiting request except the first has memory for only one slice.
        let waiting = world.requests.iter().filter(|request| request.end.is_none());
        let mut in_hand: Vec<_> = waiting.map(|request| request.ids.len()).collect();
        in_hand.sort_unstable();
        in_hand.pop();
        assert!(in_hand.iter().all(|ids| *ids <= 1_000), "{in_hand:?}");
        world.finish();
        for request in 0..150 {
            let waited_ms = world.waited_ms(request);
            assert_eq!(waited_ms.is_some(), request < accepted, "{request}");
            assert!(waited_ms.is_none_or(|ms| ms <= 5_000));
            if let Some((error, retry_in_ms)) =
                world.requests[request].end.as_ref().unwrap().failure
            {
                assert_eq!(error.code(), "exhausted");
                // The ids of one request take 1,562 ms, so each refused request is told to retry
                // that much later than the request before.
                let before_ms = 1_562 * (request - accepted) as u64;
                let own_ms = retry_in_ms.expect("a time") - before_ms.min(60_000);
                assert!(own_ms <= 1_563, "{retry_in_ms:?}");
            }
        }
        // Requests are served in the order of arrival.
        let firsts = world.requests[..accepted].iter().map(|request| request.ids[0]);
        assert!(firsts.is_sorted());
    }
}

#[test]
fn a_request_that_vanished_is_passed_by() {
    let mut world = World::new(HAZELCAST, 0);
    let vanished = world.begin(90_000);
    let other = world.begin(100_000);
    world.timers.retain(|_, (request, _)| *request != vanished);
    world.requests[vanished].end = Some(End { at_ms: world.now_ms, failure: None });
    world.finish();
    let waited_ms = world.waited_ms(other).unwrap();
    assert!((1_562..1_562 + 200).contains(&waited_ms), "{waited_ms} ms");
}

/// If ticks are long, a request sleeps long but keeps its place in the queue. Later requests that
/// cannot get ids in time are refused at once.
#[test]
fn a_request_that_sleeps_keeps_its_place() {
    let layout: Layout =
        "timestamp:32 node:8 sequence:12 @1700000000000 tick=1000ms".parse().expect("a layout");
    let mut world = World::new(layout, 0);
    let half_ms = world.now_ms + 500;
    let served = [world.begin(8_000), world.begin(9_000)];
    while world.timers.first_key_value().is_some_and(|((at_ms, _), _)| *at_ms < half_ms) {
        world.go_on();
    }
    world.now_ms = half_ms;
    // The current tick and the 5 ticks that begin within the next 5 s have 24,576 ids.
    let refused = world.begin(9_000);
    assert!(world.requests[refused].end.is_some());
    world.finish();
    assert_eq!(world.waited_ms(refused), None);
    assert!(served.iter().all(|request| world.waited_ms(*request).is_some()));
}

#[test]
fn a_caller_that_leaves_gives_back_its_ids_and_its_place() {
    // The layout has 8 ids per ms, so 400 requests for 10 ids use up 500 ms.
    let layout = RESOURCE_TYPE.with_epoch(1_700_000_000_000).unwrap();
    for stays in [0, 13] {
        let mut world = World::new(layout, 0);
        let requests: Vec<_> = (0..400).map(|_| world.begin(10)).collect();
        for (number, request) in requests.into_iter().enumerate() {
            if number > 0 && number.is_multiple_of(400 / 13) && stays > 0 {
                continue;
            }
            if world.requests[request].end.is_none() {
                world.cancel(request);
            }
        }
        // The next request gets the first ids that no answer contained.
        let next = world.begin(10);
        world.finish();
        assert!(world.waited_ms(next).unwrap() <= 2, "{:?}", world.waited_ms(next));
        let answered = world.requests.iter().flat_map(|request| &request.ids);
        let mut answered: Vec<_> = answered.copied().collect();
        let count = answered.len();
        answered.sort_unstable();
        answered.dedup();
        assert_eq!(answered.len(), count);
    }

    // A large request leaves the queue, and the next request gets its place.
    let mut world = World::new(HAZELCAST, 0);
    let leaves = [100_000, 90_000].map(|count| world.begin(count));
    let stays = world.begin(100_000);
    for request in leaves {
        world.cancel(request);
    }
    world.finish();
    assert!(world.waited_ms(stays).unwrap() < 1_562 + 30);
}

#[test]
fn ids_below_one_that_was_answered_do_not_come_back() {
    let mut world = World::new(HAZELCAST, 10);
    // The allowed future has 11 ticks, so this request waits for the tick after them.
    let leaves = world.begin(11 * 64 + 10);
    world.now_ms += 5;
    let answered = world.begin(1);
    world.cancel(leaves);
    let next = world.begin(1);
    world.finish();
    let [answered, next] = [answered, next].map(|request| world.requests[request].ids[0]);
    assert!(next > answered, "{next} after {answered}");
}

#[test]
fn an_answer_counts_with_its_largest_id() {
    let mut world = World::new(HAZELCAST, 10);
    let leaves = world.begin(1_900);
    // This request takes the last ids that it may take ahead of the clock. Then it waits.
    let waits = world.begin(1_100);
    // So it later gets the smaller ids that `leaves` gives back here.
    world.cancel(leaves);
    while world.requests[waits].end.is_none() {
        world.go_on();
    }
    let next = world.begin(1);
    world.finish();
    let [answered, next] = [waits, next].map(|request| &world.requests[request].ids);
    assert!(answered[0] > answered[1_099], "{answered:?}");
    assert!(next.iter().max() > answered.iter().max(), "{next:?}");
}

/// Eight clients ask for 100,000 ids again and again, beside small requests. A refused client comes
/// back at the time that the refusal names. As a result all clients are served, and hardly any id
/// is lost.
#[test]
fn large_requests_that_come_back_in_time_are_served() {
    const MS: u64 = 60_000;
    const SMALL: usize = 64;
    // Small requests take `small` of the 64 ids per ms.
    for (future_ms, small) in [(0, 0), (0, 32), (1_000, 32), (15_000, 32), (15_000, 48)] {
        let mut world = World::new(HAZELCAST, future_ms);
        let end_ms = world.now_ms + MS;
        let mut clients = [(world.now_ms, None, 0); 8];
        let mut smalls = Vec::new();
        while world.now_ms < end_ms {
            let now_ms = world.now_ms;
            while world.timers.first_key_value().is_some_and(|((at_ms, _), _)| *at_ms <= now_ms) {
                world.go_on();
            }
            for (comes_ms, request, served) in &mut clients {
                if request.is_none() && *comes_ms <= now_ms {
                    *request = Some(world.begin(100_000));
                }
                let end = request.and_then(|request| world.requests[request].end.as_ref());
                let Some(End { failure, .. }) = end else { continue };
                *request = None;
                *served += u64::from(failure.is_none());
                *comes_ms = now_ms + failure.map_or(0, |(_, retry_in_ms)| retry_in_ms.unwrap());
            }
            if now_ms.is_multiple_of(SMALL as u64) {
                smalls.extend((0..small).map(|_| world.begin(SMALL)));
            }
            world.now_ms += 1;
        }
        let case = format!("{future_ms} ms, {small} ids per ms: {clients:?}");
        assert!(clients.iter().all(|(_, _, served)| *served > 0), "{case}");
        assert!(smalls.iter().all(|small| world.age_ms(*small) <= 100), "{case}");
        let is_lost =
            |request: &&Request| request.end.as_ref().is_some_and(|end| end.failure.is_some());
        let kept = world.requests.iter().filter(|request| !is_lost(request));
        let ids: usize = kept.map(|request| request.ids.len()).sum();
        let goodput = ids as u64 * 100 / (64 * (MS + future_ms));
        assert!(goodput >= 90, "{goodput} %, {case}");
    }
}
