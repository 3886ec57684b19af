//! The object of one shard: its storage, the authorities that decide for it, and its witness.

mod decide;
mod witness;

use std::collections::BTreeMap;
use std::mem;

use edgeflake::lease::fence::{Fence, Step, Ticket, WitnessCall};
use edgeflake::lease::{
    Authority, CallFailure, Reply, Request, Sequencer, SessionStart, Settings, Stamp, Version,
    Witness,
};

use crate::clock::Clock;
use crate::disk::{Disk, Unconfirmed, latest_end};
use crate::ledger::{Lease, Ledger};
use crate::random::Random;
use crate::tally::{Count, Tally};
use crate::task::CallResult;

/// The index of an instance that still runs after its storage was restored. The instance stores
/// nothing more, but still sends the replies that the witness lets it send.
const GHOST: usize = 2;

/// The number of fates of a commit, of which a few are faults.
pub const COMMIT_FATES: u64 = 20;

/// One shard. For a while it may run twice, with both instances writing to the same storage.
#[derive(Debug, Default)]
pub struct Object {
    /// The state that the instances read. With group commit, its newest writes may still be undone.
    storage: Disk,
    /// `None` in a world in which a write is durable at once.
    group: Option<Group>,
    /// Copies of the storage and the witness, the newest one last.
    copies: Vec<(Disk, Witness)>,
    /// The newest session that was ever opened.
    opened: u64,
    /// The newest session when the storage was restored. Until a later session is confirmed, only
    /// the witness knows all grants.
    restored: Option<u64>,
    /// The newest session when the witness was restored, or the object continued without it. Until
    /// a later session is confirmed, only the storage knows all grants.
    unwitnessed: Option<u64>,
    instances: [Option<Instance>; 3],
    lives: u64,
    /// Whether requests may reach the second instance too.
    pub has_twin: bool,
    pub clock: Clock,
    /// The witness, if the object has one. Without a witness the storage must not be restored.
    witness: Option<Witness>,
    /// Unconfirmed writes of each storage that a restore has replaced, by the number of the last
    /// instance that used this storage. A late call of that instance may still confirm the writes.
    departed: BTreeMap<u64, Unconfirmed>,
    /// The version up to which the ledger knows the writes.
    noted: Version,
}

/// Group commit, as on Node.js: a commit makes all writes since the previous commit durable.
#[derive(Debug, Default)]
struct Group {
    durable: Disk,
    /// Whether a request waits for a commit, so that a commit is due.
    is_due: bool,
}

#[derive(Debug)]
struct Instance {
    number: u64,
    /// The authority with its table of rows, as soon as the storage was loaded.
    authority: Option<Authority>,
    /// Number of stored writes that the table contains.
    known: u64,
    fence: Fence,
    /// Requests that have arrived here, and whose replies have not left.
    inside: Vec<Inside>,
}

#[derive(Debug)]
struct Inside {
    sender: Sender,
    request: Request,
    /// When the request arrived, on the object's clock.
    arrived_ms: u64,
    ticket: Ticket,
    reply: Option<Reply>,
}

/// The world around an object when a message reaches it.
#[derive(Debug)]
pub struct Around<'a> {
    pub shard: u64,
    pub now_ms: u64,
    pub settings: Settings,
    pub is_calm: bool,
    pub ledger: &'a mut Ledger,
    pub leases: &'a [Lease],
    pub random: &'a mut Random,
    pub tally: &'a mut Tally,
}

/// A message that an object sends, or a commit that it needs.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few at a time")]
pub enum Output {
    /// A commit is due in this instance.
    Commit { instance: u64 },
    /// A call to the object's witness. `caller` is the number of the calling instance and the
    /// number of the call. Requests wait for the answer only for a limited time.
    Call { caller: (u64, u64), call: WitnessCall },
    /// The answer of the witness to a call of an instance.
    Answer { caller: (u64, u64), answer: Answer },
    /// A reply to the sender of a request.
    Reply { sender: Sender, request: Request, reply: CallResult },
}

/// The task that sent a request, and how many requests it had sent by then.
pub type Sender = (u64, u64);

/// The answer of a witness.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "on its way it is boxed")]
pub enum Answer {
    Session(SessionStart),
    Confirmation(bool),
    /// The call or its answer was lost, or took too long.
    Lost,
}

impl Object {
    /// Makes an object, with a witness if one is given. Writes become durable at once, or with the
    /// next commit if the object commits in groups.
    pub fn new(witness: Option<Witness>, commits_in_groups: bool) -> Self {
        Self { witness, group: commits_in_groups.then(Group::default), ..Self::default() }
    }

    pub fn authority(&self) -> Option<&Authority> {
        self.instances[0].as_ref()?.authority.as_ref()
    }

    pub const fn writes(&self) -> u64 {
        self.storage.writes
    }

    /// Answers a request at once. Use this only for objects without a witness, in worlds where
    /// objects never fail.
    ///
    /// # Errors
    /// The call failed.
    pub fn answer(
        &mut self,
        request: &Request,
        (shard, now_ms, settings): (u64, u64, Settings),
        (ledger, random): (&mut Ledger, &mut Random),
    ) -> CallResult {
        let tally = &mut Tally::default();
        let (is_calm, leases) = (true, &[][..]);
        let mut around = Around { shard, now_ms, settings, is_calm, ledger, leases, random, tally };
        let sent = self.arrive(((0, 0), *request), &mut around);
        let [Output::Reply { reply, .. }] = sent[..] else {
            unreachable!("without a witness the reply leaves at once")
        };
        reply
    }

    /// Delivers a request to one of the instances.
    pub fn arrive(
        &mut self,
        (sender, request): (Sender, Request),
        around: &mut Around<'_>,
    ) -> Vec<Output> {
        let Around { now_ms, is_calm, random, tally, .. } = around;
        let arrived_ms = *now_ms;
        let is_twin = !*is_calm && self.group.is_none() && self.has_twin && random.one_in(2);
        if is_twin {
            tally.count(Count::Twins);
        }
        if self.witness.is_some() && !*is_calm && random.one_in(8) {
            self.copy(random);
        }
        let slot = &mut self.instances[usize::from(is_twin)];
        let instance = slot.get_or_insert_with(|| {
            self.lives += 1;
            Instance {
                number: self.lives,
                authority: None,
                known: 0,
                fence: Fence::new(self.witness.is_some()),
                inside: Vec::new(),
            }
        });
        let ticket = Ticket::default();
        instance.inside.push(Inside { sender, request, arrived_ms, ticket, reply: None });
        self.run(usize::from(is_twin), around)
    }

    /// Delivers the witness's answer to an instance, or tells the instance that the wait is over.
    pub fn receive(
        &mut self,
        (life, number): (u64, u64),
        answer: Answer,
        around: &mut Around<'_>,
    ) -> Vec<Output> {
        let is_of = |slot: &Option<Instance>| slot.as_ref().is_some_and(|it| it.number == life);
        let Some(index) = self.instances.iter().position(is_of) else { return Vec::new() };
        let Some(instance) = &mut self.instances[index] else { return Vec::new() };
        match answer {
            Answer::Session(opened) => instance.fence.opened(number, opened),
            Answer::Confirmation(is_confirmed) => instance.fence.confirmed(number, is_confirmed),
            Answer::Lost => {
                instance.fence.lost(number);
            }
        }
        self.run(index, around)
    }

    /// Makes the writes durable, and lets the waiting requests continue. In a storm the commit may
    /// fail, or the process may end before or after the commit, as `fate` says: a number below
    /// [`COMMIT_FATES`].
    pub fn commit(&mut self, life: u64, fate: u64, around: &mut Around<'_>) -> Vec<Output> {
        let Some(Instance { number, fence, inside, .. }) = &mut self.instances[0] else {
            return Vec::new();
        };
        let Some(group) = self.group.as_mut().filter(|_| *number == life) else {
            return Vec::new();
        };
        group.is_due = false;
        around.tally.count(Count::Commits);
        if inside.len() > 1 {
            around.tally.count(Count::GroupCommits);
        }
        match fate {
            0 if !around.is_calm => {
                around.tally.count(Count::CrashesBefore);
                self.end(0);
                return Vec::new();
            }
            1 | 2 if !around.is_calm => {
                around.tally.count(Count::FailedCommits);
                fence.commit_failed();
                self.roll_back();
            }
            end => {
                fence.committed();
                if self.witness.is_none() {
                    self.note(life, Version { session: u64::MAX, write: 0 }, around);
                }
                self.group = Some(Group { durable: self.storage.clone(), is_due: false });
                if end == 3 && !around.is_calm {
                    around.tally.count(Count::CrashesAfter);
                    self.end(0);
                    return Vec::new();
                }
            }
        }
        self.run(0, around)
    }

    /// Ends an instance, and undoes what is not committed.
    pub fn end(&mut self, index: usize) {
        if self.instances[index].take().is_some() {
            self.roll_back();
        }
    }

    pub fn end_all(&mut self) {
        self.instances[..GHOST].fill_with(|| None);
        self.roll_back();
    }

    /// Undoes all writes that are not durable.
    fn roll_back(&mut self) {
        if let Some(group) = &mut self.group {
            self.storage = group.durable.clone();
            group.is_due = false;
        }
    }

    /// Does what the fence says for each request in an instance, until all requests wait.
    fn run(&mut self, index: usize, around: &mut Around<'_>) -> Vec<Output> {
        let mut sent = Vec::new();
        let mut at = 0;
        while let Some(Instance { number, authority, known, fence, inside }) =
            &mut self.instances[index]
            && let Some(Inside { sender, request, ticket, reply, .. }) = inside.get_mut(at)
        {
            let life = *number;
            if !around.is_calm && around.random.one_in(400) {
                around.tally.count(Count::Panics);
                self.end(index);
                return sent;
            }
            match fence.step(ticket) {
                Step::Wait { .. } => at += 1,
                Step::Load | Step::Begin { .. } | Step::Decide | Step::Look if index == GHOST => {
                    fence.failed(ticket);
                }
                Step::Ask { number, call } => {
                    if let (Some(Group { durable, .. }), WitnessCall::Confirm(stamp)) =
                        (&self.group, call)
                    {
                        let is_durable = stamp.version <= durable.version;
                        assert!(is_durable, "the witness is told of a write that is not durable");
                    }
                    sent.push(Output::Call { caller: (life, number), call });
                    if !around.is_calm && around.random.one_in(40) {
                        around.tally.count(Count::CrashesAsking);
                        self.end(index);
                        return sent;
                    }
                    at += 1;
                }
                Step::Commit => match &mut self.group {
                    None => fence.committed(),
                    Some(group) => {
                        if !mem::replace(&mut group.is_due, true) {
                            sent.push(Output::Commit { instance: life });
                        }
                        at += 1;
                    }
                },
                Step::Load => {
                    let loaded = self.storage.load(around.shard, around.settings);
                    fence.loaded(loaded.stamp(self.storage.version));
                    *authority = Some(loaded);
                    *known = self.storage.writes;
                }
                Step::Begin { loaded, opened } => {
                    self.begin((index, at), loaded, opened, around);
                    at = 0;
                }
                Step::Decide => {
                    self.decide((index, at), around);
                    at = 0;
                }
                Step::Look => unreachable!("no request is for the status"),
                step @ (Step::Reply | Step::Fail(_)) => {
                    let reply = reply.filter(|_| step == Step::Reply).ok_or(CallFailure);
                    sent.push(Output::Reply { sender: *sender, request: *request, reply });
                    inside.remove(at);
                    at = 0;
                }
            }
        }
        sent
    }

    /// Ends all instances except the first one. Also ends the first one if its session or table
    /// differs from the storage.
    pub fn settle(&mut self) {
        let Self { storage, instances: [instance, twin, ghost], has_twin, .. } = self;
        *has_twin = false;
        (*twin, *ghost) = (None, None);
        *instance = instance.take().filter(|Instance { authority, fence, .. }| {
            let session = fence.next_version().map(|version| version.session);
            session == Some(storage.version.session)
                && authority.as_ref().is_some_and(|authority| {
                    authority.sequencer() == storage.sequencer.as_ref()
                        && storage.has_rows_of(authority)
                })
        });
    }

    pub const fn sequencer(&self) -> Option<&Sequencer> {
        self.storage.sequencer.as_ref()
    }

    /// Returns the latest tick at which a stored span, or an earlier incarnation of the sequencer,
    /// ends.
    pub fn latest_end(&self) -> u64 {
        let stamp = self.witness.map_or_else(Stamp::default, |witness| witness.stamp);
        let witnessed = stamp.until_tick.max(stamp.latest[0].until_tick);
        latest_end(self.sequencer(), &self.storage.rows).max(witnessed)
    }
}
