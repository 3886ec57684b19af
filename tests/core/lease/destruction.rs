//! Destroying a sequencer: every shard is told and confirms, even if messages are lost on the way.

use edgeflake::lease::{
    Action, Authority, BoundConfig, CallFailure, Destruction, Life, Reply, Request, Sequencer,
    Settings, Token,
};
use edgeflake::preset::EDGE;

use super::objects::Objects;
use super::shell::{Shards, acquire};
use crate::transcript::transcripts;

const NOW_TICK: u64 = 5_000;
const LEASE_TICKS: u64 = 300_000;

impl Shards {
    /// The shards of a sequencer, some of which were used.
    fn used(count: u64, used: &[u64]) -> Self {
        let config = BoundConfig::new(EDGE, 0, 64, count).unwrap();
        let load = |shard| {
            let known = (shard == 0 || used.contains(&shard)).then_some(Sequencer::new(config));
            Authority::load(shard, known, Settings::default(), []).unwrap()
        };
        let mut shards = Self((0..count).map(load).collect());
        for shard in used {
            // Each ends later than the one before.
            let now_ms = EDGE.start_ms(NOW_TICK + shard);
            let reply = shards.ask(*shard, now_ms, Request::Acquire(acquire(7, now_ms)));
            assert!(matches!(reply, Reply::Granted(_)));
        }
        shards
    }
}

/// Does one action. Returns `None` when there is an answer.
fn step(shards: &mut Shards, destruction: &mut Destruction) -> Option<u64> {
    let Action::Send { shard, request } = destruction.action() else { return None };
    let reply = shards.ask(shard, EDGE.start_ms(NOW_TICK), request);
    destruction.receive(Ok(reply));
    Some(shard)
}

/// Returns the shards that were asked, and where the sequencer ended.
fn run(shards: &mut Shards, mut destruction: Destruction) -> (Vec<u64>, u64) {
    let asked = std::iter::from_fn(|| step(shards, &mut destruction)).collect();
    match destruction.action() {
        Action::Done(Ok(Reply::Described(Some(Sequencer {
            life: Life::Destroyed { until_tick },
            ..
        })))) => (asked, until_tick),
        other => panic!("{other:?}"),
    }
}

transcripts! { Objects:
    #[test]
    fn one_shard_after_the_other() "
        new; acquire 7 -> 1:1000..1100; destroying -> s0 i1, 4 nodes, 1 shards, ended 1100
        destroying -> s0 i1, 4 nodes, 1 shards, ended 1100
        new known=; destroying -> s0 unknown-sequencer
        new nodes=8 shards=4 known=02; acquire 7 -> 1:1000..1100; @1002 s2 acquire 7 -> 5:1002..1102
        destroying -> s0 s1 s0 s2 s0 s3 s0 i1, 8 nodes, 4 shards, ended 1102
        destroying -> s0 i1, 8 nodes, 4 shards, ended 1102; s1 describe -> as before
        s2 acquire 7 -> sequencer-destroyed; s3 acquire 7 -> sequencer-destroyed
    "
}

#[test]
fn s26_two_at_the_same_time() {
    // The loop does the actions of two destructions in every possible order.
    for order in 0..1_u32 << if cfg!(miri) { 5 } else { 10 } {
        let mut shards = Shards::used(4, &[0, 2]);
        let mut both = [Destruction::new(), Destruction::new()];
        for i in 0..10 {
            let one = &mut both[usize::from(order >> i & 1 == 1)];
            step(&mut shards, one);
        }
        for destruction in both {
            assert_eq!(run(&mut shards, destruction).1, NOW_TICK + 2 + LEASE_TICKS);
        }
    }
}

#[test]
fn an_answer_that_does_not_fit_ends_it() {
    let mut shards = Shards::used(2, &[]);
    let registry = *shards.0[0].sequencer().unwrap();
    let destroyed = |incarnation| {
        let life = Life::Destroyed { until_tick: 9 };
        Reply::Described(Some(Sequencer { incarnation, life, ..registry }))
    };
    for (done, reply) in [
        (0, Reply::Described(None)),
        (0, Reply::Released { token: Token::from_random(7), incarnation: 1 }),
        (1, Reply::Described(None)),
        (1, destroyed(2)),
        (1, Reply::Described(Some(registry))),
        (2, Reply::Described(None)),
    ] {
        let mut destruction = Destruction::new();
        for _ in 0..done {
            step(&mut shards, &mut destruction);
        }
        destruction.receive(Ok(reply));
        assert_eq!(destruction.action(), Action::Done(Err(CallFailure)), "{reply:?}");
    }
}
