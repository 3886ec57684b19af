use core::fmt;

use crate::{Error, Identity, Instant, Layout, Name, Role, Terms};

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
            Self::LayoutEnded { now_ms, end_ms } if now_ms < end_ms => write!(
                f,
                "the layout ends at {}: at {} no id is left",
                Instant(end_ms),
                Instant(now_ms)
            ),
            Self::LayoutEnded { now_ms, end_ms } => {
                write!(f, "the layout ended at {}: it is {}", Instant(end_ms), Instant(now_ms))
            }
            Self::Exhausted { retry_in_ms } => {
                write!(f, "the look-ahead is used up: retry in {retry_in_ms} ms")
            }
            Self::SpanEnded { until_tick } => write!(f, "the span ended at tick {until_tick}"),
            Self::Unwritten => f.write_str("the record is not written"),
            Self::Closed => f.write_str("the generator was closed"),
            Self::NodeInUse { node } => {
                write!(f, "node {node} is in use: one generator of it is allowed at a time")
            }
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
            Self::PrefetchCount { count } => {
                write!(f, "batches of {count} ids: 1 to {} are allowed", Terms::PREFETCH_COUNT_MAX)
            }
            Self::NotDestroyed => {
                f.write_str("the sequencer is not destroyed: only then it can be created again")
            }
            Self::OtherTimestamp => f.write_str(
                "a sequencer is created again with the same epoch, tick and timestamp bits: \
                 another layout needs another name",
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
            Self::Detached => f.write_str("the holder is detached: attach it to issue ids"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::AuthorityUnreachable => f.write_str("the authority did not answer"),
            Self::UnexpectedReply => {
                f.write_str("the authority answered something else than what was asked")
            }
        }
    }
}
