//! Requests on their way to the objects, and replies on their way back.

use edgeflake::lease::fence::WITNESS_MAX_MS;
use edgeflake::lease::{Action, BoundConfig, CallFailure, Error, Reply, Request};
use edgeflake_world::{Answer, Around, Count, Delivery, Lease, Object, Output, Task};

use super::{Event, Job, Phase, Site, World};
use crate::message::{Caller, Message};
use crate::transit;

impl World {
    pub(super) fn start(&mut self, site: usize, caller: Option<Caller>, task: Task) {
        self.started += 1;
        self.tasks.insert(self.started, Box::new(Job { site, leg: 0, caller, task }));
        self.send_next(self.started);
    }

    /// Sends the next request of a task, or the task's answer.
    fn send_next(&mut self, number: u64) {
        let Some(Job { site, leg, task, .. }) = self.tasks.get_mut(&number).map(Box::as_mut) else {
            return;
        };
        *leg += 1;
        let (site, leg) = (*site, *leg);
        match task.action() {
            Action::Send { shard, request } => {
                let message = Message::Request { site, task: number, leg, shard, request };
                self.send(Some(shard), &message);
            }
            Action::Done(reply) => self.finish(number, &reply),
        }
    }

    fn finish(&mut self, number: u64, reply: &Result<Reply, CallFailure>) {
        let Some(job) = self.tasks.remove(&number) else { return };
        let Job { site, caller, .. } = *job;
        if let Some(caller) = caller {
            self.send(None, &Message::Answer { site, caller, reply: *reply });
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
            Message::Request { site, task, leg, shard, request } => {
                let is_old = self.is_old(task);
                let (random, tally) = (&mut self.random, &mut self.tally);
                let request = if self.climate.as_text {
                    transit::request(&request, is_old, random, tally)
                } else {
                    request
                };
                let sent = self.at(site, shard, |object, around| {
                    object.arrive(((task, leg), request), around)
                });
                self.send_all(site, shard, sent);
            }
            Message::Call { site, shard, instance, number, call } => {
                let leases = self.leases(site);
                let Site { objects, ledger, .. } = &mut self.sites[site];
                let object = &mut objects[usize::try_from(shard).unwrap()];
                let checks = (ledger, &leases[..]);
                let answer = object.witness(instance, &call, checks, &mut self.tally);
                self.note(|| format!("the witness of {shard} of {site}, {call:?}: {answer:?}"));
                let message = Message::Answered { site, shard, instance, number, answer };
                self.send(Some(shard), &message);
            }
            Message::Answered { site, shard, instance, number, answer } => {
                self.answered(site, shard, (instance, number), answer);
            }
            Message::Reply { task, leg, reply } => self.reply(task, leg, &reply),
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
    pub(super) fn answered(&mut self, site: usize, shard: u64, call: (u64, u64), answer: Answer) {
        let sent = self.at(site, shard, |object, around| object.receive(call, answer, around));
        self.send_all(site, shard, sent);
    }

    /// Does the commit for which a shard waits.
    pub(super) fn commit(&mut self, site: usize, shard: u64, instance: u64) {
        let Some(mut chance) = self.groups.take() else { return };
        let sent =
            self.at(site, shard, |object, around| object.commit(instance, &mut chance, around));
        self.groups = Some(chance);
        self.send_all(site, shard, sent);
    }

    fn at<T>(
        &mut self,
        site: usize,
        shard: u64,
        happen: impl FnOnce(&mut Object, &mut Around<'_>) -> T,
    ) -> T {
        let leases = self.leases(site);
        let Site { objects, settings, ledger, .. } = &mut self.sites[site];
        let object = &mut objects[usize::try_from(shard).unwrap()];
        let mut around = Around {
            shard,
            now_ms: object.clock.now_ms(self.now_ms),
            settings: *settings,
            is_calm: self.phase != Phase::Storm,
            ledger,
            leases: &leases,
            random: &mut self.random,
            tally: &mut self.tally,
        };
        happen(object, &mut around)
    }

    fn send_all(&mut self, site: usize, shard: u64, sent: Vec<Output>) {
        for sent in sent {
            let message = match sent {
                Output::Commit { instance } => {
                    let Some(chance) = &mut self.groups else { continue };
                    let pause_ms = chance.pick([0, 1, 5, 40, 200]);
                    self.post(pause_ms, Event::Commit { site, shard, instance });
                    continue;
                }
                Output::Call { instance, number, call } => {
                    self.post(WITNESS_MAX_MS, Event::Silence { site, shard, instance, number });
                    Message::Call { site, shard, instance, number, call }
                }
                Output::Reply { sender: (task, leg), request, reply } => {
                    let is_old = self.is_old(task);
                    let reply = self.leaving((site, shard), is_old, &request, reply);
                    Message::Reply { task, leg, reply }
                }
            };
            self.send(Some(shard), &message);
        }
    }

    /// Whether the holder that waits for this task runs an older version of the code.
    fn is_old(&self, task: u64) -> bool {
        match self.tasks.get(&task).and_then(|job| job.caller) {
            Some(Caller::Holder { isolate, .. }) => self.isolates[isolate].is_old,
            _ => false,
        }
    }

    /// Sends a reply from its shard.
    fn leaving(
        &mut self,
        (site, shard): (usize, u64),
        is_old: bool,
        request: &Request,
        reply: Result<Reply, CallFailure>,
    ) -> Result<Reply, CallFailure> {
        let (random, tally) = (&mut self.random, &mut self.tally);
        let reply = match reply {
            Ok(reply) if self.climate.as_text => Ok(transit::reply(&reply, is_old, random, tally)),
            reply => reply,
        };
        if let Ok(Reply::Refused { refusal, .. }) = &reply {
            self.tally.refused(request, refusal);
        }
        self.note(|| format!("shard {shard} of {site} answers {request:?}: {reply:?}"));
        reply
    }

    pub(super) fn leases(&self, site: usize) -> Vec<Lease> {
        self.isolates.iter().filter_map(|isolate| isolate.held[site].lease()).collect()
    }

    /// Delivers a reply to the newest request of the task. Any other reply is dropped.
    fn reply(&mut self, number: u64, leg: u64, reply: &Result<Reply, CallFailure>) {
        let Some(job) = self.tasks.get_mut(&number).filter(|job| job.leg == leg) else {
            return;
        };
        job.task.receive(*reply);
        self.send_next(number);
    }

    fn receive(&mut self, site: usize, caller: Caller, reply: &Result<Reply, CallFailure>) {
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
            if start_ms > now_ms + future_ms {
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
        self.note(|| format!("life {life} has {:?} of {}", lease.span, lease.incarnation));
    }
}
