//! Shrinking a sequencer gives up nodes that were never granted, in every shard that has them.

use edgeflake::lease::{
    Action, Authority, BoundConfig, CallFailure, Refusal, Reply, Request, Sequencer, Settings,
    Shrink, Shrinking, Write,
};
use edgeflake::preset::EDGE;

use super::shell::{Shards, acquire, granted};

const FIRST_NODE: u64 = 100;
const NODE_COUNT: u64 = 64;

fn sequencer(shards: u64) -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, FIRST_NODE, NODE_COUNT, shards).unwrap())
}

impl Shards {
    /// Makes the shards of a sequencer. The registry knows it, and so do the shards in `known_by`.
    fn known_by(known_by: &[u64], count: u64, sequencer: Sequencer) -> Self {
        let load = |shard| {
            let known = (shard == 0 || known_by.contains(&shard)).then_some(sequencer);
            Authority::load(shard, known, Settings::default(), []).unwrap()
        };
        Self((0..count).map(load).collect())
    }

    /// Returns the nodes that `count` acquires are granted.
    fn nodes_granted(&mut self, shard: u64, count: u64) -> Vec<u64> {
        let now_ms = EDGE.start_ms(5_000);
        let mut ask = |bits| self.ask(shard, now_ms, Request::Acquire(acquire(bits, now_ms)));
        let nodes = (0..u128::from(count)).filter_map(|bits| granted(ask(bits)).ok());
        nodes.map(|(node, ..)| node).collect()
    }

    /// Returns the shards that were asked, and the answer, when the reply number `lost` is lost.
    fn shrink(&mut self, node_count: u64, lost: usize) -> (Vec<u64>, Result<Reply, CallFailure>) {
        let (mut shrinking, mut asked) = (Shrinking::new(node_count), Vec::new());
        loop {
            match shrinking.action() {
                Action::Send { shard, request } => {
                    let reply = self.ask(shard, EDGE.start_ms(5_000), request);
                    shrinking.receive(if asked.len() == lost {
                        Err(CallFailure)
                    } else {
                        Ok(reply)
                    });
                    asked.push(shard);
                }
                Action::Done(reply) => return (asked, reply),
            }
        }
    }

    fn nodes(&self, shard: usize) -> core::ops::Range<u64> {
        self.0[shard].nodes()
    }
}

fn node_count(reply: Result<Reply, CallFailure>) -> u64 {
    match reply {
        Ok(Reply::Described(Some(sequencer))) => sequencer.config.node_count(),
        other => panic!("{other:?}"),
    }
}

const fn refused(refusal: Refusal, incarnation: u64) -> Reply {
    Reply::Refused { refusal, incarnation }
}

#[test]
fn h23_one_shard_gives_up_what_it_never_granted() {
    let mut shards = Shards::known_by(&[], 1, sequencer(1));
    assert_eq!(shards.nodes_granted(0, 3), [101, 102, 103]);
    for too_few in [0, 1, 3] {
        let refusal = Refusal::NodesInUse { node_count_min: 4 };
        assert_eq!(shards.shrink(too_few, 99).1, Ok(refused(refusal, 1)), "{too_few}");
    }
    let (asked, reply) = shards.shrink(6, 99);
    assert_eq!((asked, node_count(reply)), (vec![0, 0], 6));
    assert_eq!(shards.nodes(0), 100..106);
    assert_eq!(
        shards.nodes_granted(0, 9),
        [101, 102, 103, 104, 105],
        "three of them again by token"
    );
    // Nothing comes back, and nodes that exist already need no write.
    for more in [6, 7, 64, u64::MAX] {
        let shrink = Shrink { incarnation: 1, node_count: more };
        let decision = shards.0[0].decide(EDGE.start_ms(5_000), &Request::Shrink(shrink));
        assert_eq!(decision.write, None);
        assert_eq!(node_count(Ok(decision.reply)), 6);
    }
}

#[test]
fn of_four_shards_the_last_one_gives_up_first() {
    let mut shards = Shards::known_by(&[3], 4, sequencer(4));
    assert_eq!(shards.nodes_granted(3, 2), [149, 150]);
    let too_few = Ok(refused(Refusal::NodesInUse { node_count_min: 51 }, 1));
    assert_eq!(shards.shrink(50, 99), (vec![0, 3], too_few));
    let (asked, reply) = shards.shrink(52, 99);
    assert_eq!((asked, node_count(reply)), (vec![0, 3, 0], 52));
    assert_eq!((shards.nodes(0), shards.nodes(3)), (100..116, 148..152));
    assert_eq!(shards.nodes_granted(3, 9), [149, 150, 151]);
    // Each shard keeps its first node, for batches.
    let mut unused = Shards::known_by(&[3], 4, sequencer(4));
    let too_few = Ok(refused(Refusal::NodesInUse { node_count_min: 49 }, 1));
    assert_eq!(unused.shrink(48, 99).1, too_few);
    assert_eq!(node_count(unused.shrink(49, 99).1), 49);
}

#[test]
fn only_what_grants_can_shrink() {
    let mut shards = Shards::known_by(&[], 1, sequencer(1));
    let other = Shrink { incarnation: 2, node_count: 9 };
    let refusal = Refusal::OtherIncarnation { found: 2 };
    assert_eq!(shards.ask(0, 0, Request::Shrink(other)), refused(refusal, 1));
    shards.ask(0, 0, Request::Destroy);
    assert_eq!(shards.shrink(9, 99), (vec![0], Ok(refused(Refusal::SequencerDestroyed, 1))));
    let mut none = Shards(vec![Authority::load(0, None, Settings::default(), []).unwrap()]);
    assert_eq!(none.shrink(9, 99), (vec![0], Ok(refused(Refusal::UnknownSequencer, 0))));
}

/// A row of a node that was given up fails when it is stored, if a twin decided on it before.
#[test]
fn what_is_written_says_which_nodes_are_left() {
    let shards = Shards::known_by(&[], 1, sequencer(1));
    let shrink = Request::Shrink(Shrink { incarnation: 1, node_count: 9 });
    let decision = shards.0[0].decide(0, &shrink);
    let Some(Write::Sequencer { ended_by, drops_rows, before, after }) = decision.write else {
        panic!("{decision:?}")
    };
    assert_eq!((ended_by, drops_rows), (EDGE.ticks(), false), "no row ends too late for it");
    assert_eq!((before.unwrap().config.node_count(), after.config.node_count()), (64, 9));
    assert_eq!((after.config.first_node(), after.config.withdrawn()), (FIRST_NODE, 55));
}
