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
//!   Twitter and Discord, which anybody can copy, four times as many: another, which is enough for
//!   the example in Discord's documentation, and too little to hide a small id of Sonyflake.
//!
//! - A number of 10, 13, 16 or 19 digits may be Unix time, in s, ms, µs or ns. Clocks that count µs or ns often tick more slowly, so trailing zeros speak for
//!   it: each coarser unit that divides the number has an equal part of the belief.
//!
//! Equal candidates are ordered by date, the later one first. Twitter and Discord cut at the same
//! places: a tweet from before 2022-09 is a Discord id of up to now just as well, and the answer
//! is Discord for both. Shares say so; they compare these candidates and no others. Ids that were
//! found together settle it, because a tweet from after 2022-09 has a date in the future as
//! Discord's: [`Mixture`] finds out how many of the ids each system has issued.

mod dating;
mod mixture;
mod rounding;
mod source;
mod unix_time;
mod warning;

pub use self::dating::Dating;
pub use self::mixture::Mixture;
pub use self::source::Source;
pub use self::unix_time::UnixUnit;
pub use self::warning::Warning;

use alloc::vec::Vec;
use core::f64::consts::{LN_2, PI};
use core::fmt;

use crate::layout::packing;
use crate::layout::{Layout, Role};
use crate::preset::Preset;
use crate::sentence::Word::{Number, Text};
use crate::sentence::{self, say};

/// What an id may be.
///
/// ```
/// let candidates = edgeflake::identify(6_685_980_502_161_199_104, 1_780_000_000_000);
/// assert_eq!(candidates[0].source.title(), "LinkedIn");
/// assert_eq!(candidates[0].source.parts().unwrap().node, 25);
/// assert!(candidates[0].share > candidates[1].share);
/// let total: f64 = candidates.iter().map(|candidate| candidate.share).sum();
/// assert!((total - 1.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Where the id may come from.
    pub source: Source,
    /// When its tick began, in Unix ms.
    pub instant_ms: u64,
    /// How much of the belief in all candidates is in this one, 0 to 1. A comparison, not a
    /// probability: the id may come from a system that is no preset.
    pub share: f64,
    /// What speaks for it, and against.
    pub reasons: Reasons,
}

/// What speaks for a [`Candidate`], and against.
///
/// ```
/// let candidates = edgeflake::identify(108_942_703_571_991_143, 1_780_000_000_000);
/// assert_eq!(candidates[0].source.name(), "mastodon");
/// assert_eq!(candidates[0].reasons.to_string(), "date plausible, sequence not small");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// Whether the date can be.
    pub date: Dating,
    /// How many bits must be 0 in this layout, and are: unused fields, and what 64 has more.
    pub unused_bits: u32,
    /// Whether the node is small, which speaks for the candidate; `None` in a layout without nodes.
    pub node_small: Option<bool>,
    /// Whether the sequence is small; `None` in a layout without sequence.
    pub sequence_small: Option<bool>,
}

/// How likely an id is to have a date that cannot be.
const IMPLAUSIBLE: f64 = 1e-6;

/// How much likelier a ms of the last day is than one before.
const RECENT: f64 = 100.0;

/// 1 + 1/2 + ... + 1/n is the logarithm of n and this.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// 1 + 1/4 + 1/9 + ...
const INVERSE_SQUARES: f64 = PI * PI / 6.0;

/// What an id may be, the likeliest first, at a time in Unix ms: of all presets that do not leave a
/// bit unused which the id has set, and Unix time. [`Mixture::identify`] knows more where other ids
/// stand beside it.
///
/// Of 42 ids that their systems published, the first candidate is right for 20, and the right one
/// is among the first three for 28. Of the others 18 cannot be told apart by anybody: tweets that
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

/// How likely a system is to make just this id, as the share of a candidate; `None` if it cannot.
fn of_system(preset: &'static Preset, id: u64, now_ms: u64) -> Option<Candidate> {
    let layout = &preset.layout;
    let parts = layout.unpack(id).ok()?;
    let instant_ms = layout.start_ms(parts.tick);
    let date = Dating::of(instant_ms, layout.epoch_ms(), preset.since_ms, now_ms);
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53 ms")]
    let ms = layout.tick_ms() as f64 * date_belief(date);
    let share = ms
        * fields_belief(layout, id, |role| matches!(role, Role::Node | Role::Sequence | Role::Tag));
    let reasons = Reasons {
        date,
        unused_bits: packing::unused_bits(layout.fields()),
        node_small: is_small(layout, Role::Node, parts.node),
        sequence_small: is_small(layout, Role::Sequence, parts.sequence),
    };
    Some(Candidate { source: Source::System { preset, parts }, instant_ms, share, reasons })
}

/// How likely the fields of some roles are to hold what they hold.
fn fields_belief(layout: &Layout, id: u64, has: impl Fn(Role) -> bool) -> f64 {
    let mut belief = 1.0;
    for (field, value) in layout.values(id) {
        if has(field.role()) {
            let bits = field.bits();
            belief *= even_belief(bits).midpoint(small_belief(field.role(), bits, value));
        }
    }
    belief
}

/// How likely a ms of such a date is.
const fn date_belief(date: Dating) -> f64 {
    match date {
        Dating::Plausible => 1.0,
        Dating::Recent => RECENT,
        Dating::Future | Dating::BeforeSystem | Dating::AtEpoch => IMPLAUSIBLE,
    }
}

/// How likely a value is in so many bits, if small ones are likelier.
#[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
fn small_belief(role: Role, bits: u8, value: u64) -> f64 {
    let rank = value as f64 + 1.0;
    match role {
        Role::Sequence => 1.0 / INVERSE_SQUARES / (rank * rank),
        _ => 1.0 / (f64::from(bits) * LN_2 + EULER_GAMMA) / rank,
    }
}

/// How likely a value is in so many bits, if all are equally likely.
#[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
fn even_belief(bits: u8) -> f64 {
    1.0 / (packing::ones(bits) as f64 + 1.0)
}

/// Whether a value speaks for being small rather than any; `None` without fields of the role.
fn is_small(layout: &Layout, role: Role, value: u64) -> Option<bool> {
    let bits = layout.role_bits(role);
    (bits > 0).then(|| small_belief(role, bits, value) >= even_belief(bits))
}

impl Reasons {
    /// Says the text that `Display` writes, piece by piece and without the formatting of the
    /// standard library, for programs of which each byte counts.
    ///
    /// ```
    /// let mut text = String::new();
    /// let candidates = edgeflake::identify(6_685_980_502_161_199_104, 1_780_000_000_000);
    /// candidates[0].reasons.say(&mut |piece| text.push_str(piece));
    /// assert_eq!(text, "date plausible, 1 unused bit is 0, node small, sequence small");
    /// ```
    pub fn say(&self, listener: &mut dyn FnMut(&str)) {
        let unused = match self.unused_bits {
            0 => "{}",
            1 => "{}, 1 unused bit is 0",
            _ => "{}, {} unused bits are 0",
        };
        let unused_bits = Number(self.unused_bits.into());
        say(listener, unused, &[Text(self.date.words()), unused_bits]);
        for (what, small) in [("node", self.node_small), ("sequence", self.sequence_small)] {
            match small {
                None => {}
                Some(true) => say(listener, ", {} small", &[Text(what)]),
                Some(false) => say(listener, ", {} not small", &[Text(what)]),
            }
        }
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence::write(f, |listener| self.say(listener))
    }
}
