//! Checks the writes of a sequencer. An incarnation number never decreases. A write deletes rows or
//! reports an end only if no row ends later. Nodes that are given up have no row. The check covers
//! all lives of a sequencer, with every possible row of one node. `decisions.rs` checks the writes
//! of nodes, which are the subject of lemma 1.

use edgeflake::Layout;
use edgeflake::lease::{
    Authority, BoundConfig, Confirm, Decision, Life, Request, Row, Sequencer, Settings, Shrink,
    Terms, Token, Write,
};

/// The number of ticks of the layout, which is also the latest end of a span.
const TICKS: u64 = 4;

/// Lists all possible rows of a node, and `None` for an unused node, which has no row.
fn rows() -> Vec<Option<Row>> {
    let mut rows = vec![None];
    for from_tick in 0..=TICKS {
        for until_tick in from_tick..=TICKS {
            for token in [None, Some(Token::from_random(1))] {
                rows.push(Some(Row { from_tick, until_tick, token, ..Row::default() }));
            }
        }
    }
    rows
}

pub(crate) fn check() -> u64 {
    let mut count = 0;
    let layout: Layout = "timestamp:2 node:2 sequence:1 @0 tick=1ms".parse().unwrap();
    let config = BoundConfig::new(layout, 0, 4, 2).unwrap();
    let terms = Terms { lease_ms: 1, allowed_future_ms: 0, prefetch_count: 1, ..Terms::default() };
    let settings = Settings { terms, clock_disagreement_max_ms: 1, ..Settings::default() };
    let sequencers = sequencers(config);
    let requests = requests(config, &sequencers);
    for shard in 0..2 {
        let node = config.shard_nodes(shard).start + 1;
        for before in sequencers.iter().copied().map(Some).chain([None]) {
            for row in rows() {
                let rows = row.filter(|_| before.is_some()).map(|row| (node, row));
                let authority = Authority::load(shard, before, settings, rows).unwrap();
                for (request, now_ms) in requests
                    .iter()
                    .flat_map(|request| (0..=TICKS).map(move |now_ms| (request, now_ms)))
                {
                    let Decision { write, .. } = authority.decide(now_ms, request);
                    count += 1;
                    assert!(
                        write.is_none_or(|write| sequencer_holds(&write, before, rows)),
                        "shard {shard}, {before:?}, {rows:?}, {request:?}: {write:?}"
                    );
                }
            }
        }
    }
    count
}

fn requests(config: BoundConfig, sequencers: &[Sequencer]) -> Vec<Request> {
    let mut requests = vec![Request::Create(config), Request::Destroy, Request::Describe];
    requests.extend(sequencers.iter().copied().map(Request::Follow));
    for shard in 0..2 {
        for until_tick in 0..=2 {
            requests.push(Request::Confirm(Confirm { incarnation: 1, shard, until_tick }));
        }
    }
    requests
        .extend((1..=4).map(|node_count| Request::Shrink(Shrink { incarnation: 1, node_count })));
    requests
}

fn sequencers(config: BoundConfig) -> Vec<Sequencer> {
    let mut sequencers = Vec::new();
    for (incarnation, from_tick) in (0..6).map(|both| (1 + both / 3, both % 3)) {
        let mut add = |life| sequencers.push(Sequencer { config, incarnation, from_tick, life });
        add(Life::Active);
        // No life of a sequencer ends before it starts.
        for until_tick in from_tick..3 {
            add(Life::Destroying { confirmed: 0, until_tick });
            add(Life::Destroying { confirmed: 1, until_tick });
            add(Life::Destroyed { until_tick });
        }
    }
    sequencers
}

/// Returns whether a write keeps the rules at the top of this file. One thing is not checked here,
/// because the storage checks it: that no row ends after `ended_by`.
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
