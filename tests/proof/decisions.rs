//! Draws decisions of the real authority and witness at random, and prints them as lines of
//! numbers: the state before, the request, and the decision. `decisions.py` reads them, and decides
//! the same cases.

use std::io::{BufWriter, Write as _};

use edgeflake::Layout;
use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Decision, Life, Prefetch, Release, Renew, Reply, Request, Row,
    Sequencer, Settings, Stamp, Terms, Token, Version, Witness, Write,
};

use crate::random::Random;

const TICKS: u64 = 64;
const SHARDS: u64 = 2;
/// The number of nodes of a shard. The first one is kept for batches.
const NODES: u64 = 4;
/// Stands for a missing value.
const NONE: i64 = -1;

pub(crate) fn print(seed: u64, count: u64) {
    let mut random = Random::of_seed(seed);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for _ in 0..count {
        let numbers = if random.one_in(10) { witnessed(&mut random) } else { decided(&mut random) };
        let words: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        writeln!(out, "{}", words.join(" ")).unwrap();
    }
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap()
}

/// Draws a decision of an authority. Its line begins with 0. Then come: the start of the
/// incarnation, epoch and tick in ms, lease, allowed future and largest disagreement of clocks in
/// ms; the rows; the times of the shard and of the holder; the request; the reply, and the row that
/// is written.
fn decided(random: &mut Random) -> Vec<i64> {
    let (epoch_ms, tick_ms) = (random.pick([0, 7]), random.pick([1, 1, 3]));
    let text = format!("timestamp:6 node:3 sequence:1 @{epoch_ms} tick={tick_ms}ms");
    let layout: Layout = text.parse().unwrap();
    let config = BoundConfig::new(layout, 0, SHARDS * NODES, SHARDS).unwrap();
    let shard = random.below(SHARDS);
    let base = shard * NODES;
    let sequencer = Sequencer { from_tick: random.pick([0, 0, 5, 40]), ..Sequencer::new(config) };
    let allowed_future_ms = random.below(6);
    let terms = Terms {
        lease_ms: 2 * allowed_future_ms + tick_ms + random.below(20),
        allowed_future_ms,
        ..Terms::default()
    };
    let clock_disagreement_max_ms = random.below(8);
    let settings = Settings { terms, clock_disagreement_max_ms, ..Settings::default() };
    let mut numbers = vec![0];
    numbers.extend([sequencer.from_tick, epoch_ms, tick_ms, terms.lease_ms].map(number));
    numbers.extend([allowed_future_ms, clock_disagreement_max_ms].map(number));

    let rows: Vec<_> =
        (0..NODES).filter_map(|node| Some((base + node, row(random, node)?))).collect();
    for node in 0..NODES {
        let row = rows.iter().find(|(of, _)| *of == base + node).map(|(_, row)| row);
        numbers.extend(row.map_or([NONE; 4], in_numbers));
    }
    let held: Vec<_> = (0..NODES)
        .zip(numbers[7..].chunks(4))
        .filter(|(_, row)| row[3] != NONE)
        .map(|(node, row)| (node, row[3].cast_unsigned()))
        .collect();
    let authority = Authority::load(shard, Some(sequencer), settings, rows).unwrap();
    let now_ms = random.below(TICKS * tick_ms + 12);
    let holder_ms = (now_ms + random.below(9)).saturating_sub(random.below(9));
    numbers.extend([now_ms, holder_ms].map(number));
    let request = request(random, (base, &held), holder_ms, &mut numbers);
    let Decision { write, reply } = authority.decide(now_ms, &request);
    numbers.push(match reply {
        Reply::Granted(_) => 0,
        Reply::Renewed(_) => 1,
        Reply::Released { .. } => 2,
        Reply::Batched(_) => 3,
        Reply::Ended { .. } => 4,
        _ => 5,
    });
    match write {
        Some(Write::Node { node, after, .. }) => {
            numbers.push(number(node - base));
            numbers.extend(in_numbers(&after));
        }
        _ => numbers.extend([NONE; 5]),
    }
    numbers
}

fn row(random: &mut Random, node: u64) -> Option<Row> {
    let from_tick = random.below(TICKS);
    let until_tick = (from_tick + random.below(25)).min(TICKS);
    let token = (node > 0 && random.one_in(2)).then(|| token(random));
    let until_sequence = if node == 0 && until_tick < TICKS { random.below(2) } else { 0 };
    let row = Row { from_tick, until_tick, until_sequence, token, ..Row::default() };
    (!random.one_in(4)).then_some(row)
}

/// Draws one of four tokens, so that rows often have the token of a request.
fn token(random: &mut Random) -> Token {
    Token::from_random(u128::from(random.below(4)))
}

fn in_numbers(row: &Row) -> [i64; 4] {
    let of = |bits: &u128| row.token == Some(Token::from_random(*bits));
    let token = (0..5).position(|bits| of(&bits));
    let token = token.map_or(NONE, |token| number(token as u64));
    [number(row.from_tick), number(row.until_tick), number(row.until_sequence), token]
}

/// Draws a request, and appends to `numbers` its kind, its token (token 4 is in no row), its node,
/// and its tick, or for a batch one less than its count.
fn request(
    random: &mut Random,
    (base, held): (u64, &[(u64, u64)]),
    now_ms: u64,
    numbers: &mut Vec<i64>,
) -> Request {
    let (kind, mut bits, mut node) = (random.below(4), random.below(5), random.below(NODES + 1));
    // Most renewals and releases name a node that is held, and its token.
    if !held.is_empty() && (1..3).contains(&kind) && !random.one_in(4) {
        (node, bits) = held[random.index(held.len())];
    }
    let tick = random.below(TICKS + 3);
    let (token, incarnation) = (Token::from_random(u128::from(bits)), 1);
    numbers.extend([kind, bits, node, tick].map(number));
    let of = (base + node) % (SHARDS * NODES);
    match kind {
        0 => {
            let excluded_node = (node < NODES).then_some(of);
            Request::Acquire(Acquire { token, incarnation: None, excluded_node, now_ms })
        }
        1 => Request::Renew(Renew { token, incarnation, node: of, tick, issued: None, now_ms }),
        2 => {
            let until_tick = tick;
            Request::Release(Release { token, incarnation, node: of, until_tick, issued: None })
        }
        _ => Request::Prefetch(Prefetch { incarnation: None, count: Some(1 + tick), now_ms }),
    }
}

/// Draws a case of a witness. Its line begins with 1. Then come: the session of the witness; the
/// first ticks of the sequencers of the shard and of the witness; the nodes that the shard may
/// grant after a restart; the ends of its rows; the stamp of the witness, and another stamp;
/// whether the witness confirms the other stamp, and its stamp after that; if a shard with the
/// other stamp asks for a session instead, the session, whether the shard was rolled back, and the
/// witness's stamp after that; and after a rollback, the first ticks of the shard and of each of
/// its nodes.
fn witnessed(random: &mut Random) -> Vec<i64> {
    let layout: Layout = "timestamp:6 node:3 sequence:1 @0".parse().unwrap();
    let config = BoundConfig::new(layout, 0, SHARDS * NODES, SHARDS).unwrap();
    let life = random.pick([Life::Active, Life::Active, Life::Destroyed { until_tick: 0 }]);
    let mut sequencer =
        |life| Sequencer { from_tick: random.below(30), life, ..Sequencer::new(config) };
    let (own_sequencer, newer_sequencer) = (sequencer(Life::Active), sequencer(life));
    let rows: Vec<_> = (0..NODES).filter_map(|node| Some((node, row(random, node)?))).collect();
    let mut stamp = |sequencer| {
        let version = Version { session: random.below(4), write: random.below(4) };
        let until_tick = random.below(TICKS);
        let mut stamp =
            Stamp { version, sequencer: Some(sequencer), until_tick, ..Stamp::default() };
        for _ in 0..random.below(12) {
            stamp.cover(random.below(SHARDS * NODES + 4), random.below(TICKS));
        }
        stamp
    };
    let (own, other) = (stamp(newer_sequencer), stamp(own_sequencer));
    let session = own.version.session + random.below(2);
    let witness = Witness { session, stamp: own, rollbacks: random.below(3), restarting: 0 };
    let say = |stamp: &Stamp| {
        let Version { session, write } = stamp.version;
        let latest = stamp.latest.iter().flat_map(|late| [late.node, late.until_tick]);
        [session, write, stamp.until_tick].into_iter().chain(latest).map(number).collect::<Vec<_>>()
    };
    let nodes = if life == Life::Active { 0..NODES } else { 0..0 };
    let mut numbers = vec![1];
    numbers.extend([session, own_sequencer.from_tick, newer_sequencer.from_tick].map(number));
    numbers.extend([nodes.start, nodes.end].map(number));
    let mut authority = Authority::load(0, Some(own_sequencer), Settings::default(), rows).unwrap();
    numbers
        .extend((0..NODES).map(|node| authority.row(node).map_or(NONE, |row| number(end(&row)))));
    numbers.extend(say(&own));
    numbers.extend(say(&other));
    let (mut confirming, mut opening) = (witness, witness);
    numbers.push(i64::from(confirming.confirm(&other)));
    numbers.extend(say(&confirming.stamp));
    let opened = opening.open(&other);
    numbers.extend([number(opened.session), i64::from(opened.newer.is_some())]);
    numbers.extend(say(&opening.stamp));
    let Some(newer) = opened.newer else {
        numbers.extend((0..=NODES).map(|_| NONE));
        return numbers;
    };
    authority.restart(&newer).iter().for_each(|write| authority.apply(write));
    let from_tick = authority.sequencer().unwrap().from_tick;
    numbers.push(number(from_tick));
    let start = |node| authority.row(node).map_or(from_tick, |row| row.until_tick.max(from_tick));
    numbers.extend((0..NODES).map(start).map(number));
    numbers
}

fn end(row: &Row) -> u64 {
    row.until_tick + u64::from(row.until_sequence > 0)
}
