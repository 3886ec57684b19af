//! Packs parts and counters into ids, and splits ids into parts.

use super::field::Field;
use super::parts::Parts;
use super::role::Role;

/// The largest number of fields of a layout.
pub(crate) const FIELDS_MAX: usize = 16;

/// Returns a number whose lowest `bits` bits are 1; `bits` is at most 64.
pub(crate) const fn ones(bits: u8) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// Returns the number of bits that are needed to number `count` things from 0 on; `count` is 1 to
/// 2^63.
#[expect(clippy::cast_possible_truncation, reason = "at most 63")]
pub(crate) const fn bits_for(count: u64) -> u8 {
    count.next_power_of_two().trailing_zeros() as u8
}

/// Returns the id in which every bit is 1, except in unused fields.
pub(crate) fn largest(fields: &[Field]) -> u64 {
    let all = u64::MAX;
    pack(fields, Parts { tick: all, node: all, sequence: all, tag: all })
}

/// Returns how many of an id's 64 bits are always 0.
pub(crate) fn unused_bits(fields: &[Field]) -> u32 {
    largest(fields).count_zeros()
}

/// Returns the number of bits below the timestamp, and the number of the timestamp's bits.
pub(crate) fn timestamp_place(fields: &[Field]) -> (u8, u8) {
    let mut below = 0;
    for field in fields.iter().rev() {
        if matches!(field.role(), Role::Timestamp) {
            return (below, field.bits());
        }
        below += field.bits();
    }
    (below, 0)
}

/// Returns the number of ticks, from tick 0 on, that have only ids below 2^`bit`. `bit` must be at
/// most 63. The result may be larger than the layout's number of ticks. The result is 0 if a node,
/// sequence or tag field has a bit at position `bit` or higher.
pub(crate) fn ticks_below(fields: &[Field], bit: u32) -> u64 {
    let mut below = fields.iter().map(|field| u32::from(field.bits())).sum::<u32>();
    let mut ticks = u64::MAX;
    for field in fields {
        if below <= bit {
            break;
        }
        below -= u32::from(field.bits());
        match field.role() {
            Role::Unused => {}
            Role::Timestamp => ticks = 1 << bit.saturating_sub(below),
            Role::Node | Role::Sequence | Role::Tag => return 0,
        }
    }
    ticks
}

/// Packs parts into an id. Drops the bits of a part that do not fit its fields.
pub(crate) fn pack(fields: &[Field], Parts { tick, node, sequence, tag }: Parts) -> u64 {
    // The values are in the order of `Role`.
    let mut values = [0, tick, node, sequence, tag];
    let (mut id, mut shift) = (0, 0);
    for field in fields.iter().rev() {
        let (value, bits) = (&mut values[field.role() as usize], field.bits());
        id |= (*value & ones(bits)) << shift;
        *value = shift_right(*value, bits);
        shift += bits;
    }
    id
}

/// Returns the parts of an id. Returns `None` if bits are set that belong to no part.
pub(crate) fn unpack(fields: &[Field], id: u64) -> Option<Parts> {
    // The values are in the order of `Role`, and so are their widths in bits.
    let (mut values, mut widths) = ([0; Role::ALL.len()], [0; Role::ALL.len()]);
    let mut rest = id;
    for field in fields.iter().rev() {
        // No field has 64 bits, because the timestamp has 1 to 52. So `& 63` changes nothing, but
        // saves the check of the shift.
        let (role, bits) = (field.role() as usize, field.bits() & 63);
        values[role] |= (rest & !(u64::MAX << bits)) << (widths[role] & 63);
        widths[role] += bits;
        rest >>= bits;
    }
    let [unused, tick, node, sequence, tag] = values;
    (unused | rest == 0).then_some(Parts { tick, node, sequence, tag })
}

/// Returns the value of each field by itself.
pub(crate) fn values(fields: &[Field], id: u64) -> impl Iterator<Item = (Field, u64)> {
    let mut below = fields.iter().map(Field::bits).sum::<u8>();
    fields.iter().map(move |field| {
        below -= field.bits();
        (*field, id >> below & ones(field.bits()))
    })
}

/// Shifts to the right. Unlike `>>`, this function allows a shift by 64 bits, and returns 0 then.
fn shift_right(value: u64, bits: u8) -> u64 {
    value.checked_shr(u32::from(bits)).unwrap_or(0)
}

pub(crate) fn shift_left(value: u64, bits: u8) -> u64 {
    value.checked_shl(u32::from(bits)).unwrap_or(0)
}

/// Turns counters into ids of one node. A run is a group of adjacent bits of the counter that stay
/// adjacent in the id. Timestamp and sequence form one run if they are neighbours (Hazelcast), and
/// two runs in most other layouts. Only a split sequence makes more than two runs.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct Packing {
    /// The bits of the node and of the tag, which each id gets until the tag changes.
    base: u64,
    runs: [Run; FIELDS_MAX],
    run_count: usize,
}

/// Adjacent bits that move together, from a counter into an id or from an id into a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    /// The mask of the bits' new places.
    mask: u64,
    /// The distance by which the bits move to the right; negative if they move to the left.
    right: i8,
}

impl Run {
    pub(crate) const NONE: Self = Self { mask: 0, right: 0 };

    /// Creates the run of `bits` bits that start at bit `from` and move to bit `to`.
    pub(crate) const fn new(from: u8, to: u8, bits: u8) -> Self {
        Self { mask: ones(bits) << to, right: from.cast_signed() - to.cast_signed() }
    }

    /// Returns the mask of the bits' old places.
    pub(crate) const fn source(self) -> u64 {
        self.mask.rotate_left(self.turn())
    }

    /// Joins this run and a run of higher bits, `above`, if both move by the same distance.
    pub(crate) const fn joined(self, above: Self) -> Option<Self> {
        let together = self.right == above.right;
        if together { Some(Self { mask: self.mask | above.mask, ..self }) } else { None }
    }

    #[inline]
    pub(crate) const fn place(self, bits: u64) -> u64 {
        bits.rotate_right(self.turn()) & self.mask
    }

    /// Returns the number of bits by which a rotation to the right moves this run to its new place.
    /// The rotation also moves all other bits.
    const fn turn(self) -> u32 {
        self.right.cast_unsigned() as u32 % u64::BITS
    }
}

impl Packing {
    /// Creates the packing for a node, which must fit the layout.
    pub(crate) fn new(fields: &[Field], node: u64) -> Self {
        let base = pack(fields, Parts { tick: 0, sequence: 0, node, tag: 0 });
        let mut packing = Self { base, runs: [Run::NONE; FIELDS_MAX], run_count: 0 };
        let mut counter_shift = 0;
        // From its lowest bit on, a counter consists of the sequence fields, the last field first,
        // and then the timestamp.
        for role in [Role::Sequence, Role::Timestamp] {
            let mut id_shift = 0;
            for field in fields.iter().rev() {
                if field.role() == role {
                    packing.push(Run::new(counter_shift, id_shift, field.bits()));
                    counter_shift += field.bits();
                }
                id_shift += field.bits();
            }
        }
        packing
    }

    /// Sets the tag of all later ids; the tag must fit the layout.
    pub(crate) fn set_tag(&mut self, fields: &[Field], tag: u64) {
        let tags = pack(fields, Parts { tag: u64::MAX, ..Parts::default() });
        self.base &= !tags;
        self.base |= pack(fields, Parts { tag, ..Parts::default() });
    }

    fn push(&mut self, run: Run) {
        if let Some(last) = self.runs[..self.run_count].last_mut()
            && let Some(joined) = last.joined(run)
        {
            *last = joined;
            return;
        }
        self.runs[self.run_count] = run;
        self.run_count += 1;
    }

    /// Returns the id of a counter of the layout.
    #[inline]
    pub(crate) fn id(&self, counter: u64) -> u64 {
        // Nearly all layouts have at most two runs. A missing run has an empty mask, so the code
        // adds both runs without a branch.
        let id = self.base | self.runs[0].place(counter) | self.runs[1].place(counter);
        if self.run_count <= 2 {
            return id;
        }
        self.runs[2..self.run_count].iter().fold(id, |id, run| id | run.place(counter))
    }

    /// Returns how many counters from `counter` on have ids that grow by [`step`](Self::step). The
    /// result is a lower bound, at least 1.
    pub(crate) const fn straight(&self, counter: u64) -> u64 {
        let mask = self.runs[0].source();
        (mask - (counter & mask)).saturating_add(1)
    }

    /// Returns the difference between the ids of two consecutive counters. It is constant until the
    /// lowest run of bits overflows.
    pub(crate) const fn step(&self) -> u64 {
        1 << self.runs[0].mask.trailing_zeros()
    }

    /// Fills `ids` with the ids of the counters from `first` on.
    pub(crate) fn fill(&self, first: u64, mut ids: &mut [u64]) {
        let mut counter = first;
        while !ids.is_empty() {
            let straight = usize::try_from(self.straight(counter)).unwrap_or(usize::MAX);
            let (piece, rest) = ids.split_at_mut(straight.min(ids.len()));
            fill_straight(piece, self.id(counter), self.step());
            counter += piece.len() as u64;
            ids = rest;
        }
    }
}

/// Fills `ids` with `first`, `first + step` and so on.
pub(crate) fn fill_straight(ids: &mut [u64], first: u64, step: u64) {
    let mut next = first;
    for id in ids {
        *id = next;
        next = next.wrapping_add(step);
    }
}
