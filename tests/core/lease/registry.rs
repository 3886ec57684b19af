//! The registry: what a sequencer is bound to, how it ends in every shard, and what follows.

use edgeflake::Layout;
use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Confirm, Life, Prefetch, Refusal, Reply, Request, Sequencer,
    Settings, Terms,
};

use super::shell::{self, Shards};

const LEASE_MS: u64 = 100;

/// Its ticks of 1 ms start at 0, so that a tick is a time.
fn layout() -> Layout {
    "timestamp:20 node:6 sequence:2 @0".parse().unwrap()
}

fn config(node_count: u64, shards: u64) -> BoundConfig {
    BoundConfig::new(layout(), 0, node_count, shards).unwrap()
}

fn settings() -> Settings {
    let terms = Terms { lease_ms: LEASE_MS, allowed_future_ms: 40, ..Terms::default() };
    Settings { terms, ..Settings::default() }
}

impl Shards {
    /// Makes the objects of one name, none of which knows a sequencer.
    fn unused(count: u64) -> Self {
        Self(
            (0..count).map(|shard| Authority::load(shard, None, settings(), []).unwrap()).collect(),
        )
    }

    /// Makes a sequencer that all of its shards know.
    fn active(node_count: u64, count: u64) -> Self {
        let mut shards = Self::unused(count);
        let sequencer = shards.described(0, 0, Request::Create(config(node_count, count)));
        for shard in 1..count {
            shards.described(shard, 0, Request::Follow(sequencer));
        }
        shards
    }

    fn described(&mut self, shard: u64, now_ms: u64, request: Request) -> Sequencer {
        match self.ask(shard, now_ms, request) {
            Reply::Described(Some(sequencer)) => sequencer,
            other => panic!("{other:?}"),
        }
    }

    /// Fails unless the reply describes the sequencer as before and nothing was written.
    fn unchanged(&mut self, shard: u64, now_ms: u64, request: Request) {
        let authority = self.shard(shard);
        let decision = authority.decide(now_ms, &request);
        assert_eq!(decision.write, None);
        assert_eq!(decision.reply, Reply::Described(authority.sequencer().copied()));
    }

    /// Returns the refusal, and the incarnation that it names. Nothing may be written.
    fn refused(&mut self, shard: u64, now_ms: u64, request: Request) -> (Refusal, u64) {
        let decision = self.shard(shard).decide(now_ms, &request);
        assert_eq!(decision.write, None);
        match decision.reply {
            Reply::Refused { refusal, incarnation } => (refusal, incarnation),
            other => panic!("{other:?}"),
        }
    }

    /// Returns node, first tick and end.
    fn granted(&mut self, shard: u64, now_ms: u64, request: Request) -> (u64, u64, u64) {
        shell::granted(self.ask(shard, now_ms, request)).unwrap()
    }

    /// Destroys the sequencer of [`active`](Self::active).
    fn destroy(&mut self, now_ms: u64) -> Sequencer {
        let mut sequencer = self.described(0, now_ms, Request::Destroy);
        while let Life::Destroying { confirmed: shard, .. } = sequencer.life {
            let told = self.described(shard, now_ms, Request::Follow(sequencer));
            sequencer = self.described(0, now_ms, confirm(1, shard, end(told)));
        }
        sequencer
    }
}

fn end(sequencer: Sequencer) -> u64 {
    match sequencer.life {
        Life::Destroyed { until_tick } => until_tick,
        other => panic!("{other:?}"),
    }
}

fn confirm(incarnation: u64, shard: u64, until_tick: u64) -> Request {
    Request::Confirm(Confirm { incarnation, shard, until_tick })
}

fn acquire(bits: u128, incarnation: Option<u64>, now_ms: u64) -> Request {
    Request::Acquire(Acquire { incarnation, ..shell::acquire(bits, now_ms) })
}

fn prefetch(count: u64, incarnation: Option<u64>, now_ms: u64) -> Request {
    Request::Prefetch(Prefetch { incarnation, count: Some(count), now_ms })
}

/// Lists all requests that a holder of node 1 may send to its shard.
fn of_a_lease(bits: u128, incarnation: u64, now_ms: u64) -> [Request; 4] {
    [
        acquire(bits, Some(incarnation), now_ms),
        prefetch(1, Some(incarnation), now_ms),
        Request::Renew(shell::renew(bits, incarnation, 1, now_ms)),
        Request::Release(shell::release(bits, incarnation, 1, now_ms)),
    ]
}

#[test]
fn s15_s26_s38_creating_binds_for_good() {
    let mut shards = Shards::unused(1);
    assert_eq!(shards.ask(0, 0, Request::Describe), Reply::Described(None));
    let sequencer = shards.described(0, 0, Request::Create(config(8, 1)));
    assert_eq!(sequencer, Sequencer::new(config(8, 1)));
    assert_eq!((sequencer.incarnation, sequencer.life), (1, Life::Active));
    // The same request again, or a different one, gets the present description to compare.
    let wider: Layout = "timestamp:20 node:6 sequence:3 @0".parse().unwrap();
    for other in [
        config(8, 1),
        config(16, 1),
        config(8, 2),
        BoundConfig::new(layout(), 8, 8, 1).unwrap(),
        BoundConfig::new(wider, 0, 8, 1).unwrap(),
    ] {
        shards.unchanged(0, 0, Request::Create(other));
    }
    shards.unchanged(0, 0, Request::Describe);
}

#[test]
fn settings_that_do_not_suit_the_layout_are_refused_before_it_is_bound() {
    let mut shards = Shards::unused(2);
    // A lease takes at least twice the sum of 40 ms and a tick.
    let of_ticks = |tick_ms| {
        let text = format!("timestamp:20 node:6 sequence:2 @0 tick={tick_ms}ms");
        BoundConfig::new(text.parse().unwrap(), 0, 8, 2).unwrap()
    };
    let follow = |tick_ms| Request::Follow(Sequencer::new(of_ticks(tick_ms)));
    for (shard, suits, not) in [
        (0, Request::Create(of_ticks(20)), Request::Create(of_ticks(21))),
        (1, follow(20), follow(21)),
    ] {
        assert!(shards.shard(shard).decide(0, &suits).write.is_some());
        assert_eq!(shards.refused(shard, 0, not), (Refusal::UnsuitableSettings, 0));
    }
}

#[test]
fn what_is_the_registrys_no_other_shard_answers() {
    let mut shards = Shards::active(8, 2);
    for request in [Request::Create(config(8, 2)), Request::Destroy, confirm(1, 1, 0)] {
        assert_eq!(shards.refused(1, 0, request), (Refusal::OtherShard { shard: 1 }, 1));
    }
    let follow = Request::Follow(Sequencer::new(config(8, 2)));
    assert_eq!(shards.refused(0, 0, follow), (Refusal::OtherShard { shard: 0 }, 1));
}

#[test]
fn what_was_never_created_is_unknown() {
    let mut shards = Shards::unused(2);
    for request in [acquire(1, None, 0), prefetch(1, None, 0), Request::Destroy, confirm(1, 0, 0)] {
        assert_eq!(shards.refused(0, 0, request), (Refusal::UnknownSequencer, 0));
    }
    for request in of_a_lease(1, 1, 0) {
        assert_eq!(shards.refused(1, 0, request), (Refusal::UnknownSequencer, 0));
    }
}

/// Shard 2 follows a sequencer of two shards, and would be a third one.
#[test]
fn a_shard_that_the_sequencer_does_not_have_grants_nothing() {
    let mut shards = Shards::unused(3);
    let sequencer = Sequencer::new(config(8, 2));
    shards.ask(2, 0, Request::Follow(sequencer));
    for request in of_a_lease(1, 1, 1_000) {
        assert_eq!(shards.refused(2, 1_000, request).0, Refusal::OtherShard { shard: 2 });
    }
    assert_eq!(shards.0[2].status(1_000).free(), 0);
}

#[test]
fn s21_one_shard_ends_at_once() {
    let mut shards = Shards::active(4, 1);
    assert_eq!(shards.granted(0, 1_000, acquire(1, None, 1_000)), (1, 1_000, 1_100));
    assert_eq!(shards.granted(0, 1_020, acquire(2, None, 1_020)), (2, 1_020, 1_120));
    assert_eq!(
        shards.described(0, 1_030, Request::Destroy).life,
        Life::Destroyed { until_tick: 1_120 }
    );
    for request in of_a_lease(1, 1, 1_050) {
        assert_eq!(shards.refused(0, 1_050, request), (Refusal::SequencerDestroyed, 1));
    }
    assert_eq!(shards.refused(0, 1_050, acquire(3, None, 1_050)).0, Refusal::SequencerDestroyed);
    for request in [Request::Destroy, Request::Describe, confirm(1, 0, 9_999), confirm(1, 1, 9_999)]
    {
        shards.unchanged(0, 1_050, request);
    }
}

/// The last tick of a batch counts as used even if the batch does not fill it.
#[test]
fn batches_count_to_the_end() {
    for (count, until_tick) in [(4, 1_001), (5, 1_002), (8, 1_002), (9, 1_003)] {
        let mut shards = Shards::active(4, 1);
        shards.ask(0, 1_000, prefetch(count, None, 1_000));
        assert_eq!(end(shards.destroy(1_000)), until_tick, "{count} ids");
    }
}

#[test]
fn four_shards_end_one_after_the_other() {
    let mut shards = Shards::active(16, 4);
    for (shard, now_ms) in [(0, 1_000), (1, 1_010), (2, 1_090), (3, 1_020)] {
        shards.granted(shard, now_ms, acquire(1, None, now_ms));
    }
    let destroying = shards.described(0, 1_100, Request::Destroy);
    let life = |confirmed, until_tick| Life::Destroying { confirmed, until_tick };
    assert_eq!(destroying.life, life(1, 1_100));
    // The registry grants no more, and other shards do until they are told.
    assert_eq!(shards.refused(0, 1_100, acquire(2, None, 1_100)).0, Refusal::SequencerDestroyed);
    assert_eq!(shards.granted(2, 1_095, acquire(2, None, 1_095)), (10, 1_095, 1_195));
    // The confirmations come out of order, of a shard that does not exist, or of an unknown
    // incarnation.
    for request in [confirm(1, 2, 5_000), confirm(1, 0, 5_000), confirm(1, 4, 5_000)] {
        shards.unchanged(0, 1_100, request);
    }
    for incarnation in [0, 2] {
        let refusal = Refusal::OtherIncarnation { found: incarnation };
        assert_eq!(shards.refused(0, 1_100, confirm(incarnation, 1, 5_000)), (refusal, 1));
    }
    // It can be created again only after the last confirmation.
    shards.unchanged(0, 1_200, Request::Create(config(16, 4)));

    let mut ends = Vec::new();
    for shard in [3, 1, 2] {
        let told = shards.described(shard, 1_100, Request::Follow(destroying));
        shards.unchanged(shard, 1_100, Request::Follow(destroying));
        assert_eq!(
            shards.refused(shard, 1_100, acquire(9, None, 1_100)),
            (Refusal::SequencerDestroyed, 1)
        );
        ends.push((shard, end(told)));
    }
    assert_eq!(ends, [(3, 1_120), (1, 1_110), (2, 1_195)]);
    assert_eq!(shards.described(0, 1_100, confirm(1, 1, 1_110)).life, life(2, 1_110));
    shards.unchanged(0, 1_100, confirm(1, 1, 1_110)); // a repeated confirmation
    assert_eq!(shards.described(0, 1_100, confirm(1, 2, 1_195)).life, life(3, 1_195));
    shards.unchanged(0, 1_100, Request::Destroy);
    assert_eq!(
        shards.described(0, 1_100, confirm(1, 3, 1_120)).life,
        Life::Destroyed { until_tick: 1_195 }
    );
    shards.unchanged(0, 1_100, confirm(1, 3, 5_000)); // a repeated confirmation
}

/// Its ticks of 1 ms begin at 5,000, and last for 1,048,576 ms.
fn later() -> BoundConfig {
    let layout = "timestamp:20 node:6 sequence:2 @5000".parse().unwrap();
    BoundConfig::new(layout, 0, 4, 1).unwrap()
}

#[test]
fn a_layout_that_cannot_issue_now_is_not_bound() {
    let mut shards = Shards::unused(1);
    let (epoch_ms, end_ms) = (5_000, 1_053_576);
    for now_ms in [0, 4_999, 1_053_576, 2_000_000] {
        let outside = Refusal::OutsideLayout { now_ms, epoch_ms, end_ms };
        assert_eq!(shards.refused(0, now_ms, Request::Create(later())), (outside, 0));
    }
    assert_eq!(shards.described(0, 5_000, Request::Create(later())).life, Life::Active);
    // The clock is set back after that.
    let early = Refusal::OutsideLayout { now_ms: 4_999, epoch_ms, end_ms };
    assert_eq!(shards.refused(0, 4_999, acquire(1, None, 4_999)), (early, 1));
    shards.unchanged(0, 4_999, Request::Create(later()));
    let mut shards = Shards::unused(1);
    assert!(shards.0[0].decide(1_053_575, &Request::Create(later())).write.is_some());
    assert_eq!(shards.ask(0, 0, Request::Describe), Reply::Described(None));
}

#[test]
fn of_what_was_never_granted_the_next_may_have_another_timestamp() {
    let mut shards = Shards::active(16, 2);
    shards.destroy(6_000);
    let created = shards.described(0, 6_000, Request::Create(later()));
    assert_eq!(created, Sequencer { incarnation: 2, ..Sequencer::new(later()) });
    assert_eq!(shards.granted(0, 6_000, acquire(1, None, 6_000)), (1, 1_000, 1_100));
    // The first incarnation grants nothing any more: shard 1 has ended it, and is not part of the
    // second.
    let (refusal, _) = shards.refused(1, 6_000, acquire(2, None, 6_000));
    assert_eq!(refusal, Refusal::SequencerDestroyed);
    let first = Request::Follow(Sequencer::new(config(16, 2)));
    assert_eq!(shards.refused(1, 6_000, first).0, Refusal::SequencerDestroyed);

    // Each later incarnation remembers the grants of the second.
    for incarnation in 2..5 {
        let destroyed = shards.described(0, 6_100, Request::Destroy);
        assert_eq!((destroyed.incarnation, end(destroyed)), (incarnation, 1_100));
        let other = Request::Create(config(16, 2));
        assert_eq!(shards.refused(0, 6_100, other), (Refusal::OtherTimestamp, incarnation));
        let created = shards.described(0, 6_100, Request::Create(later()));
        assert_eq!(created.from_tick, 1_100);
    }
}

/// In the very first tick, a batch that fills a part of it counts, and a span that was given back
/// unused does not.
#[test]
fn the_first_tick_counts() {
    let create = Request::Create(later());
    let mut shards = Shards::active(4, 1);
    shards.ask(0, 0, prefetch(1, None, 0));
    assert_eq!(end(shards.destroy(0)), 1);
    assert_eq!(shards.refused(0, 6_000, create).0, Refusal::OtherTimestamp);

    let mut shards = Shards::active(4, 1);
    assert_eq!(shards.granted(0, 0, acquire(1, None, 0)), (1, 0, 100));
    let [.., release] = of_a_lease(1, 1, 0);
    shards.ask(0, 0, release);
    assert_eq!(end(shards.destroy(0)), 0);
    assert_eq!(shards.described(0, 6_000, create).incarnation, 2);
}

#[test]
fn s24_created_again_when_the_last_span_has_ended() {
    let mut shards = Shards::active(4, 1);
    shards.granted(0, 1_000, acquire(1, None, 1_000));
    shards.destroy(1_010);
    let create = Request::Create(config(4, 1));
    for retry_in_ms in [1, 15, 90] {
        let early = (Refusal::SpansNotEnded { retry_in_ms }, 1);
        assert_eq!(shards.refused(0, 1_100 - retry_in_ms, create), early);
    }
    let sequencer = shards.described(0, 1_100, create);
    assert_eq!((sequencer.incarnation, sequencer.from_tick), (2, 1_100));
    assert_eq!(sequencer.life, Life::Active);
    shards.unchanged(0, 1_100, create);
    // The shard has no rows of its nodes.
    assert_eq!(shards.0[0].rows().count(), 0);
    assert_eq!(shards.granted(0, 1_100, acquire(2, Some(2), 1_100)), (1, 1_100, 1_200));
    // The second incarnation ends as well, although it had no span.
    shards.destroy(1_110);
    let mut third = Shards::active(4, 1);
    third.granted(0, 1_000, acquire(1, None, 1_000));
    for incarnation in 2..5 {
        third.destroy(1_200);
        let sequencer = third.described(0, 1_200, create);
        assert_eq!((sequencer.incarnation, sequencer.from_tick), (incarnation, 1_100));
    }
}

#[test]
fn s25_s38_g2_created_again_with_the_same_timestamp_only() {
    let mut shards = Shards::active(4, 1);
    shards.granted(0, 900, acquire(1, None, 900));
    shards.destroy(900);
    for (text, fits) in [
        ("timestamp:20 node:6 sequence:2 @0", true),
        ("timestamp:20 sequence:2 node:6 @0", true),
        ("timestamp:20 node:1 sequence:7 @0", true),
        ("timestamp:20 tag:2 node:2 sequence:4 @0", true),
        ("unused:4 timestamp:20 node:6 sequence:2 @0", true),
        ("timestamp:20 node:7 sequence:2 @0", false), // one place higher
        ("timestamp:20 node:6 sequence:1 @0", false),
        ("timestamp:21 node:6 sequence:2 @0", false),
        ("timestamp:19 node:6 sequence:2 @0", false),
        ("node:1 timestamp:20 node.n:5 sequence:2 @0", false),
        ("timestamp:20 node:6 sequence:2 @1", false),
        ("timestamp:20 node:6 sequence:2 @0 tick=2ms", false),
    ] {
        let config = BoundConfig::new(text.parse().unwrap(), 0, 2, 1).unwrap();
        let decision = shards.0[0].decide(1_000, &Request::Create(config));
        assert_eq!(decision.write.is_some(), fits, "{text}");
        if !fits {
            let refused = Reply::Refused { refusal: Refusal::OtherTimestamp, incarnation: 1 };
            assert_eq!(decision.reply, refused, "{text}");
        }
    }
}

#[test]
fn s38_created_again_with_other_nodes_and_shards() {
    for (node_count, count) in [(64, 4), (4, 1), (2, 2), (1, 1)] {
        let mut shards = Shards::active(16, 2);
        shards.granted(1, 1_000, acquire(1, None, 1_000));
        shards.destroy(1_000);
        let created = shards.described(0, 1_100, Request::Create(config(node_count, count)));
        assert_eq!((created.incarnation, created.from_tick), (2, 1_100));
        assert_eq!(created.config, config(node_count, count));
        assert_eq!(shards.0[0].nodes(), 0..node_count / count);
    }
}

#[test]
fn a_shard_with_spans_that_end_later_than_it_is_told_starts_there() {
    let mut shards = Shards::active(8, 2);
    shards.granted(1, 1_000, acquire(1, None, 1_000));
    let told = Sequencer { incarnation: 2, from_tick: 1_050, ..Sequencer::new(config(8, 2)) };
    assert_eq!(shards.described(1, 1_000, Request::Follow(told)).from_tick, 1_100);
    let told = Sequencer { incarnation: 3, from_tick: 1_150, ..told };
    assert_eq!(shards.described(1, 1_000, Request::Follow(told)).from_tick, 1_150);
}
