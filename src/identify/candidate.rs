use core::fmt;

use super::dating::Dating;
use super::unix_time;
use crate::layout::{Parts, packing};
use crate::preset::{self, Preset};

/// A source that may have made an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The index of the source in [`names`](super::names).
    #[doc(hidden)]
    pub place: usize,
    pub(super) id: u64,
    pub(super) now_ms: u64,
    /// The beginning of the id's tick, in Unix ms.
    pub instant_ms: u64,
    /// The probability that the id comes from this source. The shares of all candidates and the
    /// share of unknown systems sum to 1.
    pub share: f64,
    /// The sum of the shares of all sources that give the id the same date.
    pub reading: f64,
}

impl Candidate {
    /// Returns the name of the preset, or the name of the unit of Unix time: `unix-s`, `unix-ms`,
    /// `unix-us` or `unix-ns`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names().0
    }

    /// Returns the name that people know, such as `Twitter` or `Unix time in ms`.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.names().1
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self.preset() {
            Some(preset) => (preset.name, preset.title),
            None => unix_time::UNITS[self.place - preset::ALL.len()],
        }
    }

    fn preset(&self) -> Option<&'static Preset> {
        preset::ALL.get(self.place)
    }

    /// Returns the system, and the parts of the id in the system's layout; `None` for Unix time.
    #[must_use]
    pub fn system(&self) -> Option<(&'static Preset, Parts)> {
        let preset = self.preset()?;
        Some((preset, preset.layout.decode(self.id).ok()?))
    }

    /// Returns whether the date is possible.
    #[must_use]
    pub fn dating(&self) -> Dating {
        let (epoch_ms, since_ms) = match self.preset() {
            Some(preset) => (preset.layout.epoch_ms(), preset.since_ms),
            None => (0, unix_time::SINCE_MS),
        };
        Dating::of(self.instant_ms, epoch_ms, since_ms, self.now_ms)
    }

    /// Returns evidence for and against the candidate, in words: whether its date is possible, and
    /// how many bits of the id are 0 because the layout does not use them.
    #[must_use]
    pub fn reasons(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            f.write_str(self.dating().words())?;
            let fields = self.preset().map(|preset| preset.layout.fields());
            match fields.map_or(0, packing::unused_bits) {
                0 => Ok(()),
                1 => f.write_str(", 1 unused bit is 0"),
                bits => write!(f, ", {bits} unused bits are 0"),
            }
        })
    }
}
