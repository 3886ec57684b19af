use super::unix_unit::UnixUnit;
use crate::layout::Parts;
use crate::preset::{self, Preset};

/// The origin of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A known system.
    System {
        /// The system.
        preset: &'static Preset,
        /// The parts of the id in the system's layout.
        parts: Parts,
    },
    /// The number is no id, but Unix time in this unit.
    UnixTime(UnixUnit),
}

impl Source {
    /// The number of sources.
    pub(super) const COUNT: usize = preset::ALL.len() + UnixUnit::ALL.len();

    /// Returns the preset's name, or that of the unit: `unix-s`, `unix-ms`, `unix-us` or `unix-ns`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::System { preset, .. } => preset.name,
            Self::UnixTime(unit) => unit.name(),
        }
    }

    /// Returns the name that people know, such as `Twitter` or `Unix time in ms`.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self {
            Self::System { preset, .. } => preset.title,
            Self::UnixTime(unit) => unit.title(),
        }
    }

    /// Returns the parts of the id in the layout of a system; `None` for Unix time.
    #[must_use]
    pub const fn parts(&self) -> Option<Parts> {
        match self {
            Self::System { parts, .. } => Some(*parts),
            Self::UnixTime(_) => None,
        }
    }
}
