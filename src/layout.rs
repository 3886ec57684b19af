mod bits;
mod capacity;
mod field;
pub(crate) mod name;
mod node;
pub(crate) mod packing;
mod parts;
mod range;
pub(crate) mod role;
pub(crate) mod string;

pub use self::field::Field;
pub use self::name::Name;
pub use self::parts::Parts;
pub use self::role::Role;

use crate::error::Error;
use crate::instant::gregorian;

/// The division of an id's bits into fields, and the epoch and the length of the ticks.
///
/// Fields stand in order from the most significant bit; their widths sum to 64 or less. Node,
/// sequence and tag may each be split over several fields; the first field then holds the most
/// significant bits. Outside the id, node, sequence and tag are always one number each.
///
/// ```
/// use edgeflake::{Layout, Parts, preset};
///
/// let layout: Layout = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000".parse()?;
/// assert_eq!(layout, preset::HAZELCAST);
/// assert_eq!((layout.fields().len(), layout.bits()), (4, 64));
/// assert_eq!((layout.epoch_ms(), layout.tick_ms()), (1_514_764_800_000, 1));
/// assert_eq!((layout.nodes(), layout.ids_per_tick()), (65_536, 64));
/// assert_eq!(layout.end_ms(), layout.epoch_ms() + layout.ticks());
/// assert_eq!(layout.ticks(), 1 << 41);
///
/// let id = layout.encode(Parts { tick: 1, node: 2, sequence: 3, tag: 0 })?;
/// assert_eq!(id, 1 << 22 | 3 << 16 | 2);
/// assert_eq!(layout.start_ms(layout.decode(id)?.tick), 1_514_764_800_001);
/// # Ok::<(), edgeflake::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    fields: [Field; Self::FIELDS_MAX],
    field_count: u8,
    timestamp_bits: u8,
    node_bits: u8,
    sequence_bits: u8,
    tag_bits: u8,
    epoch_ms: u64,
    tick_ms: u64,
}

impl Layout {
    /// The largest number of fields of a layout. No known system has more than 7 fields.
    pub const FIELDS_MAX: usize = packing::FIELDS_MAX;

    /// The latest instant at which a layout may end, in Unix ms. It is the last instant of a
    /// JavaScript `Date` (ECMA-262, "Time Values and Time Range"), so every instant and every tick
    /// is below 2^53 and passes through JSON and SQL as a number without rounding.
    pub const INSTANT_MAX_MS: u64 = gregorian::INSTANT_MAX_MS;

    /// Creates a layout of `fields`, the most significant first. Each tick is `tick_ms` ms long,
    /// and tick 0 begins at `epoch_ms` (Unix ms).
    ///
    /// # Errors
    /// - [`Error::FieldCount`]: no field, or more than [`FIELDS_MAX`](Self::FIELDS_MAX).
    /// - [`Error::DuplicateName`], [`Error::NoTimestamp`], [`Error::TwoTimestamps`].
    /// - [`Error::Bits`]: more than 64 bits.
    /// - [`Error::ZeroTick`]: a tick of 0 ms.
    /// - [`Error::LayoutTooLong`]: the layout would end after
    ///   [`INSTANT_MAX_MS`](Self::INSTANT_MAX_MS).
    ///
    /// ```
    /// use edgeflake::{Error, Field, Layout, Role};
    ///
    /// let fields = [Field::new("ms", Role::Timestamp, 41)?, Field::new("node", Role::Node, 12)?];
    /// assert_eq!(Layout::new(&fields, 0, 1)?.bits(), 53);
    /// assert_eq!(Layout::new(&fields[1..], 0, 1), Err(Error::NoTimestamp));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(fields: &[Field], epoch_ms: u64, tick_ms: u64) -> Result<Self, Error> {
        if fields.is_empty() || fields.len() > Self::FIELDS_MAX {
            return Err(Error::FieldCount { count: fields.len(), max: Self::FIELDS_MAX });
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most FIELDS_MAX")]
        let mut layout = Self {
            fields: [Field::NONE; Self::FIELDS_MAX],
            field_count: fields.len() as u8,
            timestamp_bits: 0,
            node_bits: 0,
            sequence_bits: 0,
            tag_bits: 0,
            epoch_ms,
            tick_ms,
        };
        let mut timestamp: Option<Field> = None;
        let mut bits = 0;
        let mut i = 0;
        while i < fields.len() {
            let field = fields[i];
            let mut j = 0;
            while j < i {
                if fields[j].name().equals(&field.name()) {
                    return Err(Error::DuplicateName { name: field.name() });
                }
                j += 1;
            }
            bits += field.bits() as u32;
            if bits > u64::BITS {
                return Err(Error::Bits { field: field.name(), bits });
            }
            match field.role() {
                Role::Unused => {}
                Role::Timestamp => {
                    if let Some(first) = timestamp {
                        return Err(Error::TwoTimestamps {
                            first: first.name(),
                            second: field.name(),
                        });
                    }
                    timestamp = Some(field);
                    layout.timestamp_bits = field.bits();
                }
                Role::Node => layout.node_bits += field.bits(),
                Role::Sequence => layout.sequence_bits += field.bits(),
                Role::Tag => layout.tag_bits += field.bits(),
            }
            layout.fields[i] = field;
            i += 1;
        }
        let Some(timestamp) = timestamp else {
            return Err(Error::NoTimestamp);
        };
        if tick_ms == 0 {
            return Err(Error::ZeroTick);
        }
        let ticks_max = match Self::INSTANT_MAX_MS.checked_sub(epoch_ms) {
            Some(left_ms) => left_ms / tick_ms,
            None => 0,
        };
        if packing::ones(timestamp.bits()) >= ticks_max {
            return Err(Error::LayoutTooLong { field: timestamp.name(), bits: timestamp.bits() });
        }
        Ok(layout)
    }

    /// Returns a layout with the same fields, the same tick length, and the epoch `epoch_ms` (Unix
    /// ms).
    ///
    /// # Errors
    /// [`Error::LayoutTooLong`] if the layout would end after
    /// [`INSTANT_MAX_MS`](Self::INSTANT_MAX_MS).
    ///
    /// ```
    /// use edgeflake::{Layout, preset::FLAKE_IDGEN};
    ///
    /// assert_eq!(FLAKE_IDGEN.with_epoch(1_300_000_000_000)?.start_ms(1), 1_300_000_000_001);
    /// assert!(FLAKE_IDGEN.with_epoch(Layout::INSTANT_MAX_MS).is_err());
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    pub const fn with_epoch(&self, epoch_ms: u64) -> Result<Self, Error> {
        Self::new(self.fields(), epoch_ms, self.tick_ms)
    }

    /// Returns the fields, the most significant first.
    #[must_use]
    pub const fn fields(&self) -> &[Field] {
        self.fields.split_at(self.field_count as usize).0
    }

    /// Returns the time at which tick 0 begins, in Unix ms.
    #[must_use]
    pub const fn epoch_ms(&self) -> u64 {
        self.epoch_ms
    }

    /// Returns the length of a tick in ms, at least 1.
    #[must_use]
    pub const fn tick_ms(&self) -> u64 {
        self.tick_ms
    }

    /// Returns the width of all fields in bits, at most 64.
    #[must_use]
    pub fn bits(&self) -> u8 {
        self.fields().iter().map(Field::bits).sum()
    }

    /// Returns the width in bits of all fields of a role together; 0 for [`Role::Unused`].
    pub(crate) const fn role_bits(&self, role: Role) -> u8 {
        match role {
            Role::Unused => 0,
            Role::Timestamp => self.timestamp_bits,
            Role::Node => self.node_bits,
            Role::Sequence => self.sequence_bits,
            Role::Tag => self.tag_bits,
        }
    }

    /// Returns the largest value that the fields of a role hold together.
    pub(crate) const fn role_max(&self, role: Role) -> u64 {
        packing::ones(self.role_bits(role))
    }

    /// Returns the number of ticks in the layout; the last tick is `ticks() - 1`.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        1 << self.timestamp_bits
    }

    /// Returns the number of nodes in the layout; 1 if it has no node fields.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        1 << self.node_bits
    }

    /// Returns the number of ids that a node has in one tick.
    #[must_use]
    pub const fn ids_per_tick(&self) -> u64 {
        1 << self.sequence_bits
    }

    /// Returns the time at which a tick begins, in Unix ms; for a tick past the last one, the time
    /// at which the layout ends.
    #[must_use]
    pub const fn start_ms(&self, tick: u64) -> u64 {
        let tick = if tick < self.ticks() { tick } else { self.ticks() };
        self.epoch_ms + tick * self.tick_ms
    }

    /// Returns the first instant that the layout cannot express, in Unix ms.
    #[must_use]
    pub const fn end_ms(&self) -> u64 {
        self.start_ms(self.ticks())
    }

    /// Returns the tick at a time in Unix ms.
    ///
    /// # Errors
    /// [`Error::BeforeEpoch`] before the epoch, and [`Error::LayoutEnded`] from
    /// [`end_ms`](Self::end_ms) on.
    ///
    /// ```
    /// use edgeflake::{Error, preset::HAZELCAST};
    ///
    /// assert_eq!(HAZELCAST.tick(1_514_764_800_042), Ok(42));
    /// assert!(matches!(HAZELCAST.tick(0), Err(Error::BeforeEpoch { .. })));
    /// assert!(matches!(HAZELCAST.tick(HAZELCAST.end_ms()), Err(Error::LayoutEnded { .. })));
    /// ```
    pub const fn tick(&self, now_ms: u64) -> Result<u64, Error> {
        if now_ms < self.epoch_ms {
            return Err(Error::BeforeEpoch { now_ms, epoch_ms: self.epoch_ms });
        }
        let tick = (now_ms - self.epoch_ms) / self.tick_ms;
        if tick >= self.ticks() {
            return Err(Error::LayoutEnded { now_ms, end_ms: self.end_ms() });
        }
        Ok(tick)
    }

    /// Returns the tick at a time in Unix ms: 0 before the epoch, [`ticks`](Self::ticks) after the
    /// end.
    pub(crate) const fn tick_clamped(&self, now_ms: u64) -> u64 {
        let tick = now_ms.saturating_sub(self.epoch_ms) / self.tick_ms;
        if tick < self.ticks() { tick } else { self.ticks() }
    }

    /// Returns whether both layouts have the same timestamp bits, epoch and tick. If so, an id of
    /// this layout and an id of `other` differ whenever their ticks differ.
    pub(crate) fn has_timestamp_of(&self, other: &Self) -> bool {
        packing::timestamp_place(self.fields()) == packing::timestamp_place(other.fields())
            && self.epoch_ms == other.epoch_ms
            && self.tick_ms == other.tick_ms
    }

    /// Returns the number of ticks in a duration in ms, rounded up.
    pub(crate) const fn ticks_in(&self, duration_ms: u64) -> u64 {
        duration_ms.div_ceil(self.tick_ms)
    }

    /// Makes an id from its parts.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a part that is wider than its fields, because masking the part would
    /// make an id that decodes to other parts.
    ///
    /// ```
    /// use edgeflake::{Error, Parts, Role, preset::TWITTER};
    ///
    /// let parts = Parts { tick: 1, node: 1_023, sequence: 2, tag: 0 };
    /// assert_eq!(TWITTER.encode(parts), Ok(1 << 22 | 1_023 << 12 | 2));
    /// let refused = TWITTER.encode(Parts { node: 1_024, ..parts });
    /// assert_eq!(refused, Err(Error::TooLarge { role: Role::Node, value: 1_024, max: 1_023 }));
    /// ```
    pub fn encode(&self, parts: Parts) -> Result<u64, Error> {
        for (role, value) in parts.roles() {
            let max = self.role_max(role);
            if value > max {
                return Err(Error::TooLarge { role, value, max });
            }
        }
        Ok(packing::pack(self.fields(), parts))
    }

    /// Splits an id into its parts.
    ///
    /// # Errors
    /// [`Error::UnusedBits`] for an id with bits set that the layout does not use.
    ///
    /// ```
    /// use edgeflake::{Error, Parts, preset::TWITTER};
    ///
    /// let parts = Parts { tick: 1, node: 1_023, sequence: 2, tag: 0 };
    /// assert_eq!(TWITTER.decode(1 << 22 | 1_023 << 12 | 2), Ok(parts));
    /// assert_eq!(TWITTER.decode(u64::MAX), Err(Error::UnusedBits { bits: 1 << 63 }));
    /// ```
    #[inline]
    pub fn decode(&self, id: u64) -> Result<Parts, Error> {
        let unused = || Error::UnusedBits { bits: id & !self.largest_id() };
        packing::unpack(self.fields(), id).ok_or_else(unused)
    }

    /// Returns each field with its value in an id, the most significant field first.
    ///
    /// ```
    /// use edgeflake::preset::TWITTER;
    ///
    /// let values: Vec<u64> = TWITTER.values(1_541_815_603_606_036_480).map(|(_, v)| v).collect();
    /// assert_eq!(values, [0, 367_597_485_448, 11, 26, 0]);
    /// ```
    pub fn values(&self, id: u64) -> impl Iterator<Item = (Field, u64)> {
        packing::values(self.fields(), id)
    }
}
