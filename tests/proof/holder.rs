//! Checks lemmas 3 and 4. The tick in a renewal is at most the end of the holder's own span. A
//! release names a tick after all issued ids, and the holder never uses that span again. Each
//! attempt to acquire has a new token. All orders of a few requests and replies are checked, each
//! at any time.

use std::collections::BTreeSet;

use edgeflake::lease::{
    Batch, BoundConfig, Call, CallFailure, Counter, Grant, Holder, Refusal, Renewal, Reply,
    Request, Step, Terms, Token, Wait,
};
use edgeflake::{Layout, Span};

const TICKS: u64 = 8;
const NODE: u64 = 1;
const EVENTS: u32 = 5;

/// An event below this number is a request at some time, for one id or for none. Any other event is
/// a reply to the newest call, or the holder detaches and attaches again.
const ASKS: u64 = 2 * TIMES.len() as u64;
const TIMES: [u64; 4] = [64_000, 64_001, 64_003, 64_006];
const REPLIES: u64 = 4;
const LEAVE: u64 = ASKS + REPLIES;
const KINDS: u64 = LEAVE + 1;

fn config() -> BoundConfig {
    let layout: Layout = "timestamp:3 node:2 sequence:1 @64000 tick=1ms".parse().unwrap();
    BoundConfig::new(layout, 0, 4, 1).unwrap()
}

/// A holder, and the part of its past that decides which actions are allowed.
struct Life {
    holder: Holder,
    newest: Option<Call>,
    random: u128,
    /// The tokens of the holder's current and past spans.
    spent: BTreeSet<Token>,
    /// The tick of the last id that the holder issued from its span.
    last_tick: Option<u64>,
}

pub(crate) fn check() -> u64 {
    let config = config();
    let count = KINDS.pow(EVENTS);
    // The first reply grants a span, which ends early or late.
    for until_tick in [2, 4, TICKS] {
        for events in 0..count {
            Life::new(config, until_tick).run(config, events);
        }
    }
    3 * count
}

impl Life {
    fn new(config: BoundConfig, until_tick: u64) -> Self {
        let mut life = Self {
            holder: Holder::new(),
            newest: None,
            random: 0,
            spent: BTreeSet::new(),
            last_tick: None,
        };
        life.ask(TIMES[0], 1);
        life.receive(TIMES[0], |token| Ok(granted(config, token, 0, until_tick)));
        life
    }

    /// Runs a holder. Each digit of `events` is one event.
    fn run(&mut self, config: BoundConfig, mut events: u64) {
        let mut now_ms = TIMES[0];
        for _ in 0..EVENTS {
            let event = events % KINDS;
            events /= KINDS;
            if event < ASKS {
                now_ms = TIMES[usize::try_from(event / 2).unwrap()];
                self.ask(now_ms, usize::try_from(event % 2).unwrap());
                continue;
            }
            if event == LEAVE {
                self.holder.detach();
                self.holder.attach();
                continue;
            }
            self.receive(now_ms, |token| match event - ASKS {
                0 => Err(CallFailure),
                1 => Ok(granted(config, token, 5, TICKS)),
                2 => {
                    let terms = terms();
                    Ok(Reply::Renewed(Renewal { token, incarnation: 1, until_tick: 6, terms }))
                }
                _ => {
                    let refusal = Refusal::NoNodeFree { retry_in_ms: 1 };
                    Ok(Reply::Refused { refusal, incarnation: 1 })
                }
            });
        }
    }

    /// Requests `count` ids. If the request must sleep, its timer is as long as any pause, or
    /// longer.
    fn ask(&mut self, now_ms: u64, count: usize) {
        let (mut wait, mut ids) = (Wait::default(), vec![u64::MAX; count]);
        for _ in 0..3 {
            let span = self.holder.span();
            let random = &mut self.random;
            let draw = || {
                *random += 1;
                *random
            };
            let step = self.holder.step(now_ms, &mut wait, &mut ids, draw);
            if let Some(id) = ids.first().filter(|id| **id != u64::MAX) {
                let parts = config().layout().decode(*id).unwrap();
                if parts.node == NODE {
                    self.last_tick = self.last_tick.max(Some(parts.tick));
                    let is_held = span.is_some_and(|span| parts.tick < span.until_tick());
                    assert!(is_held, "an id of tick {} outside of {span:?}", parts.tick);
                }
                ids[0] = u64::MAX;
            }
            match step {
                Step::Send(call) => self.sent(call, span),
                Step::Sleep { .. } => wait.fired(4_000),
                Step::Done | Step::Failed { .. } => return,
            }
        }
    }

    fn sent(&mut self, call: Call, span: Option<Span>) {
        match call.request {
            Request::Renew(renew) => {
                let end = span.map(|span| span.until_tick());
                assert!(Some(renew.tick) <= end, "a renewal at {}, after {span:?}", renew.tick);
                assert!(self.last_tick <= Some(renew.tick), "a renewal before an issued id");
            }
            Request::Release(release) => {
                let unused = Some(release.until_tick);
                assert!(self.last_tick < unused, "a release of ticks with issued ids");
                self.last_tick = None;
                return;
            }
            Request::Acquire(acquire) => {
                assert!(!self.spent.contains(&acquire.token), "a token for two attempts");
            }
            _ => {}
        }
        self.newest = Some(call);
    }

    fn receive(&mut self, now_ms: u64, reply: impl Fn(Token) -> Result<Reply, CallFailure>) {
        let Some(Call { number, request, .. }) = self.newest else { return };
        let token = match request {
            Request::Acquire(acquire) => acquire.token,
            Request::Renew(renew) => renew.token,
            _ => Token::from_random(0),
        };
        let mut reply = reply(token);
        if let (Request::Prefetch(_), Ok(Reply::Granted(_))) = (request, reply) {
            let [from, until] = [7, 8].map(|tick| Counter { tick, sequence: 0 });
            let (config, terms) = (config(), terms());
            let batch = Batch { incarnation: 1, config, node: 0, from, until, terms };
            reply = Ok(Reply::Batched(batch));
        }
        let before = self.holder.span();
        self.holder.receive(now_ms, number, reply);
        let from = |span: Option<Span>| span.map(|span| span.from_tick());
        if from(self.holder.span()) != from(before) {
            self.last_tick = None;
            self.spent.insert(token);
        }
    }
}

fn terms() -> Terms {
    Terms { lease_ms: 4, allowed_future_ms: 1, ..Terms::default() }
}

fn granted(config: BoundConfig, token: Token, from_tick: u64, until_tick: u64) -> Reply {
    let span = Span::new(config.layout(), NODE, from_tick, until_tick).unwrap();
    Reply::Granted(Grant::new(token, 1, config, span, terms()))
}
