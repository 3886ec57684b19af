//! How requests get their ids, and what happens to their calls.

use edgeflake::lease::{Action, CallFailure, Step};
use edgeflake_world::Task;

use super::{Event, World};
use crate::isolate::{Client, Isolate, Job};
use crate::region::{self, ms};

/// How many requests per lease time are simulated for an isolate that may renew, at most. Between
/// two of them, a renewal is late.
const LOOKS_A_LEASE: f64 = 60.0;

/// How many requests per second are simulated for an isolate without a span, at most.
const LOOKS_A_SECOND: f64 = 1.0;

/// A request that has waited for longer than `PATIENT_AFTER_MS` looks for its ids at most once per
/// `PATIENT_MS`.
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

    /// Runs the steps of the simulated request until it must wait or has ended.
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
                    self.send(Box::new(Job { isolate, life, number, task }));
                }
                Step::Sleep { ms } => {
                    asked.waits_since_ms.get_or_insert(client.since_ms);
                    let is_patient = now_ms - client.since_ms > PATIENT_AFTER_MS;
                    client.sleeps_ms = if is_patient { ms.max(PATIENT_MS) } else { ms };
                    let (at_ms, timer) =
                        (now_ms + client.sleeps_ms, Event::Timer(isolate, asked.life));
                    return self.post(at_ms, timer);
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
                        let request = Event::Request(isolate, asked.life);
                        return self.post(next_ms, request);
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
        let request = Event::Request(isolate, *life);
        self.post(at_ms, request);
    }

    /// Sends the next message of a call, or delivers the reply to the holder if it still exists.
    pub(super) fn send(&mut self, job: Box<Job>) {
        match job.task.action() {
            Action::Send { shard, .. } => {
                let at_ms = self.now_ms + self.way_ms(&job, shard);
                self.post(at_ms, Event::Arrival(job));
            }
            Action::Done(reply) => {
                let Isolate { holder, life, .. } = &mut self.isolates[job.isolate as usize];
                if *life == job.life {
                    let holder = (holder, u64::from(job.life));
                    self.ledger.deliver(holder, self.now_ms, job.number, reply);
                }
            }
        }
    }

    fn way_ms(&mut self, job: &Job, shard: u64) -> u64 {
        let from = self.isolates[job.isolate as usize].place;
        let to = self.shards[usize::try_from(shard).unwrap()].place;
        region::way_ms(from, to, &mut self.random)
    }

    /// Lets a request reach its object, or get lost.
    pub(super) fn arrive(&mut self, mut job: Box<Job>) {
        let Action::Send { shard, request } = job.task.action() else { return };
        let back_ms = self.way_ms(&job, shard);
        let shard = &mut self.shards[usize::try_from(shard).unwrap()];
        let (leaves_ms, reply) = if self.now_ms >= shard.out_until_ms {
            let checks = (&mut self.ledger, &mut self.random);
            shard.answer(self.now_ms, &request, &self.setting, checks)
        } else if self.setting.is_refusing {
            (self.now_ms, Err(CallFailure))
        } else {
            return;
        };
        job.task.receive(reply);
        self.post(leaves_ms + back_ms, Event::Answer(job));
    }
}
