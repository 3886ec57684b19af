use core::fmt;

use crate::Instant;
use crate::code;

/// The reason why an authority refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The clocks of holder and authority differ by more than is allowed for a grant or a batch.
    ClockDisagreement {
        /// The authority's clock, in Unix ms.
        authority_ms: u64,
        /// The holder's clock, in Unix ms.
        holder_ms: u64,
        /// The largest allowed difference, in ms.
        max_ms: u64,
    },
    /// No node can be granted now, because every node is held, or was released with an end further
    /// ahead than the allowed future.
    NoNodeFree {
        /// The time until a node can be granted if no lease is renewed, in ms from the authority's
        /// current time. If there is no lease to wait for, it is one lease time.
        retry_in_ms: u64,
    },
    /// The next batch would begin further ahead of the clock than the allowed future.
    BatchesExhausted {
        /// The time until the next batch is within the allowed future, in ms from the authority's
        /// current time.
        retry_in_ms: u64,
    },
    /// The shard has more requests than it can answer.
    Overloaded {
        /// The time in ms after which another try can succeed.
        retry_in_ms: u64,
    },
    /// The request names another incarnation than the sequencer has. The reply names the
    /// incarnation that the sequencer has.
    OtherIncarnation {
        /// The incarnation of the request.
        found: u64,
    },
    /// The authority's clock is before the layout's epoch, or after the layout has ended. The
    /// refusal has the code of [`Error::BeforeEpoch`](crate::Error::BeforeEpoch) or
    /// [`Error::LayoutEnded`](crate::Error::LayoutEnded).
    OutsideLayout {
        /// The authority's clock, in Unix ms.
        now_ms: u64,
        /// The time at which the layout begins, in Unix ms.
        epoch_ms: u64,
        /// The time at which the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// There is no sequencer of this name.
    UnknownSequencer,
    /// The sequencer was destroyed.
    SequencerDestroyed,
    /// The request creates a sequencer again with another epoch, another tick or other timestamp
    /// bits, although spans or batches of the sequencer were granted.
    OtherTimestamp,
    /// A sequencer cannot be created again yet, because spans of its previous incarnation have not
    /// ended.
    SpansNotEnded {
        /// The time until all spans of the previous incarnation have ended, in ms from the
        /// authority's current time.
        retry_in_ms: u64,
    },
    /// The settings do not suit the sequencer's layout: the lease time, the batch size, the start
    /// of the sequence or the gaps.
    UnsuitableSettings,
    /// This shard does not answer a request of this kind. The request is only for the registry,
    /// only for the other shards, or for a shard that the sequencer does not have.
    OtherShard {
        /// The shard that was asked.
        shard: u64,
    },
    /// A node that the sequencer is to give up was granted, may have been granted by an earlier
    /// incarnation, or is the first node of a shard.
    NodesInUse {
        /// The smallest number of nodes that the sequencer can have.
        node_count_min: u64,
    },
    /// The shard cannot read its storage, because it is damaged or newer than the shard's code.
    /// Another try at this shard does not help, but another shard may.
    Unreadable,
    /// A variable, binding or class of the authority's Worker cannot be used, so no retry helps.
    /// The code around the authority, not the refusal, says which one cannot be used.
    InvalidConfiguration,
}

impl Refusal {
    /// Returns a stable name of the refusal, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClockDisagreement { .. } => code::CLOCK_DISAGREEMENT,
            Self::NoNodeFree { .. } => code::NO_NODE_FREE,
            Self::BatchesExhausted { .. } => code::BATCHES_EXHAUSTED,
            Self::Overloaded { .. } => code::OVERLOADED,
            Self::OtherIncarnation { .. } => code::OTHER_INCARNATION,
            Self::OutsideLayout { now_ms, epoch_ms, .. } if *now_ms < *epoch_ms => {
                code::BEFORE_EPOCH
            }
            Self::OutsideLayout { .. } => code::LAYOUT_ENDED,
            Self::UnknownSequencer => code::UNKNOWN_SEQUENCER,
            Self::SequencerDestroyed => code::SEQUENCER_DESTROYED,
            Self::OtherTimestamp => code::OTHER_TIMESTAMP,
            Self::SpansNotEnded { .. } => code::SPANS_NOT_ENDED,
            Self::UnsuitableSettings | Self::InvalidConfiguration => code::INVALID_CONFIGURATION,
            Self::OtherShard { .. } => code::OTHER_SHARD,
            Self::NodesInUse { .. } => code::NODES_IN_USE,
            Self::Unreadable => code::AUTHORITY_UNREADABLE,
        }
    }

    /// Returns the time in ms after which another try can succeed; `None` if the authority does not
    /// name a time.
    #[must_use]
    pub const fn retry_in_ms(&self) -> Option<u64> {
        match *self {
            Self::NoNodeFree { retry_in_ms }
            | Self::BatchesExhausted { retry_in_ms }
            | Self::Overloaded { retry_in_ms }
            | Self::SpansNotEnded { retry_in_ms } => Some(retry_in_ms),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ClockDisagreement { authority_ms, holder_ms, max_ms } => write!(
                f,
                "clocks disagree by {} ms: authority {}, holder {}; at most {max_ms} ms are \
                 allowed: correct the wrong clock",
                authority_ms.abs_diff(holder_ms),
                Instant(authority_ms),
                Instant(holder_ms)
            ),
            Self::NoNodeFree { retry_in_ms } => {
                write!(f, "no node is free: retry in {retry_in_ms} ms, or shorten the leases")
            }
            Self::BatchesExhausted { retry_in_ms } => {
                write!(f, "the batches' allowed future is used up: retry in {retry_in_ms} ms")
            }
            Self::Overloaded { retry_in_ms } => {
                write!(f, "the authority is overloaded: retry in {retry_in_ms} ms")
            }
            Self::OtherIncarnation { found } => {
                write!(f, "incarnation {found} is not the sequencer's: acquire another lease")
            }
            Self::OutsideLayout { now_ms, epoch_ms, .. } if now_ms < epoch_ms => write!(
                f,
                "the layout begins at {}: the authority's clock is at {}, so set the clock or \
                 choose another layout",
                Instant(epoch_ms),
                Instant(now_ms)
            ),
            Self::OutsideLayout { now_ms, end_ms, .. } => write!(
                f,
                "the layout ended at {}: the authority's clock is at {}, so set the clock or \
                 choose another layout",
                Instant(end_ms),
                Instant(now_ms)
            ),
            Self::UnknownSequencer => {
                f.write_str("there is no sequencer of this name: create it first")
            }
            Self::SequencerDestroyed => {
                f.write_str("the sequencer was destroyed: create it again, or use another name")
            }
            Self::OtherTimestamp => f.write_str(
                "the sequencer granted spans: create it again with the same epoch, \
                 tick and timestamp bits, or use another name",
            ),
            Self::SpansNotEnded { retry_in_ms } => write!(
                f,
                "the last lease ends in {retry_in_ms} ms: create the sequencer after that"
            ),
            Self::UnsuitableSettings => f.write_str(
                "the lease, batches, sequence start or gaps do not suit the layout: change them",
            ),
            Self::OtherShard { shard } => {
                write!(f, "shard {shard} cannot answer this: ask the shard that the grant named")
            }
            Self::NodesInUse { node_count_min } => {
                write!(f, "nodes are in use: keep at least {node_count_min}")
            }
            Self::Unreadable => {
                f.write_str("the authority cannot read its storage: its log says why")
            }
            Self::InvalidConfiguration => {
                f.write_str("the authority cannot use its configuration: its log says why")
            }
        }
    }
}
