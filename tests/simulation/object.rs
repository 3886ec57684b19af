//! The object of one shard: what it has stored, and the authorities that decide for it.

use std::collections::BTreeMap;

use edgeflake::lease::{
    Authority, CallFailed, Decision, Life, Refusal, Reply, Request, Row, Sequencer, Settings, Write,
};

use crate::clock::Clock;
use crate::ledger::{Lease, Ledger, Said};
use crate::random::Random;
use crate::tally::{Count, Tally};

/// One shard. For a while it may run twice: both instances write to what is stored.
#[derive(Default)]
pub(crate) struct Object {
    storage: Storage,
    pub(crate) instances: [Option<Authority>; 2],
    /// Whether requests may get to either instance.
    pub(crate) has_twin: bool,
    pub(crate) clock: Clock,
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
    /// Answers, with a crash now and then between any two of the steps.
    pub(crate) fn answer(
        &mut self,
        (shard, now_ms): (u64, u64),
        (request, settings): (&Request, Settings),
        is_calm: bool,
        (ledger, leases): (&mut Ledger, &[Lease]),
        random: &mut Random,
        tally: &mut Tally,
    ) -> Result<Reply, CallFailed> {
        let is_twin = !is_calm && self.has_twin && random.one_in(2);
        if is_twin {
            tally.count(Count::Twins);
        }
        let crash = match random.below(40) {
            0 if !is_calm => Crash::Before,
            1 if !is_calm => Crash::After,
            _ => Crash::None,
        };
        let storage = &mut self.storage;
        let loaded = self.instances[usize::from(is_twin)].take();
        let mut authority = loaded.unwrap_or_else(|| storage.load(shard, settings));
        // What is answered is known to the ledger before it is stored.
        let Decision { reply: decided, .. } = authority.decide(now_ms, request);
        check_incarnation(authority.sequencer(), request, &decided);
        let stored = storage.rows.iter().map(|(node, row)| (*node, *row));
        let is_current = authority.rows().eq(stored);
        let mut has_written = false;
        let answer = authority.answer(now_ms, request, |write| {
            has_written = true;
            if crash == Crash::Before {
                tally.count(Count::CrashesBefore);
                return Err(CallFailed);
            }
            if !storage.store(write) {
                tally.count(Count::Stale);
                return Err(CallFailed);
            }
            let incarnation = storage.sequencer.map_or(0, |sequencer| sequencer.incarnation);
            // What a shard follows the registry has written before.
            if shard == 0 || matches!(write, Write::Node { .. }) {
                let Settings { clock_disagreement_max_ms, .. } = settings;
                let reply = &decided;
                let said =
                    Said { shard, now_ms, clock_disagreement_max_ms, is_current, request, reply };
                ledger.written(write, said, incarnation, leases, tally);
            }
            if crash == Crash::After {
                tally.count(Count::CrashesAfter);
                return Err(CallFailed);
            }
            Ok(())
        });
        let reply = answer?;
        assert!(!has_written || reply == decided, "stored for {decided:?}, answered {reply:?}");
        self.instances[usize::from(is_twin)] = Some(authority);
        Ok(reply)
    }

    /// From now on it runs once: with what it has in memory, if that is what is stored.
    pub(crate) fn settle(&mut self) {
        let Self { storage, instances: [instance, twin], has_twin, .. } = self;
        *has_twin = false;
        *twin = None;
        *instance = instance.take().filter(|authority| {
            let stored = storage.rows.iter().map(|(node, row)| (*node, *row));
            authority.sequencer() == storage.sequencer.as_ref() && authority.rows().eq(stored)
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
        self.storage.rows.values().map(end).max().unwrap_or(0).max(sequencer)
    }
}

/// What the platform keeps, and nothing else survives.
#[derive(Default)]
struct Storage {
    sequencer: Option<Sequencer>,
    rows: BTreeMap<u64, Row>,
}

impl Storage {
    fn load(&self, shard: u64, settings: Settings) -> Authority {
        let rows = self.rows.iter().map(|(node, row)| (*node, *row));
        Authority::load(shard, self.sequencer, settings, rows).unwrap()
    }

    /// The compare-and-set, of no more than the columns that it needs.
    fn store(&mut self, write: &Write) -> bool {
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
                let incarnation = before.map_or(0, |before| before.incarnation);
                assert!(incarnation <= after.incarnation, "{incarnation} comes again");
                if incarnation != after.incarnation {
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
