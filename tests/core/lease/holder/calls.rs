//! One call at a time: when it is sent again, and which reply counts.

use edgeflake::lease::{
    BoundConfig, CallFailure, Error, Grant, Holder, Refusal, Reply, Request, State, Step, Wait,
};

use super::isolate::{INCARNATION, Isolate, batch, grant, is_sleep, layout, refused, token};

#[test]
fn s3_many_cold_requests_make_one_call() {
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
    // The generator's seed shows in ids, so its bits are not those of the secret token.
    assert_eq!(isolate.drawn, 2);
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
fn a_grant_and_a_batch_say_what_the_sequencer_is_bound_to() {
    let bound = BoundConfig::new(layout(), 0, 16, 1).unwrap();
    for holder in [Holder::new(), Holder::prefetching()] {
        assert_eq!(holder.config(), None);
        let mut isolate = Isolate { holder, ..Isolate::default() };
        let call = isolate.sent(1_000);
        let reply = match call.request {
            Request::Acquire(_) => grant(&call, 7, 1_000, 1_100),
            _ => batch(0, 1_000, 1_025),
        };
        isolate.receive(1_000, call, reply);
        assert_eq!(isolate.holder.config(), Some(&bound));
        assert_eq!(isolate.holder.incarnation(), Some(INCARNATION));
    }
}

#[test]
fn a_grant_that_does_not_fit_is_not_adopted() {
    // The node is not the sequencer's, or the sequencer is of another incarnation.
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let Reply::Granted(fits) = grant(&call, 7, 1_000, 1_100) else { panic!("a grant") };
    let config = BoundConfig::new(layout(), 0, 7, 1).unwrap();
    isolate.receive(1_000, call, Reply::Granted(Grant { config, ..fits }));
    assert_eq!(isolate.holder.span(), None);

    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_100);
    let Reply::Granted(fits) = grant(&call, 8, 1_100, 1_200) else { panic!("a grant") };
    isolate.receive(1_100, call, Reply::Granted(Grant { incarnation: INCARNATION + 1, ..fits }));
    assert_eq!(isolate.holder.span().map(|span| span.node()), Some(7));
    assert_eq!(isolate.holder.state(), State::Attached);
}

/// The clock stands still, and a request that sleeps a whole pause still makes the next call.
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
                        isolate.holder.receive(1_000, call.number, Err(CallFailure));
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
    // The pause is twice as long this time.
    assert!(is_sleep(isolate.first_step(5_499)));
    let third = isolate.sent(5_500);
    assert_eq!(third.number, first.number);
    // Two answers differ: the one that comes first is adopted, the other is not.
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
    // The fourth call waits for 12 s. When the clock goes back, the wait is cut so that one request
    // can see it end.
    for now_ms in [5_500, 11_500] {
        assert!(is_sleep(isolate.first_step(now_ms - 1)));
        isolate.sent(now_ms);
        // There is no reply.
        assert!(is_sleep(isolate.first_step(now_ms)));
    }
    assert!(is_sleep(isolate.first_step(1_000)));
    assert!(is_sleep(isolate.first_step(4_999)));
    isolate.sent(5_000);
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
        isolate.holder.receive(now_ms, call.number, Err(CallFailure));
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

/// A request looks again after a quarter of its wait for the call so far, at least 1 and at most 25
/// ms.
#[test]
fn a_request_that_waits_for_the_call_of_another_looks_again_soon() {
    let mut isolate = Isolate::default();
    isolate.sent(1_000);
    for (waited_ms, ms) in [(0, 1), (7, 1), (8, 2), (40, 10), (100, 25), (1_400, 25)] {
        let mut wait = Wait::default();
        assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Sleep { ms: 1 });
        wait.fired(waited_ms);
        assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Sleep { ms }, "{waited_ms} ms");
    }
}

/// The pause has a maximum, and nothing overflows, however often the call fails.
#[test]
fn two_hundred_failures_in_a_row() {
    let refused = |refusal| Ok(refused(refusal));
    for (reply, longest_ms) in [
        (Err(CallFailure), 4_000),
        (refused(Refusal::Overloaded { retry_in_ms: 2_000 }), 60_000),
        (refused(Refusal::NoNodeFree { retry_in_ms: 1 }), 64_000),
    ] {
        let is_acquire = |step| match step {
            Step::Send(call) => matches!(call.request, Request::Acquire(_)),
            _ => false,
        };
        let mut isolate = Isolate::default();
        let mut now_ms = 1_000;
        for _ in 0..200 {
            let call = isolate.sent(now_ms);
            assert!(is_acquire(Step::Send(call)), "{reply:?}");
            isolate.holder.receive(now_ms, call.number, reply);
            now_ms += longest_ms;
        }
        let failed_ms = now_ms - longest_ms;
        assert!(!is_acquire(isolate.first_step(failed_ms + longest_ms / 2 - 1)), "{reply:?}");
    }
}
