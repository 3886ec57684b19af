use std::collections::BTreeMap;

use edgeflake::lease::{Authority, Life, Row, Sequencer, Settings, Version, Write};

use crate::ledger::Entry;

/// The storage of an object. Nothing else survives when the object ends.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    pub(crate) sequencer: Option<Sequencer>,
    pub(crate) rows: BTreeMap<u64, Row>,
    /// The newest session that has begun, and the number of the newest write.
    pub(crate) version: Version,
    /// Number of writes. The table of an instance that knows fewer writes is out of date.
    pub(crate) writes: u64,
    pub(crate) unconfirmed: Unconfirmed,
}

impl Disk {
    pub(crate) fn load(&self, shard: u64, settings: Settings) -> Authority {
        let rows = self.rows.iter().map(|(node, row)| (*node, *row));
        let Ok(authority) = Authority::load(shard, self.sequencer, settings, rows) else {
            unreachable!("the authority has written these rows")
        };
        authority
    }

    /// Whether an authority's table has exactly the stored rows.
    pub(crate) fn has_rows_of(&self, authority: &Authority) -> bool {
        authority.rows().eq(self.rows.iter().map(|(node, row)| (*node, *row)))
    }

    /// Whether the stored row equals `before` in the columns that a write compares.
    pub fn has(stored: Option<&Row>, before: Option<&Row>) -> bool {
        let key = |row: &Row| (row.from_tick, row.until_tick, row.until_sequence, row.token);
        stored.map(key) == before.map(key)
    }

    /// Stores a write with this version, if the version is of the stored session and the
    /// compare-and-set succeeds. Returns whether it was stored.
    pub(crate) fn store(&mut self, write: &Write, version: Version) -> bool {
        let is_stored = version.session == self.version.session && self.compare_and_set(write);
        if is_stored {
            self.version = version;
            self.writes += 1;
        }
        is_stored
    }

    fn compare_and_set(&mut self, write: &Write) -> bool {
        match *write {
            Write::Node { incarnation, node, before, after } => {
                let grants = |stored: &Sequencer| {
                    stored.is_active()
                        && stored.incarnation == incarnation
                        && (before.is_some() || stored.config.has_node(node))
                };
                let grants = self.sequencer.as_ref().is_some_and(grants);
                let is_as_it_was = Self::has(self.rows.get(&node), before.as_ref());
                if grants && is_as_it_was {
                    self.rows.insert(node, after);
                }
                grants && is_as_it_was
            }
            Write::Sequencer { ended_by, drops_rows, before, after } => {
                let has_ended = self.rows.values().all(|row| end(row) <= ended_by);
                if self.sequencer != before || !has_ended {
                    return false;
                }
                if drops_rows {
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

/// Returns the latest tick at which a stored span or an earlier incarnation ends.
pub(crate) fn latest_end(sequencer: Option<&Sequencer>, rows: &BTreeMap<u64, Row>) -> u64 {
    let of_sequencer = sequencer.map_or(0, |sequencer| match sequencer.life {
        Life::Active => sequencer.from_tick,
        Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => {
            sequencer.from_tick.max(until_tick)
        }
    });
    rows.values().map(end).max().unwrap_or(0).max(of_sequencer)
}

/// Returns the first tick after a row's ticks.
pub(crate) fn end(row: &Row) -> u64 {
    row.until_tick + u64::from(row.until_sequence > 0)
}

/// Stored writes that are not confirmed yet. Holders are told of a write only once it is confirmed.
pub(crate) type Unconfirmed = BTreeMap<Version, Entry>;
