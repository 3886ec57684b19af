use core::fmt;

use crate::code;
use crate::instant::gregorian::{INSTANT_MAX_MS, Utc};
use crate::layout::name::Name;
use crate::layout::role::Role;
use crate::text::encoding::Encoding;
use crate::text::fault::Fault;

/// Everything that can go wrong with layouts, ids and generators.
///
/// An error's text says what was found, what is allowed, and what to do. Leases have
/// [an error type of their own](crate::lease::Error).
///
/// ```
/// use edgeflake::{Error, preset::TWITTER};
///
/// let error = TWITTER.tick(0).unwrap_err();
/// assert_eq!(error, Error::BeforeEpoch { now_ms: 0, epoch_ms: 1_288_834_974_657 });
/// assert_eq!(
///     error.to_string(),
///     "1970-01-01T00:00:00.000Z is before the layout's epoch 2010-11-04T01:42:54.657Z: \
///      correct the time, or use another layout"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A field's name is empty or too long.
    NameLength {
        /// The length of the name in characters. A name with a character that is not allowed gives
        /// `NameCharacter` instead.
        length: usize,
    },
    /// A field's name has a character that is not allowed in names.
    NameCharacter {
        /// The byte offset of the character in the name.
        position: usize,
    },
    /// A field has no bits, or more than 64.
    FieldWidth {
        /// The field's name.
        field: Name,
        /// The field's width in bits.
        bits: u8,
    },
    /// A layout has no fields, or too many.
    FieldCount {
        /// The number of fields.
        count: usize,
        /// The largest number of fields that is allowed.
        max: usize,
    },
    /// Two fields of a layout have the same name.
    DuplicateName {
        /// The name that both fields have.
        name: Name,
    },
    /// The fields of a layout have more than 64 bits.
    Bits {
        /// The name of the first field that does not fit into 64 bits.
        field: Name,
        /// The total width of the fields up to and including `field`, in bits.
        bits: u32,
    },
    /// A layout has no timestamp.
    NoTimestamp,
    /// A layout has two timestamps.
    TwoTimestamps {
        /// The name of the first timestamp field.
        first: Name,
        /// The name of the second timestamp field.
        second: Name,
    },
    /// A layout's tick is 0 ms long.
    ZeroTick,
    /// A layout ends after [`Layout::INSTANT_MAX_MS`](crate::Layout::INSTANT_MAX_MS).
    LayoutTooLong {
        /// The name of the timestamp field.
        field: Name,
        /// The timestamp's width in bits.
        bits: u8,
    },
    /// A preset does not allow this number of nodes.
    NodeCount {
        /// The number of nodes.
        nodes: u64,
        /// The smallest number of nodes that is allowed.
        min: u64,
        /// The largest number of nodes that is allowed.
        max: u64,
    },
    /// No preset has this name.
    UnknownPreset {
        /// The unknown name.
        name: Name,
        /// The name of the preset that was probably meant.
        meant: Option<&'static str>,
        /// The names of all presets.
        names: &'static [&'static str],
    },
    /// A preset does not have this option.
    UnknownOption {
        /// The preset's name.
        preset: &'static str,
        /// The unknown option.
        option: Name,
        /// The options that the preset has.
        options: &'static [&'static str],
    },
    /// A preset's layout has ended. With the later epoch `epoch_ms`, the preset could issue its old
    /// ids again.
    OverlapsOldIds {
        /// The preset's name.
        preset: &'static str,
        /// The start and the end of the time in which the preset issued ids, in Unix ms.
        issued_ms: [u64; 2],
        /// The later epoch, in Unix ms.
        epoch_ms: u64,
    },
    /// A layout string cannot be read.
    LayoutString {
        /// The byte offset of the word, or of the part of a date, that cannot be read.
        position: usize,
        /// The texts that are allowed at this offset.
        expected: &'static str,
    },
    /// A date cannot be read.
    InstantText {
        /// The byte offset of the part that cannot be read; 0 if the instant is out of range.
        position: usize,
        /// The texts that are allowed at this offset.
        expected: &'static str,
    },
    /// A part of an id is larger than its fields can hold.
    TooLarge {
        /// The part of the id, as the role of its fields.
        role: Role,
        /// The value that is too large.
        value: u64,
        /// The largest value that is allowed.
        max: u64,
    },
    /// A value for one of the node's fields is wider than that field.
    FieldTooLarge {
        /// The name of the node's field that is too narrow.
        field: Name,
        /// The value that is too large.
        value: u64,
        /// The largest value that is allowed.
        max: u64,
    },
    /// The number of values for a node's fields differs from the number of these fields.
    NodeValues {
        /// The number of values.
        values: usize,
        /// The number of node fields.
        fields: usize,
    },
    /// An id has bits set that its layout does not use.
    UnusedBits {
        /// The set bits that the layout does not use.
        bits: u64,
    },
    /// A span has no ticks.
    EmptySpan {
        /// The span's first tick.
        from_tick: u64,
        /// The first tick after the span.
        until_tick: u64,
    },
    /// A span reaches past the layout's last tick.
    SpanTooLong {
        /// The first tick after the span.
        until_tick: u64,
        /// The number of ticks that the layout has.
        ticks: u64,
    },
    /// A time window ends at or before its start.
    EmptyWindow {
        /// The window's start, in Unix ms.
        from_ms: u64,
        /// The window's end, in Unix ms.
        until_ms: u64,
    },
    /// A time window lies completely before the layout's epoch or after its end.
    WindowOutsideLayout {
        /// The window's start, in Unix ms.
        from_ms: u64,
        /// The window's end, in Unix ms.
        until_ms: u64,
        /// The layout's epoch, in Unix ms.
        epoch_ms: u64,
        /// The time at which the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// No tick starts in a time window.
    WindowWithinTick {
        /// The window's start, in Unix ms.
        from_ms: u64,
        /// The window's end, in Unix ms.
        until_ms: u64,
        /// The length of a tick, in ms.
        tick_ms: u64,
    },
    /// The ids of a time window are not one contiguous range, because a field stands above the
    /// timestamp.
    AboveTimestamp {
        /// The name of the lowest field in use above the timestamp.
        field: Name,
    },
    /// A time is before the layout's epoch.
    BeforeEpoch {
        /// The time in question, in Unix ms.
        now_ms: u64,
        /// The layout's epoch, in Unix ms.
        epoch_ms: u64,
    },
    /// A time is past the layout's last tick, or the generator has no more ids in the layout.
    LayoutEnded {
        /// The time in question, in Unix ms.
        now_ms: u64,
        /// The time at which the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// The next id lies further ahead of the clock than the allowed future.
    Exhausted {
        /// The time in ms until the next id is within the allowed future.
        retry_in_ms: u64,
    },
    /// The clock went back, so the next id lies further ahead of the clock than the allowed future.
    /// The generator issues ids again as soon as the clock is set right.
    ClockBack {
        /// The time in ms by which the clock went back.
        back_ms: u64,
        /// The time in ms until there is an id again, if the clock runs on from its current value.
        retry_in_ms: u64,
    },
    /// The clock has reached the end of the span, or all counters of the span are used.
    SpanEnded {
        /// The first tick after the span.
        until_tick: u64,
    },
    /// The generator was closed.
    Closed,
    /// Another generator in this process already uses this node, which was assigned by hand.
    NodeInUse {
        /// The node that is in use.
        node: u64,
    },
    /// The id or the stored lease from which the generator should resume is of another node.
    OtherNode {
        /// The node of the id or of the stored lease.
        found: u64,
        /// The node that is allowed. For a stored lease, this is the first of the sequencer's
        /// nodes.
        node: u64,
    },
    /// An id's text cannot be read.
    IdText {
        /// The encoding in which the text was read.
        encoding: Encoding,
        /// The byte offset of the fault.
        position: usize,
        /// The fault at this offset.
        fault: Fault,
    },
}

impl Error {
    /// Returns the error of a generator whose next id is due in `retry_in_ms`, and whose clock is
    /// `back_ms` behind the latest time that the clock has shown. The error is `ClockBack` if the
    /// id would be due at that latest time, and otherwise `Exhausted`.
    pub(crate) const fn ahead(back_ms: u64, retry_in_ms: u64) -> Self {
        if retry_in_ms <= back_ms {
            Self::ClockBack { back_ms, retry_in_ms }
        } else {
            Self::Exhausted { retry_in_ms }
        }
    }

    /// Returns a stable name of the error, for programs.
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
            | Self::UnknownOption { .. }
            | Self::OverlapsOldIds { .. }
            | Self::LayoutString { .. } => code::INVALID_LAYOUT,
            Self::UnknownPreset { .. } => code::UNKNOWN_PRESET,
            Self::InstantText { .. } => code::INVALID_INSTANT,
            Self::TooLarge { .. } | Self::FieldTooLarge { .. } => code::TOO_LARGE,
            Self::NodeValues { .. } => code::INVALID_NUMBER,
            Self::UnusedBits { .. } => code::UNUSED_BITS,
            Self::EmptySpan { .. } | Self::SpanTooLong { .. } => code::INVALID_SPAN,
            Self::EmptyWindow { .. }
            | Self::WindowOutsideLayout { .. }
            | Self::WindowWithinTick { .. } => code::INVALID_WINDOW,
            Self::AboveTimestamp { .. } => code::NOT_SORTED_BY_TIME,
            Self::BeforeEpoch { .. } => code::BEFORE_EPOCH,
            Self::LayoutEnded { .. } => code::LAYOUT_ENDED,
            Self::Exhausted { .. } => code::EXHAUSTED,
            Self::ClockBack { .. } => code::CLOCK_BACK,
            Self::SpanEnded { .. } => code::SPAN_ENDED,
            Self::Closed => code::CLOSED,
            Self::NodeInUse { .. } => code::NODE_IN_USE,
            Self::OtherNode { .. } => code::OTHER_NODE,
            Self::IdText { .. } => code::INVALID_ID,
        }
    }

    /// Returns the time in ms until there is an id again; `None` if waiting does not help.
    #[must_use]
    pub const fn retry_in_ms(&self) -> Option<u64> {
        match *self {
            Self::Exhausted { retry_in_ms } | Self::ClockBack { retry_in_ms, .. } => {
                Some(retry_in_ms)
            }
            _ => None,
        }
    }
}

/// Writes `texts` with a separator between them. A call of this function compiles to less code than
/// `write!`.
fn write_all(f: &mut fmt::Formatter<'_>, between: &str, texts: &[&str]) -> fmt::Result {
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            f.write_str(between)?;
        }
        f.write_str(text)?;
    }
    Ok(())
}

impl fmt::Display for Error {
    #[expect(clippy::too_many_lines, reason = "one arm per error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NameLength { length } => {
                write!(f, "a field's name has {length} characters: give 1 to {}", Name::LENGTH_MAX)
            }
            Self::NameCharacter { position } => write!(
                f,
                "a field's name has a character at position {position} that is not 0-9, A-Z, \
                 a-z, - or _"
            ),
            Self::FieldWidth { ref field, bits } => {
                write!(f, "field {field} has {bits} bits: give 1 to 64")
            }
            Self::FieldCount { count, max } => {
                write!(f, "the layout has {count} fields: give 1 to {max}")
            }
            Self::DuplicateName { ref name } => {
                write!(f, "two fields are named {name}: rename one")
            }
            Self::Bits { ref field, bits } => {
                write!(f, "field {field} ends at bit {bits}: a layout has at most 64")
            }
            Self::NoTimestamp => f.write_str("the layout has no timestamp field: add one"),
            Self::TwoTimestamps { ref first, ref second } => {
                write!(f, "the layout has two timestamp fields, {first} and {second}: keep one")
            }
            Self::ZeroTick => f.write_str("the tick is 0 ms: give at least 1 ms"),
            Self::LayoutTooLong { ref field, bits } => write!(
                f,
                "field {field} of {bits} bits ends after {}: use fewer bits or another epoch",
                Utc(INSTANT_MAX_MS)
            ),
            Self::NodeCount { nodes, min, max } => {
                write!(f, "there are {nodes} nodes: give {min} to {max}")
            }
            Self::UnknownPreset { ref name, meant, names } => {
                write_all(f, "", &["no preset is named ", name.as_str()])?;
                if let Some(meant) = meant {
                    write_all(f, "", &[" (did you mean ", meant, "?)"])?;
                }
                f.write_str(": give ")?;
                write_all(f, ", ", names)?;
                f.write_str(", or a layout string")
            }
            Self::UnknownOption { preset, ref option, options } => {
                write_all(f, "", &["the preset ", preset, " has no option ", option.as_str()])?;
                f.write_str(if options.is_empty() { ": leave it out" } else { ": it has " })?;
                write_all(f, ", ", options)
            }
            Self::OverlapsOldIds { preset, issued_ms, epoch_ms } => {
                write!(f, "with the epoch {}, ", Utc(epoch_ms))?;
                write_old_ids(f, preset, issued_ms)?;
                f.write_str(
                    ": in a layout string, keep the old epoch and give the unused bit to the \
                     timestamp; or add overlaps-old-ids if no old id is stored",
                )
            }
            Self::LayoutString { position, expected } => {
                write!(f, "layout string at position {position}: expected ")?;
                f.write_str(expected)
            }
            Self::InstantText { position, expected } => {
                write!(f, "date text at position {position}: expected ")?;
                f.write_str(expected)
            }
            Self::TooLarge { role, value, max } => {
                let what = if matches!(role, Role::Timestamp) { "tick" } else { role.word() };
                f.write_str(what)?;
                write!(f, " {value} is too large: at most {max} is allowed")
            }
            Self::FieldTooLarge { ref field, value, max } => {
                write!(f, "{field} is {value}: at most {max} is allowed")
            }
            Self::NodeValues { values, fields } => {
                write!(f, "there are {values} node values: give {fields}, one per node field")
            }
            Self::UnusedBits { bits } => {
                write!(
                    f,
                    "the layout does not use bits 0x{bits:x}, which are set: choose another layout"
                )
            }
            Self::EmptySpan { from_tick, until_tick } => write!(
                f,
                "a span from tick {from_tick} until {until_tick} is empty: the end must be after \
                 the start"
            ),
            Self::SpanTooLong { until_tick, ticks } => {
                write!(f, "the span ends at tick {until_tick}, the layout at {ticks}")
            }
            Self::EmptyWindow { from_ms, until_ms } => write!(
                f,
                "a window from {} until {} is empty: the end must be after the start",
                Utc(from_ms),
                Utc(until_ms)
            ),
            Self::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms } => write!(
                f,
                "a window from {} until {} is outside the layout's time from {} until {}",
                Utc(from_ms),
                Utc(until_ms),
                Utc(epoch_ms),
                Utc(end_ms)
            ),
            Self::WindowWithinTick { from_ms, until_ms, tick_ms } => write!(
                f,
                "a window from {} until {}: no tick of {tick_ms} ms starts in it, so choose a \
                 longer window",
                Utc(from_ms),
                Utc(until_ms)
            ),
            Self::AboveTimestamp { ref field } => write!(
                f,
                "field {field} stands above the timestamp, so the ids of a window are not one \
                 range: compare dates"
            ),
            Self::BeforeEpoch { now_ms, epoch_ms } => {
                write!(
                    f,
                    "{} is before the layout's epoch {}: correct the time, or use another layout",
                    Utc(now_ms),
                    Utc(epoch_ms)
                )
            }
            Self::LayoutEnded { now_ms, end_ms } if now_ms < end_ms => write!(
                f,
                "the layout ends at {}: at {} no id is left, so choose another layout",
                Utc(end_ms),
                Utc(now_ms)
            ),
            Self::LayoutEnded { now_ms, end_ms } => write!(
                f,
                "the layout ended at {}: for {}, use another layout",
                Utc(end_ms),
                Utc(now_ms)
            ),
            Self::Exhausted { retry_in_ms } => {
                write!(f, "the allowed future is used up: retry in {retry_in_ms} ms")
            }
            Self::ClockBack { back_ms, retry_in_ms } => write!(
                f,
                "the clock went back by {back_ms} ms: retry in {retry_in_ms} ms, or set it right"
            ),
            Self::SpanEnded { until_tick } => {
                write!(f, "the span ended at tick {until_tick}: acquire another")
            }
            Self::Closed => f.write_str("the generator was closed: make another"),
            Self::NodeInUse { node } => {
                write!(f, "node {node} is in use: close its generator first")
            }
            Self::OtherNode { found, node } => {
                write!(f, "the id or lease is of node {found}, not {node}")
            }
            Self::IdText { encoding, position, fault } => fault.write(f, encoding, position),
        }
    }
}

/// Writes that new ids could be equal to ids that a preset issued between two times, in Unix ms.
pub(crate) fn write_old_ids(
    f: &mut fmt::Formatter<'_>,
    preset: &str,
    [from_ms, until_ms]: [u64; 2],
) -> fmt::Result {
    write_all(f, "", &["ids may be equal to those that ", preset, " issued"])?;
    write!(f, " from {} until {}", Utc(from_ms), Utc(until_ms))
}

impl core::error::Error for Error {}
