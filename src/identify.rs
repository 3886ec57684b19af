//! # Which system an id comes from
//!
//! Problem: an id says nothing of its layout. Cut at the wrong places it still gives a date, a node
//! and a sequence, and for most systems a date that could be.
//!
//! Here each preset is asked how likely it is to have made just this id: likely dates, likely
//! nodes, likely sequences, multiplied. What decides:
//!
//! - The date must lie between the system's beginning and now; one that does not counts as one in a
//!   million. Within that time every ms is as likely as another, so a layout with long ticks, which
//!   has fewer ids to choose from, gains by each that fits. Only the last day counts a hundred
//!   times, since people ask about ids that were just issued: one id in four, say, where a day of
//!   ten years is one in 3,650, with a wide margin.
//! - Nodes and sequences are small more often than large. Half of the belief is spread evenly over
//!   a field, half falls with the value: as 1 / (value + 1) for nodes, which are counted up or
//!   chosen, as its square for sequences, which begin again in each tick. Cut at the wrong places,
//!   a date's restless low bits fall into such a field and make it large, so a wide field that is
//!   small is worth much.
//! - Ids of a public service are in more hands than those of a library with its default epoch, and
//!   those in more than those with the epoch of an article: ten times each, a guess. Those of
//!   Twitter and Discord, which every reader can copy, four times as many: another, which is enough
//!   for the example in Discord's documentation, and too little to hide a small id of Sonyflake.
//!
//! - A number of 10, 13, 16 or 19 digits may be Unix time, in s, ms, µs or ns. Clocks that count µs
//!   or ns often tick more slowly, so trailing zeros speak for it: each coarser unit that divides
//!   the number has an equal part of the belief.
//!
//! Equal candidates are ordered by date, the later one first. Twitter and Discord cut at the same
//! places: a tweet from before 2022-09 is a Discord id of up to now just as well, and the answer
//! is Discord for both. Shares say so; they compare these candidates and no others. Ids that were
//! found together settle it, because a tweet from after 2022-09 has a date in the future as
//! Discord's: [`Mixture`] finds out how many of the ids each system has issued.

mod candidate;
mod dating;
mod likelihood;
mod mixture;
mod rounding;
mod source;
mod unix_time;
mod unix_unit;
mod warning;

pub use self::candidate::{Candidate, Reasons};
pub use self::dating::Dating;
pub use self::mixture::Mixture;
pub use self::source::Source;
pub use self::unix_unit::UnixUnit;
pub use self::warning::Warning;

use alloc::vec::Vec;

/// What an id may be, the likeliest first, at a time in Unix ms: of all presets that do not leave a
/// bit unused which the id has set, and Unix time. [`Mixture::identify`] knows more where other ids
/// stand beside it.
///
/// Of 42 ids that their systems published, the first candidate is right for 20, and the right one
/// is among the first three for 28. Of the others 18 cannot be told apart at all: tweets that
/// are Discord ids as well, dates in 1971 or 2188 (`tests/core/identify.rs` lists them).
///
/// ```
/// let candidates = edgeflake::identify(6_685_980_502_161_199_104, 1_780_000_000_000);
/// assert_eq!(candidates[0].source.name(), "linkedin");
/// assert_eq!(candidates[0].instant_ms, 1_594_061_971_226);
/// assert_eq!(
///     candidates[0].reasons.to_string(),
///     "date plausible, 1 unused bit is 0, node small, sequence small"
/// );
/// ```
#[must_use]
pub fn identify(id: u64, now_ms: u64) -> Vec<Candidate> {
    Mixture::common().identify(id, now_ms)
}
