//! A database server, with the tables and functions of `wire/src/database.sql`.

use std::collections::BTreeMap;

use edgeflake::lease::{
    BoundConfig, Commit, Effect, Failover, Part, Reading, Row, Sequencer, Settings, Stamp, Write,
};

use crate::disk::{Disk, end, latest_end};

/// The state of a server. A standby and a backup are copies of it.
#[derive(Clone, Debug, Hash)]
pub struct Database {
    /// The number of the server's history.
    pub history: u64,
    /// The history in which the tables were made.
    made_in: u64,
    /// The history in which the operator declared that a standby has every confirmed commit.
    synchronous_since: Option<u64>,
    pub settings: Settings,
    stored: Option<Stored>,
    rows: BTreeMap<u64, Row>,
}

/// The row of the sequencer.
#[derive(Clone, Debug, Hash)]
struct Stored {
    sequencer: Sequencer,
    change: u64,
    history: u64,
    failover: Option<Failover>,
}

impl Database {
    /// Makes the tables of a server that may lose commits in a failover.
    pub const fn new(settings: Settings) -> Self {
        Self {
            history: 1,
            made_in: 1,
            synchronous_since: None,
            settings,
            stored: None,
            rows: BTreeMap::new(),
        }
    }

    /// Reads a part of the tables at a time of the server's clock, in Unix ms.
    pub fn read(&self, part: &Part, now_ms: u64) -> Reading {
        let stored = self.stored.as_ref();
        let nodes = stored.map_or(0..0, |stored| nodes(&stored.sequencer.config));
        let used_end = self.rows.last_key_value().map_or(0, |(node, _)| node + 1);
        let most = usize::try_from(part.nodes).unwrap();
        let is_granted = |node: &u64| *node != nodes.start && Some(*node) != part.excluded_node;
        let beyond = used_end.max(nodes.start)..nodes.end;
        let mut unused: Vec<_> = beyond.filter(is_granted).take(most).collect();
        if unused.is_empty() {
            let between = nodes.start..used_end;
            let is_unused = |node: &u64| is_granted(node) && !self.rows.contains_key(node);
            unused = between.filter(is_unused).take(most).collect();
        }
        let to_grant = |is_held: bool| {
            let rows = self
                .rows()
                .filter(|(node, row)| row.token.is_some() == is_held && is_granted(node));
            let mut rows: Vec<_> = rows.collect();
            rows.sort_by_key(|(node, row)| (row.until_tick, *node));
            rows.truncate(most);
            rows
        };
        let has_token = |(_, row): &(u64, Row)| part.token.is_some() && row.token == part.token;
        let mut latest: Vec<_> = self.rows().filter(|_| part.ends).collect();
        latest.sort_by_key(|(_, row)| std::cmp::Reverse((row.until_tick, row.until_sequence)));
        latest.truncate(Stamp::LATEST + 1);
        let known = self.known_history();
        Reading {
            now_ms,
            history: self.history.to_string(),
            has_all_commits: self.synchronous_since.is_some_and(|since| since <= known),
            known_history: known.to_string(),
            failover: stored.and_then(|stored| stored.failover.clone()),
            change: stored.map_or(0, |stored| stored.change),
            sequencer: stored.map(|stored| stored.sequencer),
            settings: self.settings,
            row: self.rows.get(&part.node.unwrap_or(nodes.start)).copied(),
            granted: self.rows().filter(has_token).collect(),
            held: to_grant(true),
            released: to_grant(false),
            unused,
            latest,
            used_end,
        }
    }

    /// Stores a commit if all its conditions hold, and returns whether they do. `change` is a
    /// number that no earlier change has, and `now_ms` is the time of the server's clock.
    pub fn commit(&mut self, commit: &Commit, change: u64, now_ms: u64) -> bool {
        let keeps = commit.effect == Effect::Keep;
        let known = self.stored.as_ref();
        if commit.now_ms > now_ms
            || commit.history != self.history.to_string()
            || commit.change != known.map_or(0, |stored| stored.change)
            || keeps != known.is_none_or(|stored| stored.history == self.history)
        {
            return false;
        }
        let mut after = self.clone();
        let is_stored = commit.writes.iter().all(|write| after.write(write, change));
        if let Some(stored) = after.stored.as_mut().filter(|_| !keeps) {
            stored.change = change;
            stored.failover = match &commit.effect {
                Effect::Note(failover) => Some(failover.clone()),
                _ => None,
            };
            if commit.effect == Effect::Adopt {
                stored.history = self.history;
            }
        }
        if is_stored {
            *self = after;
        }
        is_stored
    }

    /// Stores a write if what is stored still permits it. For a node's row, this compares only the
    /// columns that [`Disk::has`] compares. Returns whether the write was stored.
    fn write(&mut self, write: &Write, change: u64) -> bool {
        match *write {
            Write::Node { node, before, after, .. } => {
                let is_as_it_was = Disk::has(self.rows.get(&node), before.as_ref());
                if is_as_it_was {
                    self.rows.insert(node, after);
                }
                is_as_it_was
            }
            Write::Sequencer { ended_by, drops_rows, after, .. } => {
                let given_up = nodes(&after.config).end;
                let has_ended = self.rows.values().all(|row| end(row) <= ended_by);
                if !has_ended || !drops_rows && self.rows.keys().any(|node| *node >= given_up) {
                    return false;
                }
                if drops_rows {
                    self.rows.clear();
                }
                let (history, failover) = match self.stored.take() {
                    Some(stored) => (stored.history, stored.failover),
                    None => (self.made_in, None),
                };
                self.stored = Some(Stored { sequencer: after, change, history, failover });
                true
            }
        }
    }

    /// Stores the operator's declaration whether, from now on, a standby has every confirmed
    /// commit.
    pub fn set_synchronous(&mut self, is_synchronous: bool) {
        self.synchronous_since = is_synchronous.then_some(self.history);
    }

    pub fn set(&mut self, settings: Settings, change: u64) {
        self.settings = settings;
        if let Some(stored) = &mut self.stored {
            stored.change = change;
        }
    }

    /// Stores the operator's statement that the last failover lost nothing.
    pub fn confirm(&mut self, change: u64) {
        if let Some(stored) = &mut self.stored {
            (stored.history, stored.failover, stored.change) = (self.history, None, change);
        }
    }

    /// Whether the rows belong to the server's history.
    pub fn is_adopted(&self) -> bool {
        self.known_history() == self.history
    }

    fn known_history(&self) -> u64 {
        self.stored.as_ref().map_or(self.made_in, |stored| stored.history)
    }

    /// Whether a failover is noted in the tables and not over yet.
    pub fn has_failover(&self) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.failover.is_some())
    }

    pub fn sequencer(&self) -> Option<&Sequencer> {
        self.stored.as_ref().map(|stored| &stored.sequencer)
    }

    pub fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        self.rows.iter().map(|(node, row)| (*node, *row))
    }

    /// Returns the latest tick at which a span, an earlier incarnation or a failover ends.
    pub fn latest_end(&self) -> u64 {
        let failover = self.stored.as_ref().and_then(|stored| stored.failover.as_ref());
        let noted = failover.and_then(|failover| failover.until_tick).unwrap_or(0);
        latest_end(self.sequencer(), &self.rows).max(noted)
    }
}

/// Returns the nodes of a sequencer. The first one is kept for batches.
fn nodes(config: &BoundConfig) -> std::ops::Range<u64> {
    config.first_node()..config.first_node() + config.node_count()
}
