//! A holder that is bound to a layout and an incarnation, and one that hears what became of them.

use edgeflake::Layout;
use edgeflake::lease::{
    BoundConfig, Error, Grant, Holder, Record, Refusal, Reply, Request, State, Step, Wait,
};

use super::isolate::{INCARNATION, Isolate, batch, grant, layout};

fn bound(layout: Option<Layout>, incarnation: Option<u64>) -> Isolate {
    let mut isolate = Isolate::default();
    isolate.holder.bind(layout, incarnation);
    isolate
}

/// Makes a holder that is attached from 1,000 until 1,100, and bound to the layout alone.
fn attached(layout: Option<Layout>) -> Isolate {
    let mut isolate = bound(layout, None);
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
    isolate.id(1_000);
    isolate
}

fn refused(refusal: Refusal, incarnation: u64) -> Reply {
    Reply::Refused { refusal, incarnation }
}

/// Fails unless it fails like this at any time, without a retry, whatever it is told.
fn ends(isolate: &mut Isolate, error: Error, state: State) {
    assert!(isolate.holder.has_ended());
    isolate.holder.attach();
    isolate.holder.created();
    for now_ms in [1_000, 9_000, 9_000_000] {
        assert_eq!(isolate.first_step(now_ms), Step::Failed { error, retry_in_ms: None });
        assert_eq!(isolate.holder.ready(now_ms), Err(error));
    }
    assert_eq!((isolate.holder.state(), isolate.holder.span()), (state, None));
}

#[test]
fn the_layout_that_is_bound_is_issued() {
    let mut isolate = attached(Some(layout()));
    isolate.sent(1_050);
    assert_eq!(isolate.holder.state(), State::Renewing);
    assert!(!isolate.holder.has_ended());
}

#[test]
fn s19_another_layout_is_an_error_and_its_lease_is_given_back() {
    let other = "timestamp:40 node:4 sequence:2 @1".parse().unwrap();
    let mut isolate = bound(Some(other), None);
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
    let release = isolate.sent(1_000);
    let Request::Release(release) = release.request else { panic!("{release:?}") };
    assert_eq!((release.node, release.until_tick), (7, 1_000), "nothing of it was issued");
    ends(&mut isolate, Error::OtherLayout, State::Detached);
    // The configuration is there for the caller to compare.
    assert_eq!(isolate.holder.config().map(BoundConfig::layout), Some(&layout()));
}

#[test]
fn a_batch_of_another_layout_is_an_error() {
    let mut isolate = Isolate { holder: Holder::prefetching(), ..Isolate::default() };
    isolate.holder.bind(Some("timestamp:40 node:4 sequence:2 @1".parse().unwrap()), None);
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, batch(0, 1_000, 1_025));
    ends(&mut isolate, Error::OtherLayout, State::Detached);
}

#[test]
fn s23_a_destroyed_one_stays_dead() {
    let destroyed = Refusal::SequencerDestroyed;
    let other = Refusal::OtherIncarnation { found: INCARNATION };
    for (refusal, incarnation) in
        [(destroyed, INCARNATION), (other, INCARNATION + 1), (destroyed, INCARNATION + 1)]
    {
        let mut isolate = attached(None);
        // The reply to the renewal says so.
        let call = isolate.sent(1_060);
        isolate.receive(1_060, call, refused(refusal, incarnation));
        ends(&mut isolate, Error::Refused(refusal), State::Destroyed);
    }
    // An unbound holder takes a lease of the next incarnation.
    let (mut isolate, _) = Isolate::attached();
    let call = isolate.sent(1_060);
    isolate.receive(1_060, call, refused(other, INCARNATION + 1));
    assert!(!isolate.holder.has_ended());
    assert!(matches!(isolate.first_step(9_000), Step::Send(_)));
}

#[test]
fn what_is_no_end_is_none() {
    for (refusal, incarnation) in [
        (Refusal::UnknownSequencer, 0),
        (Refusal::Overloaded { retry_in_ms: 9 }, INCARNATION),
        // The shard was restored, or has not heard of the incarnation yet.
        (Refusal::SequencerDestroyed, INCARNATION - 1),
        (Refusal::OtherIncarnation { found: INCARNATION }, INCARNATION - 1),
    ] {
        let mut isolate = attached(None);
        let call = isolate.sent(1_060);
        isolate.receive(1_060, call, refused(refusal, incarnation));
        assert!(!isolate.holder.has_ended(), "{refusal:?}");
        assert_eq!(isolate.holder.incarnation(), Some(INCARNATION), "{refusal:?}");
        // The call names that incarnation alone.
        let call = isolate.sent(1_000_000);
        let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
        assert_eq!(acquire.incarnation, Some(INCARNATION), "{refusal:?}");
    }
    // A holder that was never granted anything waits until the sequencer is created.
    let mut isolate = bound(None, None);
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, refused(Refusal::SequencerDestroyed, 1));
    assert!(!isolate.holder.has_ended());
    assert_eq!(isolate.holder.incarnation(), None);
}

#[test]
fn a_given_incarnation_is_asked_for() {
    let mut isolate = bound(None, Some(INCARNATION));
    let call = isolate.sent(1_000);
    let Request::Acquire(acquire) = call.request else { panic!("{call:?}") };
    assert_eq!(acquire.incarnation, Some(INCARNATION));
    isolate.receive(1_000, call, grant(&call, 7, 1_000, 1_100));
    isolate.id(1_000);

    let mut isolate = bound(None, Some(INCARNATION));
    let call = isolate.sent(1_000);
    let refusal = Refusal::OtherIncarnation { found: INCARNATION };
    isolate.receive(1_000, call, refused(refusal, INCARNATION + 1));
    ends(&mut isolate, Error::Refused(refusal), State::Destroyed);
}

#[test]
fn s22_a_holder_that_is_told_drops_its_lease_at_once() {
    let (mut isolate, _) = Isolate::attached();
    isolate.id(1_010);
    // This is about an earlier incarnation, and arrives late.
    isolate.holder.destroyed(1_010, INCARNATION - 1);
    isolate.id(1_010);
    let late = isolate.sent(1_060);
    isolate.holder.destroyed(1_060, INCARNATION);
    assert_eq!((isolate.holder.span(), isolate.holder.state()), (None, State::Destroyed));
    let error = Error::Refused(Refusal::SequencerDestroyed);
    let failed = |ms| Step::Failed { error, retry_in_ms: Some(ms) };
    assert_eq!(isolate.first_step(1_060), failed(4_000));
    // A reply that was under way brings nothing back.
    isolate.receive(1_061, late, grant(&late, 7, 1_000, 2_000));
    assert_eq!(isolate.first_step(1_061), failed(3_999));
    // When the sequencer is created again through the same isolate, it is usable at once.
    isolate.holder.created();
    let call = isolate.sent(1_061);
    isolate.receive(1_061, call, grant(&call, 7, 1_061, 1_161));
    isolate.id(1_061);

    let mut isolate = attached(None);
    isolate.holder.destroyed(1_010, INCARNATION);
    ends(&mut isolate, error, State::Destroyed);
}

#[test]
fn to_be_created_ends_no_other_pause() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    isolate.receive(1_000, call, refused(Refusal::Overloaded { retry_in_ms: 2_000 }, INCARNATION));
    isolate.holder.created();
    assert!(matches!(isolate.first_step(1_000), Step::Sleep { ms: 1_000.. }));
}

#[test]
fn a_record_of_something_else_is_not_gone_on_with() {
    let mut isolate = Isolate { holder: Holder::storing(), ..Isolate::default() };
    let call = isolate.sent(1_000);
    let Reply::Granted(granted) = grant(&call, 7, 1_000, 1_100) else { panic!("a grant") };
    let record = Record { grant: granted, reserved_tick: 1_010 };
    let other = "timestamp:40 node:4 sequence:2 @1".parse().unwrap();
    for (layout, incarnation, goes_on) in [
        (None, None, true),
        (Some(layout()), Some(INCARNATION), true),
        (Some(other), None, false),
        (None, Some(INCARNATION + 1), false),
    ] {
        let mut holder = Holder::storing();
        holder.bind(layout, incarnation);
        assert_eq!(holder.resume(&record, 7).is_ok(), goes_on);
        assert_eq!((holder.span().is_some(), holder.has_ended()), (goes_on, false));
    }
    // The holder keeps the incarnation that it resumed with.
    let mut holder = Holder::storing();
    holder.bind(None, None);
    holder.resume(&record, 7).unwrap();
    let later = Grant { incarnation: INCARNATION + 1, ..granted };
    assert!(holder.resume(&Record { grant: later, reserved_tick: 1_010 }, 7).is_err());
    let failed = holder.step(1_000, &mut Wait::default(), &mut [0], || 7);
    assert_eq!(failed, Step::Failed { error: Error::Unwritten, retry_in_ms: None });
}
