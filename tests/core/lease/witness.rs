//! A witness notices a storage that was rolled back. The simulated worlds show that the shard then
//! repeats no id.

use edgeflake::lease::{BoundConfig, Sequencer, SessionStart, Stamp, Version, Witness};
use edgeflake::preset::EDGE;

fn sequencer() -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap())
}

fn stamp(session: u64, write: u64) -> Stamp {
    let (version, sequencer) = (Version { session, write }, Some(sequencer()));
    Stamp { version, sequencer, until_tick: 100 * session + write, ..Stamp::default() }
}

#[test]
fn a_shard_that_is_as_new_as_its_stamp_goes_on() {
    let stored = stamp(5, 100);
    for loaded in [stamp(5, 100), stamp(5, 101), stamp(6, 1)] {
        let mut witness = Witness { session: 6, stamp: stored, rollbacks: 3, restarting: 0 };
        assert_eq!(witness.open(&loaded), SessionStart { session: 7, newer: None, rollbacks: 3 });
        assert_eq!(witness, Witness { session: 7, stamp: loaded, rollbacks: 3, restarting: 0 });
    }
}

#[test]
fn a_shard_that_is_older_was_rolled_back() {
    let stored = stamp(5, 100);
    // The last one has a higher number, of a history that the shard has left.
    for loaded in [Stamp::default(), stamp(5, 99), stamp(4, 100), stamp(4, 200)] {
        let mut witness = Witness { session: 6, stamp: stored, rollbacks: 0, restarting: 0 };
        assert_eq!(
            witness.open(&loaded),
            SessionStart { session: 7, newer: Some(stored), rollbacks: 1 }
        );
        assert_eq!(witness, Witness { session: 7, stamp: stored, rollbacks: 0, restarting: 7 });
    }
}

#[test]
fn a_rollback_is_counted_once_the_shard_has_restarted() {
    let stored = Witness { session: 6, stamp: stamp(5, 100), rollbacks: 0, restarting: 0 };
    // The restart could not be stored, so the next load is as old. Then it is stored and confirmed.
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

    // A second instance of the object is loaded meanwhile. Only the first one can begin its session.
    let mut witness = stored;
    for session in [7, 8] {
        assert_eq!(witness.open(&stamp(4, 100)).session, session);
    }
    assert_eq!(witness.open(&stamp(7, 101)).rollbacks, 1);
    assert!(witness.confirm(&stamp(9, 102)));
    assert_eq!(witness.rollbacks, 1);

    // A call of an object that has long ended arrives late: nothing was rolled back.
    let mut witness = stored;
    assert_eq!(witness.open(&stamp(4, 100)).rollbacks, 1);
    assert_eq!(witness.open(&stamp(6, 109)).rollbacks, 0);
    assert!(witness.confirm(&stamp(8, 110)));
    assert_eq!(witness.rollbacks, 0);
}

#[test]
fn a_witness_that_was_emptied_is_right_again_with_the_next_session() {
    let mut witness = Witness::default();
    let loaded = stamp(5, 100);
    assert_eq!(witness.open(&loaded), SessionStart { session: 6, newer: None, rollbacks: 0 });
    assert_eq!(witness, Witness { session: 6, stamp: loaded, rollbacks: 0, restarting: 0 });
    assert_eq!(witness.open(&stamp(5, 99)).newer, Some(loaded));
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
    // It was confirmed together with the one after it.
    assert!(witness.confirm(&stamp(6, 101)));
    assert_eq!(witness.stamp, stamp(6, 102));
}
