//! Layouts of known systems, usable in `const` context.
//!
//! A preset says how a system divides its ids' bits, not how the system issues them. Where users
//! choose the epoch, the preset has a default, and [`Layout::with_epoch`] takes another:
//!
//! ```
//! use edgeflake::{Layout, preset};
//!
//! const MINE: Layout = match preset::BWMARRIN.with_epoch(1_735_689_600_000) {
//!     Ok(layout) => layout,
//!     Err(_) => panic!("an epoch that leaves no room for 41 bits"),
//! };
//! assert_eq!(MINE.start_ms(0), 1_735_689_600_000);
//! ```
//!
//! A layout that has run out still takes ids apart. It issues no ids any more, because
//! [`Layout::tick`] fails with the date at which it ended.
#![expect(clippy::panic, reason = "evaluated at compile time: a wrong preset does not build")]

mod example;
mod library;
mod own;
mod row;
mod service;
mod text;

pub use example::*;
pub use library::*;
pub use own::*;
pub use service::*;
pub use text::of;

use crate::layout::Layout;

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
    /// The name that [`named`] finds, such as `sonyflake-v2`.
    pub name: &'static str,
    /// What people call the system, such as `Sonyflake v2`.
    pub title: &'static str,
    /// What kind of system it is, which tells how common its ids are.
    pub kind: Kind,
    /// The options that may follow the name in [`Layout::parse`], as the system's users know them.
    pub options: &'static [&'static str],
    /// The layout.
    pub layout: Layout,
    /// When the system began to make ids, in Unix ms; the epoch if that is not published.
    pub since_ms: u64,
}

/// What kind of system a preset describes, which tells how common ids with its epoch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A service that shows its ids to the public. All of them have this epoch.
    Service,
    /// Software that others run, mostly with this epoch.
    Library,
    /// An article, or software whose users choose the epoch, so few ids have this one.
    Example,
}

/// All presets; each name occurs once. The first is the default of the Worker and the page.
pub static ALL: [Preset; COUNT] = all();

/// The names of all presets.
pub static NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        names[place] = ALL[place].name;
        place += 1;
    }
    names
};

/// The rows of each file, in the order in which people see them.
const TABLES: [&[Preset]; 4] = [library::PRESETS, service::PRESETS, example::PRESETS, own::PRESETS];

const COUNT: usize = TABLES[0].len() + TABLES[1].len() + TABLES[2].len() + TABLES[3].len();

const fn all() -> [Preset; COUNT] {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut table, mut row, mut count) = (0, 0, 0);
    while table < TABLES.len() {
        if row < TABLES[table].len() {
            all[count] = TABLES[table][row];
            (row, count) = (row + 1, count + 1);
        } else {
            (table, row) = (table + 1, 0);
        }
    }
    all
}

/// The preset that has this name, or `None`. [`ALL`] lists the presets.
#[must_use]
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}
