use edgeflake::SequenceStart;
use edgeflake::lease::{CallFailure, Reply, Request, Step};
use edgeflake::preset::EDGE;
use edgeflake_world::{Delivery, Network, Random, Tally as Faults};

use crate::classic::Classic;
use crate::process::{IdRequest, Process};
use crate::shard::Shard;
use crate::tally::Tally;

pub(crate) const PROCESSES: usize = 3;

/// The time at which the playground begins, in Unix ms: 2026-01-16 12:00 UTC.
pub(crate) const START_MS: u64 = 1_768_564_800_000;

/// The pause between the beginnings of two processes, in ms.
const START_PAUSE_MS: u64 = 200;

/// A message takes 10 to 39 ms each way.
const NETWORK: Network = Network::Calm(10, 39);

/// An id that was issued, as a dot in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dot {
    pub(crate) is_classic: bool,
    pub(crate) process: usize,
    pub(crate) node: u64,
    /// The time of the id, in Unix ms.
    pub(crate) id_ms: u64,
    pub(crate) sequence: u64,
    /// Whether the same id was issued before.
    pub(crate) is_duplicate: bool,
}

/// The processes, the authority and the messages between them, ms by ms.
#[derive(Debug)]
pub(crate) struct World {
    random: Random,
    pub(crate) true_ms: u64,
    /// Requests per second and process, at most 1,000.
    pub(crate) rate: u64,
    /// Whether the last two processes were given the same node number, for the classic way.
    pub(crate) shares_node: bool,
    pub(crate) processes: [Process; PROCESSES],
    pub(crate) shard: Shard,
    messages: Vec<Message>,
    pub(crate) leased: Tally,
    pub(crate) classic: Tally,
    /// The ids that were issued since the page last took them.
    pub(crate) dots: Vec<Dot>,
}

#[derive(Debug)]
struct Message {
    arrives_ms: u64,
    process: usize,
    number: u64,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    Request(Request),
    Reply(Result<Reply, CallFailure>),
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let (mut random, mut shard) = (Random::of_seed(seed), Shard::default());
        shard.create(START_MS, &mut random);
        Self {
            random,
            true_ms: START_MS,
            rate: 60,
            shares_node: false,
            processes: Default::default(),
            shard,
            messages: Vec::new(),
            leased: Tally::default(),
            classic: Tally::default(),
            dots: Vec::new(),
        }
    }

    /// Lets a millisecond pass.
    pub(crate) fn pass(&mut self) {
        self.true_ms += 1;
        self.deliver();
        let begun = (self.true_ms - START_MS).div_ceil(START_PAUSE_MS);
        for process in (0..PROCESSES).take_while(|process| (*process as u64) < begun) {
            while let Some(request) = self.processes[process].wake(self.true_ms) {
                self.go_on(process, request);
            }
            if self.random.below(1_000) < self.rate {
                self.issue_classic(process);
                self.go_on(process, IdRequest::new(self.true_ms));
            }
        }
    }

    /// Returns the node number that a process was given, for the classic way.
    pub(crate) const fn classic_node(&self, process: usize) -> u64 {
        if self.shares_node && process + 1 == PROCESSES {
            process as u64
        } else {
            process as u64 + 1
        }
    }

    fn issue_classic(&mut self, process: usize) {
        let node = self.classic_node(process);
        let Process { classic, clock, .. } = &mut self.processes[process];
        match classic.next(clock.now_ms(self.true_ms), node) {
            Some(id) => self.note(process, id, true),
            None => self.classic.failed += 1,
        }
    }

    /// Takes the holder's steps for a request, until it sleeps, has its id, or fails.
    fn go_on(&mut self, index: usize, mut request: IdRequest) {
        loop {
            let random = &mut self.random;
            let process = &mut self.processes[index];
            let now_ms = process.clock.now_ms(self.true_ms);
            let IdRequest { wait, ids, .. } = &mut request;
            match process.holder.issue(now_ms, wait, ids, || random.bits()) {
                Step::Send(call) => self.post(index, call.number, Content::Request(call.request)),
                Step::Sleep { ms } => {
                    request.sleeps_ms = ms;
                    request.wakes_ms = self.true_ms + ms;
                    return process.waiting.push(request);
                }
                Step::Done => {
                    process.refusal = None;
                    process.issued += 1;
                    self.leased.longest_ms =
                        self.leased.longest_ms.max(self.true_ms - request.since_ms);
                    let incarnation = process.holder.incarnation().unwrap_or(0);
                    for id in request.ids {
                        let (life, start) = (index as u64, SequenceStart::Zero);
                        self.shard.ledger.issued(life, incarnation, start, id);
                        self.note(index, id, false);
                    }
                    return;
                }
                Step::Failed { error, .. } => {
                    process.refusal = Some(error);
                    process.failed += 1;
                    self.leased.failed += 1;
                    return;
                }
            }
        }
    }

    fn post(&mut self, process: usize, number: u64, content: Content) {
        for delivery in NETWORK.send(None, &mut self.random, &mut Faults::default()) {
            if let Delivery::Arrives(delay_ms) = delivery {
                let arrives_ms = self.true_ms + delay_ms;
                self.messages.push(Message { arrives_ms, process, number, content });
            }
        }
    }

    fn deliver(&mut self) {
        let true_ms = self.true_ms;
        while let Some(index) = self.messages.iter().position(|one| one.arrives_ms <= true_ms) {
            let Message { process, number, content, .. } = self.messages.remove(index);
            match content {
                Content::Request(request) => {
                    let reply = self.shard.answer(true_ms, process, &request, &mut self.random);
                    self.post(process, number, Content::Reply(reply));
                }
                Content::Reply(reply) => {
                    let Process { holder, clock, .. } = &mut self.processes[process];
                    let (holder, now_ms) = ((holder, process as u64), clock.now_ms(true_ms));
                    self.shard.ledger.deliver(holder, now_ms, number, reply);
                }
            }
        }
    }

    /// Counts an issued id, and adds it to the dots.
    fn note(&mut self, process: usize, id: u64, is_classic: bool) {
        let (layout, tally) = if is_classic {
            (&Classic::LAYOUT, &mut self.classic)
        } else {
            (&EDGE, &mut self.leased)
        };
        let Ok(parts) = layout.decode(id) else { unreachable!("an id of its own layout") };
        let id_ms = layout.start_ms(parts.tick);
        let is_duplicate = tally.note(id, id_ms);
        if !is_classic {
            self.processes[process].newest_ms = Some(id_ms);
        }
        let (node, sequence) = (parts.node, parts.sequence);
        self.dots.push(Dot { is_classic, process, node, id_ms, sequence, is_duplicate });
    }
}

#[cfg(test)]
mod tests;
