//! The holder: what it sends, which replies it adopts, and how long a request waits.

use edgeflake::{
    Acquire, Batch, Call, CallFailed, Counter, Error, Grant, Holder, Identity, Layout, Refusal,
    Release, Renew, Renewal, Reply, Request, Span, State, Step, Terms, Token, Wait,
};

const LEASE_MS: u64 = 100;
const INCARNATION: u64 = 3;

/// 1 ms ticks since 0, so that a tick is a time.
fn layout() -> Layout {
    "timestamp:40 node:4 sequence:2 @0".parse().unwrap()
}

/// One holder, and the random bits that it draws.
#[derive(Default)]
struct Isolate {
    holder: Holder,
    drawn: u128,
}

impl Isolate {
    fn step(&mut self, now_ms: u64, wait: &mut Wait, ids: &mut [u64]) -> Step {
        let drawn = &mut self.drawn;
        self.holder.step(now_ms, wait, ids, || {
            *drawn += 1;
            *drawn
        })
    }

    /// The step of a new request for one id.
    fn first_step(&mut self, now_ms: u64) -> Step {
        self.step(now_ms, &mut Wait::default(), &mut [0])
    }

    fn sent(&mut self, now_ms: u64) -> Call {
        match self.first_step(now_ms) {
            Step::Send(call) => call,
            other => panic!("{other:?}"),
        }
    }

    /// One id, without anything to be sent.
    fn id(&mut self, now_ms: u64) -> u64 {
        let mut ids = [0];
        assert_eq!(self.step(now_ms, &mut Wait::default(), &mut ids), Step::Done);
        ids[0]
    }

    fn receive(&mut self, now_ms: u64, call: Call, reply: Reply) {
        self.holder.receive(now_ms, call.number, Ok(reply));
    }

    /// A holder with the span `1_000..1_100` of node 7.
    fn attached() -> (Self, Call) {
        let mut isolate = Self::default();
        let call = isolate.sent(1_000);
        isolate.receive(1_001, call, grant(&call, 7, 1_000, 1_100));
        assert_eq!(isolate.holder.state(), State::Attached);
        (isolate, call)
    }
}

fn token(call: &Call) -> Token {
    match call.request {
        Request::Acquire(Acquire { token, .. }) | Request::Renew(Renew { token, .. }) => token,
        other => panic!("{other:?}"),
    }
}

fn terms() -> Terms {
    Terms { lease_ms: LEASE_MS, allowed_future_ms: 10, ..Terms::default() }
}

/// A grant by a sequencer of the incarnation that the holder knows.
fn grant(call: &Call, node: u64, from_tick: u64, until_tick: u64) -> Reply {
    let known = match call.request {
        Request::Acquire(asked) => asked.incarnation,
        _ => None,
    };
    Reply::Granted(Grant {
        token: token(call),
        incarnation: known.unwrap_or(INCARNATION),
        identity: Identity::new(layout(), 0, 16, 1).unwrap(),
        span: Span::new(&layout(), node, from_tick, until_tick).unwrap(),
        terms: terms(),
    })
}

fn renewal(call: &Call, until_tick: u64) -> Reply {
    Reply::Renewed(Renewal {
        token: token(call),
        incarnation: INCARNATION,
        until_tick,
        terms: terms(),
    })
}

/// The ticks `from..until` of a node, as a batch.
fn batch(node: u64, from: u64, until: u64) -> Reply {
    let at = |tick| Counter { tick, sequence: 0 };
    Reply::Batched(Batch {
        incarnation: INCARNATION,
        identity: Identity::new(layout(), 0, 16, 1).unwrap(),
        node,
        from: at(from),
        until: at(until),
        terms: terms(),
    })
}

fn is_sleep(step: Step) -> bool {
    matches!(step, Step::Sleep { .. })
}

#[test]
fn many_cold_requests_make_one_call() {
    let mut isolate = Isolate::default();
    let mut waits = [Wait::default(); 40];
    let mut calls = Vec::new();
    for wait in &mut waits {
        match isolate.step(1_000, wait, &mut [0]) {
            Step::Send(call) => calls.push(call),
            step => assert!(is_sleep(step)),
        }
    }
    assert_eq!(calls.len(), 1);
    assert_eq!(isolate.holder.state(), State::Acquiring);
    isolate.receive(1_003, calls[0], grant(&calls[0], 7, 1_000, 1_100));
    let mut ids: Vec<_> = waits
        .iter_mut()
        .map(|wait| {
            let mut ids = [0];
            assert_eq!(isolate.step(1_003, wait, &mut ids), Step::Done);
            ids[0]
        })
        .collect();
    assert!(ids.is_sorted());
    ids.dedup();
    assert_eq!(ids.len(), 40);
}

#[test]
fn a_span_is_adopted_once() {
    let (mut isolate, call) = Isolate::attached();
    let first = isolate.id(1_001);
    isolate.receive(1_001, call, grant(&call, 7, 1_000, 1_100));
    isolate.receive(1_001, call, grant(&call, 8, 1_000, 1_100));
    assert_eq!(isolate.holder.span().map(|span| span.node()), Some(7));
    assert!(isolate.id(1_001) > first);
}

#[test]
fn a_grant_for_another_token_is_not_adopted() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let other = Call {
        request: Request::Acquire(Acquire {
            token: Token::from_random(99),
            incarnation: None,
            excluded_node: None,
            now_ms: 1_000,
        }),
        ..call
    };
    isolate.receive(1_000, call, grant(&other, 7, 1_000, 1_100));
    assert_eq!(isolate.holder.span(), None);
}

#[test]
fn a_grant_that_does_not_fit_is_not_adopted() {
    // A node that is not the sequencer's, and a sequencer of another incarnation.
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let Reply::Granted(fits) = grant(&call, 7, 1_000, 1_100) else { panic!("a grant") };
    let identity = Identity::new(layout(), 0, 7, 1).unwrap();
    isolate.receive(1_000, call, Reply::Granted(Grant { identity, ..fits }));
    assert_eq!(isolate.holder.span(), None);

    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_100);
    let Reply::Granted(fits) = grant(&call, 8, 1_100, 1_200) else { panic!("a grant") };
    isolate.receive(1_100, call, Reply::Granted(Grant { incarnation: INCARNATION + 1, ..fits }));
    assert_eq!(isolate.holder.span().map(|span| span.node()), Some(7));
    assert_eq!(isolate.holder.state(), State::Attached);
}

/// Also when the clock stands still: a request that sleeps a whole pause still makes the next call.
#[test]
fn an_authority_that_is_back_is_asked_again() {
    for drawn in 0..256 {
        let mut isolate = Isolate { drawn, ..Isolate::default() };
        for _ in 0..20 {
            let (mut wait, mut calls) = (Wait::default(), 0);
            loop {
                match isolate.step(1_000, &mut wait, &mut [0]) {
                    Step::Send(call) => {
                        calls += 1;
                        isolate.holder.receive(1_000, call.number, Err(CallFailed));
                    }
                    Step::Sleep { ms } => wait.fired(ms),
                    _ => break,
                }
            }
            assert!(calls > 0);
        }
    }
}

#[test]
fn a_call_without_a_reply_is_sent_again_with_the_same_number_and_token() {
    let mut isolate = Isolate::default();
    let first = isolate.sent(1_000);
    assert!(is_sleep(isolate.first_step(2_499)));
    let second = isolate.sent(2_500);
    assert_eq!((second.number, token(&second)), (first.number, token(&first)));
    // Twice as long this time.
    assert!(is_sleep(isolate.first_step(5_499)));
    let third = isolate.sent(5_500);
    assert_eq!(third.number, first.number);
    // Two answers that differ: the one that comes first is adopted, the other is not.
    isolate.receive(5_501, second, grant(&first, 7, 5_500, 5_600));
    isolate.receive(5_502, third, grant(&first, 8, 5_500, 5_600));
    assert_eq!(isolate.holder.span().map(|span| span.node()), Some(7));
}

#[test]
fn a_frozen_clock_does_not_stop_the_deadlines() {
    let mut isolate = Isolate::default();
    let mut wait = Wait::default();
    let (mut slept_ms, mut calls) = (0, Vec::new());
    let failed = loop {
        match isolate.step(1_000, &mut wait, &mut [0]) {
            Step::Send(call) => calls.push((slept_ms, call.number)),
            Step::Sleep { ms } => {
                slept_ms += ms;
                wait.fired(ms);
            }
            Step::Failed { error, retry_in_ms } => break (error, retry_in_ms.is_some()),
            Step::Done => panic!("there is no lease"),
        }
    };
    assert_eq!(failed, (Error::AuthorityUnreachable, true));
    assert!((4_900..=5_000).contains(&slept_ms), "slept {slept_ms} ms");
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert!(calls.iter().all(|(_, number)| *number == calls[0].1));
}

#[test]
fn a_clock_that_goes_back_does_not_stop_the_deadlines() {
    let mut isolate = Isolate::default();
    isolate.sent(3_600_000);
    assert!(is_sleep(isolate.first_step(1_000)));
    assert!(is_sleep(isolate.first_step(2_499)));
    isolate.sent(2_500);
}

#[test]
fn a_request_waits_five_seconds_at_most() {
    let mut isolate = Isolate::default();
    let mut wait = Wait::default();
    assert!(matches!(isolate.step(1_000, &mut wait, &mut [0]), Step::Send(_)));
    assert!(is_sleep(isolate.step(1_001, &mut wait, &mut [0])));
    assert!(matches!(
        isolate.step(6_000, &mut wait, &mut [0]),
        Step::Failed { error: Error::AuthorityUnreachable, .. }
    ));
}

#[test]
fn a_failed_call_is_followed_by_a_pause_that_grows() {
    let mut isolate = Isolate::default();
    let (mut now_ms, mut pauses) = (1_000, Vec::new());
    let mut call = isolate.sent(now_ms);
    for _ in 0..9 {
        isolate.holder.receive(now_ms, call.number, Err(CallFailed));
        let failed_ms = now_ms;
        call = loop {
            match isolate.first_step(now_ms) {
                Step::Send(call) => break call,
                _ => now_ms += 1,
            }
        };
        pauses.push(now_ms - failed_ms);
    }
    assert!((50..=100).contains(&pauses[0]), "{pauses:?}");
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert!((2_000..=4_000).contains(&pauses[8]), "{pauses:?}");
}

#[test]
fn a_refusal_says_when_to_come_back() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let refusal = Refusal::NoNodeFree { retry_in_ms: 60_000 };
    let refused = Reply::Refused { refusal, incarnation: INCARNATION };
    isolate.receive(1_000, call, refused);
    let mut wait = Wait::default();
    let mut now_ms = 1_000;
    let failed = loop {
        match isolate.step(now_ms, &mut wait, &mut [0]) {
            Step::Sleep { ms } => now_ms += ms,
            Step::Send(call) => isolate.receive(now_ms, call, refused),
            other => break other,
        }
    };
    assert_eq!(failed, Step::Failed { error: Error::Refused(refusal), retry_in_ms: Some(60_000) });
}

#[test]
fn a_lease_is_renewed_from_its_half_on_while_ids_are_issued() {
    let (mut isolate, _) = Isolate::attached();
    isolate.id(1_049);
    let call = isolate.sent(1_050);
    let Request::Renew(renew) = call.request else { panic!("{call:?}") };
    assert_eq!((renew.incarnation, renew.node, renew.tick), (INCARNATION, 7, 1_050));
    assert_eq!(isolate.holder.state(), State::Renewing);
    // Off the path of requests: they have their ids meanwhile.
    isolate.id(1_050);
    isolate.receive(1_051, call, renewal(&call, 1_150));
    assert_eq!(isolate.holder.state(), State::Attached);
    isolate.id(1_099);
    isolate.sent(1_100);
}

#[test]
fn a_renewal_only_raises_the_end_of_its_own_lease() {
    let (mut isolate, _) = Isolate::attached();
    let until = |isolate: &Isolate| isolate.holder.span().map(|span| span.until_tick());
    let call = isolate.sent(1_050);
    isolate.receive(1_051, call, renewal(&call, 1_090));
    assert_eq!(until(&isolate), Some(1_100));

    // A renewal whose reply comes after the span ended and another was acquired.
    let (mut isolate, _) = Isolate::attached();
    let late = isolate.sent(1_050);
    assert!(is_sleep(isolate.first_step(1_100)));
    let acquire = isolate.sent(2_600);
    assert!(matches!(acquire.request, Request::Acquire(_)));
    assert_eq!(isolate.holder.state(), State::Acquiring);
    assert_ne!(token(&acquire), token(&late));
    isolate.receive(2_601, late, renewal(&late, 2_700));
    assert_eq!(until(&isolate), Some(1_100));
    isolate.receive(2_602, acquire, renewal(&late, 2_700));
    assert_eq!(until(&isolate), Some(1_100));
    let acquire = isolate.sent(9_000);
    isolate.receive(9_000, acquire, grant(&acquire, 9, 9_000, 9_100));
    isolate.receive(9_001, late, renewal(&late, 9_900));
    assert_eq!(until(&isolate), Some(9_100));
}

#[test]
fn a_late_reply_to_a_call_that_failed_is_dropped() {
    let (mut isolate, _) = Isolate::attached();
    let late = isolate.sent(1_050);
    isolate.holder.receive(1_051, late.number, Err(CallFailed));
    let (mut wait, mut ids) = (Wait::default(), [0]);
    assert_eq!(isolate.step(1_060, &mut wait, &mut ids), Step::Done);
    wait.fired(100);
    let Step::Send(retry) = isolate.step(1_060, &mut wait, &mut ids) else { panic!("not renewed") };
    assert_ne!(retry.number, late.number);
    isolate.receive(1_099, late, renewal(&late, 1_150));
    assert_eq!(isolate.holder.state(), State::Renewing);
    assert_eq!(isolate.holder.span().map(|span| span.until_tick()), Some(1_100));
    isolate.receive(1_099, retry, renewal(&retry, 1_199));
    assert_eq!(isolate.holder.span().map(|span| span.until_tick()), Some(1_199));
}

#[test]
fn a_renewal_is_not_taken_for_a_span() {
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    isolate.receive(1_051, call, grant(&call, 9, 1_000, 9_000));
    let span = isolate.holder.span().unwrap();
    assert_eq!((span.node(), span.until_tick()), (7, 1_100));
}

#[test]
fn an_ended_lease_is_used_to_its_end() {
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    isolate.receive(1_051, call, Reply::Ended { token: token(&call), incarnation: INCARNATION });
    isolate.id(1_051);
    isolate.id(1_099);
    let call = isolate.sent(1_100);
    assert!(matches!(call.request, Request::Acquire(_)));
    isolate.receive(1_101, call, grant(&call, 8, 1_101, 1_200));
    isolate.id(1_101);
}

#[test]
fn a_lease_of_another_incarnation_is_forgotten() {
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    let refusal = Refusal::OtherIncarnation { found: INCARNATION };
    isolate.receive(1_051, call, Reply::Refused { refusal, incarnation: INCARNATION + 1 });
    assert_eq!((isolate.holder.span(), isolate.holder.state()), (None, State::Acquiring));
    assert_eq!(isolate.holder.incarnation(), Some(INCARNATION + 1));
    assert_eq!(isolate.first_step(1_051), Step::Sleep { ms: 50 });
    // What there is now is asked by its name, with a token of its own.
    let call = isolate.sent(1_101);
    let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
    assert_eq!(acquire.incarnation, Some(INCARNATION + 1));
    isolate.receive(1_101, call, grant(&call, 9, 1_101, 1_201));
    isolate.id(1_101);
}

#[test]
fn a_lost_authority_is_noticed_when_the_span_ends() {
    let (mut isolate, _) = Isolate::attached();
    let mut now_ms = 1_001;
    while now_ms < 1_100 {
        let mut wait = Wait::default();
        let mut ids = [0];
        while let Step::Send(call) = isolate.step(now_ms, &mut wait, &mut ids) {
            isolate.holder.receive(now_ms, call.number, Err(CallFailed));
        }
        assert_ne!(ids, [0]);
        now_ms += 1;
    }
    assert!(!matches!(isolate.first_step(1_100), Step::Done));
}

#[test]
fn an_exhausted_request_waits_for_timers_and_keeps_what_it_has() {
    let (mut isolate, _) = Isolate::attached();
    let mut ids = [0; 50];
    let mut wait = Wait::default();
    // 11 ticks of 4 ids are within the look-ahead.
    assert_eq!(isolate.step(1_001, &mut wait, &mut ids), Step::Sleep { ms: 1 });
    assert_eq!(ids.iter().filter(|id| **id != 0).count(), 44);
    assert_eq!(isolate.step(1_002, &mut wait, &mut ids), Step::Sleep { ms: 1 });
    assert_eq!(isolate.step(1_003, &mut wait, &mut ids), Step::Done);
    assert!(ids.is_sorted_by(|a, b| a < b));
}

#[test]
fn an_exhausted_request_gives_up_in_bounded_time_when_the_clock_stands_still() {
    let (mut isolate, _) = Isolate::attached();
    let mut ids = [0; 45];
    let mut wait = Wait::default();
    let (mut slept_ms, mut timers) = (0, 0);
    let failed = loop {
        match isolate.step(1_001, &mut wait, &mut ids) {
            Step::Sleep { ms } => {
                slept_ms += ms;
                timers += 1;
                wait.fired(ms);
            }
            other => break other,
        }
    };
    let error = Error::Exhausted { retry_in_ms: 1 };
    assert!(
        matches!(failed, Step::Failed { error: found, retry_in_ms: Some(_) } if found == error)
    );
    assert!(slept_ms <= 5_000);
    assert!(timers < 60, "{timers} timers");
}

#[test]
fn a_layout_that_ended_fails_at_once_and_for_good() {
    let layout: Layout = "timestamp:10 sequence:2 @0".parse().unwrap();
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    isolate.receive(
        1_000,
        call,
        Reply::Granted(Grant {
            token: token(&call),
            incarnation: INCARNATION,
            identity: Identity::new(layout, 0, 1, 1).unwrap(),
            span: Span::new(&layout, 0, 1_000, 1_024).unwrap(),
            terms: terms(),
        }),
    );
    // A span that reaches to the end of the layout is not renewed.
    isolate.id(1_000);
    isolate.id(1_023);
    assert_eq!(
        isolate.first_step(1_024),
        Step::Failed {
            error: Error::LayoutEnded { now_ms: 1_024, end_ms: 1_024 },
            retry_in_ms: None
        }
    );
}

#[test]
fn a_renewal_does_not_take_the_number_of_an_acquire() {
    let (mut isolate, _) = Isolate::attached();
    // The clock jumps past the span, another is asked for, the clock comes back, and no reply.
    let acquire = isolate.sent(5_000);
    assert!(matches!(acquire.request, Request::Acquire(_)));
    let (mut wait, mut ids) = (Wait::default(), [0]);
    assert_eq!(isolate.step(1_060, &mut wait, &mut ids), Step::Done);
    wait.fired(1_500);
    let Step::Send(renew) = isolate.step(1_060, &mut wait, &mut ids) else { panic!("not renewed") };
    assert!(matches!(renew.request, Request::Renew(_)));
    assert_ne!(renew.number, acquire.number);
    isolate.receive(1_061, acquire, grant(&acquire, 8, 5_000, 5_100));
    assert_eq!(isolate.holder.span().map(|span| span.node()), Some(7));
}

#[test]
fn renewals_are_spread_over_an_eighth_of_the_lease() {
    let mut ticks = std::collections::BTreeSet::new();
    for drawn in 0..if cfg!(miri) { 20 } else { 256 } {
        let mut isolate = Isolate { drawn: drawn * 13, ..Isolate::default() };
        let call = isolate.sent(1_000);
        isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
        let due = (1_000..1_100).find(|now_ms| {
            matches!(isolate.first_step(*now_ms), Step::Send(call)
                if matches!(call.request, Request::Renew(_)))
        });
        ticks.insert(due.unwrap());
    }
    // 100 ms: from 50 on, and an eighth is 12.
    let (first, last) = (ticks.pop_first().unwrap(), ticks.pop_last().unwrap());
    if cfg!(miri) {
        assert!(first >= 1_050 && last <= 1_062);
    } else {
        assert_eq!((first, last, ticks.len()), (1_050, 1_062, 11));
    }
}

#[test]
fn reports_of_what_was_issued() {
    let (mut isolate, _) = Isolate::attached();
    assert_eq!(isolate.step(1_010, &mut Wait::default(), &mut [0; 30]), Step::Done);
    let renew = |call: &Call| match call.request {
        Request::Renew(renew) => renew,
        other => panic!("{other:?}"),
    };
    // The call of a request that has its ids: they are reported too.
    let call = isolate.sent(1_050);
    assert_eq!(renew(&call).issued, Some(31));
    // Reports are of the whole lease, and end when the terms say so.
    let Reply::Renewed(on) = renewal(&call, 1_150) else { panic!("a renewal") };
    let off = Renewal { terms: Terms { statistics: false, ..terms() }, ..on };
    isolate.receive(1_050, call, Reply::Renewed(off));
    let call = isolate.sent(1_100);
    assert_eq!(renew(&call).issued, None);
    isolate.receive(1_100, call, renewal(&call, 1_200));
    let call = isolate.sent(1_150);
    assert_eq!(renew(&call).issued, Some(33));
}

/// The release that a holder has to send next.
fn released(isolate: &mut Isolate, now_ms: u64) -> Release {
    let call = isolate.sent(now_ms);
    let Request::Release(release) = call.request else { panic!("{call:?}") };
    assert_eq!(call.shard, Some(0));
    // Whatever the reply, and however often.
    let (token, incarnation) = (release.token, release.incarnation);
    isolate.receive(now_ms, call, Reply::Released { token, incarnation });
    isolate.receive(now_ms, call, Reply::Ended { token, incarnation });
    release
}

#[test]
fn a_clock_that_goes_back_far_swaps_the_lease() {
    for (back_ms, swaps) in [(25, false), (26, true), (500, true)] {
        let (mut isolate, acquired) = Isolate::attached();
        isolate.id(1_030);
        // The next id is of the tick 1,030, and 10 ms of look-ahead are left to wait.
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

        // The generator is closed: the first tick that it did not use.
        let release = released(&mut isolate, now_ms);
        assert_eq!((release.token, release.incarnation), (token(&acquired), INCARNATION));
        assert_eq!((release.node, release.until_tick), (7, 1_031));
        assert_eq!(release.issued, Some(1));
        assert_eq!(layout().unpack(isolate.id(now_ms)).map(|parts| parts.node), Ok(8));
    }
}

#[test]
fn a_lease_of_which_nothing_was_issued_is_not_swapped() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, grant(&call, 7, 2_000, 2_100));
    assert_eq!(isolate.first_step(1_000), Step::Sleep { ms: 990 });
    assert_eq!(isolate.first_step(1_989), Step::Sleep { ms: 1 });
    isolate.id(1_990);
}

#[test]
fn a_long_tick_is_waited_for() {
    let layout: Layout = "timestamp:40 node:4 sequence:2 @0 tick=100ms".parse().unwrap();
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let Reply::Granted(fits) = grant(&call, 7, 10, 30) else { panic!("a grant") };
    let identity = Identity::new(layout, 0, 16, 1).unwrap();
    let span = Span::new(&layout, 7, 10, 30).unwrap();
    isolate.receive(1_000, call, Reply::Granted(Grant { identity, span, ..fits }));
    assert_eq!(isolate.step(1_000, &mut Wait::default(), &mut [0; 5]), Step::Sleep { ms: 90 });
    // 100 ms and no more.
    assert_eq!(isolate.first_step(990), Step::Sleep { ms: 100 });
    assert!(matches!(isolate.first_step(989), Step::Send(_)));
}

#[test]
fn a_swap_that_was_refused_is_forgotten_when_the_clock_has_caught_up() {
    let (mut isolate, _) = Isolate::attached();
    isolate.id(1_040);
    let call = isolate.sent(1_000);
    let refusal = Refusal::NoNodeFree { retry_in_ms: 60_000 };
    isolate.receive(1_000, call, Reply::Refused { refusal, incarnation: INCARNATION });
    let call = isolate.sent(1_000);
    assert!(matches!(call.request, Request::Prefetch(_)));
    isolate.receive(1_000, call, batch(0, 1_000, 1_025));
    // A batch serves meanwhile, and nothing more is asked for than the lease needs.
    assert_eq!(layout().unpack(isolate.id(1_000)).map(|parts| parts.node), Ok(0));
    for now_ms in 1_040..1_050 {
        assert_eq!(layout().unpack(isolate.id(now_ms)).map(|parts| parts.node), Ok(7));
    }
    let call = isolate.sent(1_050);
    assert!(matches!(call.request, Request::Renew(_)));
    isolate.receive(1_050, call, renewal(&call, 9_100));
    for now_ms in [4_000, 8_000, 9_000] {
        isolate.id(now_ms);
    }
}

#[test]
fn detached_gives_the_lease_back_and_attached_acquires_another() {
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
fn a_release_that_was_not_sent_is_sent_when_attached() {
    let (mut isolate, _) = Isolate::attached();
    isolate.holder.detach();
    isolate.holder.attach();
    // Nothing was issued.
    assert_eq!(released(&mut isolate, 1_001).until_tick, 1_000);
    assert!(matches!(isolate.sent(1_001).request, Request::Acquire(_)));
}

#[test]
fn what_was_on_its_way_when_it_was_detached_is_dropped() {
    // An acquire, and a renewal.
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    isolate.holder.detach();
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
    assert_eq!(isolate.holder.span(), None);
    isolate.holder.attach();
    let again = isolate.sent(1_000);
    assert_ne!(again.number, call.number);
    assert_ne!(token(&again), token(&call));
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
    assert_eq!(isolate.holder.span(), None);

    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    isolate.holder.detach();
    isolate.holder.attach();
    released(&mut isolate, 1_050);
    let acquire = isolate.sent(1_050);
    isolate.receive(1_050, call, renewal(&call, 1_200));
    isolate.receive(1_050, acquire, grant(&acquire, 7, 1_051, 1_150));
    assert_eq!(isolate.holder.span().map(|span| span.until_tick()), Some(1_150));
}

#[test]
fn a_destroyed_sequencer_fails_at_once_and_comes_back() {
    for refusal in [Refusal::SequencerDestroyed, Refusal::UnknownSequencer] {
        let (mut isolate, _) = Isolate::attached();
        let call = isolate.sent(1_050);
        let refused = Reply::Refused { refusal, incarnation: INCARNATION };
        isolate.receive(1_050, call, refused);
        // What was left of the span is not used any more.
        assert_eq!(isolate.holder.span(), None);
        let destroyed = refusal == Refusal::SequencerDestroyed;
        assert_eq!(isolate.holder.state() == State::Destroyed, destroyed);
        let (mut now_ms, mut asked_ms) = (1_050, vec![1_050]);
        while now_ms < 61_050 {
            match isolate.first_step(now_ms) {
                Step::Failed { error, retry_in_ms: Some(ms) } => {
                    assert_eq!(error, Error::Refused(refusal));
                    now_ms += ms;
                }
                Step::Send(call) => {
                    let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
                    assert_eq!(acquire.incarnation, None);
                    isolate.receive(now_ms, call, refused);
                    asked_ms.push(now_ms);
                }
                other => panic!("{other:?}"),
            }
        }
        for pair in asked_ms.windows(2) {
            assert!((2_000..=4_000).contains(&(pair[1] - pair[0])), "{asked_ms:?}");
        }
        // Created again.
        now_ms += 4_000;
        let call = isolate.sent(now_ms);
        let Reply::Granted(fits) = grant(&call, 7, now_ms, now_ms + 100) else { panic!("a grant") };
        let granted = Grant { incarnation: INCARNATION + 1, ..fits };
        isolate.receive(now_ms, call, Reply::Granted(granted));
        isolate.id(now_ms);
        assert_eq!(isolate.holder.incarnation(), Some(INCARNATION + 1));
    }
}

#[test]
fn an_overloaded_authority_is_left_alone_for_longer_and_longer() {
    for drawn in [0, 127, 254] {
        let mut isolate = Isolate { drawn, ..Isolate::default() };
        let refusal = Refusal::Overloaded { retry_in_ms: 1_200 };
        let (mut now_ms, mut pauses) = (1_000, Vec::new());
        let mut call = isolate.sent(now_ms);
        for _ in 0..5 {
            isolate.receive(now_ms, call, Reply::Refused { refusal, incarnation: INCARNATION });
            let refused_ms = now_ms;
            call = loop {
                match isolate.first_step(now_ms) {
                    Step::Send(call) => break call,
                    Step::Sleep { ms } => now_ms += ms,
                    other => panic!("{other:?}"),
                }
            };
            pauses.push(now_ms - refused_ms);
        }
        for (pause, most) in pauses.iter().zip([1_200, 2_400, 4_000, 4_000, 4_000]) {
            assert!((most / 2..=most).contains(pause), "{pauses:?}");
        }
    }
}

#[test]
fn an_overloaded_authority_does_not_take_the_span() {
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    let refusal = Refusal::Overloaded { retry_in_ms: 1_200 };
    isolate.receive(1_050, call, Reply::Refused { refusal, incarnation: INCARNATION });
    for now_ms in 1_050..1_100 {
        isolate.id(now_ms);
    }
}
