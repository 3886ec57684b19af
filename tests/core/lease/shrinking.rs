//! Shrinking a sequencer gives up nodes that were never granted, in every shard that has them.

use edgeflake::lease::{Authority, BoundConfig, Request, Sequencer, Settings, Shrink, Write};
use edgeflake::preset::EDGE;

use super::objects::Objects;
use crate::transcript::transcripts;

transcripts! { Objects:
    #[test]
    fn h23_one_shard_gives_up_what_it_never_granted() "
        new first=4 nodes=12; acquire 1 -> 5:1000..1100; acquire 2 -> 6:1000..1100
        acquire 3 -> 7:1000..1100; shrinking 0 -> s0 s0 nodes-in-use 4
        shrinking 1 -> s0 s0 nodes-in-use 4; shrinking 3 -> s0 s0 nodes-in-use 4
        shrinking 6 -> s0 s0 i1, 6 nodes, 1 shards, from 0; nodes -> 4..10
        acquire 4 -> 8:1000..1100; acquire 5 -> 9:1000..1100; acquire 6 -> no-node-free 100
        // Nothing comes back, and nodes that exist already need no write.
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

/// A row of a node that was given up fails when it is stored, if a twin decided on it before.
#[test]
fn what_is_written_says_which_nodes_are_left() {
    let sequencer = Sequencer::new(BoundConfig::new(EDGE, 100, 64, 1).unwrap());
    let authority = Authority::load(0, Some(sequencer), Settings::default(), []).unwrap();
    let shrink = Request::Shrink(Shrink { incarnation: 1, node_count: 9 });
    let decision = authority.decide(0, &shrink);
    let Some(Write::Sequencer { ended_by, drops_rows, before, after }) = decision.write else {
        panic!("{decision:?}")
    };
    assert_eq!((ended_by, drops_rows), (EDGE.ticks(), false), "no row ends too late for it");
    assert_eq!((before.unwrap().config.node_count(), after.config.node_count()), (64, 9));
    assert_eq!((after.config.first_node(), after.config.withdrawn()), (100, 55));
}
