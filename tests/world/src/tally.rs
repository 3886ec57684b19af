//! Counts of what happened in a world.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use edgeflake::lease::{Refusal, Request};

macro_rules! counts {
    ($($name:ident $what:literal $least:literal),+ $(,)?) => {
        /// The kinds of events.
        #[derive(Clone, Copy, Debug)]
        pub enum Count {
            $(#[doc = $what] $name),+
        }

        /// The least number per thousand worlds, by kind. It is about half of the number in the
        /// worlds from seed 0 on, so that chance alone does not fail a run.
        const LEAST: &[(&str, u64)] = &[$(($what, $least)),+];
    };
}

counts! {
    Ids "ids" 8_000_000,
    Spans "spans" 50_000,
    Renewals "renewals" 30_000,
    Releases "releases" 800,
    Moves "moves to another node" 10_000,
    Swaps "swaps of a node" 40,
    Early "spans that began further ahead of their holder's clock than allowed" 10_000,
    Futures0 "changes of the allowed future between 0 ms and a longer time" 100,
    Futures1 "changes of the allowed future between 1 ms and a longer time" 60,
    Futures "other changes of the allowed future" 200,
    Written "records of leases written" 20_000,
    Resumed "leases that outlived their isolate" 500,
    SharedStores "stores that a second process took" 600,
    LostStores "stores that a process noticed it had lost" 50,
    SteppedRecords "clock changes between a holder's step and its record" 500,
    Batches "batches" 400_000,
    Creations "sequencers created" 600,
    Destructions "sequencers destroyed" 400,
    Recreations "sequencers created again" 400,
    Shrinks "sequencers that shrank" 20,
    Rebindings "sequencers created again with another timestamp" 10,
    OverloadedGrants "grants refused for overload" 2_000,
    OverloadedBatches "batches refused for overload" 500,
    OtherShard "requests refused because another shard must answer them" 1_000,
    OtherTimestamp "creations refused because of another timestamp" 300,
    UnsuitableSettings "creations refused because of unsuitable settings" 45,
    Served "requests served in a calm" 20_000,
    ServedLarge "large requests served in a calm" 500,
    Overdrawn "requests refused at once for lack of ids" 3_000,
    StaticIds "ids of static nodes" 50_000,
    Told "static nodes told of an id" 600,
    Lost "messages lost" 50_000,
    Doubled "messages doubled" 50_000,
    Late "messages over 1 s late" 100_000,
    Old "messages of other versions" 25_000,
    ClockSteps "clock steps of isolates" 10_000,
    ClockDrifts "clock drifts of isolates" 1_000,
    ClockFreezes "clocks of isolates frozen or thawed" 5_000,
    Resets "isolates reset" 10_000,
    Departures "large requests whose client left" 100,
    Cancellations "requests whose client left, and gave ids back" 8_000,
    LateCancellations "requests that were cancelled after they were served" 40_000,
    CrashesBefore "crashes before a write" 700,
    CrashesAfter "crashes after a write" 600,
    Commits "commits of a group" 140_000,
    GroupCommits "commits for which several requests waited" 10_000,
    FailedCommits "commits that failed" 6_000,
    Twins "requests that reached a second instance of an object" 15_000,
    Stale "writes and sessions refused because of an old table" 1_000,
    CrashesOpening "crashes after a session was opened" 200,
    Panics "panics of an object between two steps" 2_000,
    LostOfWitness "messages to or from a witness lost" 4_500,
    DoubledOfWitness "messages to or from a witness doubled" 7_500,
    CrashesAsking "crashes after a witness was asked" 200,
    Restores "storages put back to an older copy" 530,
    Emptied "storages emptied" 700,
    Witnesses "witnesses put back to an older copy, or emptied" 360,
    Unwitnessed "storages that were used without their witness for a time" 210,
    Rollbacks "shards that were rolled back, and restarted" 400,
    Leaps "storages put back after a clock was a year ahead" 190,
    Superseded "confirmations refused because a later session was opened" 4_000,
    Storms "storms" 700,
    DatabaseIds "database: ids" 380_000,
    DatabaseSpans "database: spans" 26_000,
    DatabaseRenewals "database: renewals" 9_000,
    RememberedRenewals "database: renewals decided from memory" 15_000,
    WrittenTooEarly "database: writes decided at a time after the server's" 150,
    DatabaseReleases "database: leases given back" 1_800,
    DatabaseBatches "database: batches" 13_000,
    DatabaseServed "database: requests served in a calm" 20_000,
    StatementsLost "database: statements lost" 4_500,
    StatementsLate "database: statements carried out after their call had failed" 4_500,
    AnswersLost "database: answers lost after a commit" 1_100,
    LostRaces "database: writes that lost a race" 12_000,
    Warnings "database: commits confirmed with a warning" 1_400,
    Failovers "database: failovers" 2_100,
    ForgottenCommits "database: commits that a failover forgot" 1_500,
    FailoversNoted "database: failovers while an earlier one was noted" 350,
    EqualHistories "database: histories with the same name as another" 100,
    Adoptions "database: histories adopted at once" 750,
    Restarts "database: restarts after a failover" 450,
    LateRestarts "database: restarts with nodes that end after the others" 8,
    Administrations "database: changes of the sequencer" 1_100,
}

/// The first kind that happens in worlds with a database.
const DATABASE: usize = Count::DatabaseIds as usize;

/// How often a kind of event happened, and how often it must happen.
#[derive(Debug)]
pub struct Tallied {
    pub name: &'static str,
    pub count: u64,
    pub least: u64,
}

/// Number of events by kind, and the simulated time.
#[derive(Debug)]
pub struct Tally {
    counts: [u64; LEAST.len()],
    /// Number of faults by name.
    faults: BTreeMap<&'static str, u64>,
    pub simulated_ms: u64,
}

impl Tally {
    pub const fn count(&mut self, count: Count) {
        self.add(count, 1);
    }

    pub const fn add(&mut self, count: Count, times: u64) {
        self.counts[count as usize] += times;
    }

    pub fn count_fault(&mut self, name: &'static str) {
        *self.faults.entry(name).or_default() += 1;
    }

    /// Number of faults with this name.
    pub fn faults(&self, name: &str) -> u64 {
        self.faults.get(name).copied().unwrap_or(0)
    }

    /// Number of events of a kind.
    pub const fn of(&self, count: Count) -> u64 {
        self.counts[count as usize]
    }

    /// Counts a refusal of a shard if its reason is rare.
    pub const fn refused(&mut self, request: &Request, refusal: &Refusal) {
        self.count(match (refusal, request) {
            (Refusal::Overloaded { .. }, Request::Prefetch(_)) => Count::OverloadedBatches,
            (Refusal::Overloaded { .. }, _) => Count::OverloadedGrants,
            (Refusal::OtherShard { .. }, _) => Count::OtherShard,
            (Refusal::OtherTimestamp, _) => Count::OtherTimestamp,
            (Refusal::UnsuitableSettings, _) => Count::UnsuitableSettings,
            _ => return,
        });
    }

    /// Counts a span whose allowed future differs from that of the span before; `shorter_ms` is the
    /// shorter one, in ms.
    pub const fn future(&mut self, shorter_ms: u64) {
        self.count(match shorter_ms {
            0 => Count::Futures0,
            1 => Count::Futures1,
            _ => Count::Futures,
        });
    }

    /// Returns the number of each kind, with the least number in this many thousands of worlds. If
    /// there are only worlds with a database, the least number of the other kinds is 0.
    pub fn rows(&self, thousands: u64, is_database: bool) -> impl Iterator<Item = Tallied> {
        LEAST.iter().zip(self.counts).zip(0..).map(move |((&(name, least), count), kind)| {
            let is_required = !is_database || kind >= DATABASE;
            Tallied { name, count, least: if is_required { least * thousands } else { 0 } }
        })
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self { counts: [0; LEAST.len()], faults: BTreeMap::new(), simulated_ms: 0 }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        for (name, more) in other.faults {
            *self.faults.entry(name).or_default() += more;
        }
        self.simulated_ms += other.simulated_ms;
    }
}
