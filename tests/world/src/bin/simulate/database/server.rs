//! The server, its standby and its backups.

use std::mem;

use edgeflake::lease::{Commit, Part, Reading, Settings};
use edgeflake_world::{Clock, Count, Database, Random, Tally};

#[derive(Clone, Debug)]
struct State {
    database: Database,
    /// Whether commits were lost, and the sequencer's rows still belong to an earlier history.
    has_forgotten: bool,
}

#[derive(Debug)]
pub(super) struct Server {
    /// The states since the last failover, the current state last. A standby has one of these
    /// states.
    states: Vec<State>,
    /// The states of the previous server.
    earlier: Vec<State>,
    /// The index of the oldest state that the standby may have if it is synchronous.
    replicated: usize,
    /// The index of the state in which the operator last declared whether the standby is
    /// synchronous.
    promised: usize,
    backups: Vec<State>,
    pub(super) is_synchronous: bool,
    pub(super) clock: Clock,
    /// A number that changes with each crash and each failover of the server.
    pub(super) number: u64,
    histories: u64,
    /// Settings with the longest lease time and the longest allowed future so far.
    longest: Settings,
    pub(super) down_until_ms: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) is_stored: bool,
    /// Whether the server warns that the standby may not have the commit.
    pub(super) warns: bool,
}

impl Server {
    pub(super) fn new(settings: Settings, random: &mut Random) -> Self {
        let is_synchronous = random.one_in(2);
        let mut database = Database::new(settings);
        database.set_synchronous(is_synchronous);
        let mut server = Self {
            states: vec![State { database, has_forgotten: false }],
            earlier: Vec::new(),
            replicated: 0,
            promised: 0,
            backups: Vec::new(),
            is_synchronous,
            clock: Clock::default(),
            number: 0,
            histories: 1,
            longest: settings,
            down_until_ms: 0,
        };
        server.set_clock(random);
        server
    }

    fn state(&self) -> &State {
        self.states.last().expect("there is always a state")
    }

    pub(super) fn database(&self) -> &Database {
        &self.state().database
    }

    pub(super) fn settings(&self) -> Settings {
        self.database().settings
    }

    /// Sets the clock so that the clocks of any two servers differ by at most the allowed
    /// disagreement.
    fn set_clock(&mut self, random: &mut Random) {
        self.clock = Clock::set(random, self.settings().clock_disagreement_max_ms / 2);
    }

    pub(super) fn read(&self, part: &Part, world_ms: u64) -> Reading {
        self.database().read(part, self.clock.now_ms(world_ms))
    }

    /// Stores a commit. In a storm the wait for the standby is sometimes cancelled: the commit is
    /// visible, and the standby gets it with the next commit.
    pub(super) fn commit(
        &mut self,
        commit: &Commit,
        now_ms: u64,
        is_calm: bool,
        random: &mut Random,
    ) -> Stored {
        let mut after = self.state().clone();
        if !after.database.commit(commit, change(random), now_ms) {
            return Stored { is_stored: false, warns: false };
        }
        after.has_forgotten &= !after.database.is_adopted();
        let warns = self.is_synchronous && !is_calm && random.one_in(8);
        self.states.push(after);
        if !warns {
            self.replicate(random);
        }
        Stored { is_stored: true, warns }
    }

    /// Brings the standby to the newest state, and sometimes makes a backup of this state.
    fn replicate(&mut self, random: &mut Random) {
        self.replicated = self.states.len() - 1;
        if random.one_in(20) {
            self.backups.push(self.state().clone());
        }
    }

    /// Lets the operator change the tables. The standby gets this change at once.
    fn operate(&mut self, random: &mut Random, change: impl FnOnce(&mut Database, &mut Random)) {
        let mut after = self.state().clone();
        change(&mut after.database, random);
        self.states.push(after);
        self.replicate(random);
    }

    pub(super) fn set(&mut self, settings: Settings, random: &mut Random) {
        self.operate(random, |database, random| database.set(settings, change(random)));
        self.longest = longer(self.longest, settings);
    }

    /// Makes the standby synchronous or asynchronous. A standby that does not know of this change
    /// is never promoted.
    pub(super) fn promise(&mut self, random: &mut Random) {
        self.is_synchronous = !self.is_synchronous;
        let is_synchronous = self.is_synchronous;
        self.operate(random, |database, _| database.set_synchronous(is_synchronous));
        self.promised = self.replicated;
        self.earlier.clear();
    }

    /// Lets the operator confirm that no commit was lost, if that is true.
    pub(super) fn confirm(&mut self, random: &mut Random) -> bool {
        let State { database, has_forgotten } = self.state();
        let may_confirm = !self.is_synchronous && !has_forgotten && !database.is_adopted();
        if may_confirm {
            self.operate(random, |database, random| database.confirm(change(random)));
        }
        may_confirm
    }

    /// Ends the server's connections. The server is back at `until_ms`.
    pub(super) fn crash(&mut self, until_ms: u64) {
        self.number += 1;
        self.down_until_ms = until_ms;
    }

    /// Promotes a standby, and returns whether it lacks a confirmed commit.
    pub(super) fn fail_over(&mut self, random: &mut Random, tally: &mut Tally) -> bool {
        tally.count(Count::Failovers);
        if self.database().has_failover() {
            tally.count(Count::FailoversNoted);
        }
        let last = self.states.len() - 1;
        let behind = match last - self.replicated {
            0 if !self.is_synchronous => random.pick([0, 0, 1, 2, 5, 20]).min(last - self.promised),
            most => random.index(most + 1),
        };
        tally.add(Count::ForgottenCommits, behind as u64);
        let mut state = self.states[last - behind].clone();
        // The operator then sets the longest times that were in force in the forgotten states.
        let forgotten = self.states[last - behind..].iter().map(|state| state.database.settings);
        let mut settings = forgotten.reduce(longer).expect("the last state");
        let mut is_forgetful = behind > 0;
        // Sometimes the standby has followed only the previous server, and never the current one.
        if !self.is_synchronous && !self.earlier.is_empty() && random.one_in(4) {
            state = self.earlier[random.index(self.earlier.len())].clone();
            (settings, is_forgetful) = (self.longest, true);
        }
        state.has_forgotten |= is_forgetful;
        self.begin(state, settings, random, tally);
        is_forgetful && !self.is_synchronous
    }

    /// Restores a backup. If the standby is synchronous, the operator declares that again.
    pub(super) fn restore(&mut self, random: &mut Random, tally: &mut Tally) -> bool {
        if !random.one_in(3) {
            return false;
        }
        let Some(mut state) = self.backups.get(random.index(self.backups.len().max(1))).cloned()
        else {
            return false;
        };
        state.has_forgotten = true;
        let settings = self.longest;
        self.begin(state, settings, random, tally);
        let State { database, .. } = &mut self.states[0];
        database.set_synchronous(self.is_synchronous);
        true
    }

    /// Begins a new history of the server from this state.
    fn begin(
        &mut self,
        mut state: State,
        settings: Settings,
        random: &mut Random,
        tally: &mut Tally,
    ) {
        let State { database, .. } = &mut state;
        // Two standbys that do not know of each other may give their histories the same number.
        let next = database.history + 1;
        let is_equal = next <= self.histories && random.one_in(2);
        if is_equal {
            tally.count(Count::EqualHistories);
        }
        database.history = if is_equal { next } else { self.histories + 1 };
        self.histories = self.histories.max(database.history);
        if database.settings != settings {
            database.set(settings, change(random));
        }
        self.earlier = mem::replace(&mut self.states, vec![state]).split_off(self.promised);
        (self.replicated, self.promised) = (0, 0);
        self.set_clock(random);
    }
}

fn change(random: &mut Random) -> u64 {
    1 + random.below(1 << 52)
}

/// Returns settings with the longer lease time and the longer allowed future of the two.
fn longer(one: Settings, other: Settings) -> Settings {
    let mut longer = one;
    longer.terms.lease_ms = one.terms.lease_ms.max(other.terms.lease_ms);
    longer.terms.allowed_future_ms = one.terms.allowed_future_ms.max(other.terms.allowed_future_ms);
    longer
}
