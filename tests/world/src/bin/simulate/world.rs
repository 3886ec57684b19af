//! Isolates, their objects, and everything that happens to them. Events happen one after another,
//! by the world's own time, which isolates and objects do not know.

mod calls;
mod clients;
mod faults;
mod operator;
mod rare;

use std::collections::BTreeMap;

use edgeflake::lease::{BoundConfig, Destruction, Grant, Holder, Settings, Witness};
use edgeflake_world::{
    Answer, Calendar, Clock, Count, Ledger, Network, Object, Random, Tally, Task,
};

use crate::climate::{Climate, START_MS};
use crate::fault::Phase;
use crate::isolate::{Client, File, HolderSlot, Isolate, PROMISE_MS};
use crate::message::{Caller, Message, Shard};
pub(crate) use faults::FAULTS;

/// Size of the largest request, in ids. A holder issues these ids in several slices.
const LARGE_MAX: u64 = 4_000;

/// Numbers of requests in a storm and in a calm.
const STORM_REQUESTS: u64 = 600;
const CALM_REQUESTS: u64 = 40;

/// Limits of a world: steps, ids, waiting events, and duration. Each limit is at least five times
/// the largest value in 3,000 worlds.
const STEPS_MAX: u64 = 50_000_000;
const IDS_MAX: u64 = 20_000_000;
const WAITING_MAX: usize = 50_000;
const HOURS_MAX: u64 = 48;
const HOUR_MS: u64 = 3_600_000;

/// One sequencer: its objects, and what its operator wants.
struct Site {
    objects: Vec<Object>,
    /// The deployed variables.
    settings: Settings,
    config: BoundConfig,
    ledger: Ledger,
    /// The allowed future of the newest grant that a holder has, in ms.
    future_ms: Option<u64>,
    /// When a request for several ids last asked for a batch, in ms of the world.
    drained_ms: u64,
}

struct Job {
    site: usize,
    /// Number of requests that the task has sent.
    leg: u64,
    /// The caller that waits for the reply, if there is one.
    caller: Option<Caller>,
    task: Task,
}

enum Event {
    /// Requests come to an isolate.
    Traffic(usize),
    /// The timer of a client fires.
    Timer(u64),
    /// A message arrives.
    Arrival(Box<Message>),
    /// A shard's call to its witness has taken too long.
    Silence { shard: Shard, caller: (u64, u64) },
    /// The commit for which this instance of a shard waits is due.
    Commit { shard: Shard, instance: u64 },
    /// A fault happens.
    Fault,
    /// An outage is over, and requests come to all isolates at once.
    Herd,
    /// An operator restores a shard's storage or the shard's witness.
    Restore(Shard),
    /// A rare event happens.
    Rare,
    /// The operator creates sequencers that are missing.
    Care,
    /// The clock of a shard leaps while nothing else goes wrong.
    Leap,
    /// The clock that leapt is right again.
    Back(Shard),
    /// All effects of a storm have passed.
    Calm,
}

pub(crate) struct World {
    random: Random,
    /// Stream from which rare events are drawn, in worlds that have them. Other draws do not depend
    /// on it.
    rare: Option<Random>,
    /// In worlds where one commit serves many requests, the fate of each commit is drawn from this
    /// stream.
    groups: Option<Random>,
    climate: Climate,
    now_ms: u64,
    phase: Phase,
    network: Network,
    events: Calendar<Event>,
    sites: Vec<Site>,
    isolates: Vec<Isolate>,
    clients: BTreeMap<u64, Box<Client>>,
    tasks: BTreeMap<u64, Box<Job>>,
    /// Grants that careless holders have or had.
    grants: Vec<(usize, Grant)>,
    /// Number of requests that are left in this phase.
    requests: u64,
    storms: u64,
    /// Number of lives, clients and tasks so far.
    started: u64,
    /// Number of events and steps of requests so far.
    steps: u64,
    pub(crate) tally: Tally,
    /// The lines of the trace, if a trace is recorded.
    pub(crate) trace: Option<Vec<String>>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::of_seed(seed);
        let mut climate = Climate::new(&mut random);
        let mut rare = rare::stream(seed);
        let mut groups = Random::of_seed(seed ^ (1 << 62));
        let groups = groups.one_in(4).then_some(groups);
        if let Some(rare) = &mut rare {
            climate.witness = rare.one_in(2).then(Witness::default);
        }
        let sites = if random.one_in(3) { 2 } else { 1 };
        let sites = (0..sites).map(|_| Site {
            objects: Vec::new(),
            settings: climate.settings(&mut random),
            config: climate.config(&mut random),
            ledger: Ledger::default(),
            future_ms: None,
            drained_ms: 0,
        });
        let mut world = Self {
            now_ms: START_MS,
            phase: Phase::Storm,
            network: Network::Storm(climate.unit_ms),
            events: Calendar::default(),
            sites: sites.collect(),
            isolates: Vec::new(),
            clients: BTreeMap::new(),
            tasks: BTreeMap::new(),
            grants: Vec::new(),
            requests: 0,
            storms: 1 + random.below(2),
            started: 0,
            steps: 0,
            tally: Tally::default(),
            trace: None,
            random,
            rare,
            groups,
            climate,
        };
        for site in &mut world.sites {
            // There are as many objects as an incarnation can have shards. Careless callers also
            // ask those that are not in use.
            let (witness, is_group) = (world.climate.witness, world.groups.is_some());
            site.objects.resize_with(4, || Object::new(witness, is_group));
        }
        for _ in 0..world.climate.isolates {
            let mut stores = world.random.one_in(6).then(File::default);
            if let Some(rare) = &mut world.rare {
                stores = rare.one_in(2).then(File::default);
            }
            let isolate = world.isolate(vec![stores; world.sites.len()]);
            world.isolates.push(isolate);
        }
        world
    }

    /// Makes an isolate with the files of its predecessor.
    fn isolate(&mut self, files: Vec<Option<File>>) -> Isolate {
        let place = u16::try_from(self.random.below(1 << 16)).unwrap();
        let held = files.into_iter().map(|file| self.held(file)).collect();
        let is_old = self.climate.as_text && self.random.one_in(2);
        Isolate { held, clock: Clock::default(), place, is_old, paused_until_ms: 0 }
    }

    fn held(&mut self, file: Option<File>) -> HolderSlot {
        self.started += 1;
        let prefetches = self.random.one_in(8);
        let holder = match file {
            Some(_) => Holder::storing(),
            None if prefetches => Holder::prefetching(),
            None => Holder::new(),
        };
        let shards = self.random.pick([1, 2, 4]);
        HolderSlot { holder, life: self.started, shards, file, ..HolderSlot::default() }
    }

    fn note(&mut self, what: impl FnOnce() -> String) {
        let now_ms = self.now_ms - START_MS;
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{now_ms:>9} ms  {}", what()));
        }
    }

    fn post(&mut self, delay_ms: u64, event: Event) {
        self.events.post(self.now_ms + delay_ms, event);
    }

    /// Runs storms, and a calm after each storm.
    pub(crate) fn run(&mut self) {
        let climate = &self.climate;
        let text = format!("{climate:?}");
        self.note(|| text);
        for isolate in 0..self.isolates.len() {
            self.post(0, Event::Traffic(isolate));
        }
        for site in 0..self.sites.len() {
            if self.rare.is_some() {
                self.create_unsuitable(site);
            }
            self.create(site);
            if self.climate.is_hasty {
                self.start(site, None, Task::Destruction(Destruction::new()));
            }
            if self.random.one_in(4) {
                self.shrink(site);
            }
        }
        self.storm();
        while let Some((at_ms, event)) = self.events.take(u64::MAX) {
            self.now_ms = at_ms;
            self.happen(event);
            self.take_step();
        }
        assert!(self.clients.is_empty(), "a client still waits");
        self.tally.simulated_ms += self.now_ms - START_MS;
    }

    /// Counts a step. Panics if the world does not end, or takes ever more memory.
    fn take_step(&mut self) {
        self.steps += 1;
        assert!(self.steps <= STEPS_MAX, "a world of more than {STEPS_MAX} steps");
        let (hours, waiting) = ((self.now_ms - START_MS) / HOUR_MS, self.events.waiting());
        assert!(hours <= HOURS_MAX, "a world of more than {HOURS_MAX} hours");
        assert!(waiting <= WAITING_MAX, "a world in which more than {WAITING_MAX} events wait");
        let ids = self.tally.of(Count::Ids);
        assert!(ids <= IDS_MAX, "a world of more than {IDS_MAX} ids");
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Traffic(isolate) => self.traffic(isolate),
            Event::Timer(client) => self.fire(client),
            Event::Arrival(message) => self.arrive(*message),
            Event::Silence { shard, caller } => self.answered(shard, caller, Answer::Lost),
            Event::Commit { shard, instance } => self.commit(shard, instance),
            Event::Fault => self.fault(),
            Event::Herd => self.herd(),
            Event::Restore(shard) => self.restore(shard),
            Event::Rare => self.happen_rarely(),
            Event::Care => self.care(),
            Event::Leap => self.leap(),
            Event::Back(shard) => self.come_back(shard),
            Event::Calm => self.calm(),
        }
    }

    /// Lets a request come, and posts the next request until the phase has had all its requests.
    fn traffic(&mut self, isolate: usize) {
        let count = self.isolates.len() as u64;
        let mean_ms = match self.phase {
            Phase::Storm => self.climate.pace_ms,
            Phase::Thaw => self.climate.lease_max_ms() * 2,
            // Requests come so slowly that even the smallest layouts have a tick for each id.
            Phase::Calm => 100 * count + self.climate.lease_max_ms() / 10,
        };
        if self.requests == 0 {
            match self.phase {
                Phase::Storm => self.thaw(),
                Phase::Thaw => {}
                // All requests of the calm have come.
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
        let is_large = match self.phase {
            Phase::Storm => self.random.one_in(200),
            Phase::Thaw => false,
            Phase::Calm => self.random.one_in(20),
        };
        let count = match self.phase {
            _ if is_large => self.random.below(LARGE_MAX),
            Phase::Calm => 1,
            // A request for 0 ids takes no id, but lets the holder renew its lease in time.
            Phase::Storm | Phase::Thaw => self.random.below(20),
        };
        let count = usize::try_from(count).unwrap();
        self.serve(site, isolate, count);
        // Sometimes more large requests wait behind this one.
        while is_large && self.phase == Phase::Calm && self.random.one_in(2) {
            self.serve(site, isolate, count);
        }
    }

    /// When every client has been served, begins the next storm, or ends the world.
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
}
