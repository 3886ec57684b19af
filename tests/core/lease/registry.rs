//! Tests the registry: what a sequencer is bound to, how it ends in every shard and is created
//! again, and how it gives up nodes that were never granted. The simulation shows that two
//! destructions at the same time, and lost messages, do no harm.

use edgeflake::lease::{
    Action, BoundConfig, CallFailure, Destruction, Life, Reply, Sequencer, Token,
};
use edgeflake::preset::EDGE;

use super::objects::Objects;
use crate::transcript::{check, transcripts};

transcripts! { Objects:
    #[test]
    fn s15_s26_s38_creating_binds_for_good() "
        new known=; describe -> none; acquire 1 -> unknown-sequencer; prefetch -> unknown-sequencer
        destroy -> unknown-sequencer; confirm 0 0 -> unknown-sequencer
        create nodes=8 -> i1, 8 nodes, 1 shards, from 0; describe -> as before
        // The reply to a second request to create the sequencer, equal or different, describes the
        // existing one.
        create nodes=8 -> as before; create nodes=4 -> as before
        create nodes=8 shards=2 -> as before; create first=4 nodes=8 -> as before
        create nodes=8 layout=timestamp:20_node:4_sequence:3_@0 -> as before
    "

    /// A lease, which is 100 ms here, takes at least a tick and twice the allowed future of 40 ms.
    #[test]
    fn settings_that_do_not_suit_the_layout_are_refused_before_it_is_bound() "
        new known= shards=2
        create layout=timestamp:20_node:4_sequence:2_@0_tick=21ms -> invalid-configuration
        s1 follow layout=timestamp:20_node:4_sequence:2_@0_tick=21ms -> invalid-configuration
        create layout=timestamp:20_node:4_sequence:2_@0_tick=20ms -> i1, 4 nodes, 1 shards, from 0
        s1 follow layout=timestamp:20_node:4_sequence:2_@0_tick=20ms -> i1, 4 nodes, 1 shards, from 0
    "

    #[test]
    fn what_is_the_registrys_no_other_shard_answers() "
        new shards=2; s1 create -> other-shard 1; s1 destroy -> other-shard 1
        s1 confirm 1 0 -> other-shard 1; follow -> other-shard 0
        new shards=2 known=; s1 acquire 1 -> unknown-sequencer; s1 prefetch -> unknown-sequencer
        s1 renew 1 1 1000 -> unknown-sequencer; s1 release 1 1 1000 -> unknown-sequencer
    "

    /// The sequencer has two shards, 0 and 1. Shard 2 follows it but is not one of them.
    #[test]
    fn a_shard_that_the_sequencer_does_not_have_grants_nothing() "
        new shards=4 known=; create shards=2 -> i1, 4 nodes, 2 shards, from 0
        s2 follow -> i1, 4 nodes, 2 shards, from 0; s2 acquire 1 -> other-shard 2
        s2 prefetch -> other-shard 2; s2 renew 1 1 1000 -> other-shard 2
        s2 release 1 1 1000 -> other-shard 2; s2 status -> 0 0 0 0
    "

    #[test]
    fn s21_one_shard_ends_at_once() "
        new; acquire 1 -> 1:1000..1100; @1020 acquire 2 -> 2:1020..1120
        @1030 destroy -> i1, 4 nodes, 1 shards, ended 1120; @1050 acquire 1 -> sequencer-destroyed
        renew 1 1 1050 -> sequencer-destroyed; release 1 1 1050 -> sequencer-destroyed
        prefetch -> sequencer-destroyed; destroy -> as before; describe -> as before
        confirm 0 9999 -> as before
    "

    /// The last tick of a batch counts as used even if the batch does not fill it.
    #[test]
    fn batches_count_to_the_end() "
        new; prefetch 4 -> 0:1000.0..1001.0; destroy -> i1, 4 nodes, 1 shards, ended 1001
        new; prefetch 5 -> 0:1000.0..1001.1; destroy -> i1, 4 nodes, 1 shards, ended 1002
        new; prefetch 8 -> 0:1000.0..1002.0; destroy -> i1, 4 nodes, 1 shards, ended 1002
        new; prefetch 9 -> 0:1000.0..1002.1; destroy -> i1, 4 nodes, 1 shards, ended 1003
    "

    #[test]
    fn four_shards_end_one_after_the_other() "
        new nodes=16 shards=4; acquire 1 -> 1:1000..1100; @1010 s1 acquire 1 -> 5:1010..1110
        @1090 s2 acquire 1 -> 9:1090..1190; @1020 s3 acquire 1 -> 13:1020..1120
        @1100 destroy -> i1, 16 nodes, 4 shards, 1 end 1100; acquire 2 -> sequencer-destroyed
        @1095 s2 acquire 2 -> 10:1095..1195
        // These confirmations come out of turn, from a shard that does not exist, or for another
        // incarnation. The sequencer can be created again only after the last confirmation.
        @1100 confirm 2 5000 -> as before; confirm 0 5000 -> as before; confirm 4 5000 -> as before
        confirm 1 5000 i=0 -> other-incarnation 0; confirm 1 5000 i=2 -> other-incarnation 2
        @1200 create nodes=16 shards=4 -> as before
        @1100 s3 follow -> i1, 16 nodes, 4 shards, ended 1120; s3 follow -> as before
        s3 acquire 9 -> sequencer-destroyed; s1 follow -> i1, 16 nodes, 4 shards, ended 1110
        s2 follow -> i1, 16 nodes, 4 shards, ended 1195
        confirm 1 1110 -> i1, 16 nodes, 4 shards, 2 end 1110; confirm 1 1110 -> as before
        confirm 2 1195 -> i1, 16 nodes, 4 shards, 3 end 1195; destroy -> as before
        confirm 3 1120 -> i1, 16 nodes, 4 shards, ended 1195; confirm 3 5000 -> as before
    "

    #[test]
    fn a_layout_that_cannot_issue_now_is_not_bound() "
        new known=
        @4999 create layout=timestamp:20_node:4_sequence:2_@5000 -> before-epoch 4999 5000 1053576
        @1053576 create layout=timestamp:20_node:4_sequence:2_@5000 -> layout-ended 1053576 5000 1053576
        describe -> none
        @1053575 create layout=timestamp:20_node:4_sequence:2_@5000 -> i1, 4 nodes, 1 shards, from 0
        // The clock is set back after the creation.
        @4999 acquire 1 -> before-epoch 4999 5000 1053576
        create layout=timestamp:20_node:4_sequence:2_@5000 -> as before
    "

    #[test]
    fn of_what_was_never_granted_the_next_may_have_another_timestamp() "
        new shards=2; @6000 destroy -> i1, 4 nodes, 2 shards, 1 end 0
        s1 follow -> i1, 4 nodes, 2 shards, ended 0; confirm 1 0 -> i1, 4 nodes, 2 shards, ended 0
        create layout=timestamp:20_node:4_sequence:2_@5000 -> i2, 4 nodes, 1 shards, from 0
        acquire 1 -> 1:1000..1100
        // Nothing is granted in the first incarnation any more: shard 1 has ended it, and is not
        // part of the second one.
        s1 acquire 2 -> sequencer-destroyed; s1 follow i=1 -> sequencer-destroyed
    "

    /// In the very first tick, a batch that fills only a part of the tick counts as used. A span
    /// that was given back unused does not.
    #[test]
    fn the_first_tick_counts() "
        new; @0 prefetch 1 -> 0:0.0..0.1; destroy -> i1, 4 nodes, 1 shards, ended 1
        @6000 create layout=timestamp:20_node:4_sequence:2_@5000 -> other-timestamp
            new; @0 acquire 1 -> 1:0..100; release 1 1 0 -> released
        destroy -> i1, 4 nodes, 1 shards, ended 0
        @6000 create layout=timestamp:20_node:4_sequence:2_@5000 -> i2, 4 nodes, 1 shards, from 0
    "

    #[test]
    fn s24_created_again_when_the_last_span_has_ended() "
        new; acquire 1 -> 1:1000..1100; @1010 destroy -> i1, 4 nodes, 1 shards, ended 1100
        create -> spans-not-ended 90; @1099 create -> spans-not-ended 1
        @1100 create -> i2, 4 nodes, 1 shards, from 1100; create -> as before; rows
        acquire 2 i=2 -> 1:1100..1200
        // The second incarnation ends as well. So does the third one, which has no span.
        @1110 destroy -> i2, 4 nodes, 1 shards, ended 1200
        @1200 create -> i3, 4 nodes, 1 shards, from 1200
        destroy -> i3, 4 nodes, 1 shards, ended 1200; create -> i4, 4 nodes, 1 shards, from 1200
        acquire 3 -> 1:1200..1300
    "

    #[test]
    fn s38_created_again_with_other_nodes_and_shards() "
        new nodes=8 shards=2; s1 acquire 1 -> 5:1000..1100
        destroy -> i1, 8 nodes, 2 shards, 1 end 0; s1 follow -> i1, 8 nodes, 2 shards, ended 1100
        confirm 1 1100 -> i1, 8 nodes, 2 shards, ended 1100
        @1100 create nodes=16 shards=4 -> i2, 16 nodes, 4 shards, from 1100; nodes -> 0..4
    "

    #[test]
    fn a_shard_with_spans_that_end_later_than_it_is_told_starts_there() "
        new shards=2; s1 acquire 1 -> 3:1000..1100
        s1 follow i=2 from=1050 -> i2, 4 nodes, 2 shards, from 1100
        s1 follow i=3 from=1150 -> i3, 4 nodes, 2 shards, from 1150
        // The shard's first tick never falls, because spans that the shard forgot in a rollback may
        // end as late as this tick.
        s1 follow i=4 from=1120 -> i4, 4 nodes, 2 shards, from 1150
        @1109 s1 acquire 2 -> no-node-free 1; s1 prefetch -> batches-exhausted 1
        @1110 s1 acquire 2 -> 3:1150..1210; s1 prefetch 1 -> 2:1150.0..1150.1
    "

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

    #[test]
    fn h23_one_shard_gives_up_what_it_never_granted() "
        new first=4 nodes=12; acquire 1 -> 5:1000..1100; acquire 2 -> 6:1000..1100
        acquire 3 -> 7:1000..1100; shrinking 0 -> s0 s0 nodes-in-use 4
        shrinking 1 -> s0 s0 nodes-in-use 4; shrinking 3 -> s0 s0 nodes-in-use 4
        shrinking 6 -> s0 s0 i1, 6 nodes, 1 shards, from 0; nodes -> 4..10
        acquire 4 -> 8:1000..1100; acquire 5 -> 9:1000..1100; acquire 6 -> no-node-free 100
        // Nodes that were given up never come back. A request for the current number of nodes needs
        // no write.
        shrink 6 -> as before; shrink 7 -> as before; shrink 18446744073709551615 -> as before
        shrink 5 -> nodes-in-use 6; shrink 6 i=2 -> other-incarnation 2
    "

    #[test]
    fn of_four_shards_the_last_one_gives_up_first() "
        new nodes=16 shards=4 known=03; s3 acquire 1 -> 13:1000..1100
        shrinking 13 -> s0 s3 nodes-in-use 14; shrinking 14 lost=1 -> s0 s3 Err(CallFailure)
        shrinking 14 -> s0 s3 s0 i1, 14 nodes, 4 shards, from 0; nodes -> 0..4; s3 nodes -> 12..14
        s3 acquire 2 -> no-node-free 100
        // Each shard keeps its first node, for batches.
        new nodes=16 shards=4 known=03; shrinking 12 -> s0 s3 nodes-in-use 13
        shrinking 13 lost=0 -> s0 Err(CallFailure); shrinking 13 lost=2 -> s0 s3 s0 Err(CallFailure)
        shrinking 13 -> s0 s3 s0 i1, 13 nodes, 4 shards, from 0
        shrinking 13 -> s0 s3 s0 i1, 13 nodes, 4 shards, from 0
    "

    #[test]
    fn only_what_grants_can_shrink() "
        new; shrink 3 i=2 -> other-incarnation 2; destroy -> i1, 4 nodes, 1 shards, ended 0
        shrinking 3 -> s0 sequencer-destroyed
        new known=; shrinking 3 -> s0 unknown-sequencer
    "
}

#[test]
fn s25_s38_g2_created_again_with_the_same_timestamp_only() {
    for (text, fits) in [
        ("timestamp:20 node:6 sequence:2 @0", true),
        ("timestamp:20 sequence:2 node:6 @0", true),
        ("timestamp:20 node:1 sequence:7 @0", true),
        ("timestamp:20 tag:2 node:2 sequence:4 @0", true),
        ("unused:4 timestamp:20 node:6 sequence:2 @0", true),
        ("timestamp:20 node:7 sequence:2 @0", false), // the timestamp is one bit higher
        ("timestamp:20 node:6 sequence:1 @0", false),
        ("timestamp:21 node:6 sequence:2 @0", false),
        ("timestamp:19 node:6 sequence:2 @0", false),
        ("node:1 timestamp:20 node.n:5 sequence:2 @0", false),
        ("timestamp:20 node:6 sequence:2 @1", false),
        ("timestamp:20 node:6 sequence:2 @0 tick=2ms", false),
    ] {
        let event = format!("create nodes=2 layout={}", text.replace(' ', "_"));
        let outcome = if fits { "i2, 2 nodes, 1 shards, from 1000" } else { "other-timestamp" };
        let layout = "layout=timestamp:20_node:6_sequence:2_@0";
        check::<Objects>(&format!(
            "new {layout}; @900 acquire 1 -> 1:900..1000; destroy -> i1, 4 nodes, 1 shards, ended 1000
             @1000 {event} -> {outcome}"
        ));
    }
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
