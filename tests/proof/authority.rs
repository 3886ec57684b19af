//! Lemma 1: which writes a decision of an authority may have. A grant or batch begins at or after
//! both the end of the node's row and the incarnation's start, and is repeated only to its own
//! token. A renewal needs the row's token and a holder's tick that is not before `from_tick`; it
//! keeps `from_tick` and lowers no end. Only a release lowers an end: with the row's token, and not
//! below `from_tick`.
//!
//! It checks all tables of a shard with a node of batches and one or two others, reachable or not,
//! and all requests of holders, at all times.

use edgeflake::Layout;
use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Confirm, Counter, Decision, Life, Prefetch, Release, Renew,
    Reply, Request, Row, Sequencer, Settings, Shrink, Terms, Token, Write,
};

/// Number of ticks of the layout, which is also the latest end of a span.
const TICKS: u64 = 4;
/// The tokens of rows, and one that no row has.
const TOKENS: [u128; 3] = [1, 2, 3];

fn layout() -> Layout {
    "timestamp:2 node:2 sequence:1 @0 tick=1ms".parse().unwrap()
}

fn settings(lease_ms: u64, allowed_future_ms: u64) -> Settings {
    let terms = Terms { lease_ms, allowed_future_ms, prefetch_count: 1, ..Terms::default() };
    Settings { terms, clock_disagreement_max_ms: 1, ..Settings::default() }
}

/// A shard, and the table from which it decides.
struct State {
    shard: u64,
    sequencer: Sequencer,
    rows: Vec<(u64, Row)>,
}

pub(crate) fn check() -> u64 {
    let mut count = 0;
    for (shards, nodes) in [(1, 3), (2, 4)] {
        let config = BoundConfig::new(layout(), 0, nodes, shards).unwrap();
        for (shard, from_tick) in
            (0..shards).flat_map(|shard| (0..3).map(move |from| (shard, from)))
        {
            let sequencer = Sequencer { from_tick, ..Sequencer::new(config) };
            let requests = requests(&sequencer);
            for tables in tables(config.shard_nodes(shard)) {
                let state = State { shard, sequencer, rows: tables };
                for settings in [settings(1, 0), settings(3, 1)] {
                    count += state.check(settings, &requests);
                }
            }
        }
    }
    count + check_lives()
}

/// Lists all rows of a node, and that of an unused node.
fn rows(is_of_batches: bool) -> Vec<Option<Row>> {
    let mut rows = vec![None];
    for from_tick in 0..=TICKS {
        for until_tick in from_tick..=TICKS {
            let row = Row { from_tick, until_tick, ..Row::default() };
            rows.push(Some(row));
            if !is_of_batches {
                let held = |bits| Some(Row { token: Some(Token::from_random(bits)), ..row });
                rows.extend(TOKENS[..2].iter().copied().map(held));
            } else if until_tick < TICKS {
                rows.push(Some(Row { until_sequence: 1, ..row }));
            }
        }
    }
    rows
}

fn tables(nodes: std::ops::Range<u64>) -> Vec<Vec<(u64, Row)>> {
    let mut tables = vec![Vec::new()];
    for node in nodes.clone() {
        let rows = rows(node == nodes.start);
        let with = |table: &Vec<(u64, Row)>| -> Vec<Vec<(u64, Row)>> {
            let add = |row: &Option<Row>| {
                let mut table = table.clone();
                table.extend(row.map(|row| (node, row)));
                table
            };
            rows.iter().map(add).collect()
        };
        tables = tables.iter().flat_map(with).collect();
    }
    tables
}

/// Lists all requests of a holder, at all times of the shard.
fn requests(sequencer: &Sequencer) -> Vec<(u64, Request)> {
    let incarnation = sequencer.incarnation;
    let nodes = sequencer.config.node_count();
    let mut requests = Vec::new();
    for now_ms in 0..=TICKS {
        let count = Some(2);
        requests.push((now_ms, Request::Prefetch(Prefetch { incarnation: None, count, now_ms })));
        for token in TOKENS.map(Token::from_random) {
            for excluded_node in (0..nodes).map(Some).chain([None]) {
                let acquire = Acquire { token, incarnation: None, excluded_node, now_ms };
                requests.push((now_ms, Request::Acquire(acquire)));
            }
            for (node, tick) in (0..nodes).flat_map(|node| (0..=TICKS + 1).map(move |t| (node, t)))
            {
                let renew = Renew { token, incarnation, node, tick, issued: None, now_ms };
                requests.push((now_ms, Request::Renew(renew)));
                if now_ms == 0 {
                    let until_tick = tick;
                    let release = Release { token, incarnation, node, until_tick, issued: None };
                    requests.push((now_ms, Request::Release(release)));
                }
            }
        }
    }
    requests
}

impl State {
    fn check(&self, settings: Settings, requests: &[(u64, Request)]) -> u64 {
        let Self { shard, sequencer, rows } = self;
        let authority =
            Authority::load(*shard, Some(*sequencer), settings, rows.iter().copied()).unwrap();
        for (now_ms, request) in requests {
            let decision = authority.decide(*now_ms, request);
            assert!(
                self.holds(request, &decision),
                "shard {shard} at {now_ms} ms, {sequencer:?}, {rows:?}, {request:?}: {decision:?}"
            );
        }
        requests.len() as u64
    }

    /// Whether a decision satisfies lemma 1.
    fn holds(&self, request: &Request, decision: &Decision) -> bool {
        let Self { shard, sequencer, rows } = self;
        let nodes = sequencer.config.shard_nodes(*shard);
        let Some(Write::Node { incarnation, node, before, after }) = decision.write else {
            // A reply that confirms nothing has no write.
            let is_idle = matches!(decision.reply, Reply::Ended { .. } | Reply::Refused { .. });
            return decision.write.is_none() && is_idle;
        };
        let stored = rows.iter().find(|(of, _)| *of == node).map(|(_, row)| *row);
        if incarnation != sequencer.incarnation || !nodes.contains(&node) || before != stored {
            return false;
        }
        let end = before.map_or(Counter { tick: 0, sequence: 0 }, |row| Counter {
            tick: row.until_tick,
            sequence: row.until_sequence,
        });
        let start = end.max(Counter { tick: sequencer.from_tick, sequence: 0 });
        let is_in_layout = after.from_tick <= after.until_tick && after.until_tick <= TICKS;
        let keeps = |row: Row| row.from_tick == after.from_tick && after.until_sequence == 0;
        is_in_layout
            && match (request, &decision.reply) {
                // A grant begins at or after the end of the row and the incarnation's start, or it
                // repeats the grant of the same token.
                (Request::Acquire(acquire), Reply::Granted(grant)) => {
                    let is_new = Counter { tick: after.from_tick, sequence: 0 } >= start
                        && end.sequence == 0;
                    let span = (node, after.from_tick, after.until_tick);
                    node != nodes.start
                        && acquire.excluded_node != Some(node)
                        && after.token == Some(acquire.token)
                        && grant.token == acquire.token
                        && (grant.span.node(), grant.span.from_tick(), grant.span.until_tick())
                            == span
                        && (is_new || before == Some(after))
                }
                (Request::Prefetch(_), Reply::Batched(batch)) => {
                    node == nodes.start
                        && batch.node == node
                        && batch.from >= start
                        && batch.from < batch.until
                        && (batch.until.tick, batch.until.sequence)
                            == (after.until_tick, after.until_sequence)
                        && after.token.is_none()
                }
                // A renewal keeps the start, which the holder has reached, and the token.
                (Request::Renew(renew), Reply::Renewed(renewal)) => before.is_some_and(|row| {
                    row.token == Some(renew.token)
                        && node == renew.node
                        && after.token == row.token
                        && keeps(row)
                        && row.from_tick <= renew.tick
                        && row.until_tick <= after.until_tick
                        && renewal.until_tick == after.until_tick
                        && renewal.token == renew.token
                }),
                // Only a release lowers the end: by token, and within the span.
                (Request::Release(release), Reply::Released { .. }) => before.is_some_and(|row| {
                    row.token == Some(release.token)
                        && node == release.node
                        && after.token.is_none()
                        && keeps(row)
                        && after.until_tick == release.until_tick
                        && after.until_tick <= row.until_tick
                }),
                _ => false,
            }
    }
}

/// Checks the writes of a sequencer: all of its lives, with any row of one node.
fn check_lives() -> u64 {
    let mut count = 0;
    let config = BoundConfig::new(layout(), 0, 4, 2).unwrap();
    let lives = lives();
    let known: Vec<_> = sequencers(config, &lives).map(Some).chain([None]).collect();
    for shard in 0..2 {
        let node = config.shard_nodes(shard).start + 1;
        for (before, row) in
            known.iter().flat_map(|known| rows(false).into_iter().map(move |row| (*known, row)))
        {
            let rows = row.filter(|_| before.is_some()).map(|row| (node, row));
            let authority = Authority::load(shard, before, settings(1, 0), rows).unwrap();
            let follows = sequencers(config, &lives).map(Request::Follow);
            let confirms = (0..=2).flat_map(|until_tick| {
                let confirm =
                    move |shard| Request::Confirm(Confirm { incarnation: 1, shard, until_tick });
                (0..2).map(confirm)
            });
            let shrinks =
                (1..=4).map(|node_count| Request::Shrink(Shrink { incarnation: 1, node_count }));
            let others = [Request::Create(config), Request::Destroy, Request::Describe];
            for request in follows.chain(confirms).chain(shrinks).chain(others) {
                for now_ms in 0..=TICKS {
                    let Decision { write, .. } = authority.decide(now_ms, &request);
                    count += 1;
                    let Some(write) = write else { continue };
                    assert!(
                        sequencer_holds(&write, before, rows),
                        "shard {shard}, {before:?}, {rows:?}, {request:?}: {write:?}"
                    );
                }
            }
        }
    }
    count
}

fn lives() -> Vec<Life> {
    let ends = |until_tick| {
        let destroying = (0..2).map(move |confirmed| Life::Destroying { confirmed, until_tick });
        destroying.chain([Life::Destroyed { until_tick }])
    };
    (0..3).flat_map(ends).chain([Life::Active]).collect()
}

fn sequencers(config: BoundConfig, lives: &[Life]) -> impl Iterator<Item = Sequencer> {
    let of = move |life: &Life| {
        let life = *life;
        (1..3)
            .flat_map(move |incarnation| {
                (0..3).map(move |from_tick| Sequencer { config, incarnation, from_tick, life })
            })
            // No life ends before it starts.
            .filter(|sequencer| match sequencer.life {
                Life::Active => true,
                Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => {
                    sequencer.from_tick <= until_tick
                }
            })
    };
    lives.iter().flat_map(of)
}

/// An incarnation never falls. Rows are dropped, and an end is told, only if no row ends later than
/// the new start or end, which the write itself checks. Nodes that are given up have no row.
fn sequencer_holds(write: &Write, known: Option<Sequencer>, row: Option<(u64, Row)>) -> bool {
    let Write::Sequencer { ended_by, drops_rows, before, after } = *write else { return false };
    let end = match after.life {
        Life::Active => after.from_tick,
        Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => until_tick,
    };
    let is_later = known.is_none_or(|known| known.incarnation <= after.incarnation);
    let starts = known.is_none_or(|known| known.from_tick <= after.from_tick || !after.is_active());
    let is_another = known.is_none_or(|known| known.incarnation != after.incarnation);
    let is_covered = if drops_rows || !after.is_active() {
        ended_by <= end
    } else {
        row.is_none_or(|(node, _)| after.config.has_node(node))
    };
    before == known && is_later && starts && drops_rows == is_another && is_covered
}
