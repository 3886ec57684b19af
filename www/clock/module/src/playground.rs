use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem::take;

use edgeflake::lease::State;
use edgeflake::preset::EDGE;
use edgeflake::{Layout, Parts};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::classic::Classic;
use crate::clock::Clock;
use crate::ledger::Ledger;
use crate::number::{integer, number};
use crate::shard::{Lease, TERMS};
use crate::world::World;

/// What the page draws. A process is named by its index, and every time is in Unix ms.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Playground {
    world: World,
}

#[wasm_bindgen]
impl Playground {
    /// A playground at its beginning. With the same seed, and what is done to it at the same time, it
    /// goes the same way.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u32) -> Self {
        Self { world: World::new(u64::from(seed)) }
    }

    /// Lets so many ms pass.
    pub fn advance(&mut self, ms: u32) {
        for _ in 0..ms {
            self.world.pass();
        }
    }

    /// The time of the playground, which the authority's clock shows.
    #[must_use]
    pub fn now(&self) -> f64 {
        number(self.world.true_ms)
    }

    /// Sets the requests per second and process, at most 1,000.
    #[wasm_bindgen(js_name = setRate)]
    pub fn set_rate(&mut self, per_second: u32) {
        self.world.rate = u64::from(per_second.min(1_000));
    }

    /// Gives the last two processes the same classic node number, or different ones.
    #[wasm_bindgen(js_name = shareNode)]
    pub fn share_node(&mut self, is_shared: bool) {
        self.world.shares_node = is_shared;
    }

    /// Stops a clock, or lets it go on from where it stands.
    pub fn freeze(&mut self, process: usize, is_frozen: bool) {
        let true_ms = self.world.true_ms;
        let clock = &mut self.world.processes[process].clock;
        if is_frozen {
            clock.freeze(true_ms);
        } else {
            clock.thaw(true_ms);
        }
    }

    /// Sets a clock forward or back.
    #[expect(clippy::cast_possible_truncation, reason = "whole ms, and `as` saturates")]
    pub fn shift(&mut self, process: usize, by_ms: f64) {
        self.world.processes[process].clock.shift(by_ms as i64);
    }

    /// Sets a clock to the time of the playground.
    #[wasm_bindgen(js_name = setRight)]
    pub fn set_right(&mut self, process: usize) {
        self.world.processes[process].clock = Clock::default();
    }

    /// The ids that were issued since this was called last, 6 numbers each: whether classic, process,
    /// node, time, sequence, and whether the same id was issued before.
    pub fn dots(&mut self) -> Vec<f64> {
        let dots = take(&mut self.world.dots);
        dots.iter()
            .flat_map(|dot| {
                [
                    f64::from(u8::from(dot.is_classic)),
                    number(dot.process as u64),
                    number(dot.node),
                    number(dot.id_ms),
                    number(dot.sequence),
                    f64::from(u8::from(dot.is_duplicate)),
                ]
            })
            .collect()
    }

    /// The id of a dot, in decimal; empty if there is none.
    #[must_use]
    pub fn id(&self, is_classic: bool, node: f64, id_ms: f64, sequence: f64) -> String {
        let layout = layout_of(is_classic);
        let (node, sequence) = (integer(node), integer(sequence));
        let id = layout
            .tick(integer(id_ms))
            .and_then(|tick| layout.pack(Parts { tick, node, sequence, tag: 0 }));
        id.map(|id| id.to_string()).unwrap_or_default()
    }

    /// The layout string of ids.
    #[must_use]
    pub fn layout(&self, is_classic: bool) -> String {
        layout_of(is_classic).to_string()
    }

    /// The rectangles that end at this time or later, 5 numbers each: process, node, first time, first
    /// time after it, and whether its process issues from it.
    #[must_use]
    pub fn leases(&self, since_ms: f64) -> Vec<f64> {
        let since_ms = integer(since_ms);
        let leases = self.world.shard.leases.iter();
        leases
            .filter(|lease| EDGE.start_ms(lease.until_tick) >= since_ms)
            .flat_map(|lease| {
                [
                    number(lease.process as u64),
                    number(lease.node),
                    number(EDGE.start_ms(lease.from_tick)),
                    number(EDGE.start_ms(lease.until_tick)),
                    f64::from(u8::from(self.is_held(lease))),
                ]
            })
            .collect()
    }

    /// How many rectangles were granted, and how many pairs of them overlap.
    #[must_use]
    pub fn grants(&self) -> Vec<f64> {
        let shard = &self.world.shard;
        [shard.leases.len(), shard.overlaps()].map(|count| number(count as u64)).to_vec()
    }

    /// Of a process: what its clock shows, whether that stands still, the time of its newest id or
    /// -1, ids issued, requests that wait, requests that failed, and its classic node number.
    #[must_use]
    pub fn process(&self, index: usize) -> Vec<f64> {
        let process = &self.world.processes[index];
        [
            number(process.clock.now_ms(self.world.true_ms)),
            f64::from(u8::from(process.clock.is_frozen())),
            process.newest_ms.map_or(-1.0, number),
            number(process.issued),
            number(process.waiting.len() as u64),
            number(process.failed),
            number(self.world.classic_node(index)),
        ]
        .to_vec()
    }

    /// What the holder of a process says, three lines: its state; why it has no id now; why the
    /// newest request failed. The last two are empty where it has one.
    #[must_use]
    pub fn says(&mut self, index: usize) -> String {
        let true_ms = self.world.true_ms;
        let process = &mut self.world.processes[index];
        let state = match process.holder.state() {
            State::Acquiring => "acquiring",
            State::Attached => "attached",
            State::Renewing => "renewing",
            State::Detached => "detached",
            State::Destroyed => "destroyed",
        };
        let now_ms = process.clock.now_ms(true_ms);
        let mut text = String::from(state);
        for error in [process.holder.ready(now_ms).err(), process.refusal] {
            text.push('\n');
            if let Some(error) = error {
                text.push_str(&error.to_string());
            }
        }
        text
    }

    /// What was issued with leases, or the classic way, over the whole run: ids, duplicates, ids whose
    /// time is before that of an id issued earlier, by how many ms at most, requests that failed, and
    /// the longest wait in ms.
    #[must_use]
    pub fn tally(&self, is_classic: bool) -> Vec<f64> {
        let ledger = if is_classic { &self.world.classic } else { &self.world.leased };
        let Ledger { issued, duplicates, late, latest_ms, failed, longest_ms, .. } = ledger;
        [issued, duplicates, late, latest_ms, failed, longest_ms]
            .map(|count| number(*count))
            .to_vec()
    }

    /// The length of a lease, and the allowed future, in ms.
    #[must_use]
    pub fn terms(&self) -> Vec<f64> {
        [TERMS.lease_ms, TERMS.allowed_future_ms].map(number).to_vec()
    }

    fn is_held(&self, lease: &Lease) -> bool {
        let span = self.world.processes[lease.process].holder.span();
        span.is_some_and(|span| (span.node(), span.from_tick()) == (lease.node, lease.from_tick))
    }
}

const fn layout_of(is_classic: bool) -> &'static Layout {
    if is_classic { &Classic::LAYOUT } else { &EDGE }
}
