use core::fmt;

use super::dating::Dating;
use super::likelihood::is_small;
use super::source::Source;
use super::unix_time;
use super::unix_unit::UnixUnit;
use crate::layout::Role;
use crate::layout::packing;
use crate::preset;

/// A source that may have made an id.
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
    /// The source.
    pub source: Source,
    /// The beginning of the id's tick, in Unix ms.
    pub instant_ms: u64,
    /// This candidate's part of the belief in all candidates, 0 to 1. It is a comparison and not a
    /// probability, because the id may come from a system that is no preset.
    pub share: f64,
    /// The evidence for and against this candidate.
    pub reasons: Reasons,
}

impl Candidate {
    /// Returns the candidate for the source at `place`: first come the presets, then the units of
    /// Unix time. Returns `None` if the source cannot have made the id.
    pub(super) fn new(
        place: usize,
        id: u64,
        now_ms: u64,
        share: f64,
        instant_ms: u64,
    ) -> Option<Self> {
        let Some(preset) = preset::ALL.get(place) else {
            let unit = *UnixUnit::ALL.get(place - preset::ALL.len())?;
            let date = unix_time::dating(instant_ms, now_ms);
            let reasons = Reasons { date, unused_bits: 0, node_small: None, sequence_small: None };
            return Some(Self { source: Source::UnixTime(unit), instant_ms, share, reasons });
        };
        let layout = &preset.layout;
        let parts = layout.decode(id).ok()?;
        let reasons = Reasons {
            date: Dating::of(instant_ms, layout.epoch_ms(), preset.since_ms, now_ms),
            unused_bits: packing::unused_bits(layout.fields()),
            node_small: is_small(layout, Role::Node, parts.node),
            sequence_small: is_small(layout, Role::Sequence, parts.sequence),
        };
        Some(Self { source: Source::System { preset, parts }, instant_ms, share, reasons })
    }
}

/// The evidence for and against a [`Candidate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// Whether the date is possible.
    pub date: Dating,
    /// The number of bits that this layout requires to be 0, in unused fields and above the
    /// layout's width. In the id, all of them are 0.
    pub unused_bits: u32,
    /// Whether the node is small, which speaks for the candidate; `None` if the layout has no
    /// nodes.
    pub node_small: Option<bool>,
    /// Whether the sequence is small, which speaks for it too; `None` if the layout has no
    /// sequence.
    pub sequence_small: Option<bool>,
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.date.words())?;
        match self.unused_bits {
            0 => {}
            1 => f.write_str(", 1 unused bit is 0")?,
            bits => write!(f, ", {bits} unused bits are 0")?,
        }
        f.write_str(match self.node_small {
            None => "",
            Some(true) => ", node small",
            Some(false) => ", node not small",
        })?;
        f.write_str(match self.sequence_small {
            None => "",
            Some(true) => ", sequence small",
            Some(false) => ", sequence not small",
        })
    }
}
