//! When a reply may leave. The simulation shows that no id repeats. These tests show that nothing
//! waits for too long or too briefly.

use edgeflake::lease::fence::{Failure, Fence, Step, Ticket, WitnessCall};
use edgeflake::lease::{BoundConfig, Sequencer, SessionStart, Stamp, Version, Write};
use edgeflake::preset::EDGE;

const ENDED: Step = Step::Fail(Failure::SessionEnded);

const REPLACED: Step = Step::Fail(Failure::SessionReplaced);

const SILENT: Step = Step::Fail(Failure::WitnessSilent);

/// Steps a request that must want a call of the witness.
fn asked(fence: &mut Fence, ticket: &mut Ticket) -> (u64, WitnessCall) {
    match fence.step(ticket) {
        Step::Ask { number, call } => (number, call),
        other => panic!("{other:?}"),
    }
}

/// Opens the session of this number, without a rollback.
fn open(fence: &mut Fence, session: u64) {
    let mut ticket = Ticket::default();
    assert_eq!(fence.step(&mut ticket), Step::Load);
    fence.loaded(Stamp::default());
    let (number, call) = asked(fence, &mut ticket);
    assert_eq!(call, WitnessCall::Open(Stamp::default()));
    fence.opened(number, SessionStart { session, newer: None, rollbacks: 0 });
    assert!(matches!(fence.step(&mut ticket), Step::Begin { .. }));
    fence.begin();
}

/// Decides a request that writes, and makes the write durable.
fn decide(fence: &mut Fence) -> Ticket {
    let ticket = decide_only(fence);
    fence.committed();
    ticket
}

/// Decides a request that writes.
fn decide_only(fence: &mut Fence) -> Ticket {
    let mut ticket = Ticket::default();
    assert_eq!(fence.step(&mut ticket), Step::Decide);
    let after = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap());
    fence.wrote(&Write::Sequencer { ended_by: 0, drops_rows: true, before: None, after });
    fence.decided(&mut ticket);
    ticket
}

#[test]
fn a_shard_without_a_witness_replies_at_once() {
    let (mut fence, mut ticket) = (Fence::new(false), Ticket::default());
    assert_eq!(fence.step(&mut ticket), Step::Load);
    fence.loaded(Stamp::default());
    let loaded = Version::default();
    assert_eq!(fence.step(&mut ticket), Step::Begin { loaded, opened: None });
    fence.begin();
    let mut written = decide(&mut fence);
    assert_eq!(fence.step(&mut written), Step::Reply);
    assert_eq!(fence.rollbacks(), None);
}

#[test]
fn the_first_reply_waits_even_if_nothing_was_written() {
    let (mut fence, mut ticket) = (Fence::new(true), Ticket::default());
    open(&mut fence, 3);
    assert_eq!(fence.step(&mut ticket), Step::Decide);
    fence.decided(&mut ticket);
    // The session was written.
    assert_eq!(fence.step(&mut ticket), Step::Commit);
    fence.committed();
    let (number, call) = asked(&mut fence, &mut ticket);
    let version = Version { session: 3, write: 0 };
    assert_eq!(call, WitnessCall::Confirm(Stamp { version, ..Stamp::default() }));
    assert_eq!(fence.step(&mut ticket), Step::Wait { number });
    fence.confirmed(number, true);
    assert_eq!(fence.step(&mut ticket), Step::Reply);

    // From then on a reply without a write waits for no confirmation, but for a commit, because not
    // every write has a number.
    let mut later = Ticket::default();
    assert_eq!(fence.step(&mut later), Step::Decide);
    fence.decided(&mut later);
    assert_eq!(fence.step(&mut later), Step::Commit);
    fence.committed();
    assert_eq!(fence.step(&mut later), Step::Reply);
}

#[test]
fn a_confirmation_is_shared_and_covers_what_was_written_before_it() {
    let mut fence = Fence::new(true);
    open(&mut fence, 1);
    let (mut first, mut second) = (decide(&mut fence), decide(&mut fence));
    let (number, _) = asked(&mut fence, &mut first);
    let mut third = decide(&mut fence);
    for ticket in [&mut second, &mut third] {
        assert_eq!(fence.step(ticket), Step::Wait { number });
    }
    fence.confirmed(number, true);
    assert_eq!(fence.step(&mut second), Step::Reply);
    let (next, _) = asked(&mut fence, &mut third);
    assert_eq!(next, number + 1);
    fence.confirmed(next, true);
    assert_eq!(fence.step(&mut third), Step::Reply);
}

#[test]
fn a_commit_is_shared_and_only_what_is_durable_is_confirmed() {
    let mut fence = Fence::new(true);
    open(&mut fence, 1);
    let (mut first, mut second) = (decide_only(&mut fence), decide_only(&mut fence));
    for ticket in [&mut first, &mut second] {
        assert_eq!(fence.step(ticket), Step::Commit);
    }
    fence.committed();
    let mut third = decide_only(&mut fence);
    let (number, call) = asked(&mut fence, &mut first);
    let WitnessCall::Confirm(stamp) = call else { panic!("{call:?}") };
    assert_eq!(stamp.version, Version { session: 1, write: 2 });
    assert_eq!(fence.step(&mut third), Step::Commit);
    fence.confirmed(number, true);
    assert_eq!([fence.step(&mut first), fence.step(&mut second)], [Step::Reply; 2]);
    assert_eq!(fence.step(&mut third), Step::Commit);
}

#[test]
fn a_commit_that_fails_fails_all_that_it_was_for() {
    let mut fence = Fence::new(true);
    open(&mut fence, 1);
    let (mut first, mut second) = (decide_only(&mut fence), decide_only(&mut fence));
    let mut status = Ticket::of_status();
    assert_eq!(fence.step(&mut status), Step::Decide);
    fence.decided(&mut status);
    fence.commit_failed();
    assert_eq!([fence.step(&mut first), fence.step(&mut second)], [ENDED; 2]);
    assert_eq!(fence.step(&mut status), Step::Look);
    assert_eq!(fence.next_version(), None);
    // A commit of the session after it is not one of theirs.
    open(&mut fence, 2);
    fence.committed();
    assert_eq!([fence.step(&mut first), fence.step(&mut second)], [ENDED; 2]);
}

#[test]
fn a_lost_call_fails_those_that_it_was_for_and_no_others() {
    let mut fence = Fence::new(true);
    open(&mut fence, 1);
    let (mut first, mut second) = (decide(&mut fence), decide(&mut fence));
    let (number, _) = asked(&mut fence, &mut first);
    assert_eq!(fence.step(&mut second), Step::Wait { number });
    let mut third = decide(&mut fence);
    assert_eq!(fence.step(&mut third), Step::Wait { number });
    // Any waiting request may report it, because the one that sent the call may be gone.
    fence.lost(number);
    assert_eq!([fence.step(&mut first), fence.step(&mut second)], [SILENT; 2]);
    let (next, _) = asked(&mut fence, &mut third);
    fence.confirmed(next, true);
    assert_eq!(fence.step(&mut third), Step::Reply);
}

#[test]
fn a_lost_opening_fails_what_waits_and_the_next_request_reads_the_storage_again() {
    let (mut fence, mut asks, mut waits) = (Fence::new(true), Ticket::default(), Ticket::default());
    fence.loaded(Stamp::default());
    let (number, _) = asked(&mut fence, &mut asks);
    assert_eq!(fence.step(&mut waits), Step::Wait { number });
    fence.lost(number);
    assert_eq!([fence.step(&mut asks), fence.step(&mut waits)], [SILENT; 2]);
    open(&mut fence, 2);
    // A late answer opens nothing.
    fence.opened(number, SessionStart { session: 9, newer: None, rollbacks: 0 });
    assert_eq!(fence.next_version(), Some(Version { session: 2, write: 1 }));
}

#[test]
fn a_refusal_of_the_witness_ends_the_session_and_its_requests() {
    let mut fence = Fence::new(true);
    open(&mut fence, 1);
    let (mut first, mut second) = (decide(&mut fence), decide(&mut fence));
    let (number, _) = asked(&mut fence, &mut first);
    fence.confirmed(number, false);
    assert_eq!([fence.step(&mut first), fence.step(&mut second)], [REPLACED; 2]);
    assert_eq!(fence.next_version(), None);
    assert_eq!(fence.step(&mut Ticket::default()), Step::Load);
}

#[test]
fn what_could_not_be_stored_fails_and_is_not_decided_again() {
    let (mut fence, mut ticket) = (Fence::new(true), Ticket::default());
    open(&mut fence, 1);
    assert_eq!(fence.step(&mut ticket), Step::Decide);
    fence.failed(&mut ticket);
    assert_eq!(fence.step(&mut ticket), ENDED);
    open(&mut fence, 2);
    assert_eq!(fence.step(&mut ticket), ENDED);
}

#[test]
fn a_status_needs_no_session_if_none_can_begin() {
    let mut fence = Fence::new(true);
    fence.loaded(Stamp::default());
    let [mut asks, mut waits] = [Ticket::of_status(); 2];
    let mut other = Ticket::default();
    let (number, _) = asked(&mut fence, &mut asks);
    for ticket in [&mut waits, &mut other] {
        assert_eq!(fence.step(ticket), Step::Wait { number });
    }
    fence.opened(number, SessionStart { session: 1, newer: None, rollbacks: 0 });
    assert!(matches!(fence.step(&mut asks), Step::Begin { .. }));
    fence.failed(&mut asks);
    assert_eq!([&mut asks, &mut waits].map(|ticket| fence.step(ticket)), [Step::Look; 2]);
    assert_eq!(fence.step(&mut other), ENDED);
    // The storage cannot be read either.
    fence.failed(&mut asks);
    assert_eq!(fence.step(&mut asks), ENDED);

    // A silent witness is no reason to answer without a session.
    let mut late = Ticket::of_status();
    fence.loaded(Stamp::default());
    let (number, _) = asked(&mut fence, &mut late);
    fence.lost(number);
    assert_eq!(fence.step(&mut late), SILENT);
}
