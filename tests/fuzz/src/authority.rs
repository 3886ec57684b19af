//! For all stored rows and all requests: nothing panics, the spans of a node never overlap, and an
//! authority can always be loaded from what it has stored.

use std::collections::BTreeMap;

use arbitrary::Arbitrary;
use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Counter, Error, Life, Prefetch, Release, Renew, Reply,
    Request, Row, Sequencer, Settings, Terms, Token, Write,
};
use edgeflake::preset::{EDGE, SONYFLAKE};
use edgeflake::{Layout, Span};

use super::variant;

/// Number of nodes, from node 1 on.
const NODE_COUNT: u64 = 8;

/// The stored rows, and the requests.
#[derive(Arbitrary, Debug)]
pub struct Input {
    layout: Known,
    /// The number is a power of two.
    shards: u8,
    shard: u8,
    /// The time within the layout's time, in 256ths.
    now: u8,
    incarnation: u8,
    from_tick: Number,
    life: Ends,
    rows: Vec<(Number, Stored)>,
    asked: Vec<(Number, Question)>,
}

#[derive(Arbitrary, Debug)]
enum Known {
    Small,
    Edge,
    Sonyflake,
}

#[derive(Arbitrary, Debug)]
enum Ends {
    Active,
    Destroying(u8, Number),
    Destroyed(Number),
}

/// A whole row. Perhaps no shard can write it.
#[derive(Arbitrary, Debug)]
struct Stored {
    from_tick: Number,
    until_tick: Number,
    until_sequence: Number,
    token: Option<u8>,
    issued: Number,
    issued_of_span: Number,
}

/// Any number, but most often one at which something ends.
#[derive(Arbitrary, Debug)]
enum Number {
    Small(u8),
    Near(Place, i8),
    Any(u64),
}

#[derive(Arbitrary, Debug)]
enum Place {
    Now,
    LeaseAhead,
    LeaseBehind,
    LastTick,
    Most,
}

#[derive(Arbitrary, Debug)]
enum Question {
    Acquire { token: u8, excluded_node: Option<Number>, ahead_ms: i16 },
    Renew { token: u8, node: Number, tick: Number, issued: Option<u64> },
    Release { token: u8, node: Number, until_tick: Number, issued: Option<u64> },
    Prefetch { count: Option<u64>, ahead_ms: i16 },
    Destroy,
    Create,
    Reload,
}

/// Numbers are drawn near to one of these.
#[derive(Clone, Copy)]
struct Scale {
    layout: Layout,
    now: u64,
    lease: u64,
}

impl Scale {
    fn number(self, number: &Number) -> u64 {
        let (place, by) = match number {
            Number::Small(value) => return u64::from(*value),
            Number::Any(value) => return *value,
            Number::Near(place, by) => (place, *by),
        };
        let near = match place {
            Place::Now => self.now,
            Place::LeaseAhead => self.now.saturating_add(self.lease),
            Place::LeaseBehind => self.now.saturating_sub(self.lease),
            Place::LastTick => self.layout.ticks(),
            Place::Most => u64::MAX,
        };
        near.saturating_add_signed(i64::from(by))
    }

    fn ms(self, tick: &Number) -> u64 {
        let since_epoch_ms = self.number(tick).saturating_mul(self.layout.tick_ms());
        since_epoch_ms.saturating_add(self.layout.epoch_ms())
    }

    fn row(self, stored: &Stored) -> Row {
        Row {
            from_tick: self.number(&stored.from_tick),
            until_tick: self.number(&stored.until_tick),
            until_sequence: self.number(&stored.until_sequence),
            token: stored.token.map(|bits| Token::from_random(u128::from(bits))),
            issued: self.number(&stored.issued),
            issued_of_span: self.number(&stored.issued_of_span),
        }
    }

    fn request(self, now_ms: u64, asked: &Question, sequencer: &Sequencer) -> Option<Request> {
        let token = |bits: &u8| Token::from_random(u128::from(*bits));
        let incarnation = sequencer.incarnation;
        let holder_ms = |ahead_ms: &i16| now_ms.saturating_add_signed(i64::from(*ahead_ms));
        Some(match asked {
            Question::Acquire { token: bits, excluded_node, ahead_ms } => {
                Request::Acquire(Acquire {
                    token: token(bits),
                    incarnation: None,
                    excluded_node: excluded_node.as_ref().map(|node| self.number(node)),
                    now_ms: holder_ms(ahead_ms),
                })
            }
            Question::Renew { token: bits, node, tick, issued } => Request::Renew(Renew {
                token: token(bits),
                incarnation,
                node: self.number(node),
                tick: self.number(tick),
                issued: *issued,
                now_ms,
            }),
            Question::Release { token: bits, node, until_tick, issued } => {
                Request::Release(Release {
                    token: token(bits),
                    incarnation,
                    node: self.number(node),
                    until_tick: self.number(until_tick),
                    issued: *issued,
                })
            }
            Question::Prefetch { count, ahead_ms } => Request::Prefetch(Prefetch {
                incarnation: None,
                count: *count,
                now_ms: holder_ms(ahead_ms),
            }),
            Question::Destroy => Request::Destroy,
            Question::Create => Request::Create(sequencer.config),
            Question::Reload => return None,
        })
    }
}

/// Returns the replies, or why the rows cannot be loaded.
pub fn check(input: &Input) -> String {
    let layout = match input.layout {
        Known::Small => "timestamp:16 node:4 sequence:2 @0".parse().unwrap(),
        Known::Edge => EDGE,
        Known::Sonyflake => SONYFLAKE,
    };
    let shards = 1 << (input.shards % 3);
    let shard = u64::from(input.shard) % shards;
    let config = BoundConfig::new(layout, 1, NODE_COUNT, shards).unwrap();
    let terms = Terms { lease_ms: 300, allowed_future_ms: 20, ..Terms::default() };
    let settings = Settings { terms, clock_disagreement_max_ms: 100, ..Settings::default() };
    let now = layout.ticks() / 256 * u64::from(input.now);
    let scale = Scale { layout, now, lease: terms.lease_ms / layout.tick_ms() };

    let rows = input.rows.iter().map(|(node, stored)| (scale.number(node), scale.row(stored)));
    let mut stored: BTreeMap<u64, Row> = rows.collect();
    let tick = |number: &Number| scale.number(number).min(layout.ticks());
    let mut sequencer = Sequencer {
        config,
        incarnation: u64::from(input.incarnation),
        from_tick: tick(&input.from_tick),
        life: match &input.life {
            Ends::Active => Life::Active,
            Ends::Destroying(confirmed, until) => {
                Life::Destroying { confirmed: u64::from(*confirmed), until_tick: tick(until) }
            }
            Ends::Destroyed(until) => Life::Destroyed { until_tick: tick(until) },
        },
    };
    let load = |sequencer, stored: &BTreeMap<u64, Row>| {
        let rows = stored.iter().map(|(node, row)| (*node, *row));
        Authority::load(shard, Some(sequencer), settings, rows)
    };
    let mut authority = match load(sequencer, &stored) {
        Ok(authority) => authority,
        Err(error) => {
            assert!(matches!(error, Error::StoredRow { .. }), "{error}");
            return variant(&error);
        }
    };
    for (node, row) in &stored {
        assert!(config.shard_nodes(shard).contains(node));
        assert!(row.from_tick <= row.until_tick && row.until_sequence < layout.ids_per_tick());
        assert!(ended(row) <= Counter { tick: layout.ticks(), sequence: 0 });
    }
    let mut replies = Vec::new();
    for (at, asked) in &input.asked {
        let now_ms = scale.ms(at);
        let Some(request) = scale.request(now_ms, asked, &sequencer) else {
            authority = load(sequencer, &stored).expect("its own rows");
            replies.push(String::from("reloaded"));
            continue;
        };
        let decided = authority.decide(now_ms, &request);
        let answer = authority.answer(now_ms, &request, |write| {
            match *write {
                Write::Node { incarnation, node, before, after } => {
                    assert!(sequencer.is_active() && sequencer.incarnation == incarnation);
                    assert_eq!(stored.insert(node, after), before);
                    check_write(&decided.reply, &sequencer, before, after);
                }
                Write::Sequencer { ended_by, drops_rows, before, after } => {
                    assert_eq!(Some(sequencer), before);
                    let latest = stored.values().map(end).max().unwrap_or(0);
                    // The sequencer ended before its rows do. No authority writes such rows.
                    if latest > ended_by {
                        return Err(());
                    }
                    if drops_rows {
                        assert!(latest <= after.from_tick);
                        stored.clear();
                    }
                    sequencer = after;
                }
            }
            Ok(())
        });
        assert!(authority.rows().eq(stored.iter().map(|(node, row)| (*node, *row))));
        if answer.is_ok() {
            load(sequencer, &stored).expect("its own rows");
        }
        replies.push(match answer {
            Ok(Reply::Refused { refusal, .. }) => variant(&refusal),
            Ok(reply) => variant(&reply),
            Err(()) => String::from("not stored"),
        });
    }
    if replies.is_empty() { String::from("loaded") } else { replies.join(", ") }
}

/// Checks that nothing that a node had is handed out again, and that the reply agrees with the
/// write.
fn check_write(reply: &Reply, sequencer: &Sequencer, before: Option<Row>, after: Row) {
    let row = before.unwrap_or_default();
    match reply {
        Reply::Granted(grant) => {
            assert_eq!((after.from_tick, after.until_tick), ticks(grant.span));
            assert_eq!(after.token, Some(grant.token));
            let is_again = before == Some(after);
            assert!(is_again || row.until_tick.max(sequencer.from_tick) <= after.from_tick);
        }
        Reply::Renewed(renewal) => {
            assert_eq!((after.from_tick, after.token), (row.from_tick, Some(renewal.token)));
            assert!(row.token == after.token && row.until_tick <= after.until_tick);
            assert_eq!(after.until_tick, renewal.until_tick);
        }
        Reply::Released { token, .. } => {
            assert_eq!((row.token, after.token), (Some(*token), None));
            assert_eq!(after.from_tick, row.from_tick);
            assert!((row.from_tick..=row.until_tick).contains(&after.until_tick));
        }
        Reply::Batched(batch) => {
            assert!(ended(&row) <= batch.from && batch.from < batch.until);
            assert!(sequencer.from_tick <= batch.from.tick);
            assert_eq!((after.from_tick, ended(&after)), (batch.from.tick, batch.until));
        }
        other => panic!("{other:?} writes a row"),
    }
    assert!(row.issued <= after.issued || after.issued == Row::ISSUED_MAX);
}

fn ticks(span: Span) -> (u64, u64) {
    (span.from_tick(), span.until_tick())
}

/// Returns the first counter after those of a row.
fn ended(row: &Row) -> Counter {
    Counter { tick: row.until_tick, sequence: row.until_sequence }
}

/// Returns the first tick after those of a row.
fn end(row: &Row) -> u64 {
    row.until_tick + u64::from(row.until_sequence > 0)
}
