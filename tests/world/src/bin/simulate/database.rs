//! Worlds without an authority: holders decide for themselves from the tables of one database.
//!
//! Statements are lost before and after they commit, arrive after their call was given up, and
//! interleave with other statements at every point. Meanwhile the server crashes, a standby is
//! promoted, a backup is restored, and administrators create, shrink and destroy the sequencer. If
//! the standby is synchronous, a commit without a warning is never lost. Otherwise each failover
//! may lose the last commits. After the storm, requests get their ids within 5 s.

mod calls;
mod owners;
mod server;
mod storm;

use std::collections::BTreeMap;

use edgeflake::lease::{
    BoundConfig, DatabaseCall, Grant, Holder, Memory, Request, Settings, Statement, Step, Terms,
    Wait,
};
use edgeflake_world::{Calendar, Clock, Count, Random, Sender, Tally};

use crate::climate::START_MS;
use crate::fault::Phase;
use crate::isolate::PROMISE_MS;
use calls::{Answer, Caller};
use owners::Owners;
use server::Server;
pub(crate) use storm::FAULTS;

/// Numbers of nodes: so few that all holders compete, or more than the eight nodes whose ends a
/// restart stores separately.
const NODES: [u64; 4] = [3, 4, 8, 16];

/// The largest error of a clock in a calm, in ms.
const AGREED_MS: u64 = 5;

const STEPS_MAX: u64 = 2_000_000;

struct Process {
    holder: Holder,
    /// The holder's number, which no other holder has.
    life: u64,
    clock: Clock,
    paused_until_ms: u64,
}

#[derive(Default)]
struct Client {
    process: usize,
    life: u64,
    ids: Vec<u64>,
    noted: usize,
    wait: Wait,
    sleeps_ms: u64,
    since_ms: u64,
    /// Whether the client must get its ids in time.
    is_promised: bool,
}

struct Job {
    caller: Caller,
    request: Request,
    /// Number of statements that the call has sent.
    leg: u64,
    call: DatabaseCall,
}

enum Event {
    /// A request comes to a process.
    Traffic(usize),
    /// The timer of a client fires.
    Timer(u64),
    /// The server carries out the next statement of a call.
    Statement { sender: Sender, statement: Box<Statement>, server: u64 },
    /// The answer to a statement arrives.
    Answer { sender: Sender, answer: Answer },
    /// A fault happens.
    Fault,
    /// The operator shortens leases.
    Lower,
    /// A standby is promoted.
    FailOver,
    /// Several processes start at once.
    Herd,
    /// The operator creates the sequencer if it is missing.
    Care,
    /// All effects of the storm have passed.
    Calm,
}

pub(crate) struct World {
    random: Random,
    pub(crate) tally: Tally,
    /// The lines of the trace, if a trace is recorded.
    pub(crate) trace: Option<Vec<String>>,
    phase: Phase,
    unit_ms: u64,
    pace_ms: u64,
    config: BoundConfig,
    now_ms: u64,
    events: Calendar<Event>,
    /// The number of the last life, client or call: all are numbered together, as they start.
    started: u64,
    /// Number of requests that are left in this phase.
    requests: u64,
    steps: u64,
    server: Server,
    processes: Vec<Process>,
    clients: BTreeMap<u64, Box<Client>>,
    jobs: BTreeMap<u64, Box<Job>>,
    /// The statements of holders that sleep until the next failover.
    asleep: Vec<Event>,
    /// The leases of processes that issue nothing, by life.
    idle: BTreeMap<u64, Grant>,
    /// The memories of processes, by life.
    memories: BTreeMap<u64, Memory>,
    owners: Owners,
}

impl World {
    pub(crate) fn new(mut random: Random) -> Self {
        let unit_ms = random.pick([1, 10, 100]);
        let tick_ms = random.pick([1, 1, 10]);
        let layout = format!("timestamp:40 node:5 sequence:2 @1000 tick={tick_ms}ms");
        let layout = layout.parse().unwrap();
        let nodes = random.pick(NODES);
        let config = BoundConfig::new(layout, random.below(8), nodes, 1).unwrap();
        let clock_disagreement_max_ms = unit_ms * random.pick([20, 20, 200]);
        let settings = draw_settings(clock_disagreement_max_ms, &config, unit_ms, &mut random);
        let count = random.pick([2, 3, 6]);
        let server = Server::new(settings, &mut random);
        let mut world = Self {
            tally: Tally::default(),
            trace: None,
            phase: Phase::Storm,
            unit_ms,
            pace_ms: unit_ms * random.pick([2, 10, 40]) * count as u64,
            config,
            now_ms: START_MS,
            events: Calendar::default(),
            started: 0,
            requests: 250,
            steps: 0,
            server,
            processes: Vec::new(),
            clients: BTreeMap::new(),
            jobs: BTreeMap::new(),
            asleep: Vec::new(),
            idle: BTreeMap::new(),
            memories: BTreeMap::new(),
            owners: Owners::new(layout),
            random,
        };
        world.create();
        for process in 0..count {
            let first = world.process(Clock::default());
            world.processes.push(first);
            world.post(0, Event::Traffic(process));
        }
        world.post(world.pace_ms, Event::Fault);
        world
    }

    pub(crate) fn run(&mut self) {
        while let Some((at_ms, event)) = self.events.take(u64::MAX) {
            self.now_ms = at_ms;
            self.steps += 1;
            assert!(self.steps <= STEPS_MAX, "a world of more than {STEPS_MAX} steps");
            match event {
                Event::Traffic(process) => self.traffic(process),
                Event::Timer(client) => {
                    if let Some(client) = self.clients.get_mut(&client) {
                        client.wait.fired(client.sleeps_ms);
                    }
                    self.go_on(client);
                }
                Event::Statement { sender, statement, server } => {
                    self.carry_out(sender, &statement, server);
                }
                Event::Answer { sender, answer } => self.answered(sender, answer),
                Event::Fault => self.fault(),
                Event::Lower => self.lower(),
                Event::FailOver => self.fail_over(),
                Event::Herd => self.herd(),
                Event::Care => self.care(),
                Event::Calm => {
                    self.note(|| "a calm".to_owned());
                    self.phase = Phase::Calm;
                    self.requests = 40;
                }
            }
        }
        assert!(self.clients.is_empty(), "a client still waits");
    }

    fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>9} ms  {}", self.now_ms - START_MS, what()));
        }
    }

    fn post(&mut self, delay_ms: u64, event: Event) {
        self.events.post(self.now_ms + delay_ms, event);
    }

    fn process(&mut self, clock: Clock) -> Process {
        self.started += 1;
        let holder = if self.random.one_in(6) { Holder::prefetching() } else { Holder::new() };
        Process { holder, life: self.started, clock, paused_until_ms: 0 }
    }

    fn traffic(&mut self, process: usize) {
        if self.requests == 0 {
            match self.phase {
                Phase::Storm => self.thaw(),
                Phase::Thaw => {}
                Phase::Calm => return,
            }
        }
        self.requests = self.requests.saturating_sub(1);
        let mean_ms = match self.phase {
            Phase::Storm => self.pace_ms,
            Phase::Thaw => 20_000,
            Phase::Calm => 100 * self.processes.len() as u64,
        };
        let pause_ms = mean_ms * self.random.below(5) / 2;
        self.post(pause_ms, Event::Traffic(process));
        let is_leaving = self.phase == Phase::Storm && self.random.one_in(12);
        if is_leaving {
            self.processes[process].holder.detach();
        }
        let count = if self.phase == Phase::Calm { 1 } else { 1 + self.random.index(6) };
        self.started += 1;
        let client = Client {
            process,
            life: self.processes[process].life,
            wait: Wait::of(count),
            since_ms: self.now_ms,
            is_promised: self.phase == Phase::Calm,
            ..Client::default()
        };
        self.clients.insert(self.started, Box::new(client));
        self.go_on(self.started);
        if is_leaving {
            self.processes[process].holder.attach();
        }
    }

    /// Asks the holder for the next step of a client until the client sleeps, has its ids, or
    /// fails.
    fn go_on(&mut self, number: u64) {
        let Some(mut client) = self.clients.remove(&number) else { return };
        let index = client.process;
        let paused_ms = self.processes[index].paused_until_ms.saturating_sub(self.now_ms);
        if paused_ms > 0 {
            self.clients.insert(number, client);
            return self.post(paused_ms, Event::Timer(number));
        }
        let mut last_tick = 0;
        loop {
            let random = &mut self.random;
            let Process { holder, life, clock, .. } = &mut self.processes[index];
            if *life != client.life {
                return;
            }
            let life = *life;
            let now_ms = clock.now_ms(self.now_ms);
            let step = holder.issue(now_ms, &mut client.wait, &mut client.ids, || random.bits());
            while let Some(id) = client.ids.get(client.noted).filter(|id| **id != 0).copied() {
                let tick = self.owners.issued(life, id);
                client.noted += 1;
                self.tally.count(Count::DatabaseIds);
                self.note(|| format!("life {life} issues {id} of tick {tick}"));
                last_tick = tick;
            }
            match step {
                Step::Send(call) => {
                    if let Request::Release(release) = call.request {
                        self.owners.released(life, release.node, release.until_tick);
                        self.tally.count(Count::DatabaseReleases);
                    }
                    let caller = Caller::Holder { process: index, life, number: call.number };
                    self.start(caller, call.request);
                }
                Step::Sleep { ms } => {
                    client.sleeps_ms = ms;
                    self.clients.insert(number, client);
                    return self.post(ms, Event::Timer(number));
                }
                Step::Done => {
                    let waited_ms = self.now_ms - client.since_ms;
                    if client.is_promised {
                        assert!(waited_ms <= PROMISE_MS, "ids came after {waited_ms} ms in a calm");
                        let ahead_ms =
                            self.config.layout().start_ms(last_tick).saturating_sub(now_ms);
                        let most_ms =
                            self.server.settings().terms.allowed_future_ms + 2 * AGREED_MS;
                        assert!(ahead_ms <= most_ms, "an id is {ahead_ms} ms ahead in a calm");
                        self.tally.count(Count::DatabaseServed);
                    }
                    return;
                }
                Step::Failed { error, .. } => {
                    assert!(!client.is_promised, "a request failed in a calm: {error}");
                    return;
                }
            }
        }
    }
}

/// Draws settings that suit the layout. The lease time is sometimes much longer than usual.
fn draw_settings(
    clock_disagreement_max_ms: u64,
    config: &BoundConfig,
    unit_ms: u64,
    random: &mut Random,
) -> Settings {
    let allowed_future_ms = unit_ms * random.pick([0, 1, 60, 200]);
    let longer_ms = unit_ms * random.pick([20, 20, 300, 3_000]);
    let lease_ms = 2 * allowed_future_ms + config.layout().tick_ms() + longer_ms;
    let prefetch_count = 1 + random.below(20);
    let terms = Terms { lease_ms, allowed_future_ms, prefetch_count, ..Terms::default() };
    Settings { terms, clock_disagreement_max_ms, ..Settings::default() }
}
