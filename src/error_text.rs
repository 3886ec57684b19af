use core::fmt;

use crate::sentence::Word::{Bits, Name, Number, Text, Time};
use crate::sentence::{self, say};
use crate::{Error, Layout, Role, field};
#[cfg(feature = "lease-texts")]
use crate::{Identity, Terms};

impl Error {
    /// Says the text that `Display` writes, piece by piece and without the formatting of the
    /// standard library, for programs of which each byte counts.
    ///
    /// ```
    /// let mut text = String::new();
    /// edgeflake::Error::Closed.say(&mut |piece| text.push_str(piece));
    /// assert_eq!(text, "the generator was closed");
    /// ```
    #[expect(clippy::too_many_lines, reason = "one arm an error")]
    pub fn say(&self, listener: &mut dyn FnMut(&str)) {
        match *self {
            Self::NameLength { length } => say(
                listener,
                "a field's name has {} characters: 1 to {} are allowed",
                &[Number(length as u64), Number(field::Name::LENGTH_MAX as u64)],
            ),
            Self::NameCharacter { position } => say(
                listener,
                "a field's name has another character than a-z, A-Z, 0-9, - and _ at position {}",
                &[Number(position as u64)],
            ),
            Self::FieldWidth { ref field, bits } => say(
                listener,
                "field {} has {} bits: 1 to 64 are allowed",
                &[Name(field), Number(bits.into())],
            ),
            Self::FieldCount { count } => say(
                listener,
                "a layout of {} fields: 1 to {} are allowed",
                &[Number(count as u64), Number(Layout::FIELDS_MAX as u64)],
            ),
            Self::DuplicateName { ref name } => {
                say(listener, "two fields are named {}", &[Name(name)]);
            }
            Self::Bits { ref field, bits } => say(
                listener,
                "field {} ends at bit {}: a layout has at most 64",
                &[Name(field), Number(bits.into())],
            ),
            Self::NoTimestamp => say(listener, "a layout without a timestamp field", &[]),
            Self::TwoTimestamps { ref first, ref second } => say(
                listener,
                "two timestamp fields, {} and {}: exactly one is allowed",
                &[Name(first), Name(second)],
            ),
            Self::ZeroTick => say(listener, "a tick of 0 ms: at least 1 ms is allowed", &[]),
            Self::LayoutTooLong { ref field, bits } => say(
                listener,
                "field {} of {} bits lasts longer than {}",
                &[Name(field), Number(bits.into()), Time(Layout::INSTANT_MAX_MS)],
            ),
            Self::NodeCount { nodes, min, max } => say(
                listener,
                "{} nodes: {} to {} are allowed",
                &[Number(nodes), Number(min), Number(max)],
            ),
            Self::LayoutText { position, expected } => say(
                listener,
                "layout text at position {}: expected {}",
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
            Self::UnusedBits { bits } => {
                say(listener, "bits 0x{} are set, which the layout does not use", &[Bits(bits)]);
            }
            Self::EmptySpan { from_tick, until_tick } => say(
                listener,
                "a span from tick {} until {} is empty",
                &[Number(from_tick), Number(until_tick)],
            ),
            Self::SpanTooLong { until_tick, ticks } => say(
                listener,
                "a span until tick {}: the layout has {} ticks",
                &[Number(until_tick), Number(ticks)],
            ),
            Self::EmptyWindow { from_ms, until_ms } => say(
                listener,
                "a window from {} until {} is empty",
                &[Time(from_ms), Time(until_ms)],
            ),
            Self::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms } => say(
                listener,
                "a window from {} until {} is outside the layout's time from {} until {}",
                &[Time(from_ms), Time(until_ms), Time(epoch_ms), Time(end_ms)],
            ),
            Self::WindowWithinTick { from_ms, until_ms, tick_ms } => say(
                listener,
                "a window from {} until {}: no tick of {} ms starts in it",
                &[Time(from_ms), Time(until_ms), Number(tick_ms)],
            ),
            Self::AboveTimestamp { ref field } => say(
                listener,
                "field {} stands above the timestamp: the ids of a window are not one range",
                &[Name(field)],
            ),
            Self::BeforeEpoch { now_ms, epoch_ms } => {
                say(
                    listener,
                    "{} is before the layout's epoch {}",
                    &[Time(now_ms), Time(epoch_ms)],
                );
            }
            Self::LayoutEnded { now_ms, end_ms } if now_ms < end_ms => say(
                listener,
                "the layout ends at {}: at {} no id is left",
                &[Time(end_ms), Time(now_ms)],
            ),
            Self::LayoutEnded { now_ms, end_ms } => {
                say(listener, "the layout ended at {}: it is {}", &[Time(end_ms), Time(now_ms)]);
            }
            Self::Exhausted { retry_in_ms } => {
                say(listener, "the look-ahead is used up: retry in {} ms", &[Number(retry_in_ms)]);
            }
            Self::SpanEnded { until_tick } => {
                say(listener, "the span ended at tick {}", &[Number(until_tick)]);
            }
            Self::Closed => say(listener, "the generator was closed", &[]),
            Self::NodeInUse { node } => say(
                listener,
                "node {} is in use: one generator of it is allowed at a time",
                &[Number(node)],
            ),
            Self::OtherNode { found, node } => say(
                listener,
                "an id of node {}: node {} is allowed",
                &[Number(found), Number(node)],
            ),
            Self::IdText { form, position, fault } => fault.say(form, position, listener),
            Self::UnknownForm => say(
                listener,
                "no form has this name: decimal, signed-decimal, hex, binary, base32, z-base-32, \
                 base36, base58, base58-flickr, base62 and base64url are allowed",
                &[],
            ),
            #[cfg(not(feature = "lease-texts"))]
            _ => say(listener, self.code(), &[]),
            #[cfg(feature = "lease-texts")]
            Self::NodeRange { first_node, node_count, node_max } => say(
                listener,
                "{} nodes from {} on: 1 to {} nodes up to {} are allowed",
                &[
                    Number(node_count),
                    Number(first_node),
                    Number(Identity::NODE_COUNT_MAX),
                    Number(node_max),
                ],
            ),
            #[cfg(feature = "lease-texts")]
            Self::Shards { shards, node_count } => say(
                listener,
                "{} shards: a power of two up to {} that divides the {} nodes is allowed",
                &[Number(shards), Number(Identity::SHARDS_MAX), Number(node_count)],
            ),
            #[cfg(feature = "lease-texts")]
            Self::Lease { lease_ms, min_ms, max_ms } => say(
                listener,
                "a lease of {} ms: {} (twice the look-ahead and a tick) to {} are allowed",
                &[Number(lease_ms), Number(min_ms), Number(max_ms)],
            ),
            #[cfg(feature = "lease-texts")]
            Self::PrefetchCount { count } => say(
                listener,
                "batches of {} ids: 1 to {} are allowed",
                &[Number(count), Number(Terms::PREFETCH_COUNT_MAX)],
            ),
            #[cfg(feature = "lease-texts")]
            Self::NotDestroyed => say(
                listener,
                "the sequencer is not destroyed: only then it can be created again",
                &[],
            ),
            #[cfg(feature = "lease-texts")]
            Self::OtherTimestamp => say(
                listener,
                "a sequencer is created again with the same epoch, tick and timestamp bits: \
                 another layout needs another name",
                &[],
            ),
            #[cfg(feature = "lease-texts")]
            Self::StoredRow { node } => say(
                listener,
                "the stored row of node {} does not fit the sequencer",
                &[Number(node)],
            ),
            #[cfg(feature = "lease-texts")]
            Self::TokenText { length } => say(
                listener,
                "a token of {} characters: 32 lower-case hexadecimal digits are allowed",
                &[Number(length as u64)],
            ),
            #[cfg(feature = "lease-texts")]
            Self::Detached => say(listener, "the holder is detached: attach it to issue ids", &[]),
            #[cfg(feature = "lease-texts")]
            Self::Refused(refusal) => refusal.say(listener),
            #[cfg(feature = "lease-texts")]
            Self::Unwritten => say(listener, "the record is not written", &[]),
            #[cfg(feature = "lease-texts")]
            Self::AuthorityUnreachable => say(listener, "the authority did not answer", &[]),
            #[cfg(feature = "lease-texts")]
            Self::UnexpectedReply => {
                say(listener, "the authority answered something else than what was asked", &[]);
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence::write(f, |listener| self.say(listener))
    }
}
