//! Storage that was rolled back: what the witness knows, and what the shard does about it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use edgeflake::lease::{
    Authority, Batch, BoundConfig, Counter, Error, Grant, Refusal, Release, Reply, Request, Row,
    Sequencer, SessionStart, Settings, Stamp, Version, Witness,
};
use edgeflake::preset::EDGE;

use super::shell;

const NOW_TICK: u64 = 5_000;
const LEASE_TICKS: u64 = 300_000;

/// A shard, and the stamp of its newest write.
struct Shard {
    authority: Authority,
    stamp: Stamp,
}

impl Shard {
    /// Makes a shard that has nothing but this sequencer stored.
    fn load(sequencer: Option<Sequencer>) -> Self {
        let authority = Authority::load(0, sequencer, Settings::default(), []).unwrap();
        Self { stamp: authority.stamp(Version::default()), authority }
    }

    fn ask(&mut self, tick: u64, request: Request) -> Reply {
        let stored = self.authority.answer(EDGE.start_ms(tick), &request, |write| {
            self.stamp.wrote(write);
            Ok::<(), Error>(())
        });
        stored.unwrap()
    }

    fn acquire(&mut self, tick: u64, random: u128) -> Result<Grant, Refusal> {
        let acquire = shell::acquire(random, EDGE.start_ms(tick));
        match self.ask(tick, Request::Acquire(acquire)) {
            Reply::Granted(grant) => Ok(grant),
            Reply::Refused { refusal, .. } => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    fn prefetch(&mut self, tick: u64) -> Result<Batch, Refusal> {
        match self.ask(tick, shell::prefetch(Some(6), EDGE.start_ms(tick))) {
            Reply::Batched(batch) => Ok(batch),
            Reply::Refused { refusal, .. } => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    /// Does what a shard does that was rolled back from this stamp.
    fn restart(&mut self, newer: &Stamp) {
        for write in self.authority.restart(newer) {
            self.authority.apply(&write);
            self.stamp.wrote(&write);
        }
    }
}

fn sequencer() -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap())
}

const fn version(session: u64, write: u64) -> Version {
    Version { session, write }
}

fn stamp(session: u64, write: u64) -> Stamp {
    let (version, sequencer) = (version(session, write), Some(sequencer()));
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

#[test]
fn a_stamp_has_the_end_of_each_node() {
    let mut shard = Shard::load(Some(sequencer()));
    let Grant { token, incarnation, span, .. } = shard.acquire(NOW_TICK, 1).unwrap();
    let (node, end) = (span.node(), NOW_TICK + LEASE_TICKS);
    assert_eq!((shard.stamp.version, shard.stamp.end_of(node)), (version(0, 1), end));
    assert_eq!(shard.stamp.end_of(node + 1), 0);
    // The stamp keeps the end, because a holder was told of the ticks that it now gives back.
    let until_tick = NOW_TICK + 1;
    let release = Release { token, incarnation, node, until_tick, issued: None };
    assert!(matches!(shard.ask(NOW_TICK, Request::Release(release)), Reply::Released { .. }));
    assert_eq!((shard.stamp.version, shard.stamp.end_of(node)), (version(0, 2), end));
    // After another load, the stamp has the stored end.
    assert_eq!(shard.authority.stamp(version(0, 2)).end_of(node), until_tick);
}

/// The ends of the latest nodes are kept, and one end covers all others, whatever their order.
#[test]
fn a_stamp_covers_all_ends() {
    let mut random = 1_u64;
    for _ in 0..2_000 {
        let (mut stamp, mut ends) = (Stamp::default(), BTreeMap::new());
        for _ in 0..40 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (node, until_tick) = (random >> 60, 1 + (random >> 32) % 50);
            let before = stamp;
            stamp.cover(node, until_tick);
            let end = ends.entry(node).or_insert(0);
            *end = until_tick.max(*end);
            for node in 0..16 {
                assert!(stamp.end_of(node) >= before.end_of(node));
                assert!(stamp.end_of(node) >= ends.get(&node).copied().unwrap_or(0));
            }
            let mut latest: Vec<_> = ends.values().copied().collect();
            latest.sort_unstable_by_key(|end| Reverse(*end));
            latest.resize(Stamp::LATEST, 0);
            assert_eq!(stamp.latest.map(|late| late.until_tick).to_vec(), latest[..Stamp::LATEST]);
        }
    }
}

#[test]
fn a_batch_ends_after_the_tick_that_it_has_begun() {
    let mut shard = Shard::load(Some(sequencer()));
    let until = shard.prefetch(NOW_TICK).unwrap().until;
    assert_eq!(until, Counter { tick: NOW_TICK + 1, sequence: 2 });
    assert_eq!(shard.stamp.end_of(0), NOW_TICK + 2);
    assert_eq!(shard.authority.stamp(version(0, 1)).end_of(0), NOW_TICK + 2);
}

#[test]
fn another_incarnation_begins_where_the_one_before_has_ended() {
    let mut shard = Shard::load(Some(sequencer()));
    shard.acquire(NOW_TICK, 1).unwrap();
    let end = NOW_TICK + LEASE_TICKS;
    let Reply::Described(Some(destroyed)) = shard.ask(NOW_TICK, Request::Destroy) else {
        panic!("not destroyed")
    };
    assert_eq!(shard.stamp.sequencer, Some(destroyed));
    assert_eq!(shard.stamp.end_of(1), end);
    shard.ask(end, Request::Create(sequencer().config));
    assert_eq!(
        shard.stamp.sequencer.map(|again| (again.incarnation, again.from_tick)),
        Some((2, end))
    );
    assert_eq!((shard.stamp.version, shard.stamp.until_tick), (version(0, 3), end));
    assert_eq!(shard.stamp.latest, Stamp::default().latest);
}

const YEAR_TICKS: u64 = 31_536_000_000;

/// A clock that was a year ahead for a moment has let a node end in a year. When the storage is
/// emptied or restored, all other nodes are free once every lease has ended.
#[test]
fn a_node_that_ends_in_a_year_lets_no_other_wait() {
    const NODES: u64 = 40;
    let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, NODES, 1).unwrap());
    let load = |rows: &[(u64, Row)]| {
        let rows = rows.iter().copied();
        Authority::load(0, Some(sequencer), Settings::default(), rows).unwrap()
    };
    let mut shard = Shard::load(Some(sequencer));
    (1..20).for_each(|random| assert!(shard.acquire(NOW_TICK, random).is_ok()));
    let late = shard.acquire(NOW_TICK + YEAR_TICKS, 20).unwrap().span;
    let copy: Vec<_> = shard.authority.rows().collect();
    (21..30).for_each(|random| assert!(shard.acquire(NOW_TICK + 9, random).is_ok()));

    for rows in [&[][..], &copy] {
        let mut restored = Shard { authority: load(rows), stamp: Stamp::default() };
        restored.restart(&shard.stamp);
        // The other latest nodes end when the leases do.
        let end = NOW_TICK + 9 + LEASE_TICKS;
        let nodes: BTreeSet<_> = (0..NODES - 2)
            .map(|random| restored.acquire(end, 100 + u128::from(random)).unwrap().span)
            .inspect(|span| assert_eq!(span.from_tick(), end))
            .map(|span| span.node())
            .collect();
        assert_eq!(nodes.len() as u64, NODES - 2);
        assert!(!nodes.contains(&late.node()));
        assert!(matches!(restored.acquire(end, 99), Err(Refusal::NoNodeFree { .. })));
        // That node is granted after its span, even if the shard is loaded or restarted again.
        let rows: Vec<_> = restored.authority.rows().collect();
        let mut again = Shard { authority: load(&rows), stamp: Stamp::default() };
        again.restart(&restored.stamp);
        for shard in [&mut restored, &mut again] {
            let ends = (0..60).map(|random| shard.acquire(late.until_tick(), 200 + random));
            let spans = ends.map_while(Result::ok).filter(|span| span.span.node() == late.node());
            let starts: Vec<_> = spans.map(|span| span.span.from_tick()).collect();
            assert_eq!(starts, [late.until_tick()]);
        }
    }

    // The next incarnation starts after it.
    let Reply::Described(Some(ended)) = shard.ask(NOW_TICK, Request::Destroy) else { panic!() };
    let mut restored = Shard::load(None);
    restored.restart(&shard.stamp);
    let from_tick = late.until_tick();
    assert_eq!(restored.authority.sequencer(), Some(&Sequencer { from_tick, ..ended }));
    assert_eq!(restored.authority.rows().count(), 0);
}
