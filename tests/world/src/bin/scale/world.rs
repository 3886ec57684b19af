//! Isolates and their objects. Events happen one after another.

mod calls;

use std::mem;

use edgeflake::lease::Request;
use edgeflake_world::{Calendar, Ledger, Random};

use crate::isolate::{Isolate, Job};
use crate::measure::Measure;
use crate::region::{self, ms};
use crate::setting::Setting;
use crate::shard::Shard;

/// Midnight of 2027-01-16, in Unix ms.
const MIDNIGHT_MS: u64 = 1_800_057_600_000;

const HOUR_MS: f64 = 3_600_000.0;

/// How unequal the lifetimes and the request rates of isolates are: the standard deviation of the
/// logarithm. Half of the isolates live less than a third of the mean. These are assumptions.
const LIFETIME_SIGMA: f64 = 1.5;
const RATE_SIGMA: f64 = 1.5;

/// The lowest number of requests per second. An isolate with less than one request per minute would
/// be evicted.
const RATE_MIN: f64 = 1.0 / 60.0;

/// Time until the traffic of a failed region arrives elsewhere, in ms. This is an assumption.
const REROUTED_MS: f64 = 10_000.0;

/// How many times per lease the nodes in use are counted.
const COUNTS_A_LEASE: u64 = 30;

enum Event {
    /// One of the initial isolates starts. It ends at this time.
    First(u64),
    /// An isolate starts because there is traffic.
    Start,
    /// A request comes to the isolate with this index, if it is still in this life.
    Request(u32, u32),
    /// The timer of the isolate's simulated request fires, if the isolate is still in this life.
    Timer(u32, u32),
    /// The isolate ends, if it is still in this life.
    End(u32, u32),
    /// The same, and another isolate at this place takes over the traffic.
    Replace(u32, u32, u16),
    /// A request reaches its object.
    Arrival(Box<Job>),
    /// The answer to a request arrives at the isolate.
    Answer(Box<Job>),
}

pub(crate) struct World {
    pub(crate) setting: Setting,
    random: Random,
    now_ms: u64,
    start_ms: u64,
    end_ms: u64,
    calendar: Calendar<Event>,
    isolates: Vec<Isolate>,
    /// Unused indices of `isolates`.
    vacant: Vec<u32>,
    shards: Vec<Shard>,
    ledger: Ledger,
    failed_until_ms: u64,
    live: u32,
    /// Requests per second of all isolates.
    rate: f64,
    lives: u32,
    pub(crate) measure: Measure,
}

impl World {
    pub(crate) fn new(setting: Setting, seed: u64) -> Self {
        let half_ms = setting.end_s() * 500;
        let start_ms = MIDNIGHT_MS + ms(region::busiest_hour() * HOUR_MS) - half_ms;
        let slots = usize::try_from(setting.isolates + setting.isolates / 4).unwrap();
        Self {
            random: Random::of_seed(seed),
            now_ms: start_ms,
            start_ms,
            end_ms: start_ms + 2 * half_ms,
            calendar: Calendar::default(),
            isolates: Vec::with_capacity(slots),
            vacant: Vec::new(),
            shards: (0..setting.shards).map(|shard| Shard::new(shard, &setting)).collect(),
            ledger: Ledger::default(),
            failed_until_ms: 0,
            live: 0,
            rate: 0.0,
            lives: 0,
            measure: Measure::new(start_ms, setting.end_s()),
            setting,
        }
    }

    /// Runs from the first start to the end of the setting's incidents.
    pub(crate) fn run(&mut self) {
        // Among the isolates that exist at a moment, long lifetimes are overrepresented. Each
        // isolate is at a random point of its life.
        let variance = LIFETIME_SIGMA * LIFETIME_SIGMA;
        let mean_s = f64::from(self.setting.lifetime_s) * variance.exp();
        for _ in 0..self.setting.isolates {
            let left_s = self.random.log_normal(mean_s, LIFETIME_SIGMA) * self.random.part();
            let first = Event::First(self.start_ms + ms(left_s * 1_000.0));
            let at_ms = self.start_ms + self.random.next() % (self.setting.lease_s * 1_000);
            self.post(at_ms, first);
        }
        self.post(self.start_ms, Event::Start);
        let checks = (&mut self.ledger, &mut self.random);
        let create = Request::Create(self.setting.config());
        let created = self.shards[0].decide(self.start_ms, &create, &self.setting, checks);
        created.expect("the registry is there");
        for second in 0..self.setting.end_s() {
            if second == self.setting.deploy_at_s() {
                self.deploy();
            }
            if second == self.setting.failover_at_s() {
                self.fail_over();
            }
            let end_ms = self.start_ms + (second + 1) * 1_000;
            while let Some((at_ms, event)) = self.calendar.take(end_ms) {
                self.now_ms = at_ms;
                self.happen(event);
            }
            self.now_ms = end_ms;
            self.count(second);
        }
        for isolate in 0..self.isolates.len() {
            self.served(u32::try_from(isolate).unwrap());
        }
        self.check();
    }

    /// Posts an event at this time, or in the next ms if this time is not in the future.
    fn post(&mut self, at_ms: u64, event: Event) {
        self.calendar.post(at_ms.max(self.now_ms + 1), event);
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::First(ends_ms) => {
                let place = region::place(self.hour(), false, &mut self.random);
                let rate = self.draw_rate();
                if ends_ms > self.now_ms {
                    self.start(place, rate, ends_ms);
                }
            }
            Event::Start => self.start_next(),
            Event::Request(isolate, life) if self.is_alive(isolate, life) => self.request(isolate),
            Event::Timer(isolate, life) if self.is_alive(isolate, life) => self.fire(isolate),
            Event::End(isolate, life) if self.is_alive(isolate, life) => self.end(isolate),
            Event::Replace(isolate, life, place) if self.is_alive(isolate, life) => {
                let Isolate { rate, ends_ms, .. } = self.isolates[isolate as usize];
                self.end(isolate);
                self.start(place, rate, ends_ms);
            }
            Event::Arrival(job) => self.arrive(job),
            Event::Answer(job) => self.send(job),
            _ => {}
        }
    }

    fn is_alive(&self, isolate: u32, life: u32) -> bool {
        self.isolates[isolate as usize].life == life
    }

    /// Hour of the day, in UTC.
    #[expect(clippy::cast_precision_loss, reason = "ms since a midnight")]
    fn hour(&self) -> f64 {
        (self.now_ms - MIDNIGHT_MS) as f64 / HOUR_MS
    }

    fn draw_rate(&mut self) -> f64 {
        let mean = self.setting.requests_per_second();
        self.random.log_normal(mean, RATE_SIGMA).max(RATE_MIN)
    }

    /// Starts one or more isolates, and posts the next start. The rate of starts keeps the number
    /// of isolates as the setting says.
    fn start_next(&mut self) {
        let lifetime_s = f64::from(self.setting.lifetime_s);
        let busy = region::traffic(self.hour()) / region::traffic(region::busiest_hour());
        let mean_s = lifetime_s / (f64::from(self.setting.isolates) * busy);
        // Several isolates may start in one ms.
        let mut after_s = 0.0;
        while after_s < 0.001 {
            let has_failed = self.now_ms < self.failed_until_ms;
            let place = region::place(self.hour(), has_failed, &mut self.random);
            let left_s = self.random.log_normal(lifetime_s, LIFETIME_SIGMA);
            let rate = self.draw_rate();
            self.start(place, rate, self.now_ms + ms(left_s * 1_000.0));
            after_s += self.random.exponential(mean_s);
        }
        self.post(self.now_ms + ms(after_s * 1_000.0), Event::Start);
    }

    fn start(&mut self, place: u16, rate: f64, ends_ms: u64) {
        self.lives += 1;
        self.live += 1;
        self.rate += rate;
        let life = self.lives;
        let new = Isolate { life, place, rate, ends_ms, ..Isolate::default() };
        let isolate = self.vacant.pop().unwrap_or_else(|| {
            self.isolates.push(Isolate::default());
            u32::try_from(self.isolates.len() - 1).unwrap()
        });
        self.isolates[isolate as usize] = new;
        if ends_ms < self.end_ms {
            self.post(ends_ms, Event::End(isolate, life));
        }
        self.measure.at(self.now_ms).starts += 1;
        // The isolate starts because of a request.
        self.request(isolate);
    }

    fn end(&mut self, isolate: u32) {
        self.served(isolate);
        let ended = mem::take(&mut self.isolates[isolate as usize]);
        self.live -= 1;
        self.rate -= ended.rate;
        self.vacant.push(isolate);
        if let Some(span) = ended.holder.span() {
            let until_ms = self.setting.layout().start_ms(span.until_tick());
            self.measure.left.0 += 1;
            self.measure.left.1 += until_ms.saturating_sub(self.now_ms);
        }
    }

    /// Replaces all isolates, one after the other.
    fn deploy(&mut self) {
        for isolate in self.places() {
            let after_ms = self.random.next() % (self.setting.deploy_s * 1_000);
            self.replace(isolate, after_ms, self.isolates[isolate].place);
        }
    }

    fn fail_over(&mut self) {
        self.failed_until_ms = self.now_ms + self.setting.outage_s * 1_000;
        for shard in &mut self.shards {
            if region::of_place(shard.place) == region::FAILING {
                shard.out_until_ms = self.failed_until_ms;
            }
        }
        for isolate in self.places() {
            if region::of_place(self.isolates[isolate].place) == region::FAILING {
                let after_ms = ms(self.random.part() * REROUTED_MS);
                let place = region::evacuated(&mut self.random);
                self.replace(isolate, after_ms, place);
            }
        }
    }

    /// Returns the indices of the isolates that run.
    fn places(&self) -> Vec<usize> {
        let running = self.isolates.iter().enumerate().filter(|(_, isolate)| isolate.life != 0);
        running.map(|(index, _)| index).collect()
    }

    fn replace(&mut self, isolate: usize, after_ms: u64, place: u16) {
        let life = self.isolates[isolate].life;
        let event = Event::Replace(u32::try_from(isolate).unwrap(), life, place);
        self.post(self.now_ms + after_ms, event);
    }

    /// Counts isolates, calls, writes and nodes in use at the end of a second.
    fn count(&mut self, second: u64) {
        let is_counted = second.is_multiple_of((self.setting.lease_s / COUNTS_A_LEASE).max(1));
        let held = is_counted
            .then(|| self.shards.iter().map(|shard| shard.held(self.now_ms)).sum::<u64>());
        let last = &mut self.measure.seconds[usize::try_from(second).unwrap()];
        last.isolates = self.live;
        last.requests = self.rate;
        last.held = held;
        for shard in &mut self.shards {
            let (calls, writes) = (mem::take(&mut shard.calls), mem::take(&mut shard.writes));
            last.calls_max = last.calls_max.max(calls);
            last.calls += calls;
            last.writes += writes;
        }
    }

    /// Checks that no wait was counted twice.
    fn check(&self) {
        for second in &self.measure.seconds {
            let waited = second.slow + second.failed;
            // The simulated request may come in addition to the isolate's rate.
            let most = second.requests * 1.1 + f64::from(second.isolates + second.starts);
            assert!(waited <= most, "{second:?}");
        }
    }
}
