//! The operator, who repairs what a storm has left behind.

use edgeflake::lease::{Acquire, Destruction, Life, Request, Settings, Terms, Token};
use edgeflake_world::{Clock, Count, Network, Task, has_ticks_of};

use super::{CALM_REQUESTS, Event, World};
use crate::fault::{LEASE_MIN_MS, PATIENCE_MS, Phase};
use crate::message::{Caller, Shard};

/// Time between two rounds of the operator, in addition to the longest lease, in ms.
const ROUND_MS: u64 = 2_000;

/// Number of rounds in addition to one per shard: one to end a sequencer, one to create it, and two
/// spare rounds. Each shard needs its own round, because one call to the shard may fail: a late
/// call of an earlier instance may have opened another session.
const ROUNDS: u64 = 4;

/// The longest delay of a message in a calm, in ms.
const DELAY_MAX_MS: u64 = 15;

/// How far a clock leaps ahead, and for how long it stays ahead, in ms.
const YEAR_MS: u64 = 31_536_000_000;
const LEAP_MS: u64 = 500;

impl World {
    pub(super) fn create(&mut self, site: usize) {
        let config = self.sites[site].config;
        self.start(site, None, Task::creation(config));
    }

    /// Ends all faults.
    pub(super) fn thaw(&mut self) {
        self.note(|| "the storm is over".to_owned());
        self.phase = Phase::Thaw;
        self.network = Network::Calm(0, self.random.pick([0, 2, DELAY_MAX_MS]));
        let most_ms = self.climate.agreed_ms();
        for isolate in &mut self.isolates {
            isolate.clock = Clock::set(&mut self.random, most_ms);
            isolate.paused_until_ms = 0;
            for held in &mut isolate.held {
                held.lose();
                held.holder.attach();
            }
        }
        let mut latest_ms = self.now_ms;
        for site in &mut self.sites {
            let before = site.settings;
            site.settings.operations_per_second_max = Settings::default().operations_per_second_max;
            let Terms { lease_ms, .. } = &mut site.settings.terms;
            *lease_ms = (*lease_ms).max(LEASE_MIN_MS);
            for object in &mut site.objects {
                object.clock = Clock::set(&mut self.random, most_ms);
                object.settle();
                if site.settings != before {
                    object.end_all();
                }
                let bound = object.sequencer().map_or(site.config, |sequencer| sequencer.config);
                let layout = bound.layout();
                latest_ms = latest_ms.max(layout.start_ms(object.latest_end()));
            }
        }
        // Shards with clocks far ahead have granted late spans. All nodes are free only when these
        // spans have ended. Messages of the storm may arrive even later.
        let arrives_ms = self.events.last_ms(|event| matches!(event, Event::Arrival(_)));
        latest_ms = latest_ms.max(arrives_ms.unwrap_or(0));
        let mut until_ms = latest_ms - self.now_ms;
        for _ in 0..ROUNDS + self.sites[0].objects.len() as u64 {
            // A shard that was not told of the destruction may have granted spans. These spans end
            // before the next round.
            until_ms += self.climate.lease_max_ms().max(LEASE_MIN_MS) + ROUND_MS;
            self.post(until_ms, Event::Care);
        }
        let is_last = self.storms == 0 && self.climate.witness.is_some();
        self.post(until_ms + PATIENCE_MS, if is_last { Event::Leap } else { Event::Calm });
    }

    /// Sets the clock of a shard a year ahead for a moment, and lets the shard grant. Afterwards
    /// its storage is restored.
    pub(super) fn leap(&mut self) {
        let site = self.random.index(self.sites.len());
        let shard = self.random.index(self.sites[site].objects.len());
        let now_ms = self.now_ms + YEAR_MS;
        let object = &mut self.sites[site].objects[shard];
        object.clock = Clock::ahead(YEAR_MS);
        self.note(|| format!("the clock of shard {shard} of sequencer {site} is a year ahead"));
        for _ in 0..=self.random.below(3) {
            let token = Token::from_random(u128::from(self.random.next()));
            let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
            let task = Task::direct(shard as u64, Request::Acquire(acquire));
            self.start(site, Some(Caller::Careless), task);
        }
        self.post(LEAP_MS, Event::Back((site, shard)));
        let lease_ms = self.climate.lease_max_ms().max(LEASE_MIN_MS);
        self.post(LEAP_MS + lease_ms + PATIENCE_MS, Event::Calm);
    }

    /// Corrects the clock that was a year ahead, and restores the shard's storage.
    pub(super) fn come_back(&mut self, (site, shard): Shard) {
        let object = &mut self.sites[site].objects[shard];
        object.clock = Clock::default();
        object.restore_storage(&mut self.random, &mut self.tally);
        self.tally.count(Count::Leaps);
        self.note(|| format!("the clock of shard {shard} is right, and its storage is put back"));
    }

    /// Creates missing sequencers. If a sequencer is being destroyed, first completes its
    /// destruction.
    pub(super) fn care(&mut self) {
        for site in 0..self.sites.len() {
            let Some(sequencer) = self.sites[site].objects[0].sequencer().copied() else {
                self.create(site);
                continue;
            };
            match sequencer.life {
                Life::Active => {}
                Life::Destroying { .. } => {
                    self.start(site, None, Task::Destruction(Destruction::new()));
                }
                Life::Destroyed { until_tick } => {
                    // A sequencer that was used refuses another timestamp.
                    let wanted = self.sites[site].config;
                    if until_tick > 0 && !has_ticks_of(wanted.layout(), sequencer.config.layout()) {
                        self.sites[site].config = sequencer.config;
                    }
                    self.create(site);
                }
            }
        }
    }

    /// Begins a calm: new requests must be served.
    pub(super) fn calm(&mut self) {
        self.note(|| "a calm".to_owned());
        self.phase = Phase::Calm;
        for held in self.isolates.iter_mut().flat_map(|isolate| &mut isolate.held) {
            held.missing_ms = None;
        }
        self.requests = CALM_REQUESTS.max(self.isolates.len() as u64 / 4);
    }
}
