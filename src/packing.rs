//! All bit arithmetic of the project.

use crate::field::{Field, Role};
use crate::layout::{Layout, Parts};

/// The `bits` lowest bits set; `bits` is at most 64.
pub(crate) const fn ones(bits: u8) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// The id of parts that fit their fields.
pub(crate) fn pack(fields: &[Field], mut parts: Parts) -> u64 {
    let mut id = 0;
    let mut shift = 0;
    for field in fields.iter().rev() {
        let whole = match field.role() {
            Role::Unused => &mut 0,
            Role::Timestamp => &mut parts.tick,
            Role::Node => &mut parts.node,
            Role::Sequence => &mut parts.sequence,
            Role::Tag => &mut parts.tag,
        };
        id |= (*whole & ones(field.bits())) << shift;
        *whole = shift_right(*whole, field.bits());
        shift += u32::from(field.bits());
    }
    id
}

/// The parts of an id, and those of its set bits that no part accounts for.
pub(crate) fn unpack(fields: &[Field], id: u64) -> (Parts, u64) {
    let mut parts = Parts::default();
    let mut unused = 0;
    let mut below = fields.iter().map(Field::bits).sum::<u8>();
    unused |= id & !ones(below);
    for field in fields {
        below -= field.bits();
        let value = id >> below & ones(field.bits());
        let whole = match field.role() {
            Role::Unused => {
                unused |= value << below;
                continue;
            }
            Role::Timestamp => &mut parts.tick,
            Role::Node => &mut parts.node,
            Role::Sequence => &mut parts.sequence,
            Role::Tag => &mut parts.tag,
        };
        *whole = shift_left(*whole, field.bits()) | value;
    }
    (parts, unused)
}

/// The value of each field by itself.
pub(crate) fn values(fields: &[Field], id: u64) -> impl Iterator<Item = (Field, u64)> {
    let mut below = fields.iter().map(Field::bits).sum::<u8>();
    fields.iter().map(move |field| {
        below -= field.bits();
        (*field, id >> below & ones(field.bits()))
    })
}

/// A field of 64 bits leaves nothing of a value beside it.
fn shift_right(value: u64, bits: u8) -> u64 {
    value.checked_shr(u32::from(bits)).unwrap_or(0)
}

fn shift_left(value: u64, bits: u8) -> u64 {
    value.checked_shl(u32::from(bits)).unwrap_or(0)
}

/// From counters to ids on one node: where each run of the counter's bits stands in the id.
///
/// Timestamp and sequence are one run where they are neighbours (Hazelcast), two in most other
/// layouts, and more only where the sequence is split.
#[derive(Debug)]
pub(crate) struct Packing {
    /// The bits of node and tag.
    base: u64,
    runs: [Run; Layout::FIELDS_MAX],
    run_count: usize,
}

/// `bits` bits of the counter, from its bit `counter_shift` on, stand in the id from `id_shift` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    counter_shift: u8,
    id_shift: u8,
    bits: u8,
}

impl Run {
    const NONE: Self = Self { counter_shift: 0, id_shift: 0, bits: 0 };

    const fn place(self, counter: u64) -> u64 {
        (counter >> self.counter_shift & ones(self.bits)) << self.id_shift
    }
}

impl Packing {
    /// Node and tag must fit the layout.
    pub(crate) fn new(layout: &Layout, node: u64, tag: u64) -> Self {
        let base = pack(layout.fields(), Parts { tick: 0, sequence: 0, node, tag });
        let mut packing = Self { base, runs: [Run::NONE; Layout::FIELDS_MAX], run_count: 0 };
        let mut counter_shift = 0;
        // From the counter's low end: the sequence fields, the last one first, then the timestamp.
        for role in [Role::Sequence, Role::Timestamp] {
            let mut id_shift = 0;
            for field in layout.fields().iter().rev() {
                if field.role() == role {
                    packing.push(Run { counter_shift, id_shift, bits: field.bits() });
                    counter_shift += field.bits();
                }
                id_shift += field.bits();
            }
        }
        packing
    }

    fn push(&mut self, run: Run) {
        if let Some(last) = self.runs[..self.run_count].last_mut()
            && last.id_shift + last.bits == run.id_shift
        {
            last.bits += run.bits;
            return;
        }
        self.runs[self.run_count] = run;
        self.run_count += 1;
    }

    /// The id of a counter of the layout.
    pub(crate) fn id(&self, counter: u64) -> u64 {
        let mut id = self.base;
        for run in &self.runs[..self.run_count] {
            id |= run.place(counter);
        }
        id
    }
}
