//! The objects of one name: what they have stored, and the authorities that decide for them.

use std::collections::BTreeMap;

use edgeflake::{
    Authority, CallFailed, Decision, Refusal, Reply, Request, Row, Sequencer, Tunables, Write,
};

use crate::ledger::{Lease, Ledger};
use crate::random::Random;

/// One shard. For a moment it may run twice: both instances write to what is stored.
#[derive(Default)]
pub(crate) struct Object {
    sequencer: Option<Sequencer>,
    rows: BTreeMap<u64, Row>,
    pub(crate) instances: [Option<Authority>; 2],
    pub(crate) ahead_ms: i64,
}

impl Object {
    /// The four steps of the Durable Object, with a crash now and then between any two.
    pub(crate) fn decide(
        &mut self,
        shard: u64,
        world_ms: u64,
        request: &Request,
        tunables: Tunables,
        random: &mut Random,
        check: (&mut Ledger, &[Lease]),
    ) -> Result<Reply, CallFailed> {
        let now_ms = world_ms.saturating_add_signed(self.ahead_ms);
        let instance = usize::from(random.one_in(4));
        let mut authority = self.instances[instance].take().unwrap_or_else(|| {
            let rows = self.rows.iter().map(|(node, row)| (*node, *row));
            Authority::load(shard, self.sequencer, tunables, rows).unwrap()
        });
        let Decision { write, reply } = authority.decide(now_ms, request);
        check_incarnation(authority.sequencer(), request, &reply);
        if random.one_in(40) {
            return Err(CallFailed);
        }
        if let Some(write) = write {
            if !self.store(&write) {
                return Err(CallFailed);
            }
            let incarnation = self.sequencer.map_or(0, |sequencer| sequencer.incarnation);
            // What a shard follows the registry has written before.
            if shard == 0 || matches!(write, Write::Node { .. }) {
                let (ledger, leases) = check;
                ledger.written(&write, (request, &reply), incarnation, leases);
            }
            if random.one_in(40) {
                return Err(CallFailed);
            }
            authority.apply(&write);
        }
        self.instances[instance] = Some(authority);
        Ok(reply)
    }

    /// The compare-and-set, of no more than the columns that it needs.
    fn store(&mut self, write: &Write) -> bool {
        match *write {
            Write::Node { incarnation, node, before, after } => {
                let key = |row: &Row| (row.until_tick, row.until_sequence, row.token);
                let grants =
                    |stored: &Sequencer| stored.is_active() && stored.incarnation == incarnation;
                let is_as_it_was = self.sequencer.as_ref().is_some_and(grants)
                    && self.rows.get(&node).map(key) == before.as_ref().map(key);
                if is_as_it_was {
                    self.rows.insert(node, after);
                }
                is_as_it_was
            }
            Write::Sequencer { ended_by, before, after } => {
                let end = |row: &Row| row.until_tick + u64::from(row.until_sequence > 0);
                let has_ended = self.rows.values().all(|row| end(row) <= ended_by);
                if self.sequencer != before || !has_ended {
                    return false;
                }
                let incarnation = before.map_or(0, |before| before.incarnation);
                assert!(incarnation <= after.incarnation, "{incarnation} comes again");
                if incarnation != after.incarnation {
                    self.rows.clear();
                }
                self.sequencer = Some(after);
                true
            }
        }
    }
}

/// Another incarnation than the sequencer's is refused by name.
fn check_incarnation(sequencer: Option<&Sequencer>, request: &Request, reply: &Reply) {
    let named = match request {
        Request::Acquire(acquire) => acquire.incarnation,
        Request::Prefetch(prefetch) => prefetch.incarnation,
        Request::Renew(renew) => Some(renew.incarnation),
        Request::Release(release) => Some(release.incarnation),
        Request::Confirm(confirm) => Some(confirm.incarnation),
        _ => None,
    };
    if let (Some(sequencer), Some(found)) = (sequencer, named)
        && found != sequencer.incarnation
    {
        let (refusal, incarnation) = (Refusal::OtherIncarnation { found }, sequencer.incarnation);
        assert_eq!(*reply, Reply::Refused { refusal, incarnation });
    }
}
