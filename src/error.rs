use core::fmt;

use crate::field::{Name, Role};
use crate::text::{Fault, Form};
use crate::{Identity, Instant, Layout, Refusal};

/// All that can go wrong in this crate. Its text says what was found and what is allowed.
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
    /// A layout ends after [`Layout::INSTANT_MAX_MS`].
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
    /// The generator was closed.
    Closed,
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
        /// The layout's last node.
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
    /// A stored row names a node that is not the sequencer's, or an empty interval.
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
            Self::Closed => "closed",
            Self::OtherNode { .. } => "other-node",
            Self::NodeRange { .. } | Self::Shards { .. } | Self::Lease { .. } => {
                "invalid-configuration"
            }
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

impl fmt::Display for Error {
    #[expect(clippy::too_many_lines, reason = "one arm an error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NameLength { length } => write!(
                f,
                "a field's name has {length} characters: 1 to {} are allowed",
                Name::LENGTH_MAX
            ),
            Self::NameCharacter { position } => write!(
                f,
                "a field's name has another character than a-z, A-Z, 0-9, - and _ at position \
                 {position}"
            ),
            Self::FieldWidth { field, bits } => {
                write!(f, "field {field} has {bits} bits: 1 to 64 are allowed")
            }
            Self::FieldCount { count } => {
                write!(f, "a layout of {count} fields: 1 to {} are allowed", Layout::FIELDS_MAX)
            }
            Self::DuplicateName { name } => write!(f, "two fields are named {name}"),
            Self::Bits { field, bits } => {
                write!(f, "field {field} ends at bit {bits}: a layout has at most 64")
            }
            Self::NoTimestamp => f.write_str("a layout without a timestamp field"),
            Self::TwoTimestamps { first, second } => {
                write!(f, "two timestamp fields, {first} and {second}: exactly one is allowed")
            }
            Self::ZeroTick => f.write_str("a tick of 0 ms: at least 1 ms is allowed"),
            Self::LayoutTooLong { field, bits } => write!(
                f,
                "field {field} of {bits} bits lasts longer than {}",
                Instant(Layout::INSTANT_MAX_MS)
            ),
            Self::NodeCount { nodes, min, max } => {
                write!(f, "{nodes} nodes: {min} to {max} are allowed")
            }
            Self::LayoutText { position, expected } => {
                write!(f, "layout text at position {position}: expected {expected}")
            }
            Self::InstantText { position, expected } => {
                write!(f, "date text at position {position}: expected {expected}")
            }
            Self::TooLarge { role, value, max } => {
                let what = if matches!(role, Role::Timestamp) { "tick" } else { role.word() };
                write!(f, "{what} {value} is too large: at most {max} is allowed")
            }
            Self::UnusedBits { bits } => {
                write!(f, "bits {bits:#x} are set, which the layout does not use")
            }
            Self::EmptySpan { from_tick, until_tick } => {
                write!(f, "a span from tick {from_tick} until {until_tick} is empty")
            }
            Self::SpanTooLong { until_tick, ticks } => {
                write!(f, "a span until tick {until_tick}: the layout has {ticks} ticks")
            }
            Self::EmptyWindow { from_ms, until_ms } => {
                write!(f, "a window from {} until {} is empty", Instant(from_ms), Instant(until_ms))
            }
            Self::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms } => write!(
                f,
                "a window from {} until {} is outside the layout's time from {} until {}",
                Instant(from_ms),
                Instant(until_ms),
                Instant(epoch_ms),
                Instant(end_ms)
            ),
            Self::WindowWithinTick { from_ms, until_ms, tick_ms } => write!(
                f,
                "a window from {} until {}: no tick of {tick_ms} ms starts in it",
                Instant(from_ms),
                Instant(until_ms)
            ),
            Self::AboveTimestamp { field } => write!(
                f,
                "field {field} stands above the timestamp: the ids of a window are not one range"
            ),
            Self::BeforeEpoch { now_ms, epoch_ms } => {
                write!(f, "{} is before the layout's epoch {}", Instant(now_ms), Instant(epoch_ms))
            }
            Self::LayoutEnded { now_ms, end_ms } => {
                write!(f, "the layout ended at {}: it is {}", Instant(end_ms), Instant(now_ms))
            }
            Self::Exhausted { retry_in_ms } => {
                write!(f, "the look-ahead is used up: retry in {retry_in_ms} ms")
            }
            Self::SpanEnded { until_tick } => write!(f, "the span ended at tick {until_tick}"),
            Self::Closed => f.write_str("the generator was closed"),
            Self::OtherNode { found, node } => {
                write!(f, "an id of node {found}: node {node} is allowed")
            }
            Self::NodeRange { first_node, node_count, node_max } => write!(
                f,
                "{node_count} nodes from {first_node} on: 1 to {} nodes up to {node_max} are \
                 allowed",
                Identity::NODE_COUNT_MAX
            ),
            Self::Shards { shards, node_count } => write!(
                f,
                "{shards} shards: a power of two up to {} that divides the {node_count} nodes is \
                 allowed",
                Identity::SHARDS_MAX
            ),
            Self::Lease { lease_ms, min_ms, max_ms } => write!(
                f,
                "a lease of {lease_ms} ms: {min_ms} (twice the look-ahead and a tick) to {max_ms} \
                 are allowed"
            ),
            Self::StoredRow { node } => {
                write!(f, "the stored row of node {node} does not fit the sequencer")
            }
            Self::TokenText { length } => write!(
                f,
                "a token of {length} characters: 32 lower-case hexadecimal digits are allowed"
            ),
            Self::IdText { form, position, fault } => fault.write(f, form, position),
            Self::UnknownForm => f.write_str(
                "no form has this name: decimal, signed-decimal, hex, binary, base32, z-base-32, \
                 base36, base58, base58-flickr, base62 and base64url are allowed",
            ),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::AuthorityUnreachable => f.write_str("the authority did not answer"),
            Self::UnexpectedReply => {
                f.write_str("the authority answered something else than what was asked")
            }
        }
    }
}

impl core::error::Error for Error {}
