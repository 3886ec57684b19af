use core::fmt;

use super::packing::{FIELDS_MAX, Run};
use super::{Field, Layout, Parts, Role};
use crate::error::Error;

/// Takes many ids of one layout apart, several times as fast as [`Layout::unpack`].
///
/// It is worked out once: where the bits of each part stand in the id.
///
/// ```
/// use edgeflake::{Decoder, Error, preset::TWITTER};
///
/// let decoder = Decoder::new(&TWITTER);
/// let ids = [1_541_815_603_606_036_480, 1 << 22 | 1_023 << 12];
/// for id in ids {
///     assert_eq!(decoder.unpack(id), TWITTER.unpack(id));
/// }
/// assert_eq!(decoder.unpack(u64::MAX), Err(Error::UnusedBits { bits: 1 << 63 }));
/// ```
#[derive(Clone)]
pub struct Decoder {
    /// The bits of an id that no part accounts for.
    unused: u64,
    /// The lowest run of tick, node, sequence and tag. What lies apart from it is in `more`.
    lowest: [Run; PARTS],
    more: [(u8, Run); FIELDS_MAX],
    more_count: u8,
}

const PARTS: usize = 4;

impl Decoder {
    /// What decodes ids of the layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut decoder = Self {
            unused: u64::MAX,
            lowest: [Run::NONE; PARTS],
            more: [(0, Run::NONE); FIELDS_MAX],
            more_count: 0,
        };
        let mut widths = [0; PARTS];
        let mut id_shift = 0;
        for field in layout.fields().iter().rev() {
            if let Some(part) = part(field) {
                decoder.push(part, Run::new(id_shift, widths[usize::from(part)], field.bits()));
                widths[usize::from(part)] += field.bits();
            }
            id_shift += field.bits();
        }
        decoder
    }

    /// Runs of one part come from its lowest bits on.
    fn push(&mut self, part: u8, run: Run) {
        self.unused &= !run.mask();
        let lowest = &mut self.lowest[usize::from(part)];
        if *lowest == Run::NONE {
            *lowest = run;
        } else if let Some(joined) = lowest.joined(run) {
            *lowest = joined;
        } else {
            self.more[usize::from(self.more_count)] = (part, run);
            self.more_count += 1;
        }
    }

    /// The parts of an id.
    ///
    /// # Errors
    /// [`Error::UnusedBits`] for an id with bits set that the layout does not use.
    #[inline]
    pub fn unpack(&self, id: u64) -> Result<Parts, Error> {
        let unused = id & self.unused;
        if unused != 0 {
            return Err(Error::UnusedBits { bits: unused });
        }
        let mut values = self.lowest.map(|run| run.place(id));
        for (part, run) in &self.more[..usize::from(self.more_count)] {
            values[usize::from(*part)] |= run.place(id);
        }
        let [tick, node, sequence, tag] = values;
        Ok(Parts { tick, node, sequence, tag })
    }
}

const fn part(field: &Field) -> Option<u8> {
    match field.role() {
        Role::Unused => None,
        Role::Timestamp => Some(0),
        Role::Node => Some(1),
        Role::Sequence => Some(2),
        Role::Tag => Some(3),
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}
