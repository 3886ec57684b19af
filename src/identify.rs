//! # Which system an id comes from
//!
//! An id does not say which layout it has. If you split the id at the wrong places, you still get
//! values, and with most systems' layouts even a possible date.
//!
//! Therefore we estimate how likely each preset is to have made exactly this id, as a product of
//! these factors:
//! - **How often people meet ids of the system.** These are guesses: Discord and Twitter come
//!   first, then the other public services, then libraries with their default epochs, and last come
//!   layouts from articles. One id in nine comes from none of these systems: it is a random number,
//!   a number of any length, or an id of a system that we do not know.
//! - **The date.** It lies between the system's beginning and now, and recent dates are likelier
//!   than old ones. One id in twenty is from the last day. An impossible date has probability 0.
//! - **Node and sequence.** Most nodes are small, and most sequences are 0 or small, because
//!   sequences start again in each tick. If an id is divided at the wrong places, the low bits of
//!   its date, which change fast, fall into such a field and make it large. The fields of some
//!   systems have other typical values, such as Twitter's datacenters.
//! - **The other ids of the column** (the ids that were found together). Of these ids, 49 in 50
//!   come from one system. Because such ids resemble each other, n such ids weigh as much as √n
//!   independent ids.
//!
//! Systems that give an id the same date, such as Twitter, Leaf and bwmarrin/snowflake, are one
//! *reading* with several names. The candidates of a reading follow each other in the result. The
//! share (probability) of a reading is the sum of its candidates' shares. The shares of all
//! candidates sum to less than 1, because the rest is the share of unknown systems.

mod candidate;
mod classifier;
mod dating;
mod model;
mod rounding;
mod spread;
mod unix_time;
mod warning;

pub use self::candidate::Candidate;
pub use self::classifier::Classifier;
pub use self::dating::Dating;
pub use self::warning::Warning;

use alloc::vec::Vec;

use crate::preset;

/// Returns the sources that an id may come from; `now_ms` is the current time in Unix ms. The
/// likeliest reading comes first. The candidates are all presets whose unused bits are 0 in the id,
/// and Unix time, unless the id would be a time before 2001 or in the future. If the id was found
/// with other ids, a [`Classifier`] of all these ids judges it better.
///
/// ```
/// let candidates = edgeflake::identify(6_685_980_502_161_199_104, 1_780_000_000_000);
/// assert_eq!(candidates[0].title(), "LinkedIn");
/// assert_eq!(candidates[0].instant_ms, 1_594_061_971_226);
/// assert_eq!(candidates[0].reasons().to_string(), "date plausible, 1 unused bit is 0");
/// ```
#[must_use]
pub fn identify(id: u64, now_ms: u64) -> Vec<Candidate> {
    Classifier::of(&[], now_ms).identify(id)
}

/// Returns the names of all sources: the names of [`preset::ALL`], then the units of Unix time.
#[doc(hidden)]
pub fn names() -> impl Iterator<Item = &'static str> {
    let units = unix_time::UNITS.iter().map(|(name, _)| *name);
    preset::NAMES.into_iter().chain(units)
}
