//! The faults of a storm.

use edgeflake::lease::{Acquire, Destruction, Release, Renew, Request, Shrinking, Token};
use edgeflake_world::{Count, Network, Task, Wrong};

use super::{Event, Phase, World};
use crate::climate::Climate;
use crate::isolate::File;
use crate::message::Caller;

impl World {
    pub(super) fn storm(&mut self) {
        self.note(|| "a storm".to_owned());
        self.tally.count(Count::Storms);
        self.phase = Phase::Storm;
        self.network = Network::Storm(self.climate.unit_ms);
        self.requests = self.climate.requests;
        self.storms -= 1;
        self.post(0, Event::Fault);
        if self.rare.is_some() {
            self.post(0, Event::Rare);
        }
    }

    /// Causes a fault, and posts the next one, while the storm lasts.
    pub(super) fn fault(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let pause_ms = Climate::pause_ms(self.climate.fault_ms, &mut self.random);
        self.post(pause_ms, Event::Fault);
        let index = self.random.index(self.isolates.len());
        let site = self.random.index(self.sites.len());
        let shard = self.random.index(self.sites[site].objects.len());
        match self.random.below(40) {
            0..=3 => self.reset(index),
            4..=7 => self.pause(index),
            8..=13 => {
                let clock = &mut self.isolates[index].clock;
                let wrong = clock.go_wrong(self.now_ms, self.climate.unit_ms, &mut self.random);
                self.tally.count(match wrong {
                    Wrong::Stepped => Count::ClockSteps,
                    Wrong::Drifts => Count::ClockDrifts,
                    Wrong::Frozen => Count::ClockFreezes,
                });
                self.note(|| format!("the clock of isolate {index}: {wrong:?}"));
            }
            14..=17 => {
                let clock = &mut self.sites[site].objects[shard].clock;
                let wrong = clock.go_wrong(self.now_ms, self.climate.unit_ms, &mut self.random);
                self.tally.count(Count::ObjectClocks);
                self.note(|| format!("the clock of shard {shard} of {site}: {wrong:?}"));
            }
            18..=21 => {
                let instance = self.random.index(2);
                self.sites[site].objects[shard].end(instance);
                self.tally.count(Count::Evictions);
                self.note(|| format!("shard {shard} of {site} is evicted"));
            }
            22..=24 => {
                let object = &mut self.sites[site].objects[shard];
                object.has_twin = !object.has_twin;
            }
            25 | 26 => self.depart(),
            // Half of all isolates restart each time.
            27 if self.random.below(self.isolates.len() as u64) < 8 => self.deploy(site),
            28 if self.random.one_in(self.climate.rest) => {
                self.note(|| format!("sequencer {site} is destroyed"));
                self.start(site, None, Task::Destruction(Destruction::new()));
            }
            29 | 30 => {
                self.sites[site].config = self.climate.config(&mut self.random);
                self.create(site);
            }
            31 => {
                let unit_ms = self.climate.unit_ms;
                self.network = match self.network {
                    Network::Cut(..) => Network::Storm(unit_ms),
                    _ => Network::Cut(shard as u64, unit_ms),
                };
            }
            32..=34 => self.isolates[index].held[site].holder.attach(),
            35 => self.shrink(site),
            36 => self.restore(site, shard),
            _ => self.careless(site),
        }
    }

    /// Restores the storage of a shard or its witness, and often again soon.
    pub(super) fn restore(&mut self, site: usize, shard: usize) {
        if self.phase != Phase::Storm {
            return;
        }
        self.sites[site].objects[shard].restore(&mut self.random, &mut self.tally);
        self.note(|| format!("the storage of shard {shard} of {site} is put back, or its witness"));
        if self.random.one_in(2) {
            let pause_ms = self.climate.unit_ms * self.random.pick([1, 50, 400, 3_000]);
            self.post(pause_ms, Event::Restore { site, shard });
        }
    }

    /// Lets an operator give up nodes of a sequencer, for another one.
    pub(super) fn shrink(&mut self, site: usize) {
        let node_count = 1 + self.random.below(self.sites[site].config.node_count());
        self.note(|| format!("sequencer {site} shrinks to {node_count} nodes"));
        self.start(site, None, Task::Shrinking(Shrinking::new(node_count)));
    }

    /// Ends everything that runs in an isolate, as an eviction or a panic does.
    pub(super) fn reset(&mut self, index: usize) {
        self.tally.count(Count::Resets);
        self.note(|| format!("isolate {index} is reset"));
        self.clients.retain(|_, client| client.isolate != index);
        let before = &self.isolates[index];
        let (clock, files) = (before.clock, before.held.iter().map(|held| held.file).collect());
        self.isolates[index] = self.isolate(files);
        self.isolates[index].clock = clock;
        for site in 0..self.sites.len() {
            self.resume(site, index);
        }
    }

    /// Resumes the lease that is written down, if there is one.
    pub(super) fn resume(&mut self, site: usize, index: usize) {
        let random = self.random.next();
        let held = &mut self.isolates[index].held[site];
        let Some(File(Some(record))) = held.file else { return };
        if held.holder.resume(&record, random).is_ok() {
            let (lease, token) = (held.lease().unwrap(), record.grant.token);
            held.start = record.grant.terms.sequence_start;
            let life = held.life;
            let leases = self.leases(site);
            self.sites[site].ledger.adopted(lease, token, &leases);
            self.tally.count(Count::Resumed);
            self.note(|| format!("life {life} goes on with {:?}", lease.span));
        }
    }

    /// Lets an isolate sleep, and resume late without noticing.
    fn pause(&mut self, index: usize) {
        self.tally.count(Count::Pauses);
        let pause_ms = self.climate.unit_ms * self.random.pick([50, 500, 3_000, 20_000]);
        self.isolates[index].paused_until_ms = self.now_ms + pause_ms;
        self.note(|| format!("isolate {index} is paused for {pause_ms} ms"));
    }

    /// Lets a client leave, so its waiting does not continue.
    fn depart(&mut self) {
        let index = self.random.index(self.clients.len().max(1));
        if let Some(number) = self.clients.keys().nth(index).copied() {
            self.clients.remove(&number);
            self.tally.count(Count::Departures);
        }
    }

    /// Deploys new code with other variables: the objects restart, and many isolates.
    fn deploy(&mut self, site: usize) {
        self.tally.count(Count::Deploys);
        self.note(|| format!("other variables for {site}"));
        self.sites[site].settings = self.settings();
        for object in &mut self.sites[site].objects {
            object.end(0);
        }
        for index in 0..self.isolates.len() {
            if self.random.one_in(2) {
                self.reset(index);
            }
        }
    }

    /// Gives a lease back, and takes and gives back others, at once.
    pub(super) fn leave(&mut self, site: usize, index: usize) {
        while !self.random.one_in(3) {
            self.isolates[index].held[site].holder.detach();
            self.serve(site, index, 1);
            if self.random.one_in(3) {
                break;
            }
            self.isolates[index].held[site].holder.attach();
            self.serve(site, index, 1);
        }
    }

    /// Sends any request, as a client that takes leases without the holder of this crate may, but
    /// it issues nothing here. Its refusals and grants must not affect others.
    fn careless(&mut self, site: usize) {
        self.tally.count(Count::Careless);
        let shard = self.random.below(self.sites[site].objects.len() as u64);
        let now_ms = self.now_ms;
        let old = self.random.index(self.grants.len().max(1));
        let old = self.grants.get(old).filter(|(of, _)| *of == site).map(|(_, grant)| *grant);
        let random = &mut self.random;
        let (shard, request) = match old {
            Some(grant) if !random.one_in(4) => {
                let span = grant.span;
                let (token, incarnation, node) = (grant.token, grant.incarnation, span.node());
                let shard = grant.config.shard_of(node).unwrap();
                let end = random.pick([span.from_tick(), span.until_tick()]);
                let tick = random.pick([0, end.saturating_sub(1), end, end + 1, 1 << 39]);
                let issued = random.pick([None, Some(0), Some(1 << 52)]);
                let request = match random.below(4) {
                    0 => Request::Renew(Renew { token, incarnation, node, tick, issued, now_ms }),
                    1 => Request::Acquire(Acquire {
                        token,
                        incarnation: Some(incarnation),
                        excluded_node: random.pick([None, Some(node)]),
                        now_ms,
                    }),
                    _ => Request::Release(Release {
                        token,
                        incarnation,
                        node,
                        until_tick: tick,
                        issued,
                    }),
                };
                (shard, request)
            }
            _ => {
                let token = Token::from_random(random.bits());
                let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
                (shard, Request::Acquire(acquire))
            }
        };
        self.start(site, Some(Caller::Careless), Task::direct(shard, request));
    }
}
