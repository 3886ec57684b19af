//! Isolates, the objects that they ask, and all that happens to both: one event after the other, in
//! the order of a time that nobody in it knows.

mod faults;
mod operator;

use std::collections::BTreeMap;
use std::fmt;

use edgeflake::{
    CallFailed, Courier, Destruction, Errand, Grant, Holder, Identity, Reply, Request,
    SequenceStart, Step, Tunables, Wait,
};

use crate::climate::{Climate, START_MS};
use crate::clock::Clock;
use crate::isolate::{Client, Held, Isolate};
use crate::ledger::{Lease, Ledger};
use crate::network::{Caller, Message, Network};
use crate::object::Object;
use crate::random::Random;
use crate::tally::{Count, Tally};
use crate::transit;

/// The longest wait for ids where all is well, in ms.
const PROMISE_MS: u64 = 5_000;

/// How many requests a calm has.
const CALM_REQUESTS: u64 = 40;

/// One sequencer: its objects, and who operates it.
struct Site {
    objects: Vec<Object>,
    /// The variables that are deployed.
    tunables: Tunables,
    identity: Identity,
    ledger: Ledger,
}

/// Something that sends one request after the other until it is done.
struct Task {
    site: usize,
    /// How many it has sent.
    leg: u64,
    work: Work,
}

#[expect(clippy::large_enum_variant, reason = "there are few at a time")]
enum Work {
    Direct { caller: Caller, shard: u64, request: Request },
    Courier { caller: Caller, courier: Courier },
    Destruction(Destruction),
    Creation(Identity),
}

enum Event {
    /// Requests come to an isolate.
    Traffic(usize),
    /// The timer of a client fires.
    Timer(u64),
    Arrival(Box<Message>),
    Fault,
    /// The operator looks after the sequencers.
    Care,
    /// Everything that a storm has left behind has passed.
    Calm,
}

/// What is to be expected of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Storm,
    /// Nothing goes wrong any more; what did, may last.
    Thaw,
    /// So much must work that every request gets its ids.
    Calm,
}

pub(crate) struct World {
    random: Random,
    climate: Climate,
    now_ms: u64,
    phase: Phase,
    network: Network,
    /// By time, then as they came.
    events: BTreeMap<(u64, u64), Event>,
    sites: Vec<Site>,
    isolates: Vec<Isolate>,
    clients: BTreeMap<u64, Client>,
    tasks: BTreeMap<u64, Task>,
    /// What careless holders hold, or held.
    grants: Vec<(usize, Grant)>,
    /// How many requests are left of this phase.
    requests: u64,
    storms: u64,
    /// How many events, lives, clients and tasks there were.
    started: u64,
    pub(crate) tally: Tally,
    /// What happened, if anybody wants to know.
    pub(crate) trace: Option<Vec<String>>,
}

impl World {
    pub(crate) fn new(seed: u64, is_large: bool) -> Self {
        let mut random = Random::of_seed(seed);
        let climate = Climate::new(&mut random, is_large);
        let sites = if is_large || random.one_in(3) { 2 } else { 1 };
        let sites = (0..sites).map(|_| Site {
            objects: Vec::new(),
            tunables: climate.tunables(&mut random),
            identity: climate.identity(&mut random),
            ledger: Ledger::default(),
        });
        let mut world = Self {
            now_ms: START_MS,
            phase: Phase::Storm,
            network: Network::Storm(climate.unit_ms),
            events: BTreeMap::new(),
            sites: sites.collect(),
            isolates: Vec::new(),
            clients: BTreeMap::new(),
            tasks: BTreeMap::new(),
            grants: Vec::new(),
            requests: 0,
            storms: 1 + random.below(2),
            started: 0,
            tally: Tally::default(),
            trace: None,
            random,
            climate,
        };
        if world.climate.is_large {
            world.storms = 1;
        }
        for site in &mut world.sites {
            // More than any incarnation has, since careless callers ask all of them.
            site.objects.resize_with(if is_large { 16 } else { 4 }, Object::default);
        }
        for _ in 0..world.climate.isolates {
            let isolate = world.isolate();
            world.isolates.push(isolate);
        }
        world
    }

    fn isolate(&mut self) -> Isolate {
        let place = u16::try_from(self.random.below(1 << 16)).unwrap();
        let held = (0..self.sites.len()).map(|_| self.held()).collect();
        Isolate { held, clock: Clock::default(), place, paused_until_ms: 0 }
    }

    fn held(&mut self) -> Held {
        self.started += 1;
        let prefetches = self.random.one_in(8);
        Held {
            holder: if prefetches { Holder::prefetching() } else { Holder::new() },
            life: self.started,
            shards: self.random.pick([1, 2, 4]),
            start: SequenceStart::Zero,
        }
    }

    fn note(&mut self, what: impl FnOnce() -> String) {
        let now_ms = self.now_ms - START_MS;
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{now_ms:>9} ms  {}", what()));
        }
    }

    fn post(&mut self, delay_ms: u64, event: Event) {
        self.started += 1;
        self.events.insert((self.now_ms + delay_ms, self.started), event);
    }

    /// Storms, and after each of them a calm.
    pub(crate) fn run(&mut self) {
        let climate = &self.climate;
        let text = format!("{climate:?}");
        self.note(|| text);
        for isolate in 0..self.isolates.len() {
            self.post(0, Event::Traffic(isolate));
        }
        for site in 0..self.sites.len() {
            self.create(site);
        }
        self.storm();
        while let Some(((at_ms, _), event)) = self.events.pop_first() {
            self.now_ms = at_ms;
            self.happen(event);
        }
        assert!(self.clients.is_empty(), "somebody still waits");
        self.tally.simulated_ms += self.now_ms - START_MS;
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Traffic(isolate) => self.traffic(isolate),
            Event::Timer(client) => self.fire(client),
            Event::Arrival(message) => self.arrive(*message),
            Event::Fault => self.fault(),
            Event::Care => self.care(),
            Event::Calm => self.calm(),
        }
    }

    /// A request comes, and later the next one, until the phase has had all of its own.
    fn traffic(&mut self, isolate: usize) {
        let count = self.isolates.len() as u64;
        let mean_ms = match self.phase {
            Phase::Storm => self.climate.pace_ms,
            Phase::Thaw => self.climate.lease_max_ms() * 2,
            // One id of one tick each time, which the smallest layouts can give.
            Phase::Calm => 100 * count + self.climate.lease_max_ms() / 10,
        };
        if self.requests == 0 {
            match self.phase {
                Phase::Storm => self.thaw(),
                Phase::Thaw => {}
                // All have come.
                Phase::Calm => {
                    if isolate == 0 {
                        self.end_calm();
                    }
                    return;
                }
            }
        } else {
            self.requests -= 1;
        }
        let pause_ms = Climate::pause_ms(mean_ms, &mut self.random);
        self.post(pause_ms, Event::Traffic(isolate));
        let site = self.random.index(self.sites.len());
        if self.phase == Phase::Storm && self.random.one_in(self.climate.leave) {
            self.leave(site, isolate);
        }
        // Of none, to renew in time.
        let most = if self.phase == Phase::Calm { 1 } else { self.random.below(20) };
        self.serve(site, isolate, most);
    }

    /// When everybody has been served, the next storm comes, or the end.
    fn end_calm(&mut self) {
        if !self.clients.is_empty() {
            self.post(PROMISE_MS, Event::Traffic(0));
        } else if self.storms > 0 {
            self.storm();
            for isolate in 0..self.isolates.len() {
                self.post(0, Event::Traffic(isolate));
            }
        }
    }

    /// A client that wants so many ids.
    fn serve(&mut self, site: usize, isolate: usize, count: u64) {
        self.started += 1;
        let held = &self.isolates[isolate].held[site];
        let client = Client {
            site,
            isolate,
            life: held.life,
            ids: vec![0; usize::try_from(count).unwrap()],
            noted: 0,
            wait: Wait::default(),
            sleeps_ms: 0,
            since_ms: self.now_ms,
            is_promised: self.phase == Phase::Calm && self.climate.lasts(self.now_ms),
        };
        self.clients.insert(self.started, client);
        self.go_on(self.started);
    }

    fn fire(&mut self, client: u64) {
        if let Some(client) = self.clients.get_mut(&client) {
            let until_ms = self.isolates[client.isolate].paused_until_ms;
            if until_ms <= self.now_ms {
                client.wait.fired(client.sleeps_ms);
            }
        }
        self.go_on(client);
    }

    /// Asks the holder for the next step of a client until it sleeps, has its ids, or fails.
    fn go_on(&mut self, number: u64) {
        let Some(mut client) = self.clients.remove(&number) else { return };
        let (index, site) = (client.isolate, client.site);
        let paused_ms = self.isolates[index].paused_until_ms.saturating_sub(self.now_ms);
        if paused_ms > 0 {
            self.clients.insert(number, client);
            return self.post(paused_ms, Event::Timer(number));
        }
        loop {
            let random = &mut self.random;
            let isolate = &mut self.isolates[index];
            let now_ms = isolate.clock.now_ms(self.now_ms);
            let held = &mut isolate.held[site];
            let (life, start) = (held.life, held.start);
            // What it asked of a holder that is gone, it asks of nobody.
            if life != client.life {
                return;
            }
            let incarnation = held.holder.incarnation();
            let bits = || u128::from(random.next()) << 64 | u128::from(random.next());
            let step = held.holder.step(now_ms, &mut client.wait, &mut client.ids, bits);
            // Also those of requests that fail later: nobody else may get them.
            while let Some(id) = client.ids.get(client.noted).filter(|id| **id != 0) {
                let ledger = &mut self.sites[site].ledger;
                let parts = ledger.issued(life, incarnation.unwrap(), start, *id);
                self.tally.count(Count::Ids);
                client.noted += 1;
                let id = *id;
                self.note(|| {
                    let edgeflake::Parts { tick, node, sequence, .. } = parts;
                    format!("life {life} issues {id}: node {node}, tick {tick}, {sequence}")
                });
            }
            match step {
                Step::Send(call) => {
                    self.note(|| format!("life {life} calls {:?}: {:?}", call.shard, call.request));
                    let caller = Caller::Holder { isolate: index, life, number: call.number };
                    let request = call.request;
                    let (place, shards) =
                        (self.isolates[index].place, self.isolates[index].held[site].shards);
                    let work = match call.shard {
                        Some(shard) => Work::Direct { caller, shard, request },
                        None => {
                            Work::Courier { caller, courier: Courier::new(request, place, shards) }
                        }
                    };
                    self.start(site, work);
                }
                Step::Sleep { ms } => {
                    client.sleeps_ms = ms;
                    // Timers fire late.
                    let punctual = self.phase != Phase::Storm || !self.random.one_in(8);
                    let late_ms = if punctual { 0 } else { self.random.pick([1, 50, 2_000]) };
                    self.clients.insert(number, client);
                    return self.post(ms + late_ms, Event::Timer(number));
                }
                Step::Done => return self.served(&client),
                Step::Failed { error, .. } => {
                    assert!(!client.is_promised, "a request failed in a calm: {error}");
                    return;
                }
            }
        }
    }

    fn served(&mut self, client: &Client) {
        if client.is_promised {
            let waited_ms = self.now_ms - client.since_ms;
            assert!(waited_ms <= PROMISE_MS, "ids came after {waited_ms} ms in a calm");
            self.tally.count(Count::Served);
        }
    }

    fn start(&mut self, site: usize, work: Work) {
        self.started += 1;
        self.tasks.insert(self.started, Task { site, leg: 0, work });
        self.send_next(self.started);
    }

    /// Sends what a task has to send next, or its answer.
    fn send_next(&mut self, number: u64) {
        let Some(task) = self.tasks.get_mut(&number) else { return };
        task.leg += 1;
        let leg = task.leg;
        let errand = match &task.work {
            Work::Direct { shard, request, .. } => {
                Errand::Send { shard: *shard, request: *request }
            }
            Work::Courier { courier, .. } => courier.errand(),
            Work::Destruction(destruction) => destruction.errand(),
            Work::Creation(identity) => {
                Errand::Send { shard: 0, request: Request::Create(*identity) }
            }
        };
        match errand {
            Errand::Send { shard, request } => {
                let message = Message::Request { task: number, leg, shard, request };
                self.send(Some(shard), message);
            }
            Errand::Done(reply) => self.finish(number, &reply),
        }
    }

    fn finish(&mut self, number: u64, reply: &Result<Reply, CallFailed>) {
        let Some(Task { site, work, .. }) = self.tasks.remove(&number) else { return };
        if let Work::Direct { caller, .. } | Work::Courier { caller, .. } = work {
            self.send(None, Message::Answer { site, caller, reply: *reply });
        }
    }

    fn send(&mut self, shard: Option<u64>, message: Message) {
        let (random, tally) = (&mut self.random, &mut self.tally);
        for (delay_ms, message) in self.network.send(shard, message, random, tally) {
            self.post(delay_ms, Event::Arrival(Box::new(message)));
        }
    }

    fn arrive(&mut self, message: Message) {
        match message {
            Message::Request { task, leg, shard, request } => {
                let Some(site) = self.tasks.get(&task).map(|task| task.site) else {
                    // Nobody waits for the answer; the object does not know that.
                    return;
                };
                let reply = self.answer(site, shard, &request);
                self.send(Some(shard), Message::Reply { task, leg, reply });
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

    fn answer(&mut self, site: usize, shard: u64, request: &Request) -> Result<Reply, CallFailed> {
        let leases = self.leases(site);
        let (random, tally) = (&mut self.random, &mut self.tally);
        let request =
            if self.climate.as_text { &transit::request(request, random, tally) } else { request };
        let Site { objects, tunables, ledger, .. } = &mut self.sites[site];
        let object = &mut objects[usize::try_from(shard).unwrap()];
        let now_ms = object.clock.now_ms(self.now_ms);
        let is_calm = self.phase != Phase::Storm;
        let checks = (ledger, &leases[..]);
        let asked = (request, *tunables);
        let reply = object.answer((shard, now_ms), asked, is_calm, checks, random, tally);
        let reply = match reply {
            Ok(reply) if self.climate.as_text => Ok(transit::reply(&reply, random, tally)),
            reply => reply,
        };
        self.note(|| format!("shard {shard} of {site} answers {request:?}: {reply:?}"));
        reply
    }

    fn leases(&self, site: usize) -> Vec<Lease> {
        self.isolates.iter().filter_map(|isolate| isolate.held[site].lease()).collect()
    }

    /// A reply to what the task has sent last; to anything else nobody listens.
    fn reply(&mut self, number: u64, leg: u64, reply: &Result<Reply, CallFailed>) {
        let Some(task) = self.tasks.get_mut(&number).filter(|task| task.leg == leg) else {
            return;
        };
        match &mut task.work {
            Work::Courier { courier, .. } => courier.receive(*reply),
            Work::Destruction(destruction) => destruction.receive(*reply),
            Work::Direct { .. } | Work::Creation(_) => return self.finish(number, reply),
        }
        self.send_next(number);
    }

    fn receive(&mut self, site: usize, caller: Caller, reply: &Result<Reply, CallFailed>) {
        let Caller::Holder { isolate, life, number } = caller else { return };
        let isolate = &mut self.isolates[isolate];
        let now_ms = isolate.clock.now_ms(self.now_ms);
        let held = &mut isolate.held[site];
        // What was meant for a holder that is gone reaches nobody.
        if held.life != life {
            return;
        }
        let before = held.holder.span();
        held.holder.receive(now_ms, number, *reply);
        if let Ok(Reply::Granted(_) | Reply::Batched(_)) = reply {
            held.shards = held.holder.identity().map_or(held.shards, Identity::shards);
        }
        let token = match reply {
            Ok(Reply::Granted(grant)) => grant.token,
            Ok(Reply::Renewed(renewal)) => renewal.token,
            _ => return,
        };
        let Some(lease) = held.lease().filter(|lease| Some(lease.span) != before) else { return };
        if let Ok(Reply::Granted(grant)) = reply {
            held.start = grant.terms.sequence_start;
            if before.is_some_and(|before| before.node() != lease.span.node()) {
                self.tally.count(Count::Swaps);
            }
        }
        let leases = self.leases(site);
        self.sites[site].ledger.adopted(lease, token, &leases);
        self.note(|| format!("life {life} has {:?} of {}", lease.span, lease.incarnation));
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a world at {} ms", self.now_ms)
    }
}
