//! Plays transcripts of the shards of a sequencer.
//!
//! `new` makes the shards, from a layout, a range of nodes, the number of shards, and the shards
//! that know the sequencer. An event that begins with `s2` asks shard 2. An event without a shard
//! asks the registry. `acquire 7` has the token 7. `renew 7 4 1050` names the token, the node and
//! the holder's tick, and `release 7 4 1050` the token, the node and the first unused tick.

use core::fmt::Write as _;

use edgeflake::Layout;
use edgeflake::lease::{
    Action, Authority, BoundConfig, CallFailure, Confirm, Counter, Destruction, Life, Prefetch,
    Release, Renew, Reply, Request, Row, Sequencer, Settings, Shrink, Shrinking, Terms, Token,
};

use super::{acquire, release, renew};
use crate::transcript::{Player, Words, numbers};

/// The shards of a sequencer, and the clock that they share.
pub(crate) struct Objects {
    shards: Vec<Authority>,
    settings: Settings,
    now_ms: u64,
    sequencer: Option<Sequencer>,
}

impl Default for Objects {
    fn default() -> Self {
        Self { shards: Vec::new(), settings: Settings::default(), now_ms: 1_000, sequencer: None }
    }
}

impl Player for Objects {
    fn play(&mut self, words: &Words) -> String {
        let (shard, words) = words.after('s');
        let shard = shard.unwrap_or_default();
        let incarnation = words.option("i");
        let registry = self.shards.first().and_then(|registry| registry.sequencer().copied());
        let known = incarnation.or(registry.map(|known| known.incarnation)).unwrap_or(1);
        let clock_ms = words.option("clock").unwrap_or(self.now_ms);
        let issued = words.option("issued");
        let request = match words.get(0).expect("an event") {
            "new" => return self.create(&words),
            "row" => {
                let row = self.shards[shard].row(words.number(1));
                return row.map_or("none".to_owned(), |row| shown_row(&row));
            }
            "rows" => {
                let rows = self.shards[shard].rows();
                return rows.map(|(node, _)| node.to_string()).collect::<Vec<_>>().join(" ");
            }
            "nodes" => return format!("{:?}", self.shards[shard].nodes()),
            "status" => return numbers(&self.shards[shard].status(self.now_ms)),
            "load" => return self.load(&words),
            "destroying" => {
                let mut destruction = Destruction::new();
                return self.run(None, |reply| {
                    if let Some(reply) = reply {
                        destruction.receive(reply);
                    }
                    destruction.action()
                });
            }
            "shrinking" => {
                let mut shrinking = Shrinking::new(words.number(1));
                return self.run(words.option("lost"), |reply| {
                    if let Some(reply) = reply {
                        shrinking.receive(reply);
                    }
                    shrinking.action()
                });
            }
            "acquire" => {
                let bits = words.get(1).and_then(|bits| bits.parse().ok()).expect("a token");
                let mut acquire = acquire(bits, clock_ms);
                acquire.incarnation = incarnation;
                acquire.excluded_node = words.option("not");
                Request::Acquire(acquire)
            }
            "renew" => {
                let renew = renew(words.number(1).into(), known, words.number(2), words.number(3));
                Request::Renew(Renew { now_ms: clock_ms, issued, ..renew })
            }
            "release" => {
                let (node, until_tick) = (words.number(2), words.number(3));
                let release = release(words.number(1).into(), known, node, until_tick);
                Request::Release(Release { issued, ..release })
            }
            "prefetch" => {
                let count = words.get(1).and_then(|count| count.parse().ok());
                Request::Prefetch(Prefetch { incarnation, count, now_ms: clock_ms })
            }
            "create" => Request::Create(config(&words)),
            "describe" => Request::Describe,
            "destroy" => Request::Destroy,
            "confirm" => Request::Confirm(Confirm {
                incarnation: known,
                shard: words.number(1),
                until_tick: words.number(2),
            }),
            "shrink" => Request::Shrink(Shrink { incarnation: known, node_count: words.number(1) }),
            "follow" => {
                let mut sequencer = registry.unwrap_or(Sequencer::new(config(&words)));
                sequencer.incarnation = known;
                sequencer.from_tick = words.option("from").unwrap_or(sequencer.from_tick);
                if words.text("layout").is_some() {
                    sequencer = Sequencer::new(config(&words));
                }
                Request::Follow(sequencer)
            }
            other => panic!("unknown event {other}"),
        };
        self.ask(shard, request)
    }

    fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
    }
}

/// Returns the configuration of an event. Its layout has `_` instead of spaces.
fn config(words: &Words) -> BoundConfig {
    let text = words.text("layout").unwrap_or("timestamp:20_node:4_sequence:2_@0");
    let layout: Layout = text.replace('_', " ").parse().unwrap();
    let count = words.option("nodes").unwrap_or(4);
    let first = words.option("first").unwrap_or_default();
    BoundConfig::new(layout, first, count, words.option("shards").unwrap_or(1)).unwrap()
}

impl Objects {
    fn create(&mut self, words: &Words) -> String {
        let config = config(words);
        let mut sequencer = Sequencer::new(config);
        sequencer.incarnation = words.option("i").unwrap_or(1);
        let terms = Terms {
            lease_ms: words.option("lease").unwrap_or(100),
            allowed_future_ms: words.option("future").unwrap_or(40),
            ..Terms::default()
        };
        let clock_disagreement_max_ms = words.option("disagreement").unwrap_or(10_000);
        self.settings = Settings { terms, clock_disagreement_max_ms, ..Settings::default() };
        let known_by = words.text("known").unwrap_or("0123");
        let load = |shard: u64| {
            let known = known_by.contains(&shard.to_string()).then_some(sequencer);
            Authority::load(shard, known, self.settings, []).unwrap()
        };
        self.shards = (0..config.shards()).map(load).collect();
        self.sequencer = Some(sequencer);
        String::new()
    }

    /// Loads the registry again, with rows such as `4:1000..1090`. In `4:5..9t7`, the row has a
    /// token.
    fn load(&mut self, words: &Words) -> String {
        let number = |text: &str| text.parse::<u64>().unwrap();
        let rows = (1..).map_while(|place| words.get(place)).filter(|word| word.contains(':'));
        let rows: Vec<_> = rows
            .map(|text| {
                let (node, span) = text.split_once(':').unwrap();
                let (from, until) = span.split_once("..").unwrap();
                let (until, bits) = until
                    .split_once('t')
                    .map_or((until, None), |(until, bits)| (until, Some(number(bits))));
                let (until, sequence) = until.split_once('.').unwrap_or((until, "0"));
                let token = bits.map(|bits| Token::from_random(bits.into()));
                let row = Row {
                    from_tick: number(from),
                    until_tick: number(until),
                    until_sequence: number(sequence),
                    token,
                    ..Row::default()
                };
                (number(node), row)
            })
            .collect();
        match Authority::load(0, self.sequencer, self.settings, rows) {
            Ok(authority) => {
                self.shards[0] = authority;
                String::new()
            }
            Err(error) => format!("{error:?}"),
        }
    }

    /// Decides a request, and applies the write, which must be based on the shard's rows. Grants,
    /// renewals, releases and batches must have a write, and refusals none.
    fn ask(&mut self, shard: usize, request: Request) -> String {
        let authority = &mut self.shards[shard];
        let is_written = authority.decide(self.now_ms, &request).write.is_some();
        let reply = super::ask(authority, self.now_ms, request);
        let mut must_write = true;
        let shown = match reply {
            Reply::Granted(grant) => {
                let Request::Acquire(asked) = request else { panic!("{request:?}") };
                let known = authority.sequencer().unwrap();
                assert_eq!((grant.token, grant.terms), (asked.token, self.settings.terms));
                assert_eq!((grant.incarnation, grant.config), (known.incarnation, known.config));
                let span = grant.span;
                format!("{}:{}..{}", span.node(), span.from_tick(), span.until_tick())
            }
            Reply::Renewed(renewal) => {
                assert_eq!(renewal.terms, self.settings.terms);
                format!("until {}", renewal.until_tick)
            }
            Reply::Released { .. } => "released".to_owned(),
            Reply::Batched(batch) => {
                let known = authority.sequencer().unwrap();
                assert_eq!((batch.incarnation, batch.config), (known.incarnation, known.config));
                assert_eq!(batch.terms, self.settings.terms);
                let at = |at: Counter| format!("{}.{}", at.tick, at.sequence);
                format!("{}:{}..{}", batch.node, at(batch.from), at(batch.until))
            }
            Reply::Described(sequencer) => {
                assert_eq!(sequencer, authority.sequencer().copied());
                must_write = is_written;
                match sequencer {
                    Some(sequencer) if is_written => shown_sequencer(&sequencer),
                    Some(_) => "as before".to_owned(),
                    None => "none".to_owned(),
                }
            }
            Reply::Ended { .. } => {
                must_write = false;
                "ended".to_owned()
            }
            Reply::Refused { refusal, incarnation } => {
                must_write = false;
                let known = authority.sequencer().map_or(0, |known| known.incarnation);
                assert_eq!(incarnation, known);
                format!("{} {}", refusal.code(), numbers(&refusal)).trim_end().to_owned()
            }
        };
        assert_eq!(is_written, must_write, "{reply:?}");
        shown
    }

    /// Carries out the actions that `next` returns, and loses the reply with the number `lost`.
    /// Returns the shards that were asked, and the answer.
    fn run(
        &mut self,
        lost: Option<u64>,
        mut next: impl FnMut(Option<Result<Reply, CallFailure>>) -> Action,
    ) -> String {
        let (mut asked, mut action) = (String::new(), next(None));
        loop {
            match action {
                Action::Send { shard, request } => {
                    let authority = &mut self.shards[usize::try_from(shard).unwrap()];
                    let reply = super::ask(authority, self.now_ms, request);
                    let is_lost = lost == Some(asked.split(' ').count() as u64 - 1);
                    write!(asked, "s{shard} ").unwrap();
                    action = next(Some(if is_lost { Err(CallFailure) } else { Ok(reply) }));
                }
                Action::Done(Ok(Reply::Described(Some(sequencer)))) => {
                    return asked + &shown_sequencer(&sequencer);
                }
                Action::Done(Ok(Reply::Refused { refusal, .. })) => {
                    return asked + format!("{} {}", refusal.code(), numbers(&refusal)).trim_end();
                }
                Action::Done(answer) => return format!("{asked}{answer:?}"),
            }
        }
    }
}

fn shown_sequencer(sequencer: &Sequencer) -> String {
    let Sequencer { config, incarnation, from_tick, life } = sequencer;
    let (nodes, shards) = (config.node_count(), config.shards());
    let life = match life {
        Life::Active => format!("from {from_tick}"),
        Life::Destroying { confirmed, until_tick } => format!("{confirmed} end {until_tick}"),
        Life::Destroyed { until_tick } => format!("ended {until_tick}"),
    };
    format!("i{incarnation}, {nodes} nodes, {shards} shards, {life}")
}

fn shown_row(row: &Row) -> String {
    let token = row.token.map_or("free", |_| "held");
    let Row { from_tick, until_tick, until_sequence, issued, issued_of_span, .. } = row;
    format!(
        "{from_tick}..{until_tick}.{until_sequence} {token} issued {issued_of_span} of {issued}"
    )
}
