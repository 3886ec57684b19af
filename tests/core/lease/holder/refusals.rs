//! Refusals of an authority, and when it is asked again.

use edgeflake::lease::{Error, Grant, Refusal, Reply, Request, State, Step, Wait};

use super::isolate::{INCARNATION, Isolate, grant, refused};

#[test]
fn a_refusal_says_when_to_come_back() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let refusal = Refusal::NoNodeFree { retry_in_ms: 60_000 };
    isolate.receive(1_000, call, refused(refusal));
    let mut wait = Wait::default();
    let mut now_ms = 1_000;
    let failed = loop {
        match isolate.step(now_ms, &mut wait, &mut [0]) {
            Step::Sleep { ms } => now_ms += ms,
            Step::Send(call) => isolate.receive(now_ms, call, refused(refusal)),
            other => break other,
        }
    };
    assert_eq!(failed, Step::Failed { error: Error::Refused(refusal), retry_in_ms: Some(60_000) });
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
    // The call is for the present sequencer, and has a token of its own.
    let call = isolate.sent(1_101);
    let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
    assert_eq!(acquire.incarnation, Some(INCARNATION + 1));
    isolate.receive(1_101, call, grant(&call, 9, 1_101, 1_201));
    isolate.id(1_101);
}

/// A client's wait does not help, so none is named. The holder itself retries from time to time.
#[test]
fn a_layout_that_has_ended_or_not_begun_fails_at_once_without_a_retry() {
    for (now_ms, code) in [(1_000, "before-epoch"), (9_000, "layout-ended")] {
        let refusal = Refusal::OutsideLayout { now_ms, epoch_ms: 5_000, end_ms: 9_000 };
        let mut isolate = Isolate::default();
        let call = isolate.sent(now_ms);
        isolate.receive(now_ms, call, refused(refusal));
        let error = Error::Refused(refusal);
        assert_eq!(error.code(), code);
        assert_eq!(isolate.first_step(now_ms), Step::Failed { error, retry_in_ms: None });
        assert!(matches!(isolate.first_step(now_ms + 4_000), Step::Send(_)));
    }
}

/// A repair of the storage helps, and a wait does not. A lease continues to its end.
#[test]
fn what_an_authority_cannot_read_fails_at_once_without_a_retry() {
    for refusal in [Refusal::Unreadable, Refusal::UnsuitableSettings, Refusal::InvalidConfiguration]
    {
        let error = Error::Refused(refusal);
        let mut isolate = Isolate::default();
        let call = isolate.sent(1_000);
        isolate.receive(1_000, call, refused(refusal));
        assert_eq!(isolate.first_step(1_000), Step::Failed { error, retry_in_ms: None });
        assert!(matches!(isolate.first_step(5_000), Step::Send(_)));

        let (mut isolate, _) = Isolate::attached();
        let call = isolate.sent(1_050);
        isolate.receive(1_050, call, refused(refusal));
        isolate.id(1_051);
    }
}

#[test]
fn a_destroyed_sequencer_fails_at_once_and_comes_back() {
    for refusal in [Refusal::SequencerDestroyed, Refusal::UnknownSequencer] {
        let (mut isolate, _) = Isolate::attached();
        let call = isolate.sent(1_050);
        isolate.receive(1_050, call, refused(refusal));
        // The rest of the span is not used any more.
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
                    isolate.receive(now_ms, call, refused(refusal));
                    asked_ms.push(now_ms);
                }
                other => panic!("{other:?}"),
            }
        }
        for pair in asked_ms.windows(2) {
            assert!((2_000..=4_000).contains(&(pair[1] - pair[0])), "{asked_ms:?}");
        }
        // The sequencer is created again.
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
        for _ in 0..8 {
            isolate.receive(now_ms, call, refused(refusal));
            let refused_ms = now_ms;
            call = loop {
                match isolate.first_step(now_ms) {
                    Step::Send(call) => break call,
                    // It fails when the pause is longer than a request may wait.
                    Step::Sleep { ms } | Step::Failed { retry_in_ms: Some(ms), .. } => now_ms += ms,
                    other => panic!("{other:?}"),
                }
            };
            pauses.push(now_ms - refused_ms);
        }
        let most = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 60_000, 60_000];
        for (pause, most) in pauses.iter().zip(most) {
            assert!((most / 2..=most).contains(pause), "{pauses:?}");
        }
    }
}

/// While the clock stands still, no request can wait for the end of such a pause.
#[test]
fn a_long_pause_ends_for_a_request_whose_clock_stands_still() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, refused(Refusal::Overloaded { retry_in_ms: 60_000 }));

    let failed = isolate.first_step(1_001);
    assert!(matches!(failed, Step::Failed { retry_in_ms: Some(29_999..), .. }), "{failed:?}");

    let mut wait = Wait::default();
    assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Sleep { ms: 4_000 });
    wait.fired(3_999);
    assert_eq!(isolate.step(1_000, &mut wait, &mut [0]), Step::Sleep { ms: 1 });
    wait.fired(1);
    assert!(matches!(isolate.step(1_000, &mut wait, &mut [0]), Step::Send(_)));
}

#[test]
fn an_overloaded_authority_does_not_take_the_span() {
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_050);
    isolate.receive(1_050, call, refused(Refusal::Overloaded { retry_in_ms: 1_200 }));
    for now_ms in 1_050..1_100 {
        isolate.id(now_ms);
    }
}
