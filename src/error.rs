use core::fmt;

use crate::instant::gregorian::INSTANT_MAX_MS;
use crate::layout::name::Name;
use crate::layout::role::Role;
use crate::sentence::Word::{Bits, Number, Text, Time};
use crate::sentence::{self, say};
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
///      set the clock, or choose another layout"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A field's name is empty or too long.
    NameLength {
        /// Its length in characters, all of which are allowed.
        length: usize,
    },
    /// A field's name has a character that is not allowed in names.
    NameCharacter {
        /// The byte offset of the character in the name.
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
        /// Number of fields.
        count: usize,
        /// The most that are allowed.
        max: usize,
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
    /// A preset does not allow this number of nodes.
    NodeCount {
        /// Number of nodes.
        nodes: u64,
        /// The fewest that are allowed.
        min: u64,
        /// The most that are allowed.
        max: u64,
    },
    /// A preset does not have this option.
    PresetOption {
        /// The preset's name.
        preset: &'static str,
        /// The option that was given.
        option: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// A layout string cannot be read.
    LayoutString {
        /// The byte offset of the word, or of the part of a date, that cannot be read.
        position: usize,
        /// What may stand there.
        expected: &'static str,
    },
    /// A date cannot be read.
    InstantText {
        /// The byte offset of the part that cannot be read; 0 if the instant is out of range.
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
    /// A value for one of the node's fields is wider than that field.
    FieldTooLarge {
        /// The field.
        field: Name,
        /// The value.
        value: u64,
        /// The largest that fits.
        max: u64,
    },
    /// A node does not have one value for each node field.
    NodeValues {
        /// Number of values.
        values: usize,
        /// Number of node fields.
        fields: usize,
    },
    /// An id has bits set that its layout does not use.
    UnusedBits {
        /// The set bits that the layout does not use.
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
    /// A time window ends at or before its start.
    EmptyWindow {
        /// Its start, in Unix ms.
        from_ms: u64,
        /// Its end, in Unix ms.
        until_ms: u64,
    },
    /// A time window lies completely before the layout's epoch or after its end.
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
    /// The ids of a time window are not one contiguous range, because a field stands above the
    /// timestamp.
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
    /// A time is past the layout's last tick, or the generator has issued its last id in the
    /// layout.
    LayoutEnded {
        /// The time, in Unix ms.
        now_ms: u64,
        /// When the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// The next id lies further ahead of the clock than allowed.
    Exhausted {
        /// In how many ms the next id will be within the allowed future.
        retry_in_ms: u64,
    },
    /// The clock went back, so the next id lies further ahead of it than allowed. There are ids
    /// again as soon as the clock is set right.
    ClockBack {
        /// By how much the clock went back, in ms.
        back_ms: u64,
        /// In how many ms there is an id again if the clock runs on from its present value.
        retry_in_ms: u64,
    },
    /// The span has no counter left for this time.
    SpanEnded {
        /// The first tick after the span.
        until_tick: u64,
    },
    /// The generator was closed.
    Closed,
    /// Another generator in this memory already has the node, which was assigned by hand.
    NodeInUse {
        /// The node.
        node: u64,
    },
    /// The id or the stored lease to resume from has another node.
    OtherNode {
        /// The node of the id or of the stored lease.
        found: u64,
        /// The node that is allowed. If several are, as for a stored lease, the first of the
        /// sequencer's nodes.
        node: u64,
    },
    /// An id's text cannot be read.
    IdText {
        /// The encoding in which the text was read.
        encoding: Encoding,
        /// The byte offset of the fault.
        position: usize,
        /// What is wrong there.
        fault: Fault,
    },
}

impl Error {
    /// The error when there is no id for `retry_in_ms` and the clock is `back_ms` behind the latest
    /// time that it has shown. It is `ClockBack` if there would be an id at that latest time.
    pub(crate) const fn ahead(back_ms: u64, retry_in_ms: u64) -> Self {
        if retry_in_ms <= back_ms {
            Self::ClockBack { back_ms, retry_in_ms }
        } else {
            Self::Exhausted { retry_in_ms }
        }
    }

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
            | Self::PresetOption { .. }
            | Self::LayoutString { .. } => "invalid-layout",
            Self::InstantText { .. } => "invalid-instant",
            Self::TooLarge { .. } | Self::FieldTooLarge { .. } => "too-large",
            Self::NodeValues { .. } => "invalid-number",
            Self::UnusedBits { .. } => "unused-bits",
            Self::EmptySpan { .. } | Self::SpanTooLong { .. } => "invalid-span",
            Self::EmptyWindow { .. }
            | Self::WindowOutsideLayout { .. }
            | Self::WindowWithinTick { .. } => "invalid-window",
            Self::AboveTimestamp { .. } => "not-sorted-by-time",
            Self::BeforeEpoch { .. } => "before-epoch",
            Self::LayoutEnded { .. } => "layout-ended",
            Self::Exhausted { .. } => "exhausted",
            Self::ClockBack { .. } => "clock-back",
            Self::SpanEnded { .. } => "span-ended",
            Self::Closed => "closed",
            Self::NodeInUse { .. } => "node-in-use",
            Self::OtherNode { .. } => "other-node",
            Self::IdText { .. } => "invalid-id",
        }
    }

    /// In how many ms there is an id again; `None` if waiting does not help.
    ///
    /// ```
    /// use edgeflake::Error;
    ///
    /// assert_eq!(Error::Exhausted { retry_in_ms: 1 }.retry_in_ms(), Some(1));
    /// assert_eq!(Error::ClockBack { back_ms: 9, retry_in_ms: 8 }.retry_in_ms(), Some(8));
    /// assert_eq!(Error::Closed.retry_in_ms(), None);
    /// ```
    #[must_use]
    pub const fn retry_in_ms(&self) -> Option<u64> {
        match *self {
            Self::Exhausted { retry_in_ms } | Self::ClockBack { retry_in_ms, .. } => {
                Some(retry_in_ms)
            }
            _ => None,
        }
    }

    /// Passes the text that `Display` writes to `listener`, piece by piece. This does without the
    /// standard library's formatting, so it keeps a WebAssembly module small.
    ///
    /// ```
    /// let mut text = String::new();
    /// edgeflake::Error::Closed.say(&mut |piece| text.push_str(piece));
    /// assert_eq!(text, "the generator was closed: make another");
    /// ```
    #[expect(clippy::too_many_lines, reason = "one arm per error")]
    pub fn say(&self, listener: &mut dyn FnMut(&str)) {
        match *self {
            Self::NameLength { length } => say(
                listener,
                "a field's name has {} characters: 1 to {} are allowed",
                &[Number(length as u64), Number(Name::LENGTH_MAX as u64)],
            ),
            Self::NameCharacter { position } => say(
                listener,
                "a field's name has a character at position {} that is not 0-9, A-Z, a-z, - or _",
                &[Number(position as u64)],
            ),
            Self::FieldWidth { ref field, bits } => say(
                listener,
                "field {} has {} bits: 1 to 64 are allowed",
                &[Text(field.as_str()), Number(bits.into())],
            ),
            Self::FieldCount { count, max } => say(
                listener,
                "the layout has {} fields: 1 to {} are allowed",
                &[Number(count as u64), Number(max as u64)],
            ),
            Self::DuplicateName { ref name } => {
                say(listener, "two fields are named {}: rename one", &[Text(name.as_str())]);
            }
            Self::Bits { ref field, bits } => say(
                listener,
                "field {} ends at bit {}: a layout has at most 64",
                &[Text(field.as_str()), Number(bits.into())],
            ),
            Self::NoTimestamp => {
                say(listener, "the layout has no timestamp field: add one", &[]);
            }
            Self::TwoTimestamps { ref first, ref second } => say(
                listener,
                "two timestamp fields, {} and {}: exactly one is allowed",
                &[Text(first.as_str()), Text(second.as_str())],
            ),
            Self::ZeroTick => say(listener, "the tick is 0 ms: at least 1 ms is allowed", &[]),
            Self::LayoutTooLong { ref field, bits } => say(
                listener,
                "field {} of {} bits ends after {}: use fewer bits",
                &[Text(field.as_str()), Number(bits.into()), Time(INSTANT_MAX_MS)],
            ),
            Self::NodeCount { nodes, min, max } => say(
                listener,
                "{} nodes: {} to {} are allowed",
                &[Number(nodes), Number(min), Number(max)],
            ),
            Self::PresetOption { preset, option, hint } => say(
                listener,
                "the preset {} has no {} to choose: {}",
                &[Text(preset), Text(option), Text(hint)],
            ),
            Self::LayoutString { position, expected } => say(
                listener,
                "layout string at position {}: expected {}",
                &[Number(position as u64), Text(expected)],
            ),
            Self::InstantText { position, expected } => say(
                listener,
                "date text at position {}: expected {}",
                &[Number(position as u64), Text(expected)],
            ),
            Self::TooLarge { role, value, max } => {
                let what = if matches!(role, Role::Timestamp) { "tick" } else { role.word() };
                say(
                    listener,
                    "{} {} is too large: at most {} is allowed",
                    &[Text(what), Number(value), Number(max)],
                );
            }
            Self::FieldTooLarge { ref field, value, max } => say(
                listener,
                "{} is {}: at most {} is allowed",
                &[Text(field.as_str()), Number(value), Number(max)],
            ),
            Self::NodeValues { values, fields } => say(
                listener,
                "{} node values: {} are allowed, one per node field",
                &[Number(values as u64), Number(fields as u64)],
            ),
            Self::UnusedBits { bits } => {
                say(
                    listener,
                    "bits 0x{} are set, which the layout does not use: choose another layout",
                    &[Bits(bits)],
                );
            }
            Self::EmptySpan { from_tick, until_tick } => say(
                listener,
                "a span from tick {} until {} is empty: the end must be after the start",
                &[Number(from_tick), Number(until_tick)],
            ),
            Self::SpanTooLong { until_tick, ticks } => say(
                listener,
                "the span ends at tick {}: at most {} is allowed",
                &[Number(until_tick), Number(ticks)],
            ),
            Self::EmptyWindow { from_ms, until_ms } => say(
                listener,
                "a window from {} until {} is empty: the end must be after the start",
                &[Time(from_ms), Time(until_ms)],
            ),
            Self::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms } => say(
                listener,
                "a window from {} until {} is outside the layout's time from {} until {}",
                &[Time(from_ms), Time(until_ms), Time(epoch_ms), Time(end_ms)],
            ),
            Self::WindowWithinTick { from_ms, until_ms, tick_ms } => say(
                listener,
                "a window from {} until {}: no tick of {} ms starts in it, so choose a longer one",
                &[Time(from_ms), Time(until_ms), Number(tick_ms)],
            ),
            Self::AboveTimestamp { ref field } => say(
                listener,
                "field {} stands above the timestamp, so the ids of a window are not one range: compare \
                 dates",
                &[Text(field.as_str())],
            ),
            Self::BeforeEpoch { now_ms, epoch_ms } => {
                say(
                    listener,
                    "{} is before the layout's epoch {}: set the clock, or choose another layout",
                    &[Time(now_ms), Time(epoch_ms)],
                );
            }
            Self::LayoutEnded { now_ms, end_ms } if now_ms < end_ms => say(
                listener,
                "the layout ends at {}: at {} no id is left, so choose another layout",
                &[Time(end_ms), Time(now_ms)],
            ),
            Self::LayoutEnded { now_ms, end_ms } => say(
                listener,
                "the layout ended at {}: it is {}, so choose another layout",
                &[Time(end_ms), Time(now_ms)],
            ),
            Self::Exhausted { retry_in_ms } => {
                say(
                    listener,
                    "the allowed future is used up: retry in {} ms",
                    &[Number(retry_in_ms)],
                );
            }
            Self::ClockBack { back_ms, retry_in_ms } => say(
                listener,
                "the clock went back by {} ms: retry in {} ms, or when it is set right",
                &[Number(back_ms), Number(retry_in_ms)],
            ),
            Self::SpanEnded { until_tick } => {
                say(listener, "the span ended at tick {}: take another", &[Number(until_tick)]);
            }
            Self::Closed => say(listener, "the generator was closed: make another", &[]),
            Self::NodeInUse { node } => {
                say(listener, "node {} is in use: close its generator first", &[Number(node)]);
            }
            Self::OtherNode { found, node } => say(
                listener,
                "cannot resume from node {}: node {} is allowed",
                &[Number(found), Number(node)],
            ),
            Self::IdText { encoding, position, fault } => fault.say(encoding, position, listener),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence::write(f, |listener| self.say(listener))
    }
}

impl core::error::Error for Error {}
