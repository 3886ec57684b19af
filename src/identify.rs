//! # Which system an id comes from
//!
//! Problem: an id says nothing of its layout. Cut at the wrong places it still gives values, and
//! with most systems' layouts even a possible date.
//!
//! Here each preset is asked how likely it is to have made just this id: likely dates, likely
//! nodes, likely sequences, multiplied. What decides:
//!
//! - The date must lie between the system's beginning and now; a date outside counts as if it had a
//!   probability of one in a million. Within that time every ms is as likely as another. A layout
//!   with long ticks has fewer possible dates, so each date that fits is stronger evidence for it.
//!   Only the last day counts a hundred times, since people ask about ids that were just issued: we
//!   guess that one id in four is that young; by chance it would be one in 3,650 over ten years.
//! - Nodes and sequences are small more often than large. Half of the belief is spread evenly over
//!   a field, half falls with the value: as 1 / (value + 1) for nodes, which are counted up or
//!   chosen, as its square for sequences, which begin again in each tick. Cut at the wrong places,
//!   a date's restless low bits fall into such a field and make it large, so a small value in a
//!   wide field is strong evidence.
//! - Ids of a public service are in more hands than those of a library with its default epoch, and
//!   those in more than those with the epoch of an article: ten times each, a guess. Those of
//!   Twitter and Discord, which every reader can copy, four times as many: another, which is enough
//!   for the example in Discord's documentation, and too little to hide a small id of Sonyflake.
//!
//! - A number of 10, 13, 16 or 19 digits may be Unix time, in s, ms, µs or ns. Clocks that count µs
//!   or ns often tick more slowly, so trailing zeros are evidence for it: the probability is shared
//!   equally among the number's unit and the coarser units that divide it.
//!
//! Equal candidates are ordered by date, the later one first. Twitter's and Discord's layouts have
//! the same field boundaries: a tweet from before 2022-09 is a Discord id of up to now just as
//! well, and the answer is Discord for both. The `share` of each candidate shows that. It compares
//! the candidates only with each other. Ids that were found together settle it, because a tweet
//! from after 2022-09 has a date in the future as Discord's: [`Mixture`] finds out how many of the
//! ids each system has issued.

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
pub use self::mixture::{Likeliest, Mixture};
pub use self::source::Source;
pub use self::unix_unit::UnixUnit;
pub use self::warning::Warning;

use alloc::vec::Vec;

/// What an id may be, the likeliest first, at a time in Unix ms. The candidates are Unix time, and
/// all presets in which no bit that the id has set is unused. [`Mixture::identify`] knows more
/// where other ids stand beside it.
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
