use core::mem::take;

use edgeflake::preset::EDGE;
use edgeflake::{Layout, Parts};
use edgeflake_world::Clock;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::classic::Classic;
use crate::number::{integer, number};
use crate::shard::Lease;
use crate::snapshot::Snapshot;
use crate::world::World;

/// The playground as the page draws it. A process is named by its index, and every time is in Unix
/// ms.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Playground {
    world: World,
}

#[wasm_bindgen]
impl Playground {
    /// Creates a playground at its beginning. With the same seed and the same calls at the same
    /// times, it goes the same way.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u32) -> Self {
        Self { world: World::new(u64::from(seed)) }
    }

    /// Lets `ms` ms pass.
    pub fn advance(&mut self, ms: u32) {
        for _ in 0..ms {
            self.world.pass();
        }
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

    /// Stops a clock, or lets it go on from the time at which it stands.
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

    /// Returns the ids that were issued since this was called last, 6 numbers each: whether
    /// classic, process, node, time, sequence, and whether the same id was issued before.
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

    /// Returns the id of a dot, in decimal; empty if there is none.
    #[must_use]
    pub fn id(&self, is_classic: bool, node: f64, id_ms: f64, sequence: f64) -> String {
        let layout = layout_of(is_classic);
        let (node, sequence) = (integer(node), integer(sequence));
        let id = layout
            .tick(integer(id_ms))
            .and_then(|tick| layout.encode(Parts { tick, node, sequence, tag: 0 }));
        id.map(|id| id.to_string()).unwrap_or_default()
    }

    /// Returns the layout string of ids.
    #[must_use]
    pub fn layout(&self, is_classic: bool) -> String {
        layout_of(is_classic).to_string()
    }

    /// Returns the rectangles that end at this time or later, 5 numbers each: process, node, first
    /// time, first time after it, and whether its process issues from it.
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

    /// Everything else that the page shows, as an object with the fields of `Snapshot`.
    ///
    /// # Errors
    /// JavaScript cannot represent a number of 2^53 or more.
    pub fn snapshot(&mut self) -> Result<JsValue, serde_wasm_bindgen::Error> {
        serde_wasm_bindgen::to_value(&Snapshot::of(&mut self.world))
    }

    fn is_held(&self, lease: &Lease) -> bool {
        let span = self.world.processes[lease.process].holder.span();
        span.is_some_and(|span| (span.node(), span.from_tick()) == (lease.node, lease.from_tick))
    }
}

const fn layout_of(is_classic: bool) -> &'static Layout {
    if is_classic { &Classic::LAYOUT } else { &EDGE }
}
