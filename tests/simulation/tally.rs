//! What happened in a world, counted.

use std::fmt;
use std::ops::AddAssign;

macro_rules! counts {
    ($($name:ident $what:literal),+ $(,)?) => {
        /// What is counted.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Count {
            $(#[doc = $what] $name),+
        }

        const NAMES: &[&str] = &[$($what),+];
    };
}

counts! {
    Ids "ids",
    Spans "spans",
    Renewals "renewals",
    Releases "releases",
    Moves "moves to another node",
    Written "records written down",
    Resumed "leases that outlived their isolate",
    Batches "batches",
    Creations "sequencers created",
    Destructions "sequencers destroyed",
    Recreations "sequencers created again",
    Shrinks "sequencers that shrank",
    Rebindings "sequencers created again with another timestamp",
    Served "requests served in a calm",
    ServedLarge "large requests served in a calm",
    Overdrawn "large requests refused at once",
    StaticIds "ids of static nodes",
    Lost "messages lost",
    Doubled "messages doubled",
    Late "messages over 1 s late",
    Old "messages of other versions",
    ClockSteps "clock steps of isolates",
    ClockDrifts "clock drifts of isolates",
    ClockFreezes "clocks of isolates frozen or thawed",
    ObjectClocks "clocks of objects gone wrong",
    Resets "isolates reset",
    Pauses "isolates paused",
    Departures "clients that left",
    Evictions "objects evicted",
    CrashesBefore "crashes before a write",
    CrashesAfter "crashes after a write",
    Twins "answers by a twin",
    Stale "writes of an old table refused",
    CrashesOpening "crashes after a session was opened",
    Restores "storages put back to an older copy",
    Emptied "storages emptied",
    Rollbacks "shards that were rolled back, and restarted",
    Superseded "writes of an older session not confirmed",
    Deploys "deploys",
    Careless "careless requests",
    Storms "storms",
}

/// How often each of it happened, and for how long worlds lasted.
#[derive(Clone, Copy)]
pub(crate) struct Tally {
    counts: [u64; NAMES.len()],
    pub(crate) simulated_ms: u64,
}

impl Tally {
    pub(crate) const fn count(&mut self, count: Count) {
        self.add(count, 1);
    }

    pub(crate) const fn add(&mut self, count: Count, times: u64) {
        self.counts[count as usize] += times;
    }

    /// What has never happened.
    pub(crate) fn never(&self) -> Option<&'static str> {
        self.counts.iter().position(|count| *count == 0).map(|index| NAMES[index])
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self { counts: [0; NAMES.len()], simulated_ms: 0 }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.simulated_ms += other.simulated_ms;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in NAMES.iter().zip(self.counts) {
            writeln!(f, "{count:>14}  {name}")?;
        }
        let hours = self.simulated_ms / 3_600_000;
        write!(f, "{hours:>14}  hours simulated")
    }
}
