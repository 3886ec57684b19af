//! # Which system an id comes from
//!
//! An id does not say which layout it has. Divided at the wrong places, it still gives values, and
//! in most systems' layouts even a possible date.
//!
//! Therefore we estimate for each preset how likely it is to have made exactly this id: we multiply
//! the likelihoods of the date, the node and the sequence. The estimates rest on these assumptions:
//!
//! - The date lies between the system's beginning and now; any other date counts as if its
//!   probability were one in a million. Within that time, one ms is as likely as another. A layout
//!   with long ticks has fewer possible dates, so a date that fits is stronger evidence for it.
//!   Only a ms of the last day counts a hundred times as much, because people often ask about ids
//!   that were just issued.
//! - Nodes and sequences are small more often than large. Half of the belief is spread evenly over
//!   the field's values, and half falls with the value: as 1 / (value + 1) for nodes, which are
//!   counted up or chosen, and as its square for sequences, which start again in each tick. If an
//!   id is divided at the wrong places, the fast low bits of its date fall into such a field and
//!   make it large. So a small value in a wide field is strong evidence.
//! - People come across ids of a public service ten times as often as ids of a library with its
//!   default epoch, and across those ten times as often as ids with an article's epoch. These
//!   factors are guesses. Ids of Twitter and Discord, which every reader can copy, count four times
//!   as much again: enough for the example in Discord's documentation, and too little to hide a
//!   small id of Sonyflake.
//! - A number of 10, 13, 16 or 19 digits may be Unix time in s, ms, µs or ns. Clocks that count µs
//!   or ns often tick more slowly, so trailing zeros are evidence for Unix time: the probability is
//!   shared equally between the number's unit and the coarser units, except s.
//!
//! Of equally likely candidates, the one with the later date comes first. Twitter's and Discord's
//! layouts have the same field boundaries, so a tweet from before 2022-09 is also a possible
//! Discord id, and the answer is Discord for both. The `share` of each candidate, which compares
//! the candidates with each other only, shows the doubt. Ids that were found together resolve it,
//! because a tweet from after 2022-09 would be a Discord id from the future. [`Mixture`] estimates
//! how many of the ids each system has issued.

mod candidate;
mod classifier;
mod dating;
mod likelihood;
mod mixture;
mod profile;
mod rounding;
mod source;
mod unix_time;
mod unix_unit;
mod warning;

pub use self::candidate::{Candidate, Reasons};
#[doc(hidden)]
pub use self::classifier::{Classifier, Likeliest};
pub use self::dating::Dating;
#[doc(hidden)]
pub use self::mixture::Mixture;
pub use self::source::Source;
pub use self::unix_unit::UnixUnit;
pub use self::warning::Warning;

use alloc::vec::Vec;

/// Returns what an id may be, the likeliest first, at a time in Unix ms. The candidates are Unix
/// time and all presets whose unused bits are 0 in the id. If the id was found together with other
/// ids, [`Mixture::identify`] knows more.
///
/// For 42 published ids, the first candidate is right for 20, and the right one is among the first
/// three for 28. Of the 22 that the first candidate gets wrong, 18 cannot be told at all, such as
/// tweets that are also possible Discord ids, and dates in 1971 or 2188
/// (`tests/core/identify.rs` lists them).
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
    Mixture::COMMON.identify(id, now_ms)
}
