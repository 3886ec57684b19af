//! Requests on their way to the objects, and replies on their way back.

use edgeflake::lease::fence::WITNESS_MAX_MS;
use edgeflake::lease::{Action, BoundConfig, Error, Reply};
use edgeflake_world::{
    Answer, Around, COMMIT_FATES, CallResult, Count, Delivery, Lease, Object, Output, Sender, Task,
};

use super::{Event, Job, Site, World};
use crate::fault::Phase;
use crate::message::{Caller, Message, Shard};
use crate::transit;

impl World {
    pub(super) fn start(&mut self, site: usize, caller: Option<Caller>, task: Task) {
        self.started += 1;
        self.tasks.insert(self.started, Box::new(Job { site, leg: 0, caller, task }));
        self.send_next(self.started);
    }

    /// Sends the next request of a task, or the task's answer.
    fn send_next(&mut self, number: u64) {
        let Some(job) = self.tasks.get_mut(&number) else { return };
        job.leg += 1;
        let Job { site, leg, caller, .. } = **job;
        match job.task.action() {
            Action::Send { shard, request } => {
                let to = (site, usize::try_from(shard).unwrap());
                let message = Message::Request { shard: to, sender: (number, leg), request };
                self.send(Some(shard), &message);
            }
            Action::Done(reply) => {
                self.tasks.remove(&number);
                if let Some(caller) = caller {
                    self.send(None, &Message::Answer { site, caller, reply });
                }
            }
        }
    }

    fn send(&mut self, shard: Option<u64>, message: &Message) {
        let (random, tally) = (&mut self.random, &mut self.tally);
        let deliveries = self.network.send(shard, random, tally);
        if matches!(message, Message::Call { .. } | Message::Answered { .. }) {
            match deliveries[..] {
                [] | [Delivery::Fails(_)] => tally.count(Count::LostOfWitness),
                [_] => {}
                _ => tally.count(Count::DoubledOfWitness),
            }
        }
        for delivery in deliveries {
            let (delay_ms, message) = match delivery {
                Delivery::Arrives(delay_ms) => (delay_ms, message.clone()),
                Delivery::Fails(delay_ms) => (delay_ms, message.failed()),
            };
            self.post(delay_ms, Event::Arrival(Box::new(message)));
        }
    }

    pub(super) fn arrive(&mut self, message: Message) {
        match message {
            // The object answers even if no client waits.
            Message::Request { shard, sender, mut request } => {
                if self.climate.as_text {
                    let (is_old, random) = (self.is_old(sender.0), &mut self.random);
                    request = transit::request(&request, is_old, random, &mut self.tally);
                }
                self.at(shard, |object, around| object.arrive((sender, request), around));
            }
            Message::Call { shard, caller, call } => {
                self.note(|| format!("the witness of {shard:?} gets {call:?}"));
                self.at(shard, |object, around| object.witness(caller, &call, around));
            }
            Message::Answered { shard, caller, answer } => self.answered(shard, caller, answer),
            Message::Reply { sender, reply } => self.reply(sender, reply),
            Message::Answer { site, caller, reply } => match caller {
                Caller::Holder { isolate, .. } => {
                    let paused_until_ms = self.isolates[isolate].paused_until_ms;
                    if paused_until_ms > self.now_ms {
                        let event = Event::Arrival(Box::new(message));
                        return self.post(paused_until_ms - self.now_ms, event);
                    }
                    self.receive(site, caller, &reply);
                }
                Caller::Careless => {
                    if let Ok(Reply::Granted(grant)) = reply {
                        self.grants.push((site, grant));
                    }
                }
            },
        }
    }

    /// Delivers the answer of a witness to its shard, if the shard still waits for it.
    pub(super) fn answered(&mut self, shard: Shard, caller: (u64, u64), answer: Answer) {
        self.at(shard, |object, around| object.receive(caller, answer, around));
    }

    /// Does the commit for which an instance of a shard waits.
    pub(super) fn commit(&mut self, shard: Shard, instance: u64) {
        let Some(chance) = &mut self.groups else { return };
        let fate = chance.below(COMMIT_FATES);
        self.at(shard, |object, around| object.commit(instance, fate, around));
    }

    /// Calls `happen` with the object of a shard, and sends the messages that it returns.
    fn at(
        &mut self,
        shard: Shard,
        happen: impl FnOnce(&mut Object, &mut Around<'_>) -> Vec<Output>,
    ) {
        let leases = self.leases(shard.0);
        let Site { objects, settings, ledger, .. } = &mut self.sites[shard.0];
        let object = &mut objects[shard.1];
        let mut around = Around {
            shard: shard.1 as u64,
            now_ms: object.clock.now_ms(self.now_ms),
            settings: *settings,
            is_calm: self.phase != Phase::Storm,
            ledger,
            leases: &leases,
            random: &mut self.random,
            tally: &mut self.tally,
        };
        let sent = happen(object, &mut around);
        self.send_all(shard, sent);
    }

    fn send_all(&mut self, shard: Shard, sent: Vec<Output>) {
        for sent in sent {
            let message = match sent {
                Output::Commit { instance } => {
                    let Some(chance) = &mut self.groups else { continue };
                    let pause_ms = chance.pick([0, 1, 5, 40, 200]);
                    self.post(pause_ms, Event::Commit { shard, instance });
                    continue;
                }
                Output::Call { caller, call } => {
                    self.post(WITNESS_MAX_MS, Event::Silence { shard, caller });
                    Message::Call { shard, caller, call }
                }
                Output::Answer { caller, answer } => {
                    self.note(|| format!("the witness of {shard:?} answers {answer:?}"));
                    Message::Answered { shard, caller, answer }
                }
                Output::Reply { sender, request, mut reply } => {
                    let is_old = self.is_old(sender.0);
                    if let (true, Ok(reply)) = (self.climate.as_text, &mut reply) {
                        *reply = transit::reply(reply, is_old, &mut self.random, &mut self.tally);
                    }
                    if let Ok(Reply::Refused { refusal, .. }) = &reply {
                        self.tally.refused(&request, refusal);
                    }
                    self.note(|| format!("shard {shard:?} answers {request:?}: {reply:?}"));
                    Message::Reply { sender, reply }
                }
            };
            self.send(Some(shard.1 as u64), &message);
        }
    }

    /// Whether the holder that waits for this task runs an older version of the code.
    fn is_old(&self, task: u64) -> bool {
        match self.tasks.get(&task).and_then(|job| job.caller) {
            Some(Caller::Holder { isolate, .. }) => self.isolates[isolate].is_old,
            _ => false,
        }
    }

    pub(super) fn leases(&self, site: usize) -> Vec<Lease> {
        self.isolates.iter().filter_map(|isolate| isolate.held[site].lease()).collect()
    }

    /// Delivers a reply to the newest request of the task. Any other reply is dropped.
    fn reply(&mut self, (number, leg): Sender, reply: CallResult) {
        let Some(job) = self.tasks.get_mut(&number).filter(|job| job.leg == leg) else { return };
        job.task.receive(reply);
        self.send_next(number);
    }

    fn receive(&mut self, site: usize, caller: Caller, reply: &CallResult) {
        let Caller::Holder { isolate, life, number } = caller else { return };
        let isolate = &mut self.isolates[isolate];
        let now_ms = isolate.clock.now_ms(self.now_ms);
        let held = &mut isolate.held[site];
        // A reply to a holder that is gone is dropped.
        if held.life != life {
            return;
        }
        let before = held.holder.span();
        held.holder.receive(now_ms, number, *reply);
        if let Ok(Reply::Granted(_) | Reply::Batched(_)) = reply {
            held.shards = held.holder.config().map_or(held.shards, BoundConfig::shards);
        }
        let token = match reply {
            Ok(Reply::Granted(grant)) => grant.token,
            Ok(Reply::Renewed(renewal)) => renewal.token,
            _ => return,
        };
        let Some(lease) = held.lease().filter(|_| held.holder.span() != before) else { return };
        if let Ok(Reply::Granted(grant)) = reply {
            held.start = grant.terms.sequence_start;
            if before.is_some_and(|before| before.node() != lease.span.node()) {
                self.tally.count(Count::Moves);
                if held.swap == Some(number) {
                    self.tally.count(Count::Swaps);
                }
            }
            let future_ms = grant.terms.allowed_future_ms;
            let start_ms = grant.config.layout().start_ms(lease.span.from_tick());
            held.behind_ms = start_ms.saturating_sub(now_ms + future_ms);
            if held.behind_ms > 0 {
                self.tally.count(Count::Early);
            }
            if let Err(Error::Generator(error)) = held.holder.ready(now_ms) {
                let waits = error.retry_in_ms().is_some();
                assert!(!waits, "the first id of a new span has to wait: {error}");
            }
            let before_ms = self.sites[site].future_ms.replace(future_ms).unwrap_or(future_ms);
            if before_ms != future_ms {
                self.tally.future(before_ms.min(future_ms));
            }
        }
        let leases = self.leases(site);
        self.sites[site].ledger.adopted(lease, token, &leases);
        self.note(|| format!("life {life} of i{} has {:?}", lease.incarnation, lease.span));
    }
}
