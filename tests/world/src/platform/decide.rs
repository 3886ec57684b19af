//! How an instance begins a session, and decides a request.

use edgeflake::lease::{
    Acquire, CallFailure, Decision, Prefetch, Refusal, Reply, Request, Sequencer, SessionStart,
    Version, Write,
};

use super::{Around, Inside, Instance, Object};
use crate::ledger::Entry;
use crate::tally::Count;

impl Object {
    /// Begins a session, and restarts the shard if the storage was rolled back.
    pub(super) fn begin(
        &mut self,
        (index, at): (usize, usize),
        loaded: Version,
        opened: Option<SessionStart>,
        around: &mut Around<'_>,
    ) {
        let Some(Instance { authority: slot, known, fence, inside, .. }) =
            &mut self.instances[index]
        else {
            return;
        };
        let ticket = &mut inside[at].ticket;
        let Around { ledger, tally, is_calm, random, shard, now_ms, settings, .. } = around;
        let Some(SessionStart { session, newer, .. }) = opened else { return fence.begin() };
        let Some(authority) = slot.as_mut().filter(|_| loaded == self.storage.version) else {
            tally.count(Count::Stale);
            fence.failed(ticket);
            return self.roll_back();
        };
        if !*is_calm && random.one_in(40) {
            tally.count(Count::CrashesOpening);
            fence.failed(ticket);
            return self.roll_back();
        }
        let restart = newer.map_or_else(Vec::new, |newer| authority.restart(&newer));
        // The restart may abandon an incarnation, but only if no holder was told of it. The other
        // shards then follow the registry again.
        if let Some(left) = restart.first().and_then(incarnation_left) {
            assert!(*shard > 0 || !ledger.knows(left), "holders know abandoned incarnation {left}");
        }
        // If the witness's newer stamp has no sequencer, the restart has no writes. Then the
        // sequencer of the restored storage stays, and holders are told of it after the next
        // confirmation. So the write of this sequencer must stay in `unconfirmed`.
        if newer.is_none() || !restart.is_empty() {
            self.storage.unconfirmed.clear();
        }
        self.storage.version.session = session;
        fence.begin();
        *known = self.storage.writes;
        if restart.is_empty() {
            return;
        }
        tally.count(Count::Rollbacks);
        ledger.restarted(*shard);
        for write in restart {
            let version = fence.next_version().unwrap();
            assert!(self.storage.store(&write, version), "a restart is not stored");
            // The ledger must learn of the sequencer here, because the witness may know of a
            // sequencer of which no holder was told: an ended instance had stored the sequencer,
            // and opened a session with it.
            if let Write::Sequencer { after, .. } = write {
                let entry = Entry {
                    write,
                    incarnation: after.incarnation,
                    shard: *shard,
                    now_ms: *now_ms,
                    clock_disagreement_max_ms: settings.clock_disagreement_max_ms,
                    is_current: true,
                    request: Request::Describe,
                    reply: Reply::Described(Some(after)),
                };
                self.storage.unconfirmed.insert(version, entry);
            }
            authority.apply(&write);
            fence.wrote(&write);
            *known += 1;
        }
    }

    /// Decides a request, and stores its write.
    pub(super) fn decide(&mut self, (index, at): (usize, usize), around: &mut Around<'_>) {
        let Some(Instance { number, authority: slot, known, fence, inside }) =
            &mut self.instances[index]
        else {
            return;
        };
        let number = *number;
        let Around { shard, now_ms, settings, is_calm, random, tally, .. } = around;
        let fate = random.below(40);
        let crashes_at = |point| !*is_calm && fate == point;
        let Inside { request, arrived_ms, ticket, reply, .. } = &mut inside[at];
        let sent = *request;
        let request = &request.after_wait(*arrived_ms, *now_ms);
        let authority = slot.as_mut().expect("a session is open");
        let storage = &mut self.storage;
        // The ledger's entry for the write needs the reply before `answer` returns it.
        let Decision { reply: decided, .. } = authority.decide(*now_ms, request);
        check_incarnation(authority.sequencer(), request, &decided);
        let is_current = *known == storage.writes;
        let mut has_written = false;
        let answer = authority.answer(*now_ms, request, |write| {
            has_written = true;
            if crashes_at(0) {
                tally.count(Count::CrashesBefore);
                return Err(CallFailure);
            }
            assert_eq!(incarnation_left(write), None, "an abandoned incarnation comes again");
            let version = fence.next_version().unwrap();
            if !storage.store(write, version) {
                tally.count(Count::Stale);
                return Err(CallFailure);
            }
            fence.wrote(write);
            *known += 1;
            let incarnation = storage.sequencer.map_or(0, |sequencer| sequencer.incarnation);
            let entry = Entry {
                write: *write,
                incarnation,
                shard: *shard,
                now_ms: *now_ms,
                clock_disagreement_max_ms: settings.clock_disagreement_max_ms,
                is_current,
                request: *request,
                reply: decided,
            };
            storage.unconfirmed.insert(version, entry);
            if crashes_at(1) {
                tally.count(Count::CrashesAfter);
                return Err(CallFailure);
            }
            Ok(())
        });
        if let Ok(answer) = answer {
            assert!(!has_written || answer == decided, "a write was stored for another reply");
            check_clocks(&sent, *arrived_ms, settings.clock_disagreement_max_ms, &answer);
            *reply = Some(answer);
            fence.decided(ticket);
        } else {
            fence.failed(ticket);
            self.roll_back();
        }
        if self.witness.is_none() && self.group.is_none() {
            self.note(number, Version { session: u64::MAX, write: 0 }, around);
        }
    }
}

/// Returns the incarnation that a write abandons, if the write goes back to an earlier one. The
/// abandoned number may come again.
fn incarnation_left(write: &Write) -> Option<u64> {
    let Write::Sequencer { before: Some(before), after, .. } = write else { return None };
    Some(before.incarnation).filter(|left| *left > after.incarnation)
}

/// Checks that the shard compares the holder's clock with the time at which the request arrived,
/// however long the request has waited since.
fn check_clocks(request: &Request, arrived_ms: u64, max_ms: u64, reply: &Reply) {
    let (Request::Acquire(Acquire { now_ms: holder_ms, .. })
    | Request::Prefetch(Prefetch { now_ms: holder_ms, .. })) = request
    else {
        return;
    };
    let agrees = arrived_ms.abs_diff(*holder_ms) <= max_ms;
    match reply {
        Reply::Granted(_) | Reply::Batched(_) => assert!(agrees, "a wrong clock gets ids"),
        Reply::Refused { refusal: Refusal::ClockDisagreement { .. }, .. } => {
            assert!(!agrees, "a clock is blamed for the wait of its request");
        }
        _ => {}
    }
}

/// Checks that a request for a wrong incarnation gets the refusal `OtherIncarnation`.
fn check_incarnation(sequencer: Option<&Sequencer>, request: &Request, reply: &Reply) {
    let named = match request {
        Request::Acquire(acquire) => acquire.incarnation,
        Request::Prefetch(prefetch) => prefetch.incarnation,
        Request::Renew(renew) => Some(renew.incarnation),
        Request::Release(release) => Some(release.incarnation),
        Request::Confirm(confirm) => Some(confirm.incarnation),
        Request::Shrink(shrink) => Some(shrink.incarnation),
        _ => None,
    };
    if let (Some(sequencer), Some(found)) = (sequencer, named)
        && found != sequencer.incarnation
    {
        let (refusal, incarnation) = (Refusal::OtherIncarnation { found }, sequencer.incarnation);
        let refused = Reply::Refused { refusal, incarnation };
        assert!(*reply == refused, "another incarnation is not refused");
    }
}
