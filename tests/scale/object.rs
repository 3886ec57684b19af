//! The object of one shard: the real authority, a queue before it, and a ledger beside it.

use edgeflake::lease::{Authority, CallFailure, Refusal, Reply, Request, Write};

use crate::region;
use crate::setting::Setting;

/// A request that writes nothing takes this part of the time of one that does. This is an
/// assumption.
const READ_PART: u64 = 5;

pub(crate) struct Object {
    authority: Authority,
    pub(crate) place: u16,
    /// When its queue will be empty, in us.
    free_us: u64,
    write_us: u64,
    queue_ms: u64,
    /// No call reaches the object until this time, in ms.
    pub(crate) out_until_ms: u64,
    /// By node, the first tick after all granted spans.
    ends: Vec<u64>,
    pub(crate) tally: Tally,
}

/// Counts of the objects' work.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) calls: u64,
    pub(crate) writes: u64,
    pub(crate) granted: u64,
    pub(crate) renewed: u64,
    pub(crate) ended: u64,
    pub(crate) batched: u64,
    pub(crate) described: u64,
    /// Refusals because no node was free, or no batch.
    pub(crate) exhausted: u64,
    pub(crate) overloaded: u64,
    /// All other refusals.
    pub(crate) refused: u64,
    /// Requests that the platform gave up after too long in the queue.
    pub(crate) given_up: u64,
}

impl Tally {
    pub(crate) const fn is_complete(&self) -> bool {
        let answered = self.granted + self.renewed + self.ended + self.batched + self.described;
        let refused = self.exhausted + self.overloaded + self.refused;
        self.calls == answered + refused + self.given_up
    }

    /// Returns the counts since an earlier tally.
    pub(crate) const fn since(&self, before: &Self) -> Self {
        Self {
            calls: self.calls - before.calls,
            writes: self.writes - before.writes,
            granted: self.granted - before.granted,
            renewed: self.renewed - before.renewed,
            ended: self.ended - before.ended,
            batched: self.batched - before.batched,
            described: self.described - before.described,
            exhausted: self.exhausted - before.exhausted,
            overloaded: self.overloaded - before.overloaded,
            refused: self.refused - before.refused,
            given_up: self.given_up - before.given_up,
        }
    }

    pub(crate) const fn with(&self, other: &Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            writes: self.writes + other.writes,
            granted: self.granted + other.granted,
            renewed: self.renewed + other.renewed,
            ended: self.ended + other.ended,
            batched: self.batched + other.batched,
            described: self.described + other.described,
            exhausted: self.exhausted + other.exhausted,
            overloaded: self.overloaded + other.overloaded,
            refused: self.refused + other.refused,
            given_up: self.given_up + other.given_up,
        }
    }
}

impl Object {
    pub(crate) fn new(shard: u64, setting: &Setting) -> Self {
        let sequencer = setting.sequencer();
        // The other shards learn it from the registry.
        let known = (shard == 0).then_some(sequencer);
        let nodes = sequencer.config.shard_nodes(shard);
        Self {
            authority: Authority::load(shard, known, setting.settings(), []).unwrap(),
            place: region::of_shard(shard, setting.shards),
            free_us: 0,
            write_us: 1_000_000 / setting.object_per_second,
            queue_ms: setting.queue_ms,
            out_until_ms: 0,
            ends: vec![0; usize::try_from(nodes.end - nodes.start).unwrap()],
            tally: Tally::default(),
        }
    }

    /// Answers a request that arrives at a time in Unix ms, and returns when the answer leaves.
    pub(crate) fn answer(
        &mut self,
        now_ms: u64,
        request: &Request,
    ) -> (u64, Result<Reply, CallFailure>) {
        let Self { authority, ends, tally, .. } = self;
        tally.calls += 1;
        let from_us = self.free_us.max(now_ms * 1_000);
        let decided_ms = from_us / 1_000;
        if decided_ms > now_ms + self.queue_ms {
            tally.given_up += 1;
            return (now_ms, Err(CallFailure));
        }
        let first = authority.nodes().start;
        let mut written = false;
        let reply = authority.answer(decided_ms, request, |write| {
            written = true;
            if let Write::Node { node, before, after, .. } = write {
                let end = &mut ends[usize::try_from(node - first).unwrap()];
                let is_new = before.is_none_or(|before| before.token != after.token);
                // In the node of batches, the sequence continues instead.
                assert!(!is_new || after.from_tick >= *end, "node {node} is granted twice");
                assert!(after.until_tick >= *end, "the end of node {node} goes back");
                *end = after.until_tick;
            }
            Ok::<(), CallFailure>(())
        });
        tally.writes += u64::from(written);
        let of_reply = match &reply {
            Ok(Reply::Granted(_)) => &mut tally.granted,
            Ok(Reply::Renewed(_)) => &mut tally.renewed,
            Ok(Reply::Ended { .. }) => &mut tally.ended,
            Ok(Reply::Batched(_)) => &mut tally.batched,
            Ok(Reply::Refused { refusal: Refusal::Overloaded { .. }, .. }) => &mut tally.overloaded,
            Ok(Reply::Refused {
                refusal: Refusal::NoNodeFree { .. } | Refusal::BatchesExhausted { .. },
                ..
            }) => &mut tally.exhausted,
            Ok(Reply::Refused { .. }) => &mut tally.refused,
            _ => &mut tally.described,
        };
        *of_reply += 1;
        let work_us = if written { self.write_us } else { self.write_us / READ_PART };
        self.free_us = from_us + work_us;
        (self.free_us.div_ceil(1_000), reply)
    }

    /// Number of nodes with a span that has not ended.
    pub(crate) fn held(&self, now_ms: u64) -> u64 {
        let status = self.authority.status(now_ms);
        assert!(status.held <= status.nodes, "{status:?}");
        status.held
    }
}
