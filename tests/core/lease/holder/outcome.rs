//! The change that each reply makes, as statistics and logs say it.

use edgeflake::lease::{CallFailure, Error, Holder, Outcome, Refusal, Reply};

use super::isolate::{INCARNATION, Isolate, batch, grant, refused, renewal, token};

#[test]
fn a_reply_says_what_it_changed() {
    let mut isolate = Isolate::default();
    let call = isolate.sent(1_000);
    let granted = Ok(grant(&call, 7, 1_000, 1_100));
    assert_eq!(isolate.holder.receive(1_001, call.number, granted), Outcome::Acquired);
    assert_eq!(isolate.holder.receive(1_001, call.number, granted), Outcome::Dropped);

    let renew = isolate.sent(1_070);
    let renewed = Ok(renewal(&renew, 1_170));
    assert_eq!(isolate.holder.receive(1_071, renew.number, renewed), Outcome::Renewed);
    let renew = isolate.sent(1_140);
    let ended = Ok(Reply::Ended { token: token(&renew), incarnation: INCARNATION });
    assert_eq!(isolate.holder.receive(1_141, renew.number, ended), Outcome::Ended);
}

/// The clock of the holder is ahead of the authority's by more than half a lease.
#[test]
fn a_renewal_that_reaches_less_far_than_half_a_lease_is_followed_by_another() {
    let (mut isolate, _) = Isolate::attached();
    for (now_ms, until_tick) in [(1_050, 1_100), (1_062, 1_110), (1_074, 1_180)] {
        if now_ms > 1_050 {
            isolate.id(now_ms - 1);
        }
        let renew = isolate.sent(now_ms);
        let renewed = Ok(renewal(&renew, until_tick));
        assert_eq!(isolate.holder.receive(now_ms, renew.number, renewed), Outcome::Renewed);
        isolate.id(now_ms);
    }
    isolate.id(1_129);
}

#[test]
fn what_failed_says_why() {
    let full = Refusal::NoNodeFree { retry_in_ms: 60_000 };
    let destroyed = Refusal::SequencerDestroyed;
    let batched = batch(0, 1_000, 1_025);
    for (prefetches, reply, outcome) in [
        (true, Ok(batched), Outcome::Prefetched),
        (false, Ok(batched), Outcome::Failed(Error::UnexpectedReply)),
        (false, Ok(refused(full)), Outcome::Failed(Error::Refused(full))),
        (false, Ok(refused(destroyed)), Outcome::Failed(Error::Refused(destroyed))),
        (false, Err(CallFailure), Outcome::Failed(Error::AuthorityUnreachable)),
    ] {
        let holder = if prefetches { Holder::prefetching() } else { Holder::new() };
        let mut isolate = Isolate { holder, ..Isolate::default() };
        let call = isolate.sent(1_000);
        assert_eq!(isolate.holder.receive(1_000, call.number, reply), outcome);
    }
}
