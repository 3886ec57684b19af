//! Rare events, which are frequent in some worlds. They are drawn from a separate stream, so that
//! other worlds do not depend on them.

use edgeflake::lease::{BoundConfig, Request, Sequencer, Settings};
use edgeflake_world::{Count, Random, Task};

use super::{Event, World};
use crate::climate::Climate;
use crate::fault::Phase;
use crate::isolate::{File, Isolate};
use crate::message::Caller;

/// In one world of this number, events happen often that are rare in the others.
const ONE_IN: u64 = 4;

/// Returns the stream of rare events for a seed's world, if that world has one.
pub(super) fn stream(seed: u64) -> Option<Random> {
    let mut rare = Random::of_seed(seed ^ (1 << 63));
    rare.one_in(ONE_IN).then_some(rare)
}

impl World {
    pub(super) fn happen_rarely(&mut self) {
        let Some(mut rare) = self.rare.take() else { return };
        if self.phase == Phase::Storm {
            let pause_ms = Climate::pause_ms(2 * self.climate.fault_ms, &mut rare);
            self.post(pause_ms, Event::Rare);
            self.draw(&mut rare);
        }
        self.rare = Some(rare);
    }

    fn draw(&mut self, rare: &mut Random) {
        let index = rare.index(self.isolates.len());
        let site = rare.index(self.sites.len());
        match rare.below(8) {
            0 => {
                let other = rare.index(self.isolates.len());
                self.take_store(site, index, other);
            }
            1 | 2 => {
                let back_ms = self.climate.unit_ms * (16 + rare.below(400));
                self.isolates[index].clock.step_back(self.now_ms, back_ms);
                self.tally.count(Count::ClockSteps);
                self.note(|| format!("the clock of isolate {index} goes back by {back_ms} ms"));
                self.serve(site, index, 1);
            }
            3 => self.ask_other_shard(site, rare),
            4 => {
                let destroyed = |sequencer: &Sequencer| !sequencer.is_active();
                if self.sites[site].objects[0].sequencer().is_some_and(destroyed) {
                    self.create_unsuitable(site);
                }
            }
            5 => {
                let settings = self.climate.settings(rare);
                let settings = self.climate.seldom(settings, rare);
                self.note(|| format!("other settings for sequencer {site}: {settings:?}"));
                self.sites[site].settings = settings;
                for object in &mut self.sites[site].objects {
                    object.end_all();
                }
            }
            6 => {
                if self.isolates[index].held.iter().any(|held| held.file.is_some()) {
                    self.reset(index);
                }
            }
            7 if rare.one_in(2) => {
                // Two instances decide while nodes are given up.
                for object in &mut self.sites[site].objects {
                    object.has_twin = true;
                }
                self.shrink(site);
            }
            _ => {
                let shard = rare.index(self.sites[site].objects.len());
                self.restore((site, shard));
            }
        }
    }

    /// Draws other settings, as a deploy sets them.
    pub(super) fn settings(&mut self) -> Settings {
        let settings = self.climate.settings(&mut self.random);
        match &mut self.rare {
            Some(rare) => self.climate.seldom(settings, rare),
            None => settings,
        }
    }

    /// Starts another process in place of an isolate, with the file of a running isolate. The
    /// process moves the file away, reads it, and resumes from it. The running isolate notices this
    /// when it writes next.
    fn take_store(&mut self, site: usize, index: usize, from: usize) {
        if index == from {
            return;
        }
        let held = &mut self.isolates[from].held[site];
        let Some(file) = held.file.filter(|_| held.taken.is_none()) else { return };
        held.file = Some(File::default());
        held.taken = Some(file);
        self.tally.count(Count::SharedStores);
        self.note(|| format!("a process in isolate {index} takes the file of isolate {from}"));
        let other = self.held(Some(file));
        self.isolates[index].held[site] = other;
        self.resume(site, index);
    }

    /// Sometimes changes the clock between a holder's step and the record that this step needs.
    pub(super) fn step_before_record(&mut self, index: usize) {
        let Some(rare) = self.rare.as_mut().filter(|_| self.phase == Phase::Storm) else { return };
        if rare.one_in(4) {
            let Isolate { clock, .. } = &mut self.isolates[index];
            let wrong = clock.go_wrong(self.now_ms, self.climate.unit_ms, rare);
            self.tally.count(Count::SteppedRecords);
            self.note(|| format!("the clock of isolate {index} before it writes: {wrong:?}"));
        }
    }

    /// Lets an operator create a sequencer whose ticks are longer than any lease. The registry
    /// refuses this, either for this reason or because spans with other ticks were granted.
    pub(super) fn create_unsuitable(&mut self, site: usize) {
        let layout = "timestamp:20 node:3 sequence:2 @1000 tick=172800000ms".parse().unwrap();
        let config = BoundConfig::new(layout, 0, 4, 1).unwrap();
        self.start(site, None, Task::creation(config));
    }

    /// Lets a client send a shard a request that only the registry or another shard may answer.
    fn ask_other_shard(&mut self, site: usize, rare: &mut Random) {
        let objects = &self.sites[site].objects;
        let Some(sequencer) = objects[0].sequencer().copied() else { return };
        let (shard, request) = rare.pick([
            (0, Request::Follow(sequencer)),
            (1, Request::Destroy),
            (1, Request::Create(sequencer.config)),
        ]);
        self.start(site, Some(Caller::Careless), Task::direct(shard, request));
    }
}
