//! A lease that is written down: what must be on disk first, and how another holder resumes it.

use edgeflake::lease::{
    BoundConfig, Error, Grant, Holder, Record, Reply, Request, State, Step, Terms, Token, Wait,
};

use super::isolate::{INCARNATION, Isolate, grant, layout, renewal, terms};

const UNWRITTEN: Step = Step::Failed { error: Error::Unwritten, retry_in_ms: None };

/// The lease is 60 s, which is longer than one reservation.
fn long_terms() -> Terms {
    Terms { lease_ms: 60_000, ..terms() }
}

/// Makes a holder with the span `1_000..61_000` of node 7 that has written nothing down.
fn attached() -> Isolate {
    let mut isolate = Isolate { holder: Holder::storing(), ..Isolate::default() };
    let call = isolate.sent(1_000);
    let Reply::Granted(fits) = grant(&call, 7, 1_000, 61_000) else { panic!("a grant") };
    isolate.receive(1_000, call, Reply::Granted(Grant { terms: long_terms(), ..fits }));
    assert_eq!(isolate.first_step(1_000), UNWRITTEN);
    isolate
}

/// Confirms the record that must be written.
fn write(isolate: &mut Isolate, now_ms: u64) -> Option<Record> {
    let record = isolate.holder.record(now_ms);
    isolate.holder.written(record.as_ref());
    record
}

/// Makes a holder that resumes from another holder's record.
fn resumed(record: &Record) -> Isolate {
    // Its random bits differ from those of the first holder.
    let mut isolate = Isolate { holder: Holder::storing(), drawn: 100 };
    isolate.holder.resume(record, 7).unwrap();
    assert_eq!(isolate.holder.state(), State::Attached);
    isolate
}

fn tick_of(id: u64) -> u64 {
    layout().decode(id).unwrap().tick
}

#[test]
fn ids_are_issued_up_to_what_is_written_down() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    assert_eq!((record.grant.span.from_tick(), record.reserved_tick), (1_000, 2_000));
    assert_eq!(tick_of(isolate.id(1_000)), 1_000);
    assert_eq!(tick_of(isolate.id(1_999)), 1_999);
    assert_eq!(isolate.first_step(2_000), UNWRITTEN);
    // The record was not confirmed.
    assert_eq!(isolate.first_step(2_500), UNWRITTEN);
    assert_eq!(write(&mut isolate, 2_500).unwrap().reserved_tick, 3_500);
    // When the clock goes back, the record still reserves all that may be issued.
    assert_eq!(isolate.holder.record(1_000).unwrap().reserved_tick, 3_500);
    assert_eq!(tick_of(isolate.id(2_500)), 2_500);
    // A clock that goes back changes nothing.
    assert_eq!(tick_of(isolate.id(2_499)), 2_500);
    // The record of another lease does not count.
    let other = attached().holder.record(9_000).unwrap();
    let other = Record { grant: Grant { token: Token::from_random(9), ..other.grant }, ..other };
    isolate.holder.written(Some(&other));
    assert_eq!(isolate.first_step(3_500), UNWRITTEN);
}

#[test]
fn a_record_reserves_beyond_the_time_of_the_authority() {
    let mut isolate = Isolate { holder: Holder::storing(), ..Isolate::default() };
    let call = isolate.sent(100);
    // The allowed future is 10 ms, so the authority's clock has passed 4,990.
    isolate.receive(100, call, grant(&call, 7, 5_000, 61_000));
    assert_eq!(write(&mut isolate, 100).unwrap().reserved_tick, 6_000);
    let (mut wait, mut ids) = (Wait::default(), [0]);
    assert_eq!(isolate.step(100, &mut wait, &mut ids), Step::Done);
    assert_eq!(tick_of(ids[0]), 5_000);
    wait.fired(2_000);
    isolate.step(2_100, &mut wait, &mut ids);
    assert_eq!(isolate.first_step(2_100), UNWRITTEN);
    assert_eq!(write(&mut isolate, 2_100).unwrap().reserved_tick, 7_990);
    assert_eq!(tick_of(isolate.id(2_100)), 6_990);
}

#[test]
fn a_large_request_writes_as_often_as_it_must() {
    let record = attached().holder.record(1_000).unwrap();
    let terms = Terms { allowed_future_ms: 9_000, ..record.grant.terms };
    let ahead = Record { grant: Grant { terms, ..record.grant }, reserved_tick: 1_000 };
    let mut isolate = resumed(&ahead);
    let (mut wait, mut ids) = (Wait::default(), vec![0; 4 * 2_500]);
    for reserved_tick in [2_000, 3_000, 4_000] {
        assert_eq!(isolate.step(1_000, &mut wait, &mut ids), UNWRITTEN);
        assert_eq!(write(&mut isolate, 1_000).unwrap().reserved_tick, reserved_tick);
    }
    assert_eq!(isolate.step(1_000, &mut wait, &mut ids), Step::Done);
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert_eq!((tick_of(ids[0]), tick_of(ids[9_999])), (1_000, 3_499));
}

#[test]
fn an_allowed_future_that_is_used_up_is_waited_for() {
    let mut isolate = attached();
    let record = isolate.holder.record(1_000).unwrap();
    isolate.holder.written(Some(&Record { reserved_tick: 1_011, ..record }));
    // 11 ticks of 4 ids are within the allowed future of 10 ms, and written down.
    assert_eq!(isolate.step(1_000, &mut Wait::default(), &mut [0; 44]), Step::Done);
    assert_eq!(isolate.first_step(1_000), UNWRITTEN);
    assert_eq!(write(&mut isolate, 1_000).unwrap().reserved_tick, 2_011);
    assert_eq!(isolate.first_step(1_000), Step::Sleep { ms: 1 });
    assert_eq!(tick_of(isolate.id(1_001)), 1_011);
}

#[test]
fn q11_another_holder_goes_on_behind_what_is_written_down() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    let last = isolate.id(1_300);

    // The clock is that of the first holder, ahead of it, or behind it.
    for (now_ms, tick) in [(1_995, 2_000), (2_000, 2_000), (5_000, 5_000)] {
        let mut isolate = resumed(&record);
        let span = isolate.holder.span().unwrap();
        assert_eq!((span.node(), span.from_tick(), span.until_tick()), (7, 2_000, 61_000));
        assert_eq!(isolate.holder.incarnation(), Some(INCARNATION));
        // Nothing of it is reserved yet.
        assert_eq!(isolate.first_step(now_ms), UNWRITTEN);
        assert_eq!(write(&mut isolate, now_ms).unwrap().reserved_tick, tick + 1_000);
        let id = isolate.id(now_ms);
        assert!(id > last);
        assert_eq!(tick_of(id), tick);
    }
}

#[test]
fn a_resumed_lease_is_renewed_with_its_token() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    let mut isolate = resumed(&record);
    assert_eq!(isolate.first_step(40_000), UNWRITTEN);
    write(&mut isolate, 40_000);
    let call = isolate.sent(40_000);
    let Request::Renew(renew) = call.request else { panic!("{call:?}") };
    assert_eq!((renew.token, renew.node), (record.grant.token, 7));
    assert!(renew.tick >= record.reserved_tick);
    isolate.receive(40_000, call, renewal(&call, 100_000));
    // The later end is written down with the next reservation.
    assert_eq!(isolate.first_step(41_000), UNWRITTEN);
    assert_eq!(write(&mut isolate, 41_000).unwrap().grant.span.until_tick(), 100_000);
}

#[test]
fn a_lease_that_is_over_is_not_gone_on_with() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    let mut isolate = resumed(&record);
    assert_eq!(isolate.first_step(61_000), UNWRITTEN);
    assert_eq!(write(&mut isolate, 61_000).unwrap().reserved_tick, 61_000);
    assert!(matches!(isolate.sent(61_000).request, Request::Acquire(_)));

    // All of the span is reserved.
    let mut isolate = attached();
    isolate.first_step(60_500);
    let record = write(&mut isolate, 60_500).unwrap();
    assert_eq!(record.reserved_tick, 61_000);
    let error = edgeflake::Error::EmptySpan { from_tick: 61_000, until_tick: 61_000 }.into();
    let mut holder = Holder::storing();
    assert_eq!(holder.resume(&record, 7), Err(error));
    assert_eq!((holder.state(), holder.span()), (State::Acquiring, None));
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    let config = BoundConfig::new(layout(), 0, 4, 1).unwrap();
    let strange = Record { grant: Grant { config, ..record.grant }, ..record };
    let refused = Holder::storing().resume(&strange, 7);
    assert_eq!(refused, Err(edgeflake::Error::OtherNode { found: 7, node: 0 }.into()));
    // A record from before its span resumes at the span's start.
    let early = Record { reserved_tick: 0, ..record };
    assert_eq!(resumed(&early).holder.span().unwrap().from_tick(), 1_000);
}

#[test]
fn a_clock_that_went_back_over_a_restart_is_waited_for_or_swapped() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    // The next tick is 2,000, and the allowed future is 10 ms.
    for (now_ms, swaps) in [(990, false), (989, true), (5, true)] {
        let mut isolate = resumed(&record);
        assert_eq!(isolate.first_step(now_ms), UNWRITTEN);
        write(&mut isolate, now_ms);
        if !swaps {
            assert_eq!(isolate.first_step(now_ms), Step::Sleep { ms: 1_000 });
            continue;
        }
        let call = isolate.sent(now_ms);
        let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
        assert_eq!(acquire.excluded_node, Some(7));
        isolate.receive(now_ms, call, grant(&call, 8, now_ms, now_ms + 100));
        // The new lease is written down in place of the old one before the old one is given back.
        assert_eq!(isolate.first_step(now_ms), UNWRITTEN);
        assert_eq!(write(&mut isolate, now_ms).unwrap().grant.span.node(), 8);
        let call = isolate.sent(now_ms);
        let Request::Release(release) = call.request else { panic!("{call:?}") };
        assert_eq!((release.token, release.until_tick), (record.grant.token, 2_000));
        isolate.id(now_ms);
    }
}

#[test]
fn a_lease_is_given_back_when_it_is_not_written_down_any_more() {
    let mut isolate = attached();
    let record = write(&mut isolate, 1_000).unwrap();
    isolate.id(1_500);
    isolate.holder.detach();
    assert_eq!(isolate.first_step(1_500), UNWRITTEN);
    assert_eq!(isolate.first_step(1_500), UNWRITTEN);
    assert_eq!(write(&mut isolate, 1_500), None);
    let call = isolate.sent(1_500);
    let Request::Release(release) = call.request else { panic!("{call:?}") };
    assert_eq!((release.token, release.until_tick), (record.grant.token, 1_501));

    // A lease that was used before it was resumed, and not since, is reserved too.
    let mut isolate = resumed(&record);
    isolate.holder.detach();
    assert_eq!(isolate.first_step(1_500), UNWRITTEN);
    assert_eq!(write(&mut isolate, 1_500), None);
    let call = isolate.sent(1_500);
    let Request::Release(release) = call.request else { panic!("{call:?}") };
    assert_eq!((release.token, release.until_tick), (record.grant.token, 2_000));

    // An unconfirmed record counts too, because a failed write may have reached the disk.
    let mut isolate = attached();
    isolate.holder.record(1_000).unwrap();
    isolate.holder.detach();
    assert_eq!(isolate.first_step(1_000), UNWRITTEN);
    assert_eq!(write(&mut isolate, 1_000), None);
    assert!(matches!(isolate.sent(1_000).request, Request::Release(_)));
}

#[test]
fn a_lost_lease_is_not_given_back() {
    for detached in [false, true] {
        let mut isolate = attached();
        let record = write(&mut isolate, 1_000).unwrap();
        if detached {
            isolate.holder.detach();
        }
        isolate.holder.lose();
        assert_eq!((isolate.holder.span(), isolate.holder.record(1_000)), (None, None));
        isolate.holder.attach();
        let call = isolate.sent(1_000);
        let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
        assert_ne!(acquire.token, record.grant.token);
    }
}
