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

fn settings() -> Settings {
    let terms = Terms { lease_ms: 1, allowed_future_ms: 0, prefetch_count: 1, ..Terms::default() };
    Settings { terms, clock_disagreement_max_ms: 1, ..Settings::default() }
}

/// Lists all possible rows of a node, and `None` for an unused node, which has no row.
fn rows() -> Vec<Option<Row>> {
    let mut rows = vec![None];
    for from_tick in 0..=TICKS {
        for until_tick in from_tick..=TICKS {
            let row = Row { from_tick, until_tick, ..Row::default() };
            let held = Row { token: Some(Token::from_random(1)), ..row };
            rows.extend([Some(row), Some(held)]);
        }
    }
    rows
}

pub(crate) fn check() -> u64 {
    let mut count = 0;
    let layout: Layout = "timestamp:2 node:2 sequence:1 @0 tick=1ms".parse().unwrap();
    let config = BoundConfig::new(layout, 0, 4, 2).unwrap();
    let lives = lives();
    let known: Vec<_> = sequencers(config, &lives).map(Some).chain([None]).collect();
    for shard in 0..2 {
        let node = config.shard_nodes(shard).start + 1;
        for (before, row) in
            known.iter().flat_map(|known| rows().into_iter().map(move |row| (*known, row)))
        {
            let rows = row.filter(|_| before.is_some()).map(|row| (node, row));
            let authority = Authority::load(shard, before, settings(), rows).unwrap();
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
            // No life of a sequencer ends before it starts.
            .filter(|sequencer| match sequencer.life {
                Life::Active => true,
                Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => {
                    sequencer.from_tick <= until_tick
                }
            })
    };
    lives.iter().flat_map(of)
}

/// Returns whether a write keeps the rules above. The write itself checks that no row ends later.
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
