//! All presets in one table.

use super::row::Preset;
use super::{example, library, own, service};
use crate::layout::Layout;

/// All presets; each name occurs once. The first preset is the default of the Worker and the page.
pub static ALL: [Preset; COUNT] = all();

/// The names of all presets, in the order of [`ALL`].
pub static NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        names[place] = ALL[place].name;
        place += 1;
    }
    names
};

/// The rows of each file, in the order in which documents list them.
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

/// Returns the preset of this name; `None` if there is none. [`ALL`] lists the presets.
#[must_use]
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}

/// Returns the first preset with this layout; `None` if there is none.
#[must_use]
pub fn of_layout(layout: &Layout) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.layout == *layout)
}
