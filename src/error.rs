use crate::text::{Fault, Form};
use crate::{Name, Refusal, Role};

/// All that can go wrong in this crate. Its text says what was found and what is allowed.
///
/// ```
/// use edgeflake::{Error, preset::TWITTER};
///
/// let error = TWITTER.tick(0).unwrap_err();
/// assert_eq!(error, Error::BeforeEpoch { now_ms: 0, epoch_ms: 1_288_834_974_657 });
/// assert_eq!(
///     error.to_string(),
///     "1970-01-01T00:00:00.000Z is before the layout's epoch 2010-11-04T01:42:54.657Z"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A field's name is empty or too long.
    NameLength {
        /// In bytes.
        length: usize,
    },
    /// A field's name has a character that names do not have.
    NameCharacter {
        /// In bytes from the start of the name.
        position: usize,
    },
    /// A field has no bits, or more than 64.
    FieldWidth {
        /// The field.
        field: Name,
        /// Its width.
        bits: u8,
    },
    /// A layout has no fields, or too many.
    FieldCount {
        /// How many.
        count: usize,
    },
    /// Two fields of a layout have the same name.
    DuplicateName {
        /// The name.
        name: Name,
    },
    /// The fields of a layout have more than 64 bits.
    Bits {
        /// The first field that does not fit.
        field: Name,
        /// The bits up to its end.
        bits: u32,
    },
    /// A layout has no timestamp.
    NoTimestamp,
    /// A layout has two timestamps.
    TwoTimestamps {
        /// The first.
        first: Name,
        /// The second.
        second: Name,
    },
    /// A layout's tick has no length.
    ZeroTick,
    /// A layout ends after [`Layout::INSTANT_MAX_MS`](crate::Layout::INSTANT_MAX_MS).
    LayoutTooLong {
        /// The timestamp.
        field: Name,
        /// Its width.
        bits: u8,
    },
    /// A preset does not have so many nodes.
    NodeCount {
        /// How many.
        nodes: u64,
        /// The fewest.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A layout's text cannot be read.
    LayoutText {
        /// Where the word starts that cannot be read, or the part of a date, in bytes.
        position: usize,
        /// What may stand there.
        expected: &'static str,
    },
    /// A date cannot be read.
    InstantText {
        /// Where, in bytes; 0 for an instant out of range.
        position: usize,
        /// What may stand there.
        expected: &'static str,
    },
    /// A value is wider than its fields.
    TooLarge {
        /// What the value is.
        role: Role,
        /// The value.
        value: u64,
        /// The largest that fits.
        max: u64,
    },
    /// An id has bits set that its layout does not use.
    UnusedBits {
        /// Those bits.
        bits: u64,
    },
    /// A span has no tick.
    EmptySpan {
        /// The first tick.
        from_tick: u64,
        /// The first tick after the span.
        until_tick: u64,
    },
    /// A span reaches past the layout's last tick.
    SpanTooLong {
        /// The first tick after the span.
        until_tick: u64,
        /// How many ticks the layout has.
        ticks: u64,
    },
    /// A time window ends before it starts, or at once.
    EmptyWindow {
        /// Its start, in Unix ms.
        from_ms: u64,
        /// Its end, in Unix ms.
        until_ms: u64,
    },
    /// A time window has no moment of the layout's time.
    WindowOutsideLayout {
        /// Its start, in Unix ms.
        from_ms: u64,
        /// Its end, in Unix ms.
        until_ms: u64,
        /// The layout's epoch, in Unix ms.
        epoch_ms: u64,
        /// When the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// No tick starts in a time window.
    WindowWithinTick {
        /// Its start, in Unix ms.
        from_ms: u64,
        /// Its end, in Unix ms.
        until_ms: u64,
        /// The length of a tick, in ms.
        tick_ms: u64,
    },
    /// The ids of a time window are not one range.
    AboveTimestamp {
        /// The first field above the timestamp that is not unused.
        field: Name,
    },
    /// A time is before the layout's epoch.
    BeforeEpoch {
        /// The time, in Unix ms.
        now_ms: u64,
        /// The epoch, in Unix ms.
        epoch_ms: u64,
    },
    /// A time is past the layout's last tick, or its last id has been issued.
    LayoutEnded {
        /// The time, in Unix ms.
        now_ms: u64,
        /// When the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// The next id lies further ahead of the clock than allowed.
    Exhausted {
        /// When it will not, in ms from now.
        retry_in_ms: u64,
    },
    /// The span has no counter left for this time.
    SpanEnded {
        /// The first tick after the span.
        until_tick: u64,
    },
    /// A [storing](crate::Holder::storing) holder's record has to be written before it goes on.
    Unwritten,
    /// The generator was closed.
    Closed,
    /// A static node is in use in this memory already.
    NodeInUse {
        /// The node.
        node: u64,
    },
    /// An id to go on after is of another node.
    OtherNode {
        /// The id's node.
        found: u64,
        /// The generator's node.
        node: u64,
    },
    /// A sequencer's nodes are none, too many, or not all in the layout.
    NodeRange {
        /// The first node.
        first_node: u64,
        /// How many.
        node_count: u64,
        /// The largest node: the layout's last, at most [`NODE_MAX`](crate::Identity::NODE_MAX).
        node_max: u64,
    },
    /// A sequencer's nodes cannot be divided into this many shards.
    Shards {
        /// How many.
        shards: u64,
        /// How many nodes.
        node_count: u64,
    },
    /// A lease is too short or too long.
    Lease {
        /// The lease, in ms.
        lease_ms: u64,
        /// Twice the look-ahead and a tick, in ms.
        min_ms: u64,
        /// A day, in ms.
        max_ms: u64,
    },
    /// A batch of no ids, or of too many.
    PrefetchCount {
        /// How many.
        count: u64,
    },
    /// A sequencer to be created again is not destroyed.
    NotDestroyed,
    /// A sequencer that is created again has another epoch, another tick or other timestamp bits.
    OtherTimestamp,
    /// A stored row is of a node that is not the shard's, ends before it starts, or ends past the
    /// layout's last tick.
    StoredRow {
        /// The node of the row.
        node: u64,
    },
    /// A token's text is not 32 lower-case hexadecimal digits.
    TokenText {
        /// Its length in bytes.
        length: usize,
    },
    /// An id's text cannot be read.
    IdText {
        /// The form that was read.
        form: Form,
        /// Where, in bytes.
        position: usize,
        /// What is wrong there.
        fault: Fault,
    },
    /// No form of an id's text has this name.
    UnknownForm,
    /// The holder is detached.
    Detached,
    /// The authority refused.
    Refused(Refusal),
    /// The authority did not answer.
    AuthorityUnreachable,
    /// The authority answered something else than what was asked.
    UnexpectedReply,
}

impl Error {
    /// A stable name, for programs.
    ///
    /// ```
    /// assert_eq!(edgeflake::Error::Exhausted { retry_in_ms: 1 }.code(), "exhausted");
    /// ```
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NameLength { .. }
            | Self::NameCharacter { .. }
            | Self::FieldWidth { .. }
            | Self::FieldCount { .. }
            | Self::DuplicateName { .. }
            | Self::Bits { .. }
            | Self::NoTimestamp
            | Self::TwoTimestamps { .. }
            | Self::ZeroTick
            | Self::LayoutTooLong { .. }
            | Self::NodeCount { .. }
            | Self::LayoutText { .. } => "invalid-layout",
            Self::InstantText { .. } => "invalid-instant",
            Self::TooLarge { .. } => "too-large",
            Self::UnusedBits { .. } => "unused-bits",
            Self::EmptySpan { .. } | Self::SpanTooLong { .. } => "invalid-span",
            Self::EmptyWindow { .. }
            | Self::WindowOutsideLayout { .. }
            | Self::WindowWithinTick { .. } => "invalid-window",
            Self::AboveTimestamp { .. } => "not-sorted-by-time",
            Self::BeforeEpoch { .. } => "before-epoch",
            Self::LayoutEnded { .. } => "layout-ended",
            Self::Exhausted { .. } => "exhausted",
            Self::SpanEnded { .. } => "span-ended",
            Self::Unwritten => "unwritten",
            Self::Closed => "closed",
            Self::NodeInUse { .. } => "node-in-use",
            Self::OtherNode { .. } => "other-node",
            Self::NodeRange { .. }
            | Self::Shards { .. }
            | Self::Lease { .. }
            | Self::PrefetchCount { .. } => "invalid-configuration",
            Self::NotDestroyed => "not-destroyed",
            Self::OtherTimestamp => "other-timestamp",
            Self::Detached => "detached",
            Self::StoredRow { .. } => "invalid-row",
            Self::TokenText { .. } => "invalid-token",
            Self::IdText { .. } => "invalid-id",
            Self::UnknownForm => "unknown-form",
            Self::Refused(refusal) => refusal.code(),
            Self::AuthorityUnreachable => "authority-unreachable",
            Self::UnexpectedReply => "unexpected-reply",
        }
    }
}

impl core::error::Error for Error {}
