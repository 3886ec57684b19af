use core::fmt;

use crate::error::Error;
use crate::layout::packing::{FIELDS_MAX, Run};
use crate::layout::{Layout, Parts, Role};

/// Splits ids of one layout into their parts, several times as fast as [`Layout::decode`].
///
/// `new` computes the bit positions of each part once.
///
/// ```
/// use edgeflake::{Decoder, Error, preset::TWITTER};
///
/// let decoder = Decoder::new(&TWITTER);
/// let ids = [1_541_815_603_606_036_480, 1 << 22 | 1_023 << 12];
/// for id in ids {
///     assert_eq!(decoder.decode(id), TWITTER.decode(id));
/// }
/// assert_eq!(decoder.decode(u64::MAX), Err(Error::UnusedBits { bits: 1 << 63 }));
/// ```
#[derive(Clone)]
pub struct Decoder {
    /// The bits of an id that belong to no part.
    unused: u64,
    /// The lowest run of adjacent bits of each part. If a part has more runs, the other runs are in
    /// `more`, and so are all runs of the tag, because most layouts have no tag.
    tick: Run,
    node: Run,
    sequence: Run,
    more: [(Role, Run); FIELDS_MAX],
    more_count: usize,
}

impl Decoder {
    /// Creates a decoder for ids of the layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut decoder = Self {
            unused: u64::MAX,
            tick: Run::NONE,
            node: Run::NONE,
            sequence: Run::NONE,
            more: [(Role::Unused, Run::NONE); FIELDS_MAX],
            more_count: 0,
        };
        for role in [Role::Timestamp, Role::Node, Role::Sequence, Role::Tag] {
            let (mut id_shift, mut width) = (0, 0);
            for field in layout.fields().iter().rev() {
                if field.role() == role {
                    decoder.push(role, Run::new(id_shift, width, field.bits()));
                    width += field.bits();
                }
                id_shift += field.bits();
            }
        }
        decoder
    }

    /// Adds a run of bits. The caller must add the runs of a part in order, the lowest bits first,
    /// because the first run becomes the part's lowest run.
    fn push(&mut self, role: Role, run: Run) {
        self.unused &= !run.source();
        let lowest = match role {
            Role::Timestamp => Some(&mut self.tick),
            Role::Node => Some(&mut self.node),
            Role::Sequence => Some(&mut self.sequence),
            Role::Tag | Role::Unused => None,
        };
        if let Some(lowest) = lowest
            && let Some(joined) = if *lowest == Run::NONE { Some(run) } else { lowest.joined(run) }
        {
            *lowest = joined;
        } else {
            self.more[self.more_count] = (role, run);
            self.more_count += 1;
        }
    }

    /// Splits an id into its parts.
    ///
    /// # Errors
    /// [`Error::UnusedBits`] for an id with bits set that the layout does not use.
    #[inline]
    pub fn decode(&self, id: u64) -> Result<Parts, Error> {
        let unused = id & self.unused;
        if unused != 0 {
            return Err(Error::UnusedBits { bits: unused });
        }
        let (tick, node) = (self.tick.place(id), self.node.place(id));
        let mut parts = Parts { tick, node, sequence: self.sequence.place(id), tag: 0 };
        for (role, run) in &self.more[..self.more_count] {
            match role {
                Role::Node => parts.node |= run.place(id),
                Role::Sequence => parts.sequence |= run.place(id),
                Role::Tag => parts.tag |= run.place(id),
                Role::Unused | Role::Timestamp => {}
            }
        }
        Ok(parts)
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}
