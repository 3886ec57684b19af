//! How requests get their ids, and what happens to their calls.

use edgeflake::lease::{Action, CallFailure, Reply, Step};
use edgeflake_world::Task;

use super::{Event, World};
use crate::isolate::{Client, Isolate, Job};
use crate::region::{self, ms};

/// How many times per lease an isolate that may renew is checked. A renewal is late by up to the
/// time between two checks.
const LOOKS_A_LEASE: f64 = 60.0;

/// How many times per second an isolate without a span is checked, at most.
const LOOKS_A_SECOND: f64 = 1.0;

/// A request that has waited this many ms checks for its ids as rarely as possible.
const PATIENT_AFTER_MS: u64 = 1_000;
const PATIENT_MS: u64 = 200;

impl World {
    /// Lets a request come to an isolate.
    pub(super) fn request(&mut self, isolate: u32) {
        self.isolates[isolate as usize].client = Some(Client::new(self.now_ms));
        self.drive(isolate);
    }

    pub(super) fn fire(&mut self, isolate: u32) {
        if let Some(client) = &mut self.isolates[isolate as usize].client {
            client.wait.fired(client.sleeps_ms);
        }
        self.drive(isolate);
    }

    /// Runs the steps of the followed request until it must wait.
    fn drive(&mut self, isolate: u32) {
        let now_ms = self.now_ms;
        loop {
            let Self { isolates, random, .. } = self;
            let asked = &mut isolates[isolate as usize];
            let Some(client) = &mut asked.client else { return };
            let step = asked.holder.step(now_ms, &mut client.wait, &mut [0], || random.bits());
            match step {
                Step::Send(call) => {
                    let (life, number) = (asked.life, call.number);
                    let task = Task::of_call(&call, asked.place, self.setting.shards);
                    self.send(Box::new(Job { isolate, life, number, task, reply: None }));
                }
                Step::Sleep { ms } => {
                    asked.waits_since_ms.get_or_insert(client.since_ms);
                    let is_patient = now_ms - client.since_ms > PATIENT_AFTER_MS;
                    client.sleeps_ms = if is_patient { ms.max(PATIENT_MS) } else { ms };
                    let timer = Event::Timer(isolate, asked.life);
                    self.calendar.post(now_ms + client.sleeps_ms, timer);
                    return;
                }
                Step::Done => {
                    asked.client = None;
                    self.served(isolate);
                    self.plan(isolate);
                    return;
                }
                Step::Failed { retry_in_ms, .. } => {
                    asked.waits_since_ms.get_or_insert(client.since_ms);
                    // Until a retry is worthwhile, all requests of the isolate fail like this one.
                    let after_ms = ms(random.exponential(1_000.0 / asked.rate));
                    let retry_ms = now_ms + retry_in_ms.unwrap_or(0);
                    let next_ms = (client.since_ms + after_ms).max(retry_ms);
                    if next_ms > now_ms {
                        asked.client = None;
                        self.calendar.post(next_ms, Event::Request(isolate, asked.life));
                        return;
                    }
                    // Another request has come by now.
                    asked.client = Some(Client::new(now_ms));
                }
            }
        }
    }

    /// Ends the wait of all requests at this isolate.
    pub(super) fn served(&mut self, isolate: u32) {
        let served = &mut self.isolates[isolate as usize];
        if let Some(since_ms) = served.waits_since_ms.take() {
            self.measure.waited(since_ms, self.now_ms, served.rate);
        }
    }

    /// Plans the next request that does more than take an id from the span.
    fn plan(&mut self, isolate: u32) {
        let Isolate { holder, life, rate, .. } = &self.isolates[isolate as usize];
        let lease_ms = self.setting.lease_s * 1_000;
        let until_ms = holder.span().map(|span| self.setting.layout().start_ms(span.until_tick()));
        let due_ms = until_ms.unwrap_or(0).saturating_sub(lease_ms / 2);
        let most = match until_ms {
            Some(until_ms) if until_ms > self.now_ms => {
                LOOKS_A_LEASE * 1_000.0 / f64::from(u32::try_from(lease_ms).unwrap())
            }
            _ => LOOKS_A_SECOND,
        };
        let after_ms = ms(self.random.exponential(1_000.0 / rate.min(most)));
        let at_ms = due_ms.max(self.now_ms) + after_ms;
        self.calendar.post(at_ms, Event::Request(isolate, *life));
    }

    /// Sends the next message of a call, if there is one.
    fn send(&mut self, job: Box<Job>) {
        let shard = match job.task.action() {
            Action::Send { shard, .. } => shard,
            Action::Done(reply) => return self.receive(&job, reply),
        };
        let way_ms = self.way_ms(&job, shard);
        let number = self.vacant_jobs.pop().unwrap_or_else(|| {
            self.jobs.push(None);
            u32::try_from(self.jobs.len() - 1).unwrap()
        });
        self.jobs[number as usize] = Some(job);
        self.calendar.post(self.now_ms + way_ms, Event::Arrival(number));
    }

    fn way_ms(&mut self, job: &Job, shard: u64) -> u64 {
        let from = self.isolates[job.isolate as usize].place;
        let to = self.shards[usize::try_from(shard).unwrap()].place;
        region::way_ms(from, to, &mut self.random)
    }

    /// Lets a request reach its object, or get lost.
    pub(super) fn arrive(&mut self, number: u32) {
        let Some(mut job) = self.jobs[number as usize].take() else { return };
        let Action::Send { shard, request } = job.task.action() else { return };
        let back_ms = self.way_ms(&job, shard);
        let shard = &mut self.shards[usize::try_from(shard).unwrap()];
        let (at_ms, reply) = if self.now_ms >= shard.out_until_ms {
            let checks = (&mut self.ledger, &mut self.random);
            let (done_ms, reply) = shard.answer(self.now_ms, &request, &self.setting, checks);
            (Some(done_ms + back_ms), reply)
        } else {
            (self.setting.is_refusing.then_some(self.now_ms + back_ms), Err(CallFailure))
        };
        // Otherwise the request is lost without an error.
        let Some(at_ms) = at_ms else { return self.vacant_jobs.push(number) };
        job.reply = Some(reply);
        self.jobs[number as usize] = Some(job);
        self.calendar.post(at_ms, Event::Reply(number));
    }

    pub(super) fn reply(&mut self, number: u32) {
        let Some(mut job) = self.jobs[number as usize].take() else { return };
        self.vacant_jobs.push(number);
        if let Some(reply) = job.reply.take() {
            job.task.receive(reply);
            self.send(job);
        }
    }

    /// Gives a reply to the holder that waits for it, if the holder still exists.
    fn receive(&mut self, job: &Job, reply: Result<Reply, CallFailure>) {
        let Isolate { holder, life, .. } = &mut self.isolates[job.isolate as usize];
        if *life != job.life {
            return;
        }
        let holder = (holder, u64::from(job.life));
        self.ledger.deliver(holder, self.now_ms, job.number, reply);
        assert_eq!(self.ledger.violation(), None);
    }
}
