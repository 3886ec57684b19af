//! Leases that are given back: swapped because the clock went back, or detached.

use edgeflake::lease::{
    Authority, BoundConfig, Error, Holder, Refusal, Release, Reply, Request, Sequencer, Settings,
    State, Step, Terms, Wait,
};
use edgeflake::{Layout, Span};

use super::isolate::{INCARNATION, Isolate, batch, grant, layout, refused, renewal, terms, token};
use crate::lease::shell::ask;

/// Returns the release that a holder has to send next.
fn released(isolate: &mut Isolate, now_ms: u64) -> Release {
    let call = isolate.sent(now_ms);
    let Request::Release(release) = call.request else { panic!("{call:?}") };
    assert_eq!(call.shard, Some(0));
    // The release stays the same whatever the reply, and however often it is sent.
    let (token, incarnation) = (release.token, release.incarnation);
    isolate.receive(now_ms, call, Reply::Released { token, incarnation });
    isolate.receive(now_ms, call, Reply::Ended { token, incarnation });
    release
}

#[test]
fn q8_q9_a_clock_that_goes_back_far_swaps_the_lease() {
    for (back_ms, swaps) in [(25, false), (26, true), (500, true)] {
        let (mut isolate, acquired) = Isolate::attached();
        isolate.id(1_030);
        // The next id is of the tick 1,030, and the allowed future of 10 ms shortens the wait.
        let now_ms = 1_030 - back_ms;
        if !swaps {
            assert_eq!(isolate.first_step(now_ms), Step::Sleep { ms: 15 });
            continue;
        }
        let call = isolate.sent(now_ms);
        let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
        assert_eq!(acquire.excluded_node, Some(7));
        assert_ne!(acquire.token, token(&acquired));
        isolate.receive(now_ms, call, grant(&call, 8, now_ms, 1_130));
        assert_eq!(isolate.holder.span().map(|span| span.node()), Some(8));

        // The generator is closed: the release names the first tick that it did not use.
        let release = released(&mut isolate, now_ms);
        assert_eq!((release.token, release.incarnation), (token(&acquired), INCARNATION));
        assert_eq!((release.node, release.until_tick), (7, 1_031));
        assert_eq!(release.issued, Some(1));
        assert_eq!(layout().decode(isolate.id(now_ms)).map(|parts| parts.node), Ok(8));
    }
}

/// An authority with a correct clock, and a holder with a clock behind it and no allowed future.
struct World {
    authority: Authority,
    isolate: Isolate,
    now_ms: u64,
    behind_ms: u64,
}

impl World {
    fn new(holder: Holder) -> Self {
        let sequencer = Sequencer::new(BoundConfig::new(layout(), 0, 16, 1).unwrap());
        let terms = Terms { allowed_future_ms: 0, ..Terms::default() };
        let settings = Settings { terms, ..Settings::default() };
        let authority = Authority::load(0, Some(sequencer), settings, []).unwrap();
        let isolate = Isolate { holder, drawn: 0 };
        Self { authority, isolate, now_ms: 20_000, behind_ms: 0 }
    }

    /// Requests `count` ids, and returns how long the request waited.
    fn request(&mut self, count: usize) -> u64 {
        let (mut wait, mut ids, since_ms) = (Wait::of(count), Vec::new(), self.now_ms);
        loop {
            let clock_ms = self.now_ms - self.behind_ms;
            let Isolate { holder, drawn } = &mut self.isolate;
            let step = holder.issue(clock_ms, &mut wait, &mut ids, || {
                *drawn += 1;
                *drawn
            });
            match step {
                Step::Done => break,
                Step::Send(call) => {
                    let reply = ask(&mut self.authority, self.now_ms, call.request);
                    self.isolate.receive(clock_ms, call, reply);
                }
                Step::Sleep { ms } => {
                    self.now_ms += ms;
                    wait.fired(ms);
                }
                Step::Failed { error, .. } => {
                    assert_eq!(error, Error::Unwritten);
                    let record = holder.record(clock_ms);
                    holder.written(record.as_ref());
                }
            }
        }
        let tick = layout().decode(ids[count - 1]).unwrap().tick;
        assert!(tick <= self.now_ms, "an id of {tick} at {}", self.now_ms);
        self.now_ms - since_ms
    }
}

#[test]
fn q9_a_new_node_has_ids_at_once_although_the_clock_is_behind() {
    for holder in [Holder::new, Holder::storing] {
        for behind_ms in [100, 1_000, 3_000] {
            let mut world = World::new(holder());
            world.request(1);
            let old = world.isolate.holder.span().unwrap();
            let fell_ms = world.now_ms;
            world.behind_ms = behind_ms;
            assert_eq!(world.request(1), 0);
            let new = world.isolate.holder.span().unwrap();
            assert_ne!(new.node(), old.node());

            // A tick has 4 ids, so a request waits for one tick, and a request for 1,200 for 300.
            while world.now_ms < fell_ms + 2 * behind_ms {
                assert!(world.request(1) <= 1);
            }
            assert!((300..=301).contains(&world.request(1_200)));
            // The clock is corrected.
            world.behind_ms = 0;
            assert!(world.request(9) <= 3);
            assert_eq!(world.isolate.holder.span(), Some(new), "the node is swapped once");
        }
    }
}

#[test]
fn ids_are_no_further_ahead_of_the_clock_than_the_authority_was() {
    let span = Span::new(&layout(), 7, 2_000, 3_000).unwrap();
    // The allowed future is 10 ms, so the authority's clock has passed 1,990.
    let mut isolate = Isolate::leased(layout(), 1_900, span, terms());
    let mut wait = Wait::default();
    assert_eq!(isolate.step(1_900, &mut wait, &mut [0; 4]), Step::Done);
    // By this timer a second has passed, but by the clock only 5 ms, which are 5 ticks of 4 ids.
    wait.fired(1_000);
    assert_eq!(isolate.step(1_905, &mut wait, &mut [0; 24]), Step::Done);
    assert_eq!(isolate.first_step(1_905), Step::Sleep { ms: 1 });
}

#[test]
fn a_long_tick_is_waited_for() {
    let layout: Layout = "timestamp:40 node:4 sequence:2 @0 tick=100ms".parse().unwrap();
    let span = Span::new(&layout, 7, 10, 30).unwrap();
    let mut isolate = Isolate::leased(layout, 1_000, span, terms());
    assert_eq!(isolate.step(1_000, &mut Wait::default(), &mut [0; 5]), Step::Sleep { ms: 90 });
    // The clock went back by 100 ms and no more.
    assert_eq!(isolate.first_step(900), Step::Sleep { ms: 190 });
    assert!(matches!(isolate.first_step(899), Step::Send(_)));
}

#[test]
fn five_seconds_are_waited_and_not_more() {
    for (tick_ms, waits) in [(2_000, true), (2_001, false)] {
        let text = format!("timestamp:40 node:4 sequence:2 @0 tick={tick_ms}ms");
        let layout: Layout = text.parse().unwrap();
        let span = Span::new(&layout, 7, 0, 30).unwrap();
        let terms = Terms { allowed_future_ms: 0, ..terms() };
        let mut isolate = Isolate::leased(layout, 1_000, span, terms);
        // A tick has 4 ids. The request begins 3 s before tick 2 and needs tick 3.
        let (mut wait, mut ids) = (Wait::default(), [0; 16]);
        let step = isolate.step(2 * tick_ms - 3_000, &mut wait, &mut ids[..]);
        let error = edgeflake::Error::Exhausted { retry_in_ms: 1 }.into();
        let failed = Step::Failed { error, retry_in_ms: Some(1) };
        assert_eq!(step, if waits { Step::Sleep { ms: 5_000 } } else { failed });
        if waits {
            assert_eq!(isolate.step(3 * tick_ms, &mut wait, &mut ids[..]), Step::Done);
        }
    }
}

#[test]
fn a_swap_that_was_refused_is_forgotten_when_the_clock_has_caught_up() {
    let (mut isolate, _) = Isolate::attached();
    isolate.id(1_040);
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, refused(Refusal::NoNodeFree { retry_in_ms: 60_000 }));
    let call = isolate.sent(1_000);
    assert!(matches!(call.request, Request::Prefetch(_)));
    isolate.receive(1_000, call, batch(0, 1_000, 1_025));
    // A batch serves meanwhile, and the only calls are those for the lease.
    assert_eq!(layout().decode(isolate.id(1_000)).map(|parts| parts.node), Ok(0));
    for now_ms in 1_040..1_050 {
        assert_eq!(layout().decode(isolate.id(now_ms)).map(|parts| parts.node), Ok(7));
    }
    let call = isolate.sent(1_050);
    assert!(matches!(call.request, Request::Renew(_)));
    isolate.receive(1_050, call, renewal(&call, 9_100));
    for now_ms in [4_000, 8_000, 9_000] {
        isolate.id(now_ms);
    }
}

#[test]
fn s27_s30_detached_gives_the_lease_back_and_attached_acquires_another() {
    let (mut isolate, acquired) = Isolate::attached();
    isolate.id(1_020);
    isolate.holder.detach();
    assert_eq!((isolate.holder.state(), isolate.holder.span()), (State::Detached, None));
    let release = released(&mut isolate, 1_020);
    assert_eq!((release.token, release.until_tick), (token(&acquired), 1_021));
    let failed = Step::Failed { error: Error::Detached, retry_in_ms: None };
    assert_eq!(isolate.first_step(1_020), failed);
    isolate.holder.detach();
    assert_eq!(isolate.first_step(1_020), failed);

    isolate.holder.attach();
    assert_eq!(isolate.holder.state(), State::Acquiring);
    let call = isolate.sent(1_020);
    assert_ne!(token(&call), token(&acquired));
    isolate.receive(1_020, call, grant(&call, 7, 1_021, 1_121));
    isolate.id(1_021);
}

#[test]
fn s4_s33_detached_and_attached_two_hundred_times() {
    let mut isolate = Isolate::default();
    let mut ids = Vec::new();
    for now_ms in 1_000..1_200 {
        let call = isolate.sent(now_ms);
        isolate.receive(now_ms, call, grant(&call, now_ms % 2 + 7, now_ms, now_ms + 100));
        ids.push(isolate.id(now_ms));
        isolate.holder.detach();
        assert_eq!(isolate.holder.state(), State::Detached);
        released(&mut isolate, now_ms);
        isolate.holder.attach();
    }
    assert!(ids.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_release_that_was_not_sent_is_sent_when_attached() {
    let (mut isolate, acquired) = Isolate::attached();
    isolate.holder.detach();
    isolate.holder.attach();
    let (call, again) = (isolate.sent(1_001), isolate.sent(1_001));
    let Request::Release(release) = call.request else { panic!("{call:?}") };
    assert_eq!(release.until_tick, 1_000, "no id was issued");
    assert!(matches!(again.request, Request::Acquire(_)));
    // Every call has a number of its own.
    let numbers = [0, acquired.number, call.number, again.number];
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}
