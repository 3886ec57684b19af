//! A row of the table of presets, and the functions that make one in `const` context.
#![expect(clippy::panic, reason = "evaluated at compile time: a wrong preset does not build")]

use crate::layout::{Field, Layout, Role};

/// A known system and the layout of its ids.
///
/// ```
/// use edgeflake::preset::{self, Kind};
///
/// let found = preset::named("sonyflake-v2").unwrap();
/// assert_eq!((found.title, found.kind), ("Sonyflake v2", Kind::Library));
/// assert_eq!((found.layout, found.options), (preset::SONYFLAKE_V2, &["epoch"][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name that [`named`](crate::preset::named) finds, such as `sonyflake-v2`.
    pub name: &'static str,
    /// The name that people use for the system, such as `Sonyflake v2`.
    pub title: &'static str,
    /// The kind of system, which says how common its ids are.
    pub kind: Kind,
    /// The options that may follow the name in [`Layout::parse`], named as in the system itself.
    pub options: &'static [&'static str],
    /// The layout.
    pub layout: Layout,
    /// The time at which the system began to make ids, in Unix ms. If this time is not published,
    /// the date of the system's launch or the layout's epoch stands here.
    pub since_ms: u64,
}

impl Preset {
    /// Returns whether ids with this epoch (Unix ms) could be equal to old ids of the preset: the
    /// preset has ended, and this epoch is later than the preset's epoch.
    pub(crate) fn is_overlapped_from(&self, epoch_ms: u64) -> bool {
        epoch_ms > self.layout.epoch_ms() && self.options.contains(&OVERLAPS_OLD_IDS)
    }

    /// Returns the start and the end of the time in which the preset issued its ids, in Unix ms.
    pub(crate) const fn issued_ms(&self) -> [u64; 2] {
        [self.layout.epoch_ms(), self.layout.end_ms()]
    }
}

/// The option that allows a later epoch for a preset that has ended.
pub(super) const OVERLAPS_OLD_IDS: &str = "overlaps-old-ids";

/// The kind of system that a preset describes. The kind says how common ids with the preset's epoch
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A service that shows its ids to the public. All ids of the service have the preset's epoch.
    Service,
    /// Software that others run, mostly with the preset's epoch.
    Library,
    /// An article, or software whose users choose the epoch, so few ids have the preset's epoch.
    Example,
}

/// 2025-01-01, the epoch of presets whose systems define no epoch.
pub(super) const YEAR_2025_MS: u64 = 1_735_689_600_000;

pub(super) const fn unused(bits: u8) -> Field {
    field("unused", Role::Unused, bits)
}

pub(super) const fn timestamp(bits: u8) -> Field {
    field("timestamp", Role::Timestamp, bits)
}

pub(super) const fn node(name: &str, bits: u8) -> Field {
    field(name, Role::Node, bits)
}

pub(super) const fn sequence(name: &str, bits: u8) -> Field {
    field(name, Role::Sequence, bits)
}

pub(super) const fn tag(name: &str, bits: u8) -> Field {
    field(name, Role::Tag, bits)
}

const fn field(name: &str, role: Role, bits: u8) -> Field {
    match Field::new(name, role, bits) {
        Ok(field) => field,
        Err(_) => panic!("field"),
    }
}

pub(super) const fn layout(fields: &[Field], epoch_ms: u64, tick_ms: u64) -> Layout {
    match Layout::new(fields, epoch_ms, tick_ms) {
        Ok(layout) => layout,
        Err(_) => panic!("layout"),
    }
}

/// Makes the row of a service, whose users choose nothing.
pub(super) const fn service(
    name: &'static str,
    title: &'static str,
    layout: &Layout,
    since_ms: u64,
) -> Preset {
    Preset { name, title, kind: Kind::Service, options: &[], layout: *layout, since_ms }
}

/// Makes the row of software whose users can choose the epoch, but mostly keep the default.
pub(super) const fn library(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    let since_ms = layout.epoch_ms();
    Preset { name, title, kind: Kind::Library, options: &["epoch"], layout: *layout, since_ms }
}

/// Makes the row of a system whose layout has ended.
pub(super) const fn ended(preset: Preset) -> Preset {
    Preset { options: &["epoch", OVERLAPS_OLD_IDS], ..preset }
}

/// Makes the row of an article, or of software whose users choose the epoch.
pub(super) const fn example(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    Preset { kind: Kind::Example, ..library(name, title, layout) }
}
