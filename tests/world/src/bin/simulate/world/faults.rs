//! The faults of a storm.

use edgeflake::lease::{Acquire, Destruction, Release, Renew, Request, Shrinking, Token};
use edgeflake_world::{Count, Network, Task};

use super::{Event, STORM_REQUESTS, World};
use crate::climate::Climate;
use crate::fault::{Fault, Phase};
use crate::isolate::File;
use crate::message::{Caller, Shard};

/// The isolate, site and shard that a fault may affect. Some faults use only one or two of them.
#[derive(Clone, Copy)]
pub(crate) struct At {
    isolate: usize,
    site: usize,
    shard: usize,
}

/// The faults of a storm. To add a fault, add its row. A run fails if a fault hardly ever happens.
pub(crate) const FAULTS: [Fault<World, At>; 16] = [
    Fault::always("isolate reset", 4, 10_000, |world, at| world.reset(at.isolate)),
    Fault::always("isolate paused", 4, 10_000, World::pause),
    Fault::always("clock of an isolate wrong", 6, 15_000, |world, at| {
        let clock = &mut world.isolates[at.isolate].clock;
        let wrong = clock.go_wrong(world.now_ms, world.climate.unit_ms, &mut world.random);
        world.tally.count(wrong);
    }),
    Fault::always("clock of a shard wrong", 4, 10_000, |world, at| {
        let clock = &mut world.sites[at.site].objects[at.shard].clock;
        clock.go_wrong(world.now_ms, world.climate.unit_ms, &mut world.random);
    }),
    Fault::always("shard evicted", 4, 10_000, |world, at| {
        let instance = world.random.index(2);
        world.sites[at.site].objects[at.shard].end(instance);
    }),
    Fault::always("shard twinned, or single again", 3, 7_500, |world, at| {
        let object = &mut world.sites[at.site].objects[at.shard];
        object.has_twin = !object.has_twin;
    }),
    Fault::perhaps("client gone", 2, 3_000, |world, _| world.depart()),
    Fault::perhaps("deploy", 1, 1_000, World::deploy),
    Fault::perhaps("sequencer destroyed", 1, 700, |world, at| {
        let is_destroyed = world.random.one_in(world.climate.rest);
        if is_destroyed {
            world.start(at.site, None, Task::Destruction(Destruction::new()));
        }
        is_destroyed
    }),
    Fault::always("sequencer created", 2, 4_000, |world, at| {
        world.sites[at.site].config = world.climate.config(&mut world.random);
        world.create(at.site);
    }),
    Fault::always("shard cut off, or reachable again", 1, 2_000, |world, at| {
        let unit_ms = world.climate.unit_ms;
        world.network = match world.network {
            Network::Cut(..) => Network::Storm(unit_ms),
            _ => Network::Cut(at.shard as u64, unit_ms),
        };
    }),
    Fault::perhaps("outage longer than a lease, then a herd", 1, 50, World::go_out),
    Fault::always("holder attached", 3, 7_000, |world, at| {
        world.isolates[at.isolate].held[at.site].holder.attach();
    }),
    Fault::always("sequencer shrunk", 1, 2_000, |world, at| world.shrink(at.site)),
    Fault::perhaps("storage or witness restored", 1, 700, |world, at| {
        world.restore((at.site, at.shard));
        world.climate.witness.is_some()
    }),
    Fault::always("careless request", 3, 7_000, |world, at| world.careless(at.site)),
];

impl World {
    pub(super) fn storm(&mut self) {
        self.note(|| "a storm".to_owned());
        self.tally.count(Count::Storms);
        self.phase = Phase::Storm;
        self.network = Network::Storm(self.climate.unit_ms);
        self.requests = STORM_REQUESTS;
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
        let isolate = self.random.index(self.isolates.len());
        let site = self.random.index(self.sites.len());
        let shard = self.random.index(self.sites[site].objects.len());
        let fault = Fault::draw(&FAULTS, &mut self.random);
        self.note(|| {
            format!("{}: isolate {isolate}, shard {shard} of sequencer {site}", fault.name)
        });
        if fault.happens(self, At { isolate, site, shard }) {
            self.tally.count_fault(fault.name);
        }
    }

    /// Cuts all shards off until every lease has ended. This is done only once in 50 draws, because
    /// little else happens in the rest of the storm.
    fn go_out(&mut self, _: At) -> bool {
        if matches!(self.network, Network::Out(_)) || !self.random.one_in(50) {
            return false;
        }
        self.network = Network::Out(self.climate.unit_ms);
        let lease_max_ms = self.climate.lease_max_ms();
        let outage_ms = lease_max_ms + self.random.below(lease_max_ms);
        self.post(outage_ms, Event::Herd);
        true
    }

    /// Ends an outage, and lets a request come to each holder.
    pub(super) fn herd(&mut self) {
        if self.phase == Phase::Storm {
            self.network = Network::Storm(self.climate.unit_ms);
        }
        for isolate in 0..self.isolates.len() {
            for site in 0..self.sites.len() {
                self.serve(site, isolate, 1);
            }
        }
    }

    /// Restores a shard's storage or the shard's witness, and often does so again soon after.
    pub(super) fn restore(&mut self, (site, shard): Shard) {
        if self.phase != Phase::Storm {
            return;
        }
        self.sites[site].objects[shard].restore(&mut self.random, &mut self.tally);
        self.note(|| format!("shard {shard} of sequencer {site} or its witness is put back"));
        if self.random.one_in(2) {
            let pause_ms = self.climate.unit_ms * self.random.pick([1, 50, 400, 3_000]);
            self.post(pause_ms, Event::Restore((site, shard)));
        }
    }

    /// Lets an operator give up nodes of a sequencer, so that another sequencer can use them.
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

    /// Resumes the recorded lease, if there is one.
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
            self.note(|| format!("life {life} resumes {:?}", lease.span));
        }
    }

    /// Lets an isolate sleep, and resume late without noticing.
    fn pause(&mut self, at: At) {
        let pause_ms = self.climate.unit_ms * self.random.pick([50, 500, 3_000, 20_000]);
        self.isolates[at.isolate].paused_until_ms = self.now_ms + pause_ms;
    }

    /// Lets a client leave, so that nothing continues its request. Returns whether there was a
    /// client.
    fn depart(&mut self) -> bool {
        let index = self.random.index(self.clients.len().max(1));
        let number = self.clients.keys().nth(index).copied();
        number.is_some_and(|number| self.clients.remove(&number).is_some())
    }

    /// Deploys new code with other variables: the objects and many isolates restart.
    fn deploy(&mut self, At { site, .. }: At) -> bool {
        // A deploy restarts half of all isolates, so it is rarer in worlds with many isolates.
        if self.random.below(self.isolates.len() as u64) >= 8 {
            return false;
        }
        self.sites[site].settings = self.settings();
        for object in &mut self.sites[site].objects {
            object.end(0);
        }
        for index in 0..self.isolates.len() {
            if self.random.one_in(2) {
                self.reset(index);
            }
        }
        true
    }

    /// Gives a lease back, and may at once take another one and give that back, and so on.
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

    /// Plays a client that takes leases without this crate's holder, and sends any request. The
    /// client issues no ids. Its refusals and grants must not affect other clients.
    fn careless(&mut self, site: usize) {
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
