//! Plays transcripts of a holder. `ids 5` steps a new request for 5 ids. `a=5` does the same and
//! names the request; then `a` steps it again, and `a+25` does so after a timer of 25 ms. `run a`
//! steps it to its end. `A=5` is a request that takes its ids in slices. `grant`, `renewed`,
//! `ended`, `released`, `batch`, `refused` and `lost` reply to the newest call, or after `#0` to
//! the first one. A state is shown in brackets when it has changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use edgeflake::Span;
use edgeflake::lease::{
    Call, Grant, Holder, Outcome, Record, Reply, Request, State, Step, Terms, Token, Wait,
};

use super::isolate::{Isolate, Shard, layout, reply, terms, token_of};
use crate::transcript::{Player as Play, Words};

/// One holder, its clock, and its requests and calls so far.
pub(super) struct Player {
    isolate: Isolate,
    shard: Shard,
    now_ms: u64,
    state: State,
    requests: BTreeMap<String, (Wait, Vec<u64>, bool)>,
    calls: Vec<Call>,
    tokens: Vec<Token>,
    record: Option<Record>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            isolate: Isolate::default(),
            shard: Shard::new(terms()),
            now_ms: 1_000,
            state: State::Acquiring,
            requests: BTreeMap::new(),
            calls: Vec::new(),
            tokens: Vec::new(),
            record: None,
        }
    }
}

impl Play for Player {
    fn play(&mut self, words: &Words) -> String {
        let mut outcome = if words.get(0).is_none() { String::new() } else { self.outcome(words) };
        let state = self.isolate.holder.state();
        if state != self.state {
            let space = if outcome.is_empty() { "" } else { " " };
            write!(outcome, "{space}[{}]", state.name()).unwrap();
            self.state = state;
        }
        outcome
    }

    fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
    }
}

impl Player {
    fn outcome(&mut self, words: &Words) -> String {
        let (call, words) = words.after('#');
        let place = call.unwrap_or(self.calls.len().saturating_sub(1));
        let (now_ms, holder) = (self.now_ms, &mut self.isolate.holder);
        match words.get(0).unwrap() {
            "new" => {
                self.begin(&words);
                String::new()
            }
            "bind" => {
                let epoch_ms = words.option("epoch");
                let layout = epoch_ms.map(|epoch_ms| layout().with_epoch(epoch_ms).unwrap());
                holder.bind(layout, words.option("i"));
                String::new()
            }
            event @ ("detach" | "attach" | "created" | "destroyed") => {
                match event {
                    "detach" => holder.detach(),
                    "attach" => holder.attach(),
                    "created" => holder.created(),
                    _ => holder.destroyed(now_ms, words.number(1)),
                }
                String::new()
            }
            "drawn" => self.isolate.drawn.to_string(),
            "over" => holder.has_ended().to_string(),
            "span" => holder.span().map_or("none".to_owned(), span),
            "incarnation" => format!("{:?}", holder.incarnation()),
            "layout" => {
                holder.config().map_or("none".to_owned(), |config| config.layout().to_string())
            }
            "ready" => {
                let ready = holder.ready(now_ms);
                assert_eq!(holder.ready(now_ms), ready);
                ready.map_or_else(|error| error.code().to_owned(), |()| "ready".to_owned())
            }
            "record" | "write" => {
                self.record = holder.record(now_ms);
                if words.get(0).unwrap() == "write" {
                    holder.written(self.record.as_ref());
                }
                self.record.map_or("none".to_owned(), |record| {
                    format!("{} below {}", span(record.grant.span), record.reserved_tick)
                })
            }
            "written" | "resume" => {
                let Record { grant, reserved_tick } = self.record.expect("a record");
                let grant = Grant {
                    token: words.option("t").map_or(grant.token, token_of),
                    config: words.config(),
                    incarnation: words.option("i").unwrap_or(grant.incarnation),
                    terms: words.option("future").map_or(grant.terms, |_| words.terms()),
                    ..grant
                };
                let reserved_tick = words.option("below").unwrap_or(reserved_tick);
                let record = Record { grant, reserved_tick };
                if words.get(0).unwrap() == "written" {
                    holder.written(Some(&record));
                    return String::new();
                }
                holder.resume(&record, 7).map_or_else(
                    |error| error.to_string(),
                    |()| holder.span().map_or("none".to_owned(), span),
                )
            }
            "id" | "ids" => {
                let count = words.get(1).map_or(1, |count| count.parse().unwrap());
                self.requests.insert("id".to_owned(), (Wait::default(), vec![0; count], false));
                self.step("id")
            }
            "run" => self.run(words.get(1).unwrap(), words.option("batch"), words.option("calls")),
            "grant" | "renewed" | "ended" | "released" | "batch" | "refused" | "lost" => {
                let call = self.calls[place];
                let reply = reply(&call, &words, &mut self.shard);
                outcome_text(self.isolate.holder.receive(now_ms, call.number, reply))
            }
            request => {
                if let Some((name, count)) = request.split_once('=') {
                    let count = count.parse().unwrap();
                    let is_queued = name.starts_with(char::is_uppercase);
                    let wait = if is_queued { Wait::of(count) } else { Wait::default() };
                    let ids = vec![0; if is_queued { 0 } else { count }];
                    self.requests.insert(name.to_owned(), (wait, ids, is_queued));
                    return self.step(name);
                }
                let (name, ms) = request.split_once('+').unwrap_or((request, "0"));
                let (wait, ..) = self.requests.get_mut(name).expect("a request");
                wait.fired(ms.parse().unwrap());
                self.step(name)
            }
        }
    }

    /// Begins again with a new holder, which knows nothing of earlier calls.
    fn begin(&mut self, words: &Words) {
        self.isolate.holder = match words.get(1).unwrap() {
            "prefetching" => Holder::prefetching(),
            "storing" => Holder::storing(),
            _ => Holder::new(),
        };
        let (count, validity_ms) = (words.option("count"), words.option("validity"));
        self.isolate.holder.set_prefetch(count, validity_ms);
        self.isolate.drawn = words.option("drawn").unwrap_or_default().into();
        self.calls.clear();
        self.tokens.clear();
        let own = terms();
        self.shard = Shard::new(Terms {
            prefetch_count: words.option("base").unwrap_or(own.prefetch_count),
            prefetch_validity_ms: words.option("valid").unwrap_or(own.prefetch_validity_ms),
            ..own
        });
    }

    fn step(&mut self, name: &str) -> String {
        let (mut wait, mut ids, is_queued) = self.requests.remove(name).expect("a request");
        let step = if is_queued {
            self.isolate.issue(self.now_ms, &mut wait, &mut ids)
        } else {
            self.isolate.step(self.now_ms, &mut wait, &mut ids)
        };
        let taken = ids.iter().filter(|id| **id != 0).count();
        let mut shown = match step {
            Step::Done => {
                assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
                let [first, last] = [ids[0], ids[ids.len() - 1]].map(|id| {
                    let parts = layout().decode(id).unwrap();
                    (parts.node, format!("{}.{}", parts.tick, parts.sequence))
                });
                let node = first.0;
                match ids.len() {
                    1 => format!("{node}:{}", first.1),
                    _ => format!("{node}:{}..={}", first.1, last.1),
                }
            }
            Step::Send(call) => self.sent(call),
            Step::Sleep { ms } => format!("sleep {ms}"),
            Step::Failed { error, retry_in_ms } => {
                let retry = retry_in_ms.map(|ms| format!(", retry in {ms}"));
                format!("{}{}", error.code(), retry.unwrap_or_default())
            }
        };
        if step != Step::Done && taken > 0 {
            write!(shown, ", {taken} taken").unwrap();
        }
        self.requests.insert(name.to_owned(), (wait, ids, is_queued));
        shown
    }

    /// Steps a request to its end, and returns how and when it ended. Each of the first `calls`
    /// calls gets a batch of `count` ids after 20 ms, and later calls get no reply.
    fn run(&mut self, name: &str, count: Option<u64>, calls: Option<u64>) -> String {
        let (since_ms, mut sent) = (self.now_ms, 0);
        loop {
            let shown = self.step(name);
            if let Some(rest) = shown.strip_prefix("sleep ") {
                let ms = rest.split(',').next().unwrap().parse().unwrap();
                self.requests.get_mut(name).unwrap().0.fired(ms);
                self.now_ms += ms;
            } else if shown.starts_with("prefetch") || shown.starts_with("acquire") {
                if sent < calls.unwrap_or_default()
                    && let Some(count) = count
                {
                    self.now_ms += 20;
                    let batch = Reply::Batched(self.shard.batch(count));
                    let number = self.calls[self.calls.len() - 1].number;
                    self.isolate.holder.receive(self.now_ms, number, Ok(batch));
                }
                sent += 1;
            } else {
                return format!("{shown}, {} ms, {sent} calls", self.now_ms - since_ms);
            }
        }
    }

    /// Formats a call. A retry has the number of the previous call. Any other call has a later
    /// number.
    fn sent(&mut self, call: Call) -> String {
        let later = self.calls.iter().all(|earlier| earlier.number < call.number);
        let again = self.calls.iter().any(|earlier| earlier.number == call.number);
        assert!(if call.tries > 0 { again } else { later }, "{call:?}");
        self.calls.push(call);
        let mut shown = match call.request {
            Request::Acquire(acquire) => {
                assert_eq!(acquire.now_ms, self.now_ms);
                let excluded = acquire.excluded_node.map(|node| format!(" not {node}"));
                let incarnation = acquire.incarnation.map(|found| format!(" i{found}"));
                let token = self.token(acquire.token);
                format!(
                    "acquire {token}{}{}",
                    incarnation.unwrap_or_default(),
                    excluded.unwrap_or_default()
                )
            }
            Request::Renew(renew) => {
                assert_eq!(renew.now_ms, self.now_ms);
                let (token, issued) = (self.token(renew.token), issued(renew.issued));
                format!(
                    "renew {token} i{} {}@{}{issued}",
                    renew.incarnation, renew.node, renew.tick
                )
            }
            Request::Release(release) => {
                let (token, issued) = (self.token(release.token), issued(release.issued));
                let (incarnation, node, tick) =
                    (release.incarnation, release.node, release.until_tick);
                format!("release {token} i{incarnation} {node}@{tick}{issued}")
            }
            Request::Prefetch(prefetch) => {
                assert_eq!(prefetch.now_ms, self.now_ms);
                let count = prefetch.count.map(|count| format!(" {count}"));
                format!("prefetch{}", count.unwrap_or_default())
            }
            other => panic!("{other:?}"),
        };
        if let Some(shard) = call.shard {
            write!(shown, " to {shard}").unwrap();
        }
        if call.tries > 0 {
            write!(shown, ", try {}", call.tries).unwrap();
        }
        shown
    }

    /// Names a token by the order in which tokens are first seen.
    fn token(&mut self, token: Token) -> String {
        let place = self.tokens.iter().position(|known| *known == token).unwrap_or_else(|| {
            self.tokens.push(token);
            self.tokens.len() - 1
        });
        format!("t{place}")
    }
}

fn issued(issued: Option<u64>) -> String {
    issued.map(|issued| format!(" issued {issued}")).unwrap_or_default()
}

fn span(span: Span) -> String {
    format!("{}:{}..{}", span.node(), span.from_tick(), span.until_tick())
}

fn outcome_text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed(error) => error.code().to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}
