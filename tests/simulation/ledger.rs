//! The rules that always hold, however decisions are made. The ledger is kept beside the code under
//! test, from what was written, adopted and issued.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use edgeflake::lease::{
    Acquire, BoundConfig, Counter, Life, Renew, Renewal, Reply, Request, Row, Sequencer, Token,
    Write,
};
use edgeflake::{Layout, Parts, SequenceStart, Span};

use crate::tally::{Count, Tally};

/// A span from which a holder may issue.
#[derive(Clone, Copy)]
pub(crate) struct Lease {
    pub(crate) life: u64,
    pub(crate) incarnation: u64,
    pub(crate) span: Span,
}

/// A request to a shard at a time on its clock, in Unix ms, and the reply.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub(crate) shard: u64,
    pub(crate) now_ms: u64,
    pub(crate) clock_disagreement_max_ms: u64,
    /// Whether the shard knew everything that was stored.
    pub(crate) is_current: bool,
    pub(crate) request: Request,
    pub(crate) reply: Reply,
}

type Tokens = BTreeMap<(u64, u64, Token), BTreeMap<u64, Row>>;

/// The last id that a holder issued on a node.
#[derive(Clone, Copy)]
struct Last {
    tick: u64,
    id: u64,
}

#[derive(Default)]
pub(crate) struct Ledger {
    ids: HashSet<u64>,
    /// By incarnation: its bound configuration, its start, and its end.
    incarnations: BTreeMap<u64, (BoundConfig, u64, Option<u64>)>,
    /// By incarnation and node: the end of all that was handed out and not released.
    ends: BTreeMap<(u64, u64), Counter>,
    /// By incarnation and node: the granted spans, ascending.
    spans: BTreeMap<(u64, u64), Vec<(Token, Span)>>,
    /// By incarnation and node: the ticks of ids, and the life that issued them.
    issued: BTreeMap<(u64, u64), BTreeMap<u64, u64>>,
    /// By shard, incarnation and token: the token's rows, by node.
    tokens: Tokens,
    /// The last ids by life, incarnation and node.
    last: BTreeMap<(u64, u64, u64), Last>,
}

impl Ledger {
    /// Notes a write that is stored now, with its request and reply.
    pub(crate) fn written(
        &mut self,
        write: &Write,
        said: &Said,
        incarnation: u64,
        leases: &[Lease],
        tally: &mut Tally,
    ) {
        match *write {
            Write::Node { node, before, after, .. } => {
                self.row_written(incarnation, node, (before, after), said, tally);
                for lease in of_node(leases, incarnation, node) {
                    let until_tick = lease.span.until_tick();
                    assert!(until_tick <= after.until_tick, "node {node} forgets a span");
                }
                let issued = self.issued.get(&(incarnation, node));
                let last = issued.and_then(|ticks| ticks.last_key_value());
                let end = after.until_tick + u64::from(after.until_sequence > 0);
                assert!(last.is_none_or(|(tick, _)| *tick < end), "node {node} forgets ids");
            }
            Write::Sequencer { after, .. } => self.sequencer_written(after, leases, tally),
        }
    }

    fn row_written(
        &mut self,
        incarnation: u64,
        node: u64,
        (before, after): (Option<Row>, Row),
        said: &Said,
        tally: &mut Tally,
    ) {
        let &Said { shard, now_ms, clock_disagreement_max_ms, request, ref reply, .. } = said;
        let Some((config, from_tick, ended_tick)) = self.incarnations.get(&incarnation).copied()
        else {
            panic!("a row of incarnation {incarnation}, which is not confirmed")
        };
        assert!(config.has_node(node), "a row of node {node}");
        let start = Counter { tick: from_tick, sequence: 0 };
        let end = self.ends.entry((incarnation, node)).or_insert(start);
        let until = Counter { tick: after.until_tick, sequence: after.until_sequence };
        match reply {
            // This is the same answer again.
            Reply::Granted(_) if before == Some(after) => return,
            Reply::Granted(grant) => {
                Self::check_retry(&self.tokens, &config, incarnation, said);
                let from = Counter { tick: grant.span.from_tick(), sequence: 0 };
                assert!(*end <= from, "a grant of node {node} from {from:?}, used until {end:?}");
                let ahead_ms = grant.terms.allowed_future_ms;
                let furthest = tick_at(&config, now_ms + ahead_ms);
                assert!(
                    from.tick <= furthest,
                    "a grant of node {node} from {from:?}, of which nothing is issued by {furthest}"
                );
                tally.count(Count::Spans);
            }
            Reply::Batched(batch) => {
                let from = batch.from;
                assert!(*end <= from, "a batch of node {node} from {from:?}, used until {end:?}");
                tally.count(Count::Batches);
            }
            Reply::Renewed(Renewal { terms, .. }) => {
                assert!(*end <= until, "a renewal of node {node} until {until:?} from {end:?}");
                let Request::Renew(Renew { token, tick, .. }) = request else {
                    panic!("renewed by {request:?}");
                };
                let ahead_ms = terms.allowed_future_ms + clock_disagreement_max_ms;
                let furthest = tick_at(&config, now_ms + ahead_ms + terms.lease_ms) + 1;
                let furthest = furthest.max(before.map_or(0, |before| before.until_tick));
                assert!(
                    until.tick <= furthest,
                    "a renewal of node {node} until {until:?}, farther than {furthest}"
                );
                // The holder has the span of this token that its tick has reached.
                let spans = &self.spans[&(incarnation, node)];
                let own = |span: &&(Token, Span)| span.0 == token && span.1.from_tick() <= tick;
                let Some((_, reached)) = spans.iter().rfind(own) else {
                    panic!("a renewal of node {node} at tick {tick}, which is before its span")
                };
                check_spans(spans, token, reached.from_tick()..until.tick);
                tally.count(Count::Renewals);
            }
            Reply::Released { token, .. } => {
                let held_by = before.and_then(|before| before.token);
                assert_eq!(held_by, Some(*token), "a release of node {node} by another");
                let before = before.map_or(0, |before| before.until_tick);
                assert!(
                    after.until_tick <= before,
                    "a release of node {node} until {}, after its end {before}",
                    after.until_tick
                );
                tally.count(Count::Releases);
            }
            other => panic!("a row for {other:?}"),
        }
        *end = until;
        if let Some(token) = before.and_then(|before| before.token) {
            self.tokens.entry((shard, incarnation, token)).or_default().remove(&node);
        }
        if let Some(token) = after.token {
            self.tokens.entry((shard, incarnation, token)).or_default().insert(node, after);
        }
        let spans = self.spans.entry((incarnation, node)).or_default();
        match reply {
            Reply::Granted(grant) => spans.push((grant.token, grant.span)),
            // Nothing of the span was used.
            Reply::Released { .. } if after.from_tick == after.until_tick => {
                spans.pop();
            }
            _ => {}
        }
        assert!(
            ended_tick.is_none_or(|ended| until.tick + u64::from(until.sequence > 0) <= ended),
            "incarnation {incarnation} ended at {ended_tick:?} and goes on until {until:?}"
        );
    }

    /// A retry gets the span of its first attempt while half of it is left. Swaps are an exception,
    /// and so is a twin that does not know of the span.
    fn check_retry(tokens: &Tokens, config: &BoundConfig, incarnation: u64, said: &Said) {
        let &Said { shard, now_ms, is_current, ref request, .. } = said;
        let Request::Acquire(Acquire { token, excluded_node, .. }) = *request else {
            panic!("granted by {request:?}");
        };
        let rows = tokens.get(&(shard, incarnation, token));
        let latest = rows.and_then(|rows| rows.iter().max_by_key(|(_, row)| row.until_tick));
        let Some((node, row)) = latest else { return };
        let left = row.until_tick.saturating_sub(config.layout().tick(now_ms).unwrap());
        assert!(
            !is_current
                || excluded_node == Some(*node)
                || 2 * left < row.until_tick - row.from_tick,
            "a token of node {node} was granted again, with {left} ticks left: {row:?}, {request:?}"
        );
    }

    /// Notes a write of the registry, with everything that is known of the shards.
    fn sequencer_written(&mut self, after: Sequencer, leases: &[Lease], tally: &mut Tally) {
        let Sequencer { config, incarnation, from_tick, life } = after;
        let before = self.incarnations.last_key_value().map(|(_, (before, ..))| *before);
        let known = self.incarnations.entry(incarnation).or_insert_with(|| {
            tally.count(match before {
                None => Count::Creations,
                Some(before) if !has_ticks_of(config.layout(), before.layout()) => {
                    Count::Rebindings
                }
                Some(_) => Count::Recreations,
            });
            (config, from_tick, None)
        });
        if config != known.0 {
            let shrunk = known.0.shrunk(config.node_count());
            assert_eq!(shrunk, Some(config), "incarnation {incarnation} is another");
            tally.count(Count::Shrinks);
            known.0 = config;
            // Another sequencer may have these nodes from now on, so none of them was ever granted.
            for (_, node) in self.ends.keys() {
                let is_given_up = *node >= config.first_node() && !config.has_node(*node);
                assert!(!is_given_up, "node {node} was granted, and is given up");
            }
        }
        if let Life::Destroyed { until_tick } = life {
            if known.2.is_none() {
                tally.count(Count::Destructions);
            }
            known.2 = Some(until_tick);
        }
        for lease in leases {
            self.check_incarnation(lease.incarnation, lease.span.until_tick());
        }
        for (&(incarnation, _), ticks) in &self.issued {
            let end = ticks.last_key_value().map_or(0, |(tick, _)| tick + 1);
            self.check_incarnation(incarnation, end);
        }
    }

    /// Notes that a shard has restarted, so it renews and repeats no earlier grant.
    pub(crate) fn restarted(&mut self, shard: u64) {
        self.tokens.retain(|(of, ..), _| *of != shard);
    }

    /// Whether a holder may have been told of an incarnation.
    pub(crate) fn knows(&self, incarnation: u64) -> bool {
        self.incarnations.contains_key(&incarnation)
    }

    /// Checks that nothing is used from the end of an incarnation or the start of a later one, and
    /// nothing at all of an incarnation before another timestamp.
    fn check_incarnation(&self, incarnation: u64, end_tick: u64) {
        let (config, _, ended_tick) = &self.incarnations[&incarnation];
        assert!(
            ended_tick.is_none_or(|ended| end_tick <= ended),
            "incarnation {incarnation} ended at {ended_tick:?} and is used until {end_tick}"
        );
        for (later, (other, from_tick, _)) in self.incarnations.range(incarnation + 1..) {
            assert!(
                end_tick == 0 || has_ticks_of(config.layout(), other.layout()),
                "incarnation {later} has another timestamp, {incarnation} is used until {end_tick}"
            );
            assert!(
                end_tick <= *from_tick,
                "incarnation {later} starts at {from_tick}, {incarnation} is used until {end_tick}"
            );
        }
    }

    /// Checks a span that is new to its holder, or has a new end.
    pub(crate) fn adopted(&self, lease: Lease, token: Token, leases: &[Lease]) {
        let Lease { life, incarnation, span } = lease;
        let ticks = span.from_tick()..span.until_tick();
        let Some(spans) = self.spans.get(&(incarnation, span.node())) else {
            panic!("{span:?} of life {life} is not confirmed")
        };
        check_spans(spans, token, ticks.clone());
        self.check_incarnation(incarnation, ticks.end);
        for other in of_node(leases, incarnation, span.node()) {
            assert!(
                other.life == life
                    || other.span.until_tick() <= ticks.start
                    || ticks.end <= other.span.from_tick(),
                "two holders of node {}: {:?} and {span:?}",
                span.node(),
                other.span
            );
        }
        let issued = self.issued.get(&(incarnation, span.node()));
        let mut by_others = issued.into_iter().flat_map(|issued| issued.range(ticks.clone()));
        assert!(by_others.all(|(_, by)| *by == life), "{span:?} was used by another");
    }

    /// Checks an id that a holder of this incarnation gave out, under these terms.
    pub(crate) fn issued(
        &mut self,
        life: u64,
        incarnation: u64,
        start: SequenceStart,
        id: u64,
    ) -> Parts {
        assert!(self.ids.insert(id), "id {id} came twice");
        let config = &self.incarnations[&incarnation].0;
        let parts = config.layout().decode(id).unwrap();
        assert!(config.has_node(parts.node), "an id of node {}", parts.node);
        let end = self.ends[&(incarnation, parts.node)];
        let counter = Counter { tick: parts.tick, sequence: 0 };
        assert!(
            counter < end,
            "an id of node {} at {counter:?}, granted until {end:?}",
            parts.node
        );
        self.check_incarnation(incarnation, parts.tick + 1);
        self.issued.entry((incarnation, parts.node)).or_default().insert(parts.tick, life);
        let last = Last { tick: parts.tick, id };
        if let Some(before) = self.last.insert((life, incarnation, parts.node), last) {
            // Ids of a rotated tick are out of order.
            let is_rotated = before.tick == parts.tick && start == SequenceStart::Rotating;
            assert!(before.id < id || is_rotated, "id {id} after {}", before.id);
        }
        parts
    }
}

/// Returns the tick of a time in Unix ms. After the end of the layout it is beyond all ticks.
fn tick_at(config: &BoundConfig, ms: u64) -> u64 {
    config.layout().tick(ms).unwrap_or(1 << 53)
}

/// Whether the same bits are the same ticks in both layouts.
pub(crate) fn has_ticks_of(layout: &Layout, other: &Layout) -> bool {
    let meaning = |layout: &Layout| {
        let first = layout.encode(Parts { tick: 1, ..Parts::default() }).unwrap();
        (first, layout.ticks(), layout.start_ms(0), layout.tick_ms())
    };
    meaning(layout) == meaning(other)
}

/// Checks that no other token was granted any of these ticks.
fn check_spans(spans: &[(Token, Span)], token: Token, ticks: Range<u64>) {
    for (other, span) in spans {
        assert!(
            *other == token || !ticks.contains(&span.from_tick()),
            "{ticks:?} goes on into {span:?}"
        );
    }
}

fn of_node(leases: &[Lease], incarnation: u64, node: u64) -> impl Iterator<Item = &Lease> {
    leases.iter().filter(move |lease| lease.incarnation == incarnation && lease.span.node() == node)
}
