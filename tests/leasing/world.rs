//! Isolates with clocks of their own, the objects they ask, and all that happens to both.

use std::collections::BTreeMap;

use edgeflake::{
    CallFailed, Courier, Destruction, Errand, Holder, Identity, Reply, Request, Step, Wait,
};

use crate::ledger::{Lease, Ledger};
use crate::mail::{Caller, Mail, Message};
use crate::objects::Object;
use crate::random::Random;
use crate::weather::Weather;

const OBJECTS: usize = 4;

/// A holder, and a number of its own that tells it from the one before it.
struct Isolate {
    holder: Holder,
    life: u64,
    place: u16,
    /// How many shards it believes that there are.
    shards: u64,
    ahead_ms: i64,
    frozen_ms: Option<u64>,
}

impl Isolate {
    fn now_ms(&self, world_ms: u64) -> u64 {
        self.frozen_ms.unwrap_or(world_ms.saturating_add_signed(self.ahead_ms))
    }

    fn lease(&self) -> Option<Lease> {
        let (span, incarnation) = (self.holder.span()?, self.holder.incarnation()?);
        Some(Lease { life: self.life, incarnation, span })
    }
}

/// Something that sends one request after the other until it is done.
#[expect(clippy::large_enum_variant, reason = "there are few at a time")]
enum Task {
    Direct { caller: Caller, shard: u64, request: Request },
    Courier { caller: Caller, courier: Courier },
    Destruction(Destruction),
    Creation(Identity),
}

pub(crate) struct World {
    random: Random,
    weather: Weather,
    now_ms: u64,
    objects: [Object; OBJECTS],
    isolates: Vec<Isolate>,
    tasks: BTreeMap<u64, (u64, Box<Task>)>,
    mail: Mail,
    /// How many lives and tasks there were.
    started: u64,
    pub(crate) ledger: Ledger,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::of_seed(seed);
        let mut world = Self {
            now_ms: 10_000,
            weather: Weather::new(&mut random),
            random,
            objects: Default::default(),
            isolates: Vec::new(),
            tasks: BTreeMap::new(),
            mail: Mail::default(),
            started: 0,
            ledger: Ledger::default(),
        };
        for _ in 0..world.random.pick([2, 3, 5]) {
            let isolate = world.isolate();
            world.isolates.push(isolate);
        }
        let identity = world.weather.identity(&mut world.random);
        world.start(Task::Creation(identity));
        world
    }

    fn isolate(&mut self) -> Isolate {
        self.started += 1;
        let prefetches = self.random.one_in(8);
        Isolate {
            holder: if prefetches { Holder::prefetching() } else { Holder::new() },
            life: self.started,
            place: u16::try_from(self.random.below(1 << 16)).unwrap(),
            shards: self.random.pick([1, 2, 4]),
            ahead_ms: 0,
            frozen_ms: None,
        }
    }

    pub(crate) fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            let jump = if self.random.one_in(500) { 2_000 } else { self.weather.pace_ms };
            self.now_ms += self.random.below(jump);
            self.happen();
            self.deliver();
        }
    }

    fn happen(&mut self) {
        let index = self.random.index(self.isolates.len());
        let object = self.random.index(OBJECTS);
        if self.random.one_in(self.weather.leave) {
            self.leave(index);
        }
        match self.random.below(200) {
            0..=2 => self.isolates[index] = self.isolate(),
            3 => self.objects[object].instances[0] = None,
            4 => self.objects[object].instances[1] = None,
            5 | 6 => self.objects[object].ahead_ms = self.random.step_ms(),
            7 | 8 => self.isolates[index].ahead_ms = self.random.step_ms(),
            9 | 10 => {
                let now_ms = self.isolates[index].now_ms(self.now_ms);
                let isolate = &mut self.isolates[index];
                isolate.frozen_ms = isolate.frozen_ms.is_none().then_some(now_ms);
            }
            11..=31 => self.isolates[index].holder.attach(),
            32..=34 if self.random.one_in(self.weather.rest) => {
                self.start(Task::Destruction(Destruction::new()));
            }
            35..=38 => {
                let identity = self.weather.identity(&mut self.random);
                self.start(Task::Creation(identity));
            }
            _ => self.request_ids(index),
        }
    }

    /// Gives a lease back, and takes and gives back others, in no time.
    fn leave(&mut self, index: usize) {
        while !self.random.one_in(3) {
            self.isolates[index].holder.detach();
            self.request_ids(index);
            if self.random.one_in(3) {
                break;
            }
            self.isolates[index].holder.attach();
            self.request_ids(index);
        }
    }

    fn request_ids(&mut self, index: usize) {
        // Of none, to renew in time.
        let mut ids = vec![0; self.random.index(20)];
        let mut wait = Wait::default();
        let mut issued = 0;
        for _ in 0..6 {
            let random = &mut self.random;
            let isolate = &mut self.isolates[index];
            let (life, incarnation) = (isolate.life, isolate.holder.incarnation());
            let now_ms = isolate.now_ms(self.now_ms);
            let bits = || u128::from(random.next()) << 64 | u128::from(random.next());
            let step = isolate.holder.step(now_ms, &mut wait, &mut ids, bits);
            // Also those of requests that fail later: nobody else may get them.
            while let Some(id) = ids.get(issued).filter(|id| **id != 0) {
                self.ledger.issued(life, incarnation.unwrap(), *id);
                issued += 1;
            }
            match step {
                Step::Send(call) => {
                    let (place, shards) = (isolate.place, isolate.shards);
                    let caller = Caller { isolate: index, life, number: call.number };
                    let request = call.request;
                    self.start(match call.shard {
                        Some(shard) => Task::Direct { caller, shard, request },
                        None => {
                            Task::Courier { caller, courier: Courier::new(request, place, shards) }
                        }
                    });
                }
                // Not everybody is as patient as the holder allows; and timers fire late.
                Step::Sleep { ms } if ms > 5 && !self.random.one_in(10) => break,
                Step::Sleep { ms } => {
                    let ms = ms.max(self.mail.quiet_ms(self.now_ms));
                    self.now_ms += ms;
                    wait.fired(ms);
                    self.deliver();
                }
                Step::Failed { retry_in_ms: Some(ms), .. } if self.random.one_in(10) => {
                    self.now_ms += ms;
                    break;
                }
                Step::Done | Step::Failed { .. } => break,
            }
        }
    }

    fn start(&mut self, task: Task) {
        self.started += 1;
        self.tasks.insert(self.started, (0, Box::new(task)));
        self.go_on(self.started);
    }

    /// Sends what a task has to send next, or its answer.
    fn go_on(&mut self, id: u64) {
        let Some((leg, task)) = self.tasks.get_mut(&id) else { return };
        *leg += 1;
        let errand = match &**task {
            Task::Direct { shard, request, .. } => {
                Errand::Send { shard: *shard, request: *request }
            }
            Task::Courier { courier, .. } => courier.errand(),
            Task::Destruction(destruction) => destruction.errand(),
            Task::Creation(identity) => {
                Errand::Send { shard: 0, request: Request::Create(*identity) }
            }
        };
        match errand {
            Errand::Send { shard, request } => {
                let leg = *leg;
                let message = Message::Request { task: id, leg, shard, request };
                self.mail.send(self.now_ms, message, &mut self.random);
            }
            Errand::Done(reply) => self.answer(id, &reply),
        }
    }

    fn answer(&mut self, id: u64, reply: &Result<Reply, CallFailed>) {
        let task = self.tasks.remove(&id).map(|(_, task)| *task);
        if let Some(Task::Direct { caller, .. } | Task::Courier { caller, .. }) = task {
            let message = Message::Answer { caller, reply: *reply };
            self.mail.send(self.now_ms, message, &mut self.random);
        }
    }

    /// Delivers what has arrived by now.
    fn deliver(&mut self) {
        while let Some(message) = self.mail.arrived(self.now_ms) {
            match message {
                Message::Request { task, leg, shard, request } => {
                    let reply = self.decide(shard, &request);
                    let message = Message::Reply { task, leg, reply };
                    self.mail.send(self.now_ms, message, &mut self.random);
                }
                Message::Reply { task, leg, reply } => self.reply(task, leg, &reply),
                Message::Answer { caller, reply } => self.receive(caller, &reply),
            }
        }
    }

    fn decide(&mut self, shard: u64, request: &Request) -> Result<Reply, CallFailed> {
        let tunables = self.weather.tunables(&mut self.random);
        let leases: Vec<_> = self.isolates.iter().filter_map(Isolate::lease).collect();
        let check = (&mut self.ledger, &leases[..]);
        let object = &mut self.objects[usize::try_from(shard).unwrap()];
        object.decide(shard, self.now_ms, request, tunables, &mut self.random, check)
    }

    /// A reply to what the task has sent last; to anything else nobody listens.
    fn reply(&mut self, id: u64, leg: u64, reply: &Result<Reply, CallFailed>) {
        match self.tasks.get_mut(&id) {
            Some((sent, task)) if *sent == leg => match &mut **task {
                Task::Courier { courier, .. } => courier.receive(*reply),
                Task::Destruction(destruction) => destruction.receive(*reply),
                Task::Direct { .. } | Task::Creation(_) => return self.answer(id, reply),
            },
            _ => return,
        }
        self.go_on(id);
    }

    fn receive(&mut self, caller: Caller, reply: &Result<Reply, CallFailed>) {
        let isolate = &mut self.isolates[caller.isolate];
        // What was meant for a holder that is gone reaches nobody.
        if isolate.life != caller.life {
            return;
        }
        let now_ms = isolate.now_ms(self.now_ms);
        let before = isolate.holder.span();
        isolate.holder.receive(now_ms, caller.number, *reply);
        let token = match reply {
            Ok(Reply::Granted(grant)) => grant.token,
            Ok(Reply::Renewed(renewal)) => renewal.token,
            _ => return,
        };
        if let Some(lease) = isolate.lease().filter(|lease| Some(lease.span) != before) {
            isolate.shards = isolate.holder.identity().unwrap().shards();
            let leases: Vec<_> = self.isolates.iter().filter_map(Isolate::lease).collect();
            self.ledger.adopted(lease, token, &leases);
        }
    }
}
