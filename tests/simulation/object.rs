//! The object of one shard: what it has stored, the authorities that decide for it, and its witness.

use std::collections::BTreeMap;
use std::mem;

use edgeflake::lease::{
    Authority, CallFailed, Decision, Life, Opened, Refusal, Reply, Request, Row, Sequencer,
    Settings, Stamp, Version, Witness, Write,
};

use crate::clock::Clock;
use crate::ledger::{Lease, Ledger, Said};
use crate::random::Random;
use crate::tally::{Count, Tally};

/// Most older copies of a storage that there are at a time.
const COPIES_MAX: usize = 4;

/// One shard. For a while it may run twice: both instances write to what is stored.
#[derive(Default)]
pub(crate) struct Object {
    storage: Storage,
    /// The rows that the storage had.
    copies: Vec<Storage>,
    /// What the witness knew when the newest of them was made.
    earlier: Option<Stamp>,
    /// The newest session when it went on without its witness, until one after it is confirmed: what
    /// was granted meanwhile is in the storage alone.
    unwitnessed: Option<u64>,
    pub(crate) instances: [Option<Instance>; 2],
    /// Whether requests may get to either instance.
    pub(crate) has_twin: bool,
    pub(crate) clock: Clock,
    /// Another object, if there is one: then this one's storage may be restored.
    pub(crate) witness: Option<Witness>,
    /// What the storage had unconfirmed before it was restored: until the next session is opened, a
    /// life that has ended elsewhere may still have it confirmed.
    departed: Option<Unconfirmed>,
    /// Up to where the ledger knows what was written.
    noted: Version,
}

/// What was stored, of which no holder is told before it is confirmed.
type Unconfirmed = BTreeMap<Version, Pending>;

/// A life of the object.
pub(crate) struct Instance {
    authority: Authority,
    stamp: Stamp,
    /// Up to where its witness has confirmed what it wrote.
    confirmed: Version,
}

/// A write, with all that the ledger wants to know of it.
#[derive(Clone, Copy)]
struct Pending {
    write: Write,
    said: Said,
    incarnation: u64,
}

/// How an answer may go wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crash {
    None,
    /// Before anything is stored.
    Before,
    /// After it is stored.
    After,
}

impl Object {
    /// Answers, with a crash now and then between any two of the steps. A stamp has to be confirmed
    /// before the answer leaves.
    pub(crate) fn answer(
        &mut self,
        (shard, now_ms): (u64, u64),
        (request, settings): (&Request, Settings),
        is_calm: bool,
        (ledger, leases): (&mut Ledger, &[Lease]),
        random: &mut Random,
        tally: &mut Tally,
    ) -> Result<(Reply, Option<Stamp>), CallFailed> {
        let is_twin = !is_calm && self.has_twin && random.one_in(2);
        if is_twin {
            tally.count(Count::Twins);
        }
        let crash = match random.below(40) {
            0 if !is_calm => Crash::Before,
            1 if !is_calm => Crash::After,
            _ => Crash::None,
        };
        if self.witness.is_some() && !is_calm && random.one_in(8) {
            self.copy(random);
        }
        let mut instance = match self.instances[usize::from(is_twin)].take() {
            Some(instance) => instance,
            None => self.load(shard, settings, crash, (ledger, leases), tally)?,
        };
        let storage = &mut self.storage;
        let Instance { authority, stamp, confirmed } = &mut instance;
        // What is answered is known to the ledger before it is stored.
        let Decision { reply: decided, .. } = authority.decide(now_ms, request);
        check_incarnation(authority.sequencer(), request, &decided);
        let stored = storage.rows.iter().map(|(node, row)| (*node, *row));
        let is_current = authority.rows().eq(stored);
        let from_tick = authority.sequencer().map_or(0, |sequencer| sequencer.from_tick);
        let mut has_written = false;
        let answer = authority.answer(now_ms, request, |write| {
            has_written = true;
            if crash == Crash::Before {
                tally.count(Count::CrashesBefore);
                return Err(CallFailed);
            }
            assert_eq!(incarnation_left(write), None, "it comes again");
            let before = stamp.version;
            if !storage.store(write, Version { write: before.write + 1, ..before }) {
                tally.count(Count::Stale);
                return Err(CallFailed);
            }
            stamp.wrote(write);
            let incarnation = storage.sequencer.map_or(0, |sequencer| sequencer.incarnation);
            let Settings { clock_disagreement_max_ms, .. } = settings;
            let (request, reply) = (*request, decided);
            let said = Said {
                shard,
                now_ms,
                clock_disagreement_max_ms,
                is_current,
                from_tick,
                request,
                reply,
            };
            let pending = Pending { write: *write, said, incarnation };
            storage.unconfirmed.insert(stamp.version, pending);
            if crash == Crash::After {
                tally.count(Count::CrashesAfter);
                return Err(CallFailed);
            }
            Ok(())
        });
        let told = (*confirmed < stamp.version).then_some(*stamp);
        if self.witness.is_none() {
            self.note(Version { session: u64::MAX, write: 0 }, (ledger, leases), tally);
        }
        let reply = answer?;
        assert!(!has_written || reply == decided, "stored for {decided:?}, answered {reply:?}");
        self.instances[usize::from(is_twin)] = Some(instance);
        Ok((reply, told.filter(|_| self.witness.is_some())))
    }

    /// Opens a session, then loads what is stored; and restarts if that was rolled back.
    fn load(
        &mut self,
        shard: u64,
        settings: Settings,
        crash: Crash,
        (ledger, leases): (&mut Ledger, &[Lease]),
        tally: &mut Tally,
    ) -> Result<Instance, CallFailed> {
        let mut authority = self.storage.load(shard, settings);
        let mut stamp = authority.stamp(self.storage.version);
        let mut confirmed = stamp.version;
        if let Some(witness) = &mut self.witness {
            let Opened { session, newer, .. } = witness.open(&stamp);
            confirmed = witness.stamp.version;
            self.departed = None;
            // The witness knows what was loaded, whether or not the object lives to use its session.
            if newer.is_none() {
                self.note(stamp.version, (ledger, leases), tally);
            }
            if crash == Crash::Before {
                tally.count(Count::CrashesOpening);
                return Err(CallFailed);
            }
            let restart = newer.and_then(|newer| authority.restart(&newer));
            // An incarnation of which no holder was told is left with its history. The other shards
            // follow the registry again.
            if let Some(left) = restart.as_ref().and_then(incarnation_left) {
                assert!(shard > 0 || !ledger.knows(left), "{left} was told, and comes again");
            }
            // Where the witness knows of no sequencer, an older copy of one counts from its first
            // confirmation on.
            if newer.is_none() || restart.is_some() {
                self.storage.unconfirmed.clear();
            }
            self.storage.version.session = session;
            stamp.version.session = session;
            if let Some(write) = restart {
                tally.count(Count::Rollbacks);
                let version = stamp.version;
                assert!(
                    self.storage.store(&write, Version { write: version.write + 1, ..version }),
                    "a restart is not stored"
                );
                authority.apply(&write);
                stamp.wrote(&write);
            }
        }
        Ok(Instance { authority, stamp, confirmed })
    }

    /// Tells the ledger of the writes up to a version.
    fn note(
        &mut self,
        version: Version,
        (ledger, leases): (&mut Ledger, &[Lease]),
        tally: &mut Tally,
    ) {
        let unconfirmed = self.departed.as_mut().unwrap_or(&mut self.storage.unconfirmed);
        while let Some(first) = unconfirmed.first_entry() {
            if *first.key() > version {
                return;
            }
            let (of, Pending { write, said, incarnation }) = first.remove_entry();
            // A copy has what is known by now.
            if self.witness.is_some() && of <= self.noted {
                continue;
            }
            self.noted = of;
            // What a shard follows the registry has written before.
            if said.shard == 0 || matches!(write, Write::Node { .. }) {
                ledger.written(&write, &said, incarnation, leases, tally);
            }
        }
    }

    /// Has the witness confirm what was written up to this stamp; if it does not, this life is over.
    pub(crate) fn confirm(
        &mut self,
        stamp: &Stamp,
        checks: (&mut Ledger, &[Lease]),
        tally: &mut Tally,
    ) -> Result<(), CallFailed> {
        let is_confirmed = self.witness.as_mut().is_some_and(|witness| witness.confirm(stamp));
        for slot in &mut self.instances {
            let session = stamp.version.session;
            let of_session = |life: &&mut Instance| life.stamp.version.session == session;
            let Some(life) = slot.as_mut().filter(of_session) else { continue };
            life.confirmed = life.confirmed.max(stamp.version);
            if !is_confirmed {
                *slot = None;
            }
        }
        if !is_confirmed {
            tally.count(Count::Superseded);
            return Err(CallFailed);
        }
        self.unwitnessed = self.unwitnessed.filter(|session| stamp.version.session <= *session);
        self.note(stamp.version, checks, tally);
        Ok(())
    }

    /// An operator copies the storage.
    fn copy(&mut self, random: &mut Random) {
        if self.copies.len() >= COPIES_MAX {
            let oldest = random.index(COPIES_MAX);
            self.copies.swap_remove(oldest);
        }
        self.copies.push(self.storage.clone());
        self.earlier = self.witness.map(|witness| witness.stamp);
    }

    /// Puts an older copy back, or nothing at all; which ends whatever runs.
    pub(crate) fn restore(&mut self, random: &mut Random, tally: &mut Tally) {
        if self.witness.is_none() || self.unwitnessed.is_some() {
            return;
        }
        if random.one_in(4) && self.go_on_unwitnessed(tally) {
            return;
        }
        let copy = self.copies.get(random.index(COPIES_MAX + 1));
        tally.count(if copy.is_some() { Count::Restores } else { Count::Emptied });
        let copy = copy.cloned().unwrap_or_default();
        let before = mem::replace(&mut self.storage, copy);
        self.departed.get_or_insert(before.unconfirmed);
        self.instances = [None, None];
    }

    /// What is stored was written without a witness, by a release that numbers nothing, say: so the
    /// witness knows what it knew when that began. Says whether it can be.
    fn go_on_unwitnessed(&mut self, tally: &mut Tally) -> bool {
        let (Some(witness), Some(earlier)) = (&mut self.witness, self.earlier) else {
            return false;
        };
        // All that is stored was confirmed, so the ledger knows it.
        let Storage { version, unconfirmed, .. } = &self.storage;
        let is_confirmed = unconfirmed.is_empty() && *version >= witness.stamp.version;
        let is_complete = self.departed.is_none() && is_confirmed;
        if !is_complete || earlier.sequencer != self.storage.sequencer {
            return false;
        }
        tally.count(Count::Unwitnessed);
        self.unwitnessed = Some(witness.session);
        witness.stamp = earlier;
        self.storage.version = Version::default();
        self.copies.clear();
        self.instances = [None, None];
        true
    }

    /// From now on it runs once: with what it has in memory, if that is what is stored.
    pub(crate) fn settle(&mut self) {
        let Self { storage, instances: [instance, twin], has_twin, .. } = self;
        *has_twin = false;
        *twin = None;
        *instance = instance.take().filter(|Instance { authority, stamp, .. }| {
            let stored = storage.rows.iter().map(|(node, row)| (*node, *row));
            stamp.version.session == storage.version.session
                && authority.sequencer() == storage.sequencer.as_ref()
                && authority.rows().eq(stored)
        });
    }

    /// The sequencer as it is stored here.
    pub(crate) const fn sequencer(&self) -> Option<&Sequencer> {
        self.storage.sequencer.as_ref()
    }

    /// The latest tick at which something ends that is stored: a span, or the sequencers before.
    pub(crate) fn latest_end(&self) -> u64 {
        let sequencer = self.storage.sequencer.map_or(0, |sequencer| {
            sequencer.from_tick.max(match sequencer.life {
                Life::Active => 0,
                Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => until_tick,
            })
        });
        let witnessed = self.witness.map_or(0, |witness| witness.stamp.until_tick);
        self.storage.rows.values().map(end).max().unwrap_or(0).max(sequencer).max(witnessed)
    }
}

/// What the platform keeps, and nothing else survives.
#[derive(Clone, Default)]
struct Storage {
    sequencer: Option<Sequencer>,
    rows: BTreeMap<u64, Row>,
    /// The newest session that was opened, and the number of the newest write.
    version: Version,
    unconfirmed: Unconfirmed,
}

impl Storage {
    fn load(&self, shard: u64, settings: Settings) -> Authority {
        let rows = self.rows.iter().map(|(node, row)| (*node, *row));
        Authority::load(shard, self.sequencer, settings, rows).unwrap()
    }

    /// The compare-and-set, of no more than the columns that it needs.
    fn store(&mut self, write: &Write, version: Version) -> bool {
        let is_stored = version.session == self.version.session && self.compare_and_set(write);
        if is_stored {
            self.version = version;
        }
        is_stored
    }

    fn compare_and_set(&mut self, write: &Write) -> bool {
        match *write {
            Write::Node { incarnation, node, before, after } => {
                let key =
                    |row: &Row| (row.from_tick, row.until_tick, row.until_sequence, row.token);
                let grants = |stored: &Sequencer| {
                    stored.is_active()
                        && stored.incarnation == incarnation
                        && (before.is_some() || stored.config.has_node(node))
                };
                let grants = self.sequencer.as_ref().is_some_and(grants);
                let is_as_it_was = self.rows.get(&node).map(key) == before.as_ref().map(key);
                if grants && is_as_it_was {
                    self.rows.insert(node, after);
                }
                grants && is_as_it_was
            }
            Write::Sequencer { ended_by, before, after } => {
                let has_ended = self.rows.values().all(|row| end(row) <= ended_by);
                if self.sequencer != before || !has_ended {
                    return false;
                }
                if after.drops_rows_of(before.as_ref()) {
                    self.rows.clear();
                } else if !self.rows.keys().all(|node| after.config.has_node(*node)) {
                    return false;
                }
                self.sequencer = Some(after);
                true
            }
        }
    }
}

/// The incarnation that a write leaves for an earlier one, so that it may come again.
fn incarnation_left(write: &Write) -> Option<u64> {
    let Write::Sequencer { before: Some(before), after, .. } = write else { return None };
    Some(before.incarnation).filter(|left| *left > after.incarnation)
}

/// The first tick after what a row says.
fn end(row: &Row) -> u64 {
    row.until_tick + u64::from(row.until_sequence > 0)
}

/// Another incarnation than the sequencer's is refused by name.
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
        assert_eq!(*reply, refused, "another incarnation is not refused");
    }
}
