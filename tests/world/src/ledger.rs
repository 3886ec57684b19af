//! The rules that always hold, however decisions are made. Independently of the code under test,
//! the ledger records what was written, adopted and issued. It panics if a rule is broken.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use edgeflake::lease::{BoundConfig, Counter, Holder, Reply, Request, Row, Token, Write};
use edgeflake::{Layout, Parts, SequenceStart, Span};

use crate::task::CallResult;

/// A span from which a holder may issue ids.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    pub life: u64,
    pub incarnation: u64,
    pub span: Span,
}

/// A write of a shard, with the request and the reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) write: Write,
    pub(crate) incarnation: u64,
    pub(crate) shard: u64,
    /// The time on the shard's clock, in Unix ms.
    pub(crate) now_ms: u64,
    pub(crate) clock_disagreement_max_ms: u64,
    /// Whether the shard's table had all stored writes when the shard decided.
    pub(crate) is_current: bool,
    pub(crate) request: Request,
    pub(crate) reply: Reply,
}

mod written;

/// The largest ids that clients got, by life, incarnation and node.
pub type Answered = BTreeMap<(u64, u64, u64), Last>;

type Tokens = BTreeMap<(u64, u64, Token), BTreeMap<u64, Row>>;

/// The last id that a holder issued on a node.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    tick: u64,
    id: u64,
}

#[derive(Debug, Default)]
pub struct Ledger {
    ids: HashSet<u64>,
    /// By incarnation: its bound configuration, its first tick, and the tick at which it ended.
    incarnations: BTreeMap<u64, (BoundConfig, u64, Option<u64>)>,
    /// By incarnation and node: the end of all counters that were granted and not released.
    ends: BTreeMap<(u64, u64), Counter>,
    /// By incarnation and node: the granted spans, ascending.
    spans: BTreeMap<(u64, u64), Vec<(Token, Span)>>,
    /// By incarnation and node: the ticks of issued ids, each with the life that issued the ids.
    issued: BTreeMap<(u64, u64), BTreeMap<u64, u64>>,
    /// By shard, incarnation and token: the rows that have the token, by node.
    tokens: Tokens,
    /// The last ids by life, incarnation and node.
    last: BTreeMap<(u64, u64, u64), Last>,
    /// The largest ids that clients got, by life, incarnation and node.
    answered: BTreeMap<(u64, u64, u64), Last>,
    /// The lives in which clients have given ids back. Their ids may come in another order.
    returned: HashSet<u64>,
}

impl Ledger {
    /// Notes that a shard has restarted. The restart has deleted the shard's rows, so a retry need
    /// not get its earlier span any more.
    pub fn restarted(&mut self, shard: u64) {
        self.tokens.retain(|(of, ..), _| *of != shard);
    }

    /// Whether a holder may have been told of an incarnation.
    pub fn knows(&self, incarnation: u64) -> bool {
        self.incarnations.contains_key(&incarnation)
    }

    /// Whether an entry ends a lease of which no holder was told.
    pub(crate) fn ends_unknown_lease(&self, entry: &Entry) -> bool {
        let Write::Node { incarnation, node, before: Some(before), .. } = entry.write else {
            return false;
        };
        let end = Counter { tick: before.until_tick, sequence: before.until_sequence };
        matches!(entry.reply, Reply::Released { .. })
            && self.ends.get(&(incarnation, node)) != Some(&end)
    }

    /// Checks that the ticks of an incarnation before `end_tick` may be used: they must be before
    /// its end, and before the start of each later incarnation. If a later incarnation has another
    /// timestamp, no tick may be used.
    fn check_incarnation(&self, incarnation: u64, end_tick: u64) {
        let (config, _, ended_tick) = &self.incarnations[&incarnation];
        assert!(
            ended_tick.is_none_or(|ended| end_tick <= ended),
            "incarnation {incarnation} ended at {ended_tick:?} and is used until {end_tick}"
        );
        for (later, (other, from_tick, _)) in self.incarnations.range(incarnation + 1..) {
            assert!(
                end_tick == 0 || has_ticks_of(config.layout(), other.layout()),
                "incarnation {later} has another timestamp, but {incarnation} is used until \
                 {end_tick}"
            );
            assert!(
                end_tick <= *from_tick,
                "incarnation {later} starts at {from_tick}, but {incarnation} is used until \
                 {end_tick}"
            );
        }
    }

    /// Delivers a reply to a holder in this life, and checks the span that the holder adopts.
    pub fn deliver(
        &mut self,
        (holder, life): (&mut Holder, u64),
        now_ms: u64,
        number: u64,
        reply: CallResult,
    ) {
        let before = holder.span();
        holder.receive(now_ms, number, reply);
        let token = match reply {
            Ok(Reply::Granted(grant)) => grant.token,
            Ok(Reply::Renewed(renewal)) => renewal.token,
            _ => return,
        };
        let span = holder.span().filter(|span| before != Some(*span));
        if let (Some(span), Some(incarnation)) = (span, holder.incarnation()) {
            self.adopted(Lease { life, incarnation, span }, token, &[]);
        }
    }

    /// Checks a span that a holder has newly adopted, or whose end has changed.
    pub fn adopted(&self, lease: Lease, token: Token, leases: &[Lease]) {
        let Lease { life, incarnation, span } = lease;
        let ticks = span.from_tick()..span.until_tick();
        let Some(spans) = self.spans.get(&(incarnation, span.node())) else {
            panic!("{span:?} of life {life} is not confirmed");
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
        assert!(by_others.all(|(_, by)| *by == life), "{span:?} was used by another life");
    }

    /// Checks an id that a holder issued in this incarnation.
    pub fn issued(&mut self, life: u64, incarnation: u64, start: SequenceStart, id: u64) -> Parts {
        let Ok(parts) = self.incarnations[&incarnation].0.layout().decode(id) else {
            unreachable!("a holder issues ids of its layout")
        };
        assert!(self.ids.insert(id), "id {id} came twice");
        let Parts { tick, node, .. } = parts;
        assert!(self.incarnations[&incarnation].0.has_node(node), "an id of node {node}");
        let end = self.ends[&(incarnation, node)];
        let counter = Counter { tick, sequence: 0 };
        assert!(counter < end, "an id of node {node} at {counter:?}, granted until {end:?}");
        self.check_incarnation(incarnation, tick + 1);
        self.issued.entry((incarnation, node)).or_default().insert(tick, life);
        if let Some(before) = self.last.insert((life, incarnation, node), Last { tick, id }) {
            // With a rotating start, the ids of one tick do not ascend.
            let is_rotated = before.tick == tick && start == SequenceStart::Rotating;
            let is_ordered = before.id < id || is_rotated || self.returned.contains(&life);
            assert!(is_ordered, "id {id} after {}", before.id);
        }
        parts
    }

    /// Notes that a client left before it got these ids, so other clients may get them.
    pub fn cancelled(&mut self, life: u64, ids: &[u64]) {
        self.returned.insert(life);
        for id in ids {
            self.ids.remove(id);
        }
    }

    /// Returns the largest ids that clients of this life got so far.
    pub fn answered(&self, life: u64) -> Answered {
        let of_life = self.answered.range((life, 0, 0)..(life + 1, 0, 0));
        of_life.map(|(key, last)| (*key, *last)).collect()
    }

    /// Checks a client's ids. When the client came, the largest ids of clients were `before`.
    pub fn served(&mut self, life: u64, incarnation: u64, before: &Answered, ids: &[u64]) {
        let layout = *self.incarnations[&incarnation].0.layout();
        for id in ids {
            let Ok(Parts { tick, node, .. }) = layout.decode(*id) else { continue };
            let key = (life, incarnation, node);
            if let Some(last) = before.get(&key) {
                // With a rotating start, the ids of one tick do not ascend, so compare ticks only.
                assert!(tick >= last.tick, "a client got id {id} after {}", last.id);
            }
            let last = self.answered.entry(key).or_insert(Last { tick, id: *id });
            if tick > last.tick {
                *last = Last { tick, id: *id };
            }
        }
    }
}

/// Returns the tick of a time in Unix ms. After the layout's end, returns a number above all ticks.
fn tick_at(config: &BoundConfig, ms: u64) -> u64 {
    config.layout().tick(ms).unwrap_or(1 << 53)
}

/// Whether the same bits stand for the same ticks in both layouts.
pub fn has_ticks_of(layout: &Layout, other: &Layout) -> bool {
    let meaning = |layout: &Layout| {
        let first = layout.encode(Parts { tick: 1, ..Parts::default() }).ok();
        (first, layout.ticks(), layout.start_ms(0), layout.tick_ms())
    };
    meaning(layout) == meaning(other)
}

/// Checks that no span of another token starts within these ticks.
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
