//! The rules for writes of grants, batches, renewals, releases, and of the sequencer.

use edgeflake::Span;
use edgeflake::lease::{
    Acquire, BoundConfig, Counter, Life, Renew, Renewal, Reply, Request, Row, Sequencer, Token,
    Write,
};

use super::{Entry, Lease, Ledger, Tokens, check_spans, has_ticks_of, of_node, tick_at};
use crate::tally::{Count, Tally};

impl Ledger {
    /// Checks and notes a write of which callers may be told from now on.
    pub(crate) fn written(&mut self, entry: &Entry, leases: &[Lease], tally: &mut Tally) {
        match entry.write {
            Write::Node { node, before, after, .. } => {
                let incarnation = entry.incarnation;
                self.row_written(node, (before, after), entry, tally);
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
        node: u64,
        (before, after): (Option<Row>, Row),
        entry: &Entry,
        tally: &mut Tally,
    ) {
        let Entry { incarnation, shard, now_ms, clock_disagreement_max_ms, request, .. } = *entry;
        let reply = &entry.reply;
        let Some((config, from_tick, ended_tick)) = self.incarnations.get(&incarnation).copied()
        else {
            panic!("a row of incarnation {incarnation}, which is not confirmed");
        };
        assert!(config.has_node(node), "a row of node {node}");
        let start = Counter { tick: from_tick, sequence: 0 };
        let end = self.ends.entry((incarnation, node)).or_insert(start);
        let until = Counter { tick: after.until_tick, sequence: after.until_sequence };
        match reply {
            // The shard repeats an earlier answer.
            Reply::Granted(_) if before == Some(after) => return,
            Reply::Granted(grant) => {
                Self::check_retry(&self.tokens, &config, entry);
                let from = Counter { tick: grant.span.from_tick(), sequence: 0 };
                assert!(*end <= from, "a grant of node {node} from {from:?}, used until {end:?}");
                let ahead_ms = grant.terms.allowed_future_ms;
                let furthest = tick_at(&config, now_ms + ahead_ms);
                assert!(
                    from.tick <= furthest,
                    "a grant of node {node} from {from:?}, after the allowed future {furthest}"
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
                    panic!("node {node} is renewed, but not by a renewal");
                };
                let ahead_ms = terms.allowed_future_ms + clock_disagreement_max_ms;
                let furthest = tick_at(&config, now_ms + ahead_ms + terms.lease_ms) + 1;
                let furthest = furthest.max(before.map_or(0, |before| before.until_tick));
                assert!(
                    until.tick <= furthest,
                    "a renewal of node {node} until {until:?}, farther than {furthest}"
                );
                // A token may have several spans. The holder's span is the last one that starts at
                // or before the renewal's tick.
                let spans = &self.spans[&(incarnation, node)];
                let own = |span: &&(Token, Span)| span.0 == token && span.1.from_tick() <= tick;
                let Some((_, reached)) = spans.iter().rfind(own) else {
                    panic!("a renewal of node {node} at tick {tick}, which is before its span");
                };
                check_spans(spans, token, reached.from_tick()..until.tick);
                tally.count(Count::Renewals);
            }
            Reply::Released { token, .. } => {
                let held_by = before.and_then(|before| before.token);
                assert!(held_by == Some(*token), "a release of node {node} by another token");
                let before = before.map_or(0, |before| before.until_tick);
                assert!(
                    after.until_tick <= before,
                    "a release of node {node} until {}, after its end {before}",
                    after.until_tick
                );
                tally.count(Count::Releases);
            }
            _ => panic!("a row of node {node} was written for another kind of reply"),
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

    /// Checks that a retry gets the span of its first attempt while at least half of the span is
    /// left. There are two exceptions: swaps, and an instance whose table is out of date.
    fn check_retry(tokens: &Tokens, config: &BoundConfig, entry: &Entry) {
        let Entry { incarnation, shard, now_ms, is_current, request, .. } = *entry;
        let Request::Acquire(Acquire { token, excluded_node, .. }) = request else {
            panic!("a grant for another kind of request");
        };
        let rows = tokens.get(&(shard, incarnation, token));
        let latest = rows.and_then(|rows| rows.iter().max_by_key(|(_, row)| row.until_tick));
        let Some((node, row)) = latest else { return };
        let left = row.until_tick.saturating_sub(tick_at(config, now_ms));
        assert!(
            !is_current
                || excluded_node == Some(*node)
                || 2 * left < row.until_tick - row.from_tick,
            "a token of node {node} was granted again, with {left} ticks left"
        );
    }

    /// Notes a write of the registry, and checks all leases and issued ids against it.
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
            assert!(
                shrunk == Some(config),
                "incarnation {incarnation} changed, but did not shrink"
            );
            tally.count(Count::Shrinks);
            known.0 = config;
            // Another sequencer may use the nodes that were given up, so none of them may have been
            // granted.
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
}
