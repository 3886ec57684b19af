//! Many holders, one authority, and a world that loses, doubles and delays what they say, steps
//! their clocks, forgets holders and restarts the authority from its rows. No id comes twice, and
//! the spans of a node never overlap. A failure names its seed.

use std::collections::{BTreeMap, HashSet};

use edgeflake::{
    Authority, Call, CallFailed, Holder, Identity, Layout, Reply, Row, Step, Tunables, Wait,
};

const SEEDS: u64 = if cfg!(miri) { 1 } else { 1_000 };
const STEPS: u64 = if cfg!(miri) { 300 } else { 3_000 };
const HOLDERS: usize = 5;
const INCARNATION: u64 = 1;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// A holder with its own clock, and a number of its own that tells it from the one before it.
#[derive(Default)]
struct Isolate {
    holder: Holder,
    life: u64,
    clock_ahead_ms: i64,
    frozen_ms: Option<u64>,
}

impl Isolate {
    fn now_ms(&self, world_ms: u64) -> u64 {
        self.frozen_ms.unwrap_or(world_ms.saturating_add_signed(self.clock_ahead_ms))
    }
}

#[expect(clippy::large_enum_variant, reason = "there are few at a time")]
enum Message {
    Request { isolate: usize, life: u64, call: Call },
    Reply { isolate: usize, life: u64, number: u64, reply: Result<Reply, CallFailed> },
}

struct World {
    random: Random,
    now_ms: u64,
    layout: Layout,
    identity: Identity,
    tunables: Tunables,
    isolates: Vec<Isolate>,
    lives: u64,
    authority: Option<Authority>,
    authority_ahead_ms: i64,
    /// What the authority has stored.
    rows: BTreeMap<u64, Row>,
    /// By the time at which they arrive.
    messages: BTreeMap<(u64, u64), Message>,
    sent: u64,
    ids: HashSet<u64>,
    spans: u64,
    /// The latest end that was ever granted of a node.
    ends: BTreeMap<u64, u64>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let tick_ms = [1, 1, 10][random.index(3)];
        let text = format!("timestamp:40 node:3 sequence:2 @1000 tick={tick_ms}ms");
        let layout: Layout = text.parse().unwrap();
        let allowed_future_ms = random.below(60);
        let lease_ms = 2 * allowed_future_ms + tick_ms + 1 + random.below(300);
        // Mostly one or two nodes, for which all compete, and clocks that may differ by anything.
        let nodes = [1, 2, 1 + random.below(7)][random.index(3)];
        let disagreement_ms = [200, 1_000_000][random.index(2)];
        let mut world = Self {
            identity: Identity::new(layout, 0, nodes, 1).unwrap(),
            tunables: Tunables::new(lease_ms, allowed_future_ms, disagreement_ms),
            random,
            now_ms: 10_000,
            layout,
            isolates: Vec::new(),
            lives: 0,
            authority: None,
            authority_ahead_ms: 0,
            rows: BTreeMap::new(),
            messages: BTreeMap::new(),
            sent: 0,
            ids: HashSet::new(),
            spans: 0,
            ends: BTreeMap::new(),
        };
        for _ in 0..HOLDERS {
            let isolate = world.isolate();
            world.isolates.push(isolate);
        }
        world
    }

    fn isolate(&mut self) -> Isolate {
        self.lives += 1;
        Isolate { life: self.lives, ..Isolate::default() }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            let jump = if self.random.one_in(50) { 2_000 } else { 8 };
            self.now_ms += self.random.below(jump);
            match self.random.below(100) {
                0 => {
                    let index = self.random.index(HOLDERS);
                    self.isolates[index] = self.isolate();
                }
                1 => self.authority = None,
                2 => self.authority_ahead_ms = self.step_of_a_clock(),
                3 => {
                    let index = self.random.index(HOLDERS);
                    self.isolates[index].clock_ahead_ms = self.step_of_a_clock();
                }
                4 => {
                    let index = self.random.index(HOLDERS);
                    let now_ms = self.isolates[index].now_ms(self.now_ms);
                    let isolate = &mut self.isolates[index];
                    isolate.frozen_ms = isolate.frozen_ms.is_none().then_some(now_ms);
                }
                _ => self.request_ids(),
            }
            self.deliver();
        }
    }

    /// Mostly small, now and then far out of all bounds.
    fn step_of_a_clock(&mut self) -> i64 {
        let most = [50, 400, 5_000][self.random.index(3)];
        i64::try_from(self.random.below(2 * most + 1)).unwrap() - i64::try_from(most).unwrap()
    }

    fn request_ids(&mut self) {
        let index = self.random.index(HOLDERS);
        let mut ids = vec![0; 1 + self.random.index(20)];
        let mut wait = Wait::default();
        for _ in 0..3 {
            let random = &mut self.random;
            let isolate = &mut self.isolates[index];
            let now_ms = isolate.now_ms(self.now_ms);
            let bits = || u128::from(random.next()) << 64 | u128::from(random.next());
            match isolate.holder.step(now_ms, &mut wait, &mut ids, bits) {
                Step::Send(call) => {
                    let life = isolate.life;
                    self.send(&|| Message::Request { isolate: index, life, call });
                }
                Step::Sleep { ms } => {
                    self.now_ms += ms;
                    wait.fired(ms);
                }
                Step::Done | Step::Failed { .. } => break,
            }
        }
        // Also those of requests that failed later: nobody else may get them.
        let mut last = None;
        for id in ids.into_iter().take_while(|id| *id != 0) {
            assert!(self.ids.insert(id), "id {id} came twice");
            let node = self.layout.unpack(id).unwrap().node;
            assert!(last.is_none_or(|last| last < id), "ids of one request on node {node} descend");
            last = Some(id);
        }
    }

    /// Sends a message: lost, on its way for a while, or twice.
    fn send(&mut self, message: &dyn Fn() -> Message) {
        let copies = [1, 1, 1, 1, 1, 1, 0, 2][self.random.index(8)];
        for _ in 0..copies {
            let most = [5, 50, 3_000][self.random.index(3)];
            let at_ms = self.now_ms + self.random.below(most);
            self.sent += 1;
            self.messages.insert((at_ms, self.sent), message());
        }
    }

    /// Delivers what has arrived by now.
    fn deliver(&mut self) {
        while let Some(entry) = self.messages.first_entry()
            && entry.key().0 <= self.now_ms
        {
            let message = entry.remove();
            self.receive(&message);
        }
    }

    fn receive(&mut self, message: &Message) {
        match *message {
            Message::Request { isolate, life, call } => {
                let reply = self.decide(&call);
                let number = call.number;
                self.send(&|| Message::Reply { isolate, life, number, reply });
            }
            Message::Reply { isolate, life, number, reply } => {
                let now_ms = self.isolates[isolate].now_ms(self.now_ms);
                // What was meant for a holder that is gone reaches nobody.
                if self.isolates[isolate].life == life {
                    self.isolates[isolate].holder.receive(now_ms, number, reply);
                }
            }
        }
    }

    /// The four steps of the Durable Object, with a crash now and then between any two.
    fn decide(&mut self, call: &Call) -> Result<Reply, CallFailed> {
        let now_ms = self.now_ms.saturating_add_signed(self.authority_ahead_ms);
        let mut authority = self.authority.take().unwrap_or_else(|| {
            let rows = self.rows.iter().map(|(node, row)| (*node, *row));
            Authority::load(self.identity, 0, INCARNATION, self.tunables, rows).unwrap()
        });
        let decision = authority.decide(now_ms, &call.request);
        if self.random.one_in(20) {
            return Err(CallFailed);
        }
        if let Some(write) = decision.write {
            if self.rows.get(&write.node) != write.before.as_ref() {
                return Err(CallFailed);
            }
            self.rows.insert(write.node, write.after);
            let granted_again = write.before == Some(write.after);
            if !granted_again {
                self.check(write.node, &decision.reply);
            }
            if self.random.one_in(20) {
                return Err(CallFailed);
            }
            authority.apply(&write);
        }
        self.authority = Some(authority);
        Ok(decision.reply)
    }

    /// The spans of a node never overlap: each starts where every earlier one has ended.
    fn check(&mut self, node: u64, reply: &Reply) {
        let end = self.ends.entry(node).or_default();
        match reply {
            Reply::Granted(grant) => {
                assert!(*end <= grant.span.from_tick(), "node {node} was granted until {end}");
                *end = grant.span.until_tick();
                self.spans += 1;
            }
            Reply::Renewed(renewal) => *end = renewal.until_tick.max(*end),
            other => panic!("a write for {other:?}"),
        }
    }
}

#[test]
fn no_id_twice() {
    let (mut ids, mut spans) = (0, 0);
    for seed in 0..SEEDS {
        let mut world = World::new(seed);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.run()));
        if let Err(panic) = run {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(panic);
        }
        ids += world.ids.len();
        spans += world.spans;
    }
    // A world in which nothing happens would show nothing.
    let steps = usize::try_from(SEEDS * STEPS).unwrap();
    assert!(ids > steps / 10 && spans > SEEDS, "{ids} ids of {spans} spans");
}
