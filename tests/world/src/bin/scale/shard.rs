//! The object of one shard, with a queue before it.

use edgeflake::lease::{CallFailure, Request};
use edgeflake_world::{CallResult, Ledger, Object, Random};

use crate::region;
use crate::setting::Setting;

/// A request without a write takes 1 / `READ_PART` of the time of a request with a write. This is
/// an assumption.
const READ_PART: u64 = 5;

pub(crate) struct Shard {
    number: u64,
    object: Object,
    pub(crate) place: u16,
    /// When the object's queue will be empty, in us.
    free_us: u64,
    /// No call reaches the object until this time, in ms.
    pub(crate) out_until_ms: u64,
    /// Calls and writes of the current second.
    pub(crate) calls: u64,
    pub(crate) writes: u64,
}

impl Shard {
    pub(crate) fn new(number: u64, setting: &Setting) -> Self {
        Self {
            number,
            object: Object::new(None, false),
            place: region::of_shard(number, setting.shards),
            free_us: 0,
            out_until_ms: 0,
            calls: 0,
            writes: 0,
        }
    }

    /// Answers a request that arrives at a time in Unix ms, and returns when the answer leaves.
    pub(crate) fn answer(
        &mut self,
        now_ms: u64,
        request: &Request,
        setting: &Setting,
        (ledger, random): (&mut Ledger, &mut Random),
    ) -> (u64, CallResult) {
        self.calls += 1;
        let from_us = self.free_us.max(now_ms * 1_000);
        let decided_ms = from_us / 1_000;
        if decided_ms > now_ms + setting.queue_ms {
            return (now_ms, Err(CallFailure));
        }
        let before = self.object.writes();
        let reply = self.decide(decided_ms, request, setting, (ledger, random));
        let has_written = self.object.writes() != before;
        self.writes += u64::from(has_written);
        let write_us = 1_000_000 / setting.object_per_second;
        self.free_us = from_us + if has_written { write_us } else { write_us / READ_PART };
        (self.free_us.div_ceil(1_000), reply)
    }

    /// Answers a request at once.
    pub(crate) fn decide(
        &mut self,
        now_ms: u64,
        request: &Request,
        setting: &Setting,
        (ledger, random): (&mut Ledger, &mut Random),
    ) -> CallResult {
        let at = (self.number, now_ms, setting.settings());
        self.object.answer(request, at, (ledger, random))
    }

    /// Number of nodes with a span that has not ended.
    pub(crate) fn held(&self, now_ms: u64) -> u64 {
        let Some(authority) = self.object.authority() else { return 0 };
        let status = authority.status(now_ms);
        assert!(status.held <= status.nodes, "{status:?}");
        status.held
    }
}
