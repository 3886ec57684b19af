use core::fmt;

use crate::sentence::Word::{Number, Time};
use crate::sentence::{self, say};

/// Why an authority refuses.
///
/// ```
/// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Refusal, Reply, Request};
/// use edgeflake::lease::{Sequencer, Settings, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 2, 1)?);
/// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
///
/// let (token, holder_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms: holder_ms };
/// let authority_ms = holder_ms + 10_001;
/// let refusal = Refusal::ClockDisagreement { authority_ms, holder_ms, max_ms: 10_000 };
/// let reply = authority.decide(authority_ms, &Request::Acquire(acquire)).reply;
/// assert_eq!(reply, Reply::Refused { refusal, incarnation: 1 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The clocks of holder and authority differ by more than is allowed for a grant or a batch.
    ClockDisagreement {
        /// The authority's clock, in Unix ms.
        authority_ms: u64,
        /// The holder's clock, in Unix ms.
        holder_ms: u64,
        /// The most they may differ by, in ms.
        max_ms: u64,
    },
    /// No node can be granted now: all are held, or what the free ones were granted for has not
    /// passed.
    NoNodeFree {
        /// In how many ms the first lease ends, from the authority's now; one lease time if there
        /// is no lease to wait for.
        retry_in_ms: u64,
    },
    /// The next batch would lie further ahead of the clock than allowed.
    BatchesExhausted {
        /// When it will not, in ms from the authority's now.
        retry_in_ms: u64,
    },
    /// The shard has more to do than it can.
    Overloaded {
        /// When it is worth another try, in ms.
        retry_in_ms: u64,
    },
    /// The request is for another incarnation of the sequencer than the reply's.
    OtherIncarnation {
        /// The incarnation of the request.
        found: u64,
    },
    /// The authority's clock is before the layout begins, or after it has ended. Its name is that of
    /// [`Error::BeforeEpoch`](crate::Error::BeforeEpoch) or
    /// [`Error::LayoutEnded`](crate::Error::LayoutEnded).
    OutsideLayout {
        /// The authority's clock, in Unix ms.
        now_ms: u64,
        /// When the layout begins, in Unix ms.
        epoch_ms: u64,
        /// When the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// There is no sequencer of this name.
    UnknownSequencer,
    /// The sequencer was destroyed.
    SequencerDestroyed,
    /// A sequencer of which something was granted is created again with another epoch, another tick
    /// or other timestamp bits.
    OtherTimestamp,
    /// A sequencer cannot be created again yet: of the one before, spans have not ended.
    SpansNotEnded {
        /// When the last one ends, in ms from the authority's now.
        retry_in_ms: u64,
    },
    /// The lease time, the start of the sequence or the gaps do not suit the layout of the
    /// sequencer to be created.
    UnsuitableSettings,
    /// This shard does not answer this: only the registry does, or only the others do, or the
    /// sequencer has fewer shards.
    OtherShard {
        /// The shard that was asked.
        shard: u64,
    },
    /// Nodes that the sequencer shall give up were granted, or may have been by an earlier
    /// incarnation; or one of them is the first node of a shard.
    NodesInUse {
        /// The fewest nodes that the sequencer can have.
        node_count_min: u64,
    },
    /// What the shard has stored cannot be read: it is damaged, or newer than the shard's code.
    /// Another try does not help, but another shard may.
    Unreadable,
}

impl Refusal {
    /// A stable name, for programs.
    ///
    /// ```
    /// let refusal = edgeflake::lease::Refusal::NoNodeFree { retry_in_ms: 9 };
    /// assert_eq!(refusal.code(), "no-node-free");
    /// ```
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClockDisagreement { .. } => "clock-disagreement",
            Self::NoNodeFree { .. } => "no-node-free",
            Self::BatchesExhausted { .. } => "batches-exhausted",
            Self::Overloaded { .. } => "overloaded",
            Self::OtherIncarnation { .. } => "other-incarnation",
            Self::OutsideLayout { now_ms, epoch_ms, .. } if *now_ms < *epoch_ms => "before-epoch",
            Self::OutsideLayout { .. } => "layout-ended",
            Self::UnknownSequencer => "unknown-sequencer",
            Self::SequencerDestroyed => "sequencer-destroyed",
            Self::OtherTimestamp => "other-timestamp",
            Self::SpansNotEnded { .. } => "spans-not-ended",
            Self::UnsuitableSettings => "invalid-configuration",
            Self::OtherShard { .. } => "other-shard",
            Self::NodesInUse { .. } => "nodes-in-use",
            Self::Unreadable => "authority-unreadable",
        }
    }

    /// When it is worth another try, in ms, as the authority says; `None` where it says nothing.
    ///
    /// ```
    /// use edgeflake::lease::Refusal;
    ///
    /// assert_eq!(Refusal::Overloaded { retry_in_ms: 900 }.retry_in_ms(), Some(900));
    /// assert_eq!(Refusal::SequencerDestroyed.retry_in_ms(), None);
    /// ```
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

impl Refusal {
    pub(crate) fn say(&self, listener: &mut dyn FnMut(&str)) {
        match *self {
            Self::ClockDisagreement { authority_ms, holder_ms, max_ms } => say(
                listener,
                "clocks disagree by {} ms: authority {}, holder {}; at most {} ms are allowed",
                &[
                    Number(authority_ms.abs_diff(holder_ms)),
                    Time(authority_ms),
                    Time(holder_ms),
                    Number(max_ms),
                ],
            ),
            Self::NoNodeFree { retry_in_ms } => say(
                listener,
                "no node is free: the first lease ends in {} ms",
                &[Number(retry_in_ms)],
            ),
            Self::BatchesExhausted { retry_in_ms } => say(
                listener,
                "the batches' allowed future is used up: retry in {} ms",
                &[Number(retry_in_ms)],
            ),
            Self::Overloaded { retry_in_ms } => {
                say(
                    listener,
                    "the authority is overloaded: retry in {} ms",
                    &[Number(retry_in_ms)],
                );
            }
            Self::OtherIncarnation { found } => {
                say(listener, "incarnation {} is not the sequencer's", &[Number(found)]);
            }
            Self::OutsideLayout { now_ms, epoch_ms, .. } if now_ms < epoch_ms => say(
                listener,
                "the layout begins at {}: the authority's clock is at {}",
                &[Time(epoch_ms), Time(now_ms)],
            ),
            Self::OutsideLayout { now_ms, end_ms, .. } => say(
                listener,
                "the layout ended at {}: the authority's clock is at {}",
                &[Time(end_ms), Time(now_ms)],
            ),
            Self::UnknownSequencer => say(listener, "there is no sequencer of this name", &[]),
            Self::SequencerDestroyed => say(listener, "the sequencer was destroyed", &[]),
            Self::OtherTimestamp => say(
                listener,
                "of the sequencer ids were granted, so it is created again with the same epoch, tick \
                 and timestamp bits: another layout needs another name",
                &[],
            ),
            Self::SpansNotEnded { retry_in_ms } => say(
                listener,
                "the last span of the sequencer that was destroyed ends in {} ms: after that it \
                 can be created again",
                &[Number(retry_in_ms)],
            ),
            Self::UnsuitableSettings => say(
                listener,
                "the lease, the sequence start or the gaps do not suit the layout",
                &[],
            ),
            Self::OtherShard { shard } => {
                say(listener, "shard {} does not answer this", &[Number(shard)]);
            }
            Self::NodesInUse { node_count_min } => say(
                listener,
                "nodes are in use: at least {} must be kept",
                &[Number(node_count_min)],
            ),
            Self::Unreadable => {
                say(
                    listener,
                    "what the authority has stored cannot be read: its log says why",
                    &[],
                );
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence::write(f, |listener| self.say(listener))
    }
}
