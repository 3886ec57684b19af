//! The witness of an object, and the operator who restores the storage or the witness.

use std::mem;

use edgeflake::lease::fence::WitnessCall;
use edgeflake::lease::{Reply, Version, Witness, Write};

use super::{Answer, Around, GHOST, Group, Object, Output};
use crate::disk::Disk;
use crate::random::Random;
use crate::tally::{Count, Tally};

/// The largest number of older copies of a storage and its witness at a time.
const COPIES_MAX: usize = 4;

impl Object {
    /// Lets the witness answer a call of an instance, which may have ended since.
    pub fn witness(
        &mut self,
        caller: (u64, u64),
        call: &WitnessCall,
        around: &mut Around<'_>,
    ) -> Vec<Output> {
        let Some(witness) = &mut self.witness else { return Vec::new() };
        let answer = match call {
            WitnessCall::Open(stamp) => {
                let opened = witness.open(stamp);
                self.opened = self.opened.max(opened.session);
                let mut instances = self.instances[..GHOST].iter().flatten();
                if instances.any(|instance| instance.number == caller.0) {
                    // From now on, no holder is told of a write in a storage that was replaced. But
                    // the witness may still learn that a holder gave its lease back.
                    for unconfirmed in self.departed.values_mut() {
                        unconfirmed.retain(|_, it| matches!(it.reply, Reply::Released { .. }));
                    }
                }
                // The witness knows the loaded version from now on, even if the instance ends
                // before it begins the session.
                if opened.newer.is_none() {
                    self.note(caller.0, stamp.version, around);
                }
                Answer::Session(opened)
            }
            WitnessCall::Confirm(stamp) => {
                let is_confirmed = witness.confirm(stamp);
                if is_confirmed {
                    for before in [&mut self.restored, &mut self.unwitnessed] {
                        before.take_if(|before| *before < stamp.version.session);
                    }
                    self.note(caller.0, stamp.version, around);
                } else {
                    around.tally.count(Count::Superseded);
                }
                Answer::Confirmation(is_confirmed)
            }
        };
        vec![Output::Answer { caller, answer }]
    }

    /// Tells the ledger of an instance's unconfirmed writes up to a version. If a restore has
    /// replaced the instance's storage, these writes are in `departed`.
    pub(super) fn note(&mut self, instance: u64, version: Version, around: &mut Around<'_>) {
        let departed = self.departed.range_mut(instance..).next();
        let is_departed = departed.is_some();
        let unconfirmed = departed.map_or(&mut self.storage.unconfirmed, |(_, it)| it);
        while let Some(first) = unconfirmed.first_entry() {
            if *first.key() > version {
                return;
            }
            let (of, entry) = first.remove_entry();
            // The ledger knows these writes already: a restored copy repeats them.
            if self.witness.is_some() && of <= self.noted {
                continue;
            }
            if is_departed && around.ledger.ends_unknown_lease(&entry) {
                continue;
            }
            self.noted = of;
            // All other shards repeat the registry's writes of the sequencer's row, so only the
            // registry's own are noted.
            if entry.shard == 0 || matches!(entry.write, Write::Node { .. }) {
                around.ledger.written(&entry, around.leases, around.tally);
            }
        }
    }

    /// Lets an operator copy the storage and the witness.
    pub(super) fn copy(&mut self, random: &mut Random) {
        let Some(witness) = self.witness else { return };
        if self.copies.len() >= COPIES_MAX {
            let oldest = random.index(COPIES_MAX);
            self.copies.swap_remove(oldest);
        }
        let stored = self.group.as_ref().map_or(&self.storage, |group| &group.durable);
        self.copies.push((stored.clone(), witness));
    }

    /// Restores an older copy of the storage or of the witness, or empties one of them. After one
    /// was restored, the other may be restored only when the witness has confirmed a stamp of a
    /// session that was opened since then.
    pub fn restore(&mut self, random: &mut Random, tally: &mut Tally) {
        if self.witness.is_none() || self.unwitnessed.is_some() {
            return;
        }
        if random.one_in(4) && self.go_on_unwitnessed(tally) {
            return;
        }
        if random.one_in(3) {
            self.restore_witness(random, tally);
        } else {
            self.restore_storage(random, tally);
        }
    }

    fn restore_witness(&mut self, random: &mut Random, tally: &mut Tally) {
        if self.restored.is_some() {
            return;
        }
        tally.count(Count::Witnesses);
        self.unwitnessed = Some(self.opened);
        self.witness = Some(self.any_copy(random).map_or_else(Witness::default, |(_, it)| it));
        // An instance from before the last restore of the storage must no longer run.
        self.instances[GHOST] = None;
    }

    /// Restores the storage. This ends all instances, except that one may go on as `GHOST` if
    /// each write is durable at once.
    pub fn restore_storage(&mut self, random: &mut Random, tally: &mut Tally) {
        if self.unwitnessed.is_some() {
            return;
        }
        self.roll_back();
        let copy = self.any_copy(random);
        tally.count(if copy.is_some() { Count::Restores } else { Count::Emptied });
        let storage = copy.map_or_else(Disk::default, |(storage, _)| storage);
        self.restored = Some(self.opened);
        let before = mem::replace(&mut self.storage, storage);
        self.departed.entry(self.lives).or_insert(before.unconfirmed);
        let goes_on =
            self.instances[random.index(2)].take().or_else(|| self.instances[GHOST].take());
        self.instances = [None, None, goes_on];
        if let Some(group) = &mut self.group {
            group.durable = self.storage.clone();
            self.instances[GHOST] = None;
        }
    }

    fn any_copy(&self, random: &mut Random) -> Option<(Disk, Witness)> {
        self.copies.get(random.index(COPIES_MAX + 1)).cloned()
    }

    /// Continues as if this storage had been written without a witness, for example by an older
    /// version of the code that does not number writes. The witness then has only the stamp that it
    /// had at the last copy. Returns whether this is possible.
    fn go_on_unwitnessed(&mut self, tally: &mut Tally) -> bool {
        let (Some(witness), Some((_, Witness { stamp: earlier, .. }))) =
            (&mut self.witness, self.copies.last())
        else {
            return false;
        };
        let durable = self.group.as_ref().map(|group| group.durable.version);
        if durable.is_some_and(|durable| durable != self.storage.version) {
            return false;
        }
        // All stored writes must be confirmed, so that the ledger knows them.
        let Disk { version, unconfirmed, .. } = &self.storage;
        let is_confirmed = unconfirmed.is_empty() && *version >= witness.stamp.version;
        if self.restored.is_some() || !is_confirmed || earlier.sequencer != self.storage.sequencer {
            return false;
        }
        tally.count(Count::Unwitnessed);
        self.unwitnessed = Some(self.opened);
        witness.stamp = *earlier;
        self.storage.version = Version::default();
        self.copies.clear();
        self.instances[..GHOST].fill_with(|| None);
        if let Some(group) = &mut self.group {
            *group = Group { durable: self.storage.clone(), is_due: false };
        }
        true
    }
}
