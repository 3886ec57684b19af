//! How requests get their ids, and how their calls fare.

use edgeflake::lease::{Action, CallFailure, Step};

use super::{Event, World};
use crate::isolate::{Client, Isolate, Task, Work};
use crate::region::{self, ms};

/// Number of looks per lease at an isolate that may renew. A renewal is late by up to the time
/// between two looks.
const LOOKS_A_LEASE: f64 = 60.0;

/// Most looks per second at an isolate without a span.
const LOOKS_A_SECOND: f64 = 1.0;

/// A request that has waited this long looks as seldom as possible whether its ids are there, in
/// ms.
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
            let step =
                asked.holder.step(now_ms, &mut client.wait, &mut [0], || random.bits_of_token());
            match step {
                Step::Send(call) => {
                    let who = (isolate, asked.life);
                    let task = Task::new(who, &call, asked.place, self.setting.shards);
                    self.send(Box::new(task));
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
                    // Until a retry is worthwhile, all of its requests fare like this one.
                    let after_ms = ms(random.exponential(1_000.0 / asked.rate));
                    let retry_ms = now_ms + retry_in_ms.unwrap_or(0);
                    let next_ms = (client.since_ms + after_ms).max(retry_ms);
                    if next_ms > now_ms {
                        asked.client = None;
                        self.calendar.post(next_ms, Event::Request(isolate, asked.life));
                        return;
                    }
                    // Another request waits by now.
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

    /// Sends the next message of a task, if there is one.
    fn send(&mut self, mut task: Box<Task>) {
        if let Work::Routed(router) = &task.work {
            match router.action() {
                Action::Send { shard, request } => (task.shard, task.request) = (shard, request),
                Action::Done(reply) => {
                    let isolate = &mut self.isolates[task.isolate as usize];
                    if isolate.life == task.life {
                        isolate.holder.receive(self.now_ms, task.number, reply);
                    }
                    return;
                }
            }
        }
        let way_ms = self.way_ms(&task);
        let number = self.vacant_tasks.pop().unwrap_or_else(|| {
            self.tasks.push(None);
            u32::try_from(self.tasks.len() - 1).unwrap()
        });
        self.tasks[number as usize] = Some(task);
        self.calendar.post(self.now_ms + way_ms, Event::Arrival(number));
    }

    fn way_ms(&mut self, task: &Task) -> u64 {
        let from = self.isolates[task.isolate as usize].place;
        let to = self.objects[usize::try_from(task.shard).unwrap()].place;
        region::way_ms(from, to, &mut self.random)
    }

    /// Lets a request reach its object, or get lost.
    pub(super) fn arrive(&mut self, number: u32) {
        let Some(mut task) = self.tasks[number as usize].take() else { return };
        let back_ms = self.way_ms(&task);
        let object = &mut self.objects[usize::try_from(task.shard).unwrap()];
        let (at_ms, reply) = if self.now_ms >= object.out_until_ms {
            let (done_ms, reply) = object.answer(self.now_ms, &task.request);
            (Some(done_ms + back_ms), reply)
        } else {
            (self.setting.is_refusing.then_some(self.now_ms + back_ms), Err(CallFailure))
        };
        // Otherwise the request is lost in silence.
        let Some(at_ms) = at_ms else { return self.vacant_tasks.push(number) };
        task.reply = Some(reply);
        self.tasks[number as usize] = Some(task);
        self.calendar.post(at_ms, Event::Reply(number));
    }

    pub(super) fn reply(&mut self, number: u32) {
        let Some(mut task) = self.tasks[number as usize].take() else { return };
        self.vacant_tasks.push(number);
        let Some(reply) = task.reply.take() else { return };
        match &mut task.work {
            Work::Routed(router) => {
                router.receive(reply);
                self.send(task);
            }
            Work::Direct => {
                let isolate = &mut self.isolates[task.isolate as usize];
                if isolate.life == task.life {
                    isolate.holder.receive(self.now_ms, task.number, reply);
                }
            }
        }
    }
}
