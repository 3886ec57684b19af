//! A lease is renewed from its half on, used to its end, and reported.

use edgeflake::lease::{
    BoundConfig, Call, CallFailure, Grant, Renewal, Reply, Request, State, Step, Terms, Token, Wait,
};
use edgeflake::{Layout, Span};

use super::isolate::{INCARNATION, Isolate, grant, layout, renewal, terms, token};

#[test]
fn a_lease_is_renewed_from_its_half_on_while_ids_are_issued() {
    let (mut isolate, _) = Isolate::attached();
    isolate.id(1_049);
    let call = isolate.sent(1_050);
    let Request::Renew(renew) = call.request else { panic!("{call:?}") };
    assert_eq!((renew.incarnation, renew.node, renew.tick), (INCARNATION, 7, 1_050));
    assert_eq!(isolate.holder.state(), State::Renewing);
    // No request waits for the call, because requests get their ids meanwhile.
    isolate.id(1_050);
    isolate.receive(1_051, call, renewal(&call, 1_150));
    assert_eq!(isolate.holder.state(), State::Attached);
    isolate.id(1_099);
    isolate.sent(1_100);
}

/// Such replies have no effect: the end stays, and the next call follows after a pause.
#[test]
fn a_reply_that_says_nothing_of_the_lease_is_followed_by_a_pause() {
    let (_, call) = Isolate::attached();
    let renewed = |until_tick, incarnation| match renewal(&call, until_tick) {
        Reply::Renewed(renewed) => Reply::Renewed(Renewal { incarnation, ..renewed }),
        other => other,
    };
    let ended = |bits| Reply::Ended { token: Token::from_random(bits), incarnation: INCARNATION };
    for reply in [renewed(1_200, INCARNATION + 1), renewed(1_100, INCARNATION), ended(99)] {
        let (mut isolate, _) = Isolate::attached();
        let renew = isolate.sent(1_070);
        isolate.receive(1_070, renew, reply);
        assert_eq!(isolate.holder.span().map(|span| span.until_tick()), Some(1_100), "{reply:?}");
        isolate.id(1_070);
        isolate.id(1_080);
    }
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
fn s39_h11_g10_a_lost_authority_is_noticed_when_the_span_ends() {
    let (mut isolate, _) = Isolate::attached();
    let mut now_ms = 1_001;
    while now_ms < 1_100 {
        let mut wait = Wait::default();
        let mut ids = [0];
        while let Step::Send(call) = isolate.step(now_ms, &mut wait, &mut ids) {
            isolate.holder.receive(now_ms, call.number, Err(CallFailure));
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
    // 11 ticks of 4 ids are within the allowed future. The request takes two more in advance, and
    // waits until they may leave.
    assert_eq!(isolate.step(1_001, &mut wait, &mut ids), Step::Sleep { ms: 2 });
    assert!(ids.iter().all(|id| *id != 0));
    assert_eq!(isolate.step(1_002, &mut wait, &mut ids), Step::Sleep { ms: 1 });
    assert_eq!(isolate.step(1_003, &mut wait, &mut ids), Step::Done);
    assert!(ids.is_sorted_by(|a, b| a < b));
}

#[test]
fn timers_end_a_wait_when_the_clock_stands_still() {
    let (mut isolate, _) = Isolate::attached();
    let mut ids = [0; 49];
    let mut wait = Wait::default();
    assert_eq!(isolate.step(1_001, &mut wait, &mut ids), Step::Sleep { ms: 2 });
    wait.fired(1);
    assert_eq!(isolate.step(1_001, &mut wait, &mut ids), Step::Sleep { ms: 1 });
    wait.fired(1);
    assert_eq!(isolate.step(1_001, &mut wait, &mut ids), Step::Done);
}

#[test]
fn a_layout_that_ended_fails_at_once_and_for_good() {
    let layout: Layout = "timestamp:10 sequence:2 @0".parse().unwrap();
    let span = Span::new(&layout, 0, 1_000, 1_024).unwrap();
    let mut isolate = Isolate::leased(layout, 1_000, span, terms());
    // A span that reaches to the end of the layout is not renewed.
    isolate.id(1_000);
    isolate.id(1_023);
    assert_eq!(
        isolate.first_step(1_024),
        Step::Failed {
            error: edgeflake::Error::LayoutEnded { now_ms: 1_024, end_ms: 1_024 }.into(),
            retry_in_ms: None
        }
    );
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
    // The lease has 100 ms. It is renewed from 50 on, and an eighth of it is 12.
    let (first, last) = (ticks.pop_first().unwrap(), ticks.pop_last().unwrap());
    if cfg!(miri) {
        assert!(first >= 1_050 && last <= 1_062);
    } else {
        assert_eq!((first, last, ticks.len()), (1_050, 1_062, 11));
    }
}

#[test]
fn h27_reports_of_what_was_issued() {
    let (mut isolate, _) = Isolate::attached();
    assert_eq!(isolate.step(1_010, &mut Wait::default(), &mut [0; 30]), Step::Done);
    let renew = |call: &Call| match call.request {
        Request::Renew(renew) => renew,
        other => panic!("{other:?}"),
    };
    // The call belongs to a request that has its ids, which are reported too.
    let call = isolate.sent(1_050);
    assert_eq!(renew(&call).issued, Some(31));
    // Reports cover the whole lease, and stop when the terms say so.
    let Reply::Renewed(on) = renewal(&call, 1_150) else { panic!("a renewal") };
    let off = Renewal { terms: Terms { statistics: false, ..terms() }, ..on };
    isolate.receive(1_050, call, Reply::Renewed(off));
    let call = isolate.sent(1_100);
    assert_eq!(renew(&call).issued, None);
    isolate.receive(1_100, call, renewal(&call, 1_200));
    let call = isolate.sent(1_150);
    assert_eq!(renew(&call).issued, Some(33));
}

#[test]
fn what_is_about_a_lease_goes_to_its_shard() {
    for (node, shard) in [(1, 0), (7, 1), (8, 2), (15, 3)] {
        let mut isolate = Isolate::default();
        let call = isolate.sent(1_000);
        assert_eq!(call.shard, None);
        let Reply::Granted(fits) = grant(&call, node, 1_000, 1_100) else { panic!("a grant") };
        let config = BoundConfig::new(layout(), 0, 16, 4).unwrap();
        isolate.receive(1_000, call, Reply::Granted(Grant { config, ..fits }));
        assert_eq!(isolate.sent(1_050).shard, Some(shard));
        isolate.holder.detach();
        assert_eq!(isolate.sent(1_050).shard, Some(shard));
        isolate.holder.attach();
        assert_eq!(isolate.sent(1_050).shard, None);
    }
}
