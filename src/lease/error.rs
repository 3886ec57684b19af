use core::fmt;

use super::message::Refusal;
use crate::code;

/// An error about leases.
///
/// The text of an error says what was found, what is allowed, and what to do.
///
/// ```
/// use edgeflake::lease::{BoundConfig, Error};
/// use edgeflake::preset::TWITTER;
///
/// let error = BoundConfig::new(TWITTER, 0, 1_024, 3).unwrap_err();
/// assert_eq!(error, Error::Shards { shards: 3, node_count: 1_024, shards_max: 64 });
/// assert_eq!(
///     error.to_string(),
///     "there are 3 shards: give a power of two up to 64 that divides the number of nodes, 1024"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The layout or the generator of a lease returned this error.
    Generator(crate::Error),
    /// The record of a [storing](super::Holder::storing) holder must be written before the holder
    /// can continue.
    Unwritten,
    /// The node range of a sequencer is empty or too large, or has nodes that the layout does not
    /// have.
    NodeRange {
        /// The first node of the range.
        first_node: u64,
        /// The number of nodes.
        node_count: u64,
        /// The largest number of nodes: [`NODE_COUNT_MAX`](super::BoundConfig::NODE_COUNT_MAX).
        node_count_max: u64,
        /// The largest node: the layout's last node, but at most
        /// [`NODE_MAX`](super::BoundConfig::NODE_MAX).
        node_max: u64,
    },
    /// A sequencer's nodes cannot be divided into this many shards.
    Shards {
        /// The number of shards.
        shards: u64,
        /// The number of nodes.
        node_count: u64,
        /// The largest number of shards: [`SHARDS_MAX`](super::BoundConfig::SHARDS_MAX).
        shards_max: u64,
    },
    /// The sequencer to create would have more nodes per shard than fit into a shard's memory.
    ShardNodes {
        /// The number of nodes.
        node_count: u64,
        /// The number of shards.
        shards: u64,
        /// The largest number of nodes per shard:
        /// [`SHARD_NODES_MAX`](super::BoundConfig::SHARD_NODES_MAX).
        shard_nodes_max: u64,
        /// The smallest number of shards that have room for these nodes.
        shards_min: u64,
    },
    /// A lease is too short or too long.
    Lease {
        /// The lease time, in ms.
        lease_ms: u64,
        /// The shortest lease: twice the allowed future plus one tick, in ms.
        min_ms: u64,
        /// The longest lease: a day, in ms.
        max_ms: u64,
    },
    /// A batch has no ids, or more than `max`.
    PrefetchCount {
        /// The number of ids in a batch.
        count: u64,
        /// The largest number of ids: [`PREFETCH_COUNT_MAX`](super::Terms::PREFETCH_COUNT_MAX).
        max: u64,
    },
    /// This shard cannot have written a stored row, because the row's node is not the shard's, its
    /// span ends before it starts or after the layout's last tick, its `until_sequence` is too
    /// large, or it gives a lease of the node for batches.
    StoredRow {
        /// The node of the row.
        node: u64,
    },
    /// A token's text is not 32 lower-case hexadecimal digits.
    TokenText {
        /// The text's length in bytes.
        length: usize,
    },
    /// The holder is detached.
    Detached,
    /// The sequencer has another layout than the holder is [bound](super::Holder::bind) to.
    OtherLayout,
    /// The authority refused the request.
    Refused(Refusal),
    /// The authority gave no reply.
    AuthorityUnreachable,
    /// The reply of the authority does not belong to the request.
    UnexpectedReply,
}

impl Error {
    /// Returns a stable name of the error, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Generator(error) => error.code(),
            Self::Unwritten => code::UNWRITTEN,
            Self::NodeRange { .. }
            | Self::Shards { .. }
            | Self::ShardNodes { .. }
            | Self::Lease { .. }
            | Self::PrefetchCount { .. } => code::INVALID_CONFIGURATION,
            Self::Detached => code::DETACHED,
            Self::OtherLayout => code::OTHER_LAYOUT,
            Self::StoredRow { .. } => code::INVALID_ROW,
            Self::TokenText { .. } => code::INVALID_TOKEN,
            Self::Refused(refusal) => refusal.code(),
            Self::AuthorityUnreachable => code::AUTHORITY_UNREACHABLE,
            Self::UnexpectedReply => code::UNEXPECTED_REPLY,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Generator(error) => error.fmt(f),
            Self::NodeRange { first_node, node_count, node_count_max, node_max } => write!(
                f,
                "there are {node_count} nodes from node {first_node} on: give 1 to \
                 {node_count_max} nodes, up to node {node_max}"
            ),
            Self::Shards { shards, node_count, shards_max } => write!(
                f,
                "there are {shards} shards: give a power of two up to {shards_max} that divides \
                 the number of nodes, {node_count}"
            ),
            Self::ShardNodes { node_count, shards, shard_nodes_max, shards_min } => write!(
                f,
                "{node_count} nodes do not fit in {shards} shards of at most {shard_nodes_max} \
                 nodes each: choose {shards_min} shards or more, or at most {} nodes",
                shard_nodes_max * shards
            ),
            Self::Lease { lease_ms, min_ms, max_ms } => write!(
                f,
                "the lease is {lease_ms} ms: give {min_ms} (twice the \
                 allowed future plus a tick) to {max_ms}"
            ),
            Self::PrefetchCount { count, max } => {
                write!(f, "a batch has {count} ids: give 1 to {max}")
            }
            Self::StoredRow { node } => {
                write!(f, "the stored row of node {node} does not fit: undo what changed it")
            }
            Self::TokenText { length } => write!(
                f,
                "the token has {length} characters, but must be 32 lower-case hexadecimal digits"
            ),
            Self::Detached => f.write_str("the holder is detached: attach it to issue ids"),
            Self::OtherLayout => f.write_str(
                "the holder is bound to another layout: change the sequencer, or use its layout",
            ),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Unwritten => f.write_str("store the record, then call written"),
            Self::AuthorityUnreachable => f.write_str("the authority gave no reply"),
            Self::UnexpectedReply => {
                f.write_str("the reply does not fit: compare the authority's version")
            }
        }
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self::Generator(error)
    }
}

impl core::error::Error for Error {}
