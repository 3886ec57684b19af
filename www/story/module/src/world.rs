use core::convert::Infallible;
use core::mem;

use edgeflake::Field;
use edgeflake::lease::{
    Authority, BoundConfig, CallFailure, Error, Reply, Request, Sequencer, Settings, Step,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::computer::{Computer, IdRequest};
use crate::layout::LAYOUT;
use crate::way::Way;

/// The first second whose ids are shown, counted from noon.
const FIRST_TICK: u64 = 10;
/// Between two steps of the story, time stands still at this ms of a second. All requests of the
/// second have been made by then.
const REST_MS: u64 = 900;
const SECOND_MS: u64 = 1_000;
/// The time that a call to the authority takes, in ms. It is long, so that the reader sees the
/// wait.
const CALL_MS: u64 = 1_000;

/// The leases are short and the allowed future small, so that both fit on the stage. The first
/// renewals happen in the second scene, and the next ones would come after the last scene.
const LEASE_MS: u64 = 12_000;
const ALLOWED_FUTURE_MS: u64 = 3_000;

/// A few computers, the authority, and the messages between them. Computers are named by index.
/// Times are in seconds since noon, which are also the ticks of the ids.
#[derive(Debug)]
#[wasm_bindgen]
pub struct World {
    true_ms: u64,
    /// The number of random values drawn so far. The values are 1, 2, 3 and so on.
    draws: u128,
    computers: Vec<Computer>,
    authority: Option<Authority>,
    replies: Vec<Message>,
    classic: Way,
    leased: Way,
    /// The longest time that a request with a lease has waited for its id, in ms.
    longest_ms: u64,
}

/// A reply on its way to a computer.
#[derive(Debug)]
struct Message {
    arrives_ms: u64,
    computer: usize,
    number: u64,
    reply: Result<Reply, CallFailure>,
}

#[wasm_bindgen]
impl World {
    /// Creates a world of two computers, each with a lease. The same calls always lead to the same
    /// world.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let mut world = Self {
            true_ms: LAYOUT.start_ms(FIRST_TICK - 2),
            draws: 0,
            computers: Vec::new(),
            authority: authority().ok(),
            replies: Vec::new(),
            classic: Way::default(),
            leased: Way::default(),
            longest_ms: 0,
        };
        // Each computer gets its lease with its first id, which is not shown.
        for (index, classic_node) in [1, 2].into_iter().enumerate() {
            world.computers.push(Computer { classic_node, ..Computer::default() });
            world.go_on(index, IdRequest::new(world.true_ms));
        }
        for _ in 0..SECOND_MS + REST_MS {
            world.pass_ms();
        }
        (world.leased, world.longest_ms) = (Way::default(), 0);
        world
    }

    /// Lets a second pass, in which each computer gets one or two requests for an id.
    pub fn pass(&mut self) {
        for _ in 0..SECOND_MS {
            self.pass_ms();
            let passed_ms = self.true_ms - LAYOUT.epoch_ms();
            let (second, ms) = (passed_ms / SECOND_MS, passed_ms % SECOND_MS);
            for index in 0..self.computers.len() {
                let is_second_id = ms == SECOND_MS / 2 && (second + index as u64) % 2 == 1;
                if ms == 0 || is_second_id {
                    self.issue_classic(index);
                    self.go_on(index, IdRequest::new(self.true_ms));
                }
            }
        }
    }

    /// Turns a clock forward, or back by a negative number of seconds.
    pub fn turn(&mut self, computer: usize, seconds: i32) {
        if let Some(computer) = self.computers.get_mut(computer) {
            let by_ms = i64::from(seconds) * SECOND_MS.cast_signed();
            computer.ahead_ms = computer.ahead_ms.saturating_add(by_ms);
        }
    }

    /// Restarts a computer, which forgets its lease and its newest id, but keeps its clock and the
    /// node of its classic generator.
    pub fn restart(&mut self, computer: usize) {
        self.replies.retain(|message| message.computer != computer);
        if let Some(computer) = self.computers.get_mut(computer) {
            let Computer { ahead_ms, classic_node, .. } = mem::take(computer);
            *computer = Computer { ahead_ms, classic_node, ..Computer::default() };
        }
    }

    /// Adds a copy of the last computer. The copy's classic generator therefore has the same node.
    pub fn copy(&mut self) {
        if let Some(&Computer { classic_node, .. }) = self.computers.last() {
            self.computers.push(Computer { classic_node, ..Computer::default() });
        }
    }

    /// Returns the true time.
    #[must_use]
    pub fn now(&self) -> u32 {
        second(self.true_ms)
    }

    /// Returns the widths of an id's fields, in bits: time, node and number.
    #[must_use]
    pub fn widths(&self) -> Vec<u32> {
        LAYOUT.fields().iter().map(Field::bits).map(u32::from).collect()
    }

    /// Returns two limits in seconds: how far an id may be ahead of the clock, and how far off a
    /// computer's clock may be when the computer gets a lease.
    #[must_use]
    pub fn limits(&self) -> Vec<u32> {
        let off_max_ms = Settings::default().clock_disagreement_max_ms;
        [ALLOWED_FUTURE_MS, off_max_ms].map(|ms| narrow(ms / SECOND_MS)).to_vec()
    }

    /// Returns the ids in the order of issue, 6 numbers each: computer, id, time, node, sequence,
    /// and how often the id was issued before.
    #[must_use]
    pub fn ids(&self, is_classic: bool) -> Vec<u32> {
        let way = if is_classic { &self.classic } else { &self.leased };
        way.issued
            .iter()
            .filter_map(|one| Some((one, LAYOUT.decode(one.id).ok()?)))
            .flat_map(|(one, parts)| {
                let values = [one.computer as u64, one.id, parts.tick, parts.node, parts.sequence];
                values.map(narrow).into_iter().chain([one.before])
            })
            .collect()
    }

    /// Returns the longest time that a request has waited for an id with a lease, in ms.
    #[must_use]
    pub fn longest_wait(&self) -> u32 {
        let waiting = self.computers.iter().flat_map(|computer| &computer.waiting);
        let waits_ms = waiting.map(|request| self.true_ms - request.since_ms).max();
        narrow(self.longest_ms.max(waits_ms.unwrap_or(0)))
    }

    /// Returns the computers, 6 numbers each: the time on its clock, the node of its classic
    /// generator, how many requests wait, and its lease: node, first time, and the first time after
    /// it; three zeros if it has no lease.
    #[must_use]
    pub fn computers(&self) -> Vec<u32> {
        let numbers = |computer: &Computer| {
            let clock = u64::from(second(computer.clock_ms(self.true_ms)));
            let waiting = computer.waiting.len() as u64;
            let lease = computer.holder.span();
            let lease = lease.map(|span| [span.node(), span.from_tick(), span.until_tick()]);
            let [node, from, until] = lease.unwrap_or_default();
            [clock, computer.classic_node, waiting, node, from, until].map(narrow)
        };
        self.computers.iter().flat_map(numbers).collect()
    }

    /// Returns why a computer's newest request failed; empty if it did not.
    #[must_use]
    pub fn failure(&self, computer: usize) -> String {
        let failure = self.computers.get(computer).and_then(|computer| computer.failure);
        failure.map_or_else(String::new, |error| error.to_string())
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    fn pass_ms(&mut self) {
        self.true_ms += 1;
        let true_ms = self.true_ms;
        while let Some(at) = self.replies.iter().position(|one| one.arrives_ms <= true_ms) {
            let Message { computer, number, reply, .. } = self.replies.remove(at);
            let Some(computer) = self.computers.get_mut(computer) else { continue };
            computer.holder.receive(computer.clock_ms(true_ms), number, reply);
        }
        for index in 0..self.computers.len() {
            while let Some(request) = self.computers[index].wake(true_ms) {
                self.go_on(index, request);
            }
        }
    }

    fn issue_classic(&mut self, index: usize) {
        let computer = &mut self.computers[index];
        let (now_ms, node) = (computer.clock_ms(self.true_ms), computer.classic_node);
        if let Some(id) = computer.classic.next(&LAYOUT, now_ms, node) {
            self.classic.note(index, id);
        }
    }

    /// Carries out the holder's steps for a request, until the request sleeps, has its id, or
    /// fails.
    fn go_on(&mut self, index: usize, mut request: IdRequest) {
        loop {
            let computer = &mut self.computers[index];
            let now_ms = computer.clock_ms(self.true_ms);
            let IdRequest { wait, ids, .. } = &mut request;
            let random = || {
                self.draws += 1;
                self.draws
            };
            match computer.holder.issue(now_ms, wait, ids, random) {
                Step::Send(call) => {
                    let arrives_ms = self.true_ms + CALL_MS;
                    let reply = self.answer(&call.request);
                    let number = call.number;
                    self.replies.push(Message { arrives_ms, computer: index, number, reply });
                }
                Step::Sleep { ms } => {
                    request.sleeps_ms = ms;
                    request.wakes_ms = self.true_ms + ms;
                    return computer.waiting.push(request);
                }
                Step::Done => {
                    computer.failure = None;
                    let waited_ms = self.true_ms - request.since_ms;
                    self.longest_ms = self.longest_ms.max(waited_ms);
                    return request.ids.into_iter().for_each(|id| self.leased.note(index, id));
                }
                Step::Failed { error, .. } => {
                    computer.failure = Some(error);
                    return;
                }
            }
        }
    }

    /// Lets the authority answer a request. The authority's clock is right, and its writes are
    /// stored at once.
    fn answer(&mut self, request: &Request) -> Result<Reply, CallFailure> {
        let authority = self.authority.as_mut().ok_or(CallFailure)?;
        let Ok(reply) = authority.answer(self.true_ms, request, |_| Ok::<(), Infallible>(()));
        Ok(reply)
    }
}

fn authority() -> Result<Authority, Error> {
    let mut settings = Settings::default();
    settings.terms.lease_ms = LEASE_MS;
    settings.terms.allowed_future_ms = ALLOWED_FUTURE_MS;
    // Node 0 is for batches. They are small, so that their ids are not far ahead of the clock.
    settings.terms.prefetch_count = 2;
    let sequencer = Sequencer::new(BoundConfig::new(LAYOUT, 0, LAYOUT.nodes(), 1)?);
    Authority::load(0, Some(sequencer), settings, [])
}

/// Returns the tick at a time; 0 for a time before noon.
fn second(ms: u64) -> u32 {
    narrow(ms.saturating_sub(LAYOUT.epoch_ms()) / SECOND_MS)
}

/// Converts a number for JavaScript. No number here has more bits than an id of the story.
fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
