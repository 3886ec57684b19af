//! Tests when a reply may leave, and how a witness counts rollbacks. The simulation shows that no
//! id repeats, and `npm run proof` shows how a witness recognises a storage that was rolled back.
//! These tests show that nothing waits too long or too briefly.
//!
//! In the transcripts, `a` steps the ticket named a. `open 3` opens session 3, and `write a`
//! decides a request that writes. `decided a` ends a decision without a write.

use std::collections::BTreeMap;

use edgeflake::lease::fence::{Fence, Step, Ticket, WitnessCall};
use edgeflake::lease::{BoundConfig, Sequencer, SessionStart, Stamp, Version, Witness, Write};
use edgeflake::preset::EDGE;

use crate::transcript::{Player, Words, transcripts};

transcripts! { Shard:
    #[test]
    fn a_shard_without_a_witness_replies_at_once() "
        new; a -> load; loaded; a -> begin; begin; write b; committed; b -> reply; rollbacks -> None
    "

    /// After the session's first confirmation, a reply without a write needs no further
    /// confirmation. The reply still waits for a commit, because not every write has a version.
    #[test]
    fn the_first_reply_waits_even_if_nothing_was_written() "
        witness; open 3; rollbacks -> Some(0); a -> decide; decided a; a -> commit; committed
        a -> confirm 2 of 3.0; a -> wait 2; confirmed 2; a -> reply; b -> decide; decided b
        b -> commit; committed; b -> reply
    "

    #[test]
    fn a_confirmation_is_shared_and_covers_what_was_written_before_it() "
        witness; open 1; write a; committed; write b; committed; a -> confirm 2 of 1.2; write c
        committed; b -> wait 2; c -> wait 2; confirmed 2; b -> reply; c -> confirm 3 of 1.3
        confirmed 3; c -> reply
    "

    #[test]
    fn a_commit_is_shared_and_only_what_is_durable_is_confirmed() "
        witness; open 1; write a; write b; a -> commit; b -> commit; committed; write c
        a -> confirm 2 of 1.2; c -> commit; confirmed 2; a -> reply; b -> reply; c -> commit
    "

    /// Any waiting request may report the failure, because the request that sent the call may be
    /// gone.
    #[test]
    fn a_lost_call_fails_those_that_it_was_for_and_no_others() "
        witness; open 1; write a; committed; write b; committed; a -> confirm 2 of 1.2; b -> wait 2
        write c; committed; c -> wait 2; lost 1 -> false; lost 2 -> true; lost 2 -> false
        a -> WitnessSilent; b -> WitnessSilent; c -> confirm 3 of 1.3; confirmed 3; c -> reply
    "

    #[test]
    fn a_lost_opening_fails_what_waits_and_the_next_request_reads_the_storage_again() "
        witness; loaded; a -> open 1; b -> wait 1; lost 1 -> true; a -> WitnessSilent
        b -> WitnessSilent; open 2
        // An answer that comes late opens no session.
        opened 1 9; next -> Some(1)
    "

    #[test]
    fn what_could_not_be_stored_fails_and_is_not_decided_again() "
        witness; open 1; a -> decide; failed a; a -> SessionEnded; open 2; a -> SessionEnded
        // A failure in a session that has ended leaves the next one open.
        failed a; next -> Some(1)
    "

    #[test]
    fn a_status_needs_no_session_if_none_can_begin() "
        witness; loaded; status a; status b; a -> open 1; b -> wait 1; c -> wait 1; opened 1 1
        a -> begin 1; failed a; a -> look; b -> look; c -> SessionEnded
        // Here the storage cannot be read either.
        failed a; a -> SessionEnded
        // If only the witness is silent, the status is not answered without a session.
        loaded; status d; d -> open 2; lost 2 -> true; d -> WitnessSilent
    "
}

struct Shard {
    fence: Fence,
    tickets: BTreeMap<String, Ticket>,
}

impl Default for Shard {
    fn default() -> Self {
        Self { fence: Fence::new(false), tickets: BTreeMap::new() }
    }
}

impl Shard {
    fn step(&mut self, name: &str) -> String {
        let version = |Version { session, write }| format!("{session}.{write}");
        match self.fence.step(self.tickets.entry(name.to_owned()).or_default()) {
            Step::Ask { number, call: WitnessCall::Open(_) } => format!("open {number}"),
            Step::Ask { number, call: WitnessCall::Confirm(stamp) } => {
                format!("confirm {number} of {}", version(stamp.version))
            }
            Step::Wait { number } => format!("wait {number}"),
            Step::Begin { opened: Some(opened), .. } => format!("begin {}", opened.session),
            Step::Fail(failure) => format!("{failure:?}"),
            other => format!("{other:?}").split(' ').next().unwrap().to_lowercase(),
        }
    }
}

impl Player for Shard {
    fn play(&mut self, words: &Words) -> String {
        let event = words.get(0).unwrap();
        let name = words.get(1).unwrap_or_default();
        match event {
            "new" | "witness" => {
                *self = Self { fence: Fence::new(event == "witness"), tickets: BTreeMap::new() };
            }
            "open" => {
                self.tickets.remove("");
                assert_eq!(self.step(""), "load");
                self.fence.loaded(Stamp::default());
                let opened = self.step("");
                let number = opened.strip_prefix("open ").unwrap().parse().unwrap();
                let session = words.number(1);
                self.fence.opened(number, SessionStart { session, newer: None, rollbacks: 0 });
                assert_eq!(self.step(""), format!("begin {session}"));
                self.fence.begin();
            }
            "opened" => {
                let start = SessionStart { session: words.number(2), newer: None, rollbacks: 0 };
                self.fence.opened(words.number(1), start);
            }
            "loaded" => self.fence.loaded(Stamp::default()),
            "begin" => self.fence.begin(),
            "write" => {
                assert_eq!(self.step(name), "decide");
                let after = sequencer();
                let (ended_by, drops_rows, before) = (0, true, None);
                self.fence.wrote(&Write::Sequencer { ended_by, drops_rows, before, after });
                self.fence.decided(self.tickets.get_mut(name).unwrap());
            }
            "decided" => self.fence.decided(self.tickets.get_mut(name).unwrap()),
            "failed" => self.fence.failed(self.tickets.get_mut(name).unwrap()),
            "status" => drop(self.tickets.insert(name.to_owned(), Ticket::of_status())),
            "committed" => self.fence.committed(),
            "confirmed" => self.fence.confirmed(words.number(1), true),
            "lost" => return self.fence.lost(words.number(1)).to_string(),
            "next" => return format!("{:?}", self.fence.next_version().map(|next| next.write)),
            "rollbacks" => return format!("{:?}", self.fence.rollbacks()),
            ticket => return self.step(ticket),
        }
        String::new()
    }
}

fn sequencer() -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap())
}

fn stamp(session: u64, write: u64) -> Stamp {
    let (version, sequencer) = (Version { session, write }, Some(sequencer()));
    Stamp { version, sequencer, until_tick: 100 * session + write, ..Stamp::default() }
}

#[test]
fn a_rollback_is_counted_once_the_shard_has_restarted() {
    let stored = Witness { session: 6, stamp: stamp(5, 100), rollbacks: 0, restarting: 0 };
    // The restart could not be stored, so the next load finds the same old storage. Then the
    // restart is stored and confirmed.
    let mut witness = stored;
    for session in [7, 8] {
        let opened = witness.open(&stamp(4, 100));
        assert_eq!((opened.session, opened.rollbacks), (session, 1));
    }
    assert!(witness.confirm(&stamp(8, 101)));
    assert!(witness.confirm(&stamp(8, 102)));
    assert_eq!((witness.rollbacks, witness.open(&stamp(8, 102)).rollbacks), (1, 1));

    // The object ended before it asked for a confirmation.
    let mut witness = stored;
    assert_eq!(witness.open(&stamp(4, 100)).session, 7);
    assert_eq!(witness.open(&stamp(7, 101)).rollbacks, 1);

    // A second instance of the object is loaded meanwhile. Only the first can begin its session.
    let mut witness = stored;
    for session in [7, 8] {
        assert_eq!(witness.open(&stamp(4, 100)).session, session);
    }
    assert_eq!(witness.open(&stamp(7, 101)).rollbacks, 1);
    assert!(witness.confirm(&stamp(9, 102)));
    assert_eq!(witness.rollbacks, 1);

    // The first `open` is the late call of an instance that has ended. It answers that there was a
    // rollback, but this is not counted, because the instance never begins the session.
    let mut witness = stored;
    assert_eq!(witness.open(&stamp(4, 100)).rollbacks, 1);
    assert_eq!(witness.open(&stamp(6, 109)).rollbacks, 0);
    assert!(witness.confirm(&stamp(8, 110)));
    assert_eq!(witness.rollbacks, 0);
}

#[test]
fn only_the_newest_session_is_confirmed() {
    let mut witness = Witness { session: 6, stamp: stamp(5, 100), rollbacks: 0, restarting: 0 };
    for session in [0, 5, 7] {
        assert!(!witness.confirm(&stamp(session, 101)));
        assert_eq!(witness.stamp, stamp(5, 100));
    }
    assert!(witness.confirm(&stamp(6, 102)));
    assert_eq!(witness.stamp, stamp(6, 102));
    // This write was confirmed together with the next one.
    assert!(witness.confirm(&stamp(6, 101)));
    assert_eq!(witness.stamp, stamp(6, 102));
}
