//! Destroying a sequencer: every shard is told and confirms. The simulation shows that two at the
//! same time, and lost messages, do no harm.

use edgeflake::lease::{
    Action, BoundConfig, CallFailure, Destruction, Life, Reply, Sequencer, Token,
};
use edgeflake::preset::EDGE;

use super::objects::Objects;
use crate::transcript::transcripts;

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
fn an_answer_that_does_not_fit_ends_it() {
    let active = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 2).unwrap());
    let described =
        |incarnation, life| Ok(Reply::Described(Some(Sequencer { incarnation, life, ..active })));
    let destroying = described(1, Life::Destroying { confirmed: 1, until_tick: 0 });
    let ended = |incarnation| described(incarnation, Life::Destroyed { until_tick: 9 });
    for (fit, reply) in [
        (&[][..], Ok(Reply::Described(None))),
        (&[], Ok(Reply::Released { token: Token::from_random(7), incarnation: 1 })),
        (&[destroying], Ok(Reply::Described(None))),
        (&[destroying], ended(2)),
        (&[destroying], described(1, Life::Active)),
        (&[destroying, ended(1)], Ok(Reply::Described(None))),
    ] {
        let mut destruction = Destruction::new();
        for answer in fit {
            destruction.receive(*answer);
        }
        assert!(matches!(destruction.action(), Action::Send { .. }));
        destruction.receive(reply);
        assert_eq!(destruction.action(), Action::Done(Err(CallFailure)), "{reply:?}");
    }
}
