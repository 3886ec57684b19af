use super::reply::Grant;

/// What a [storing](crate::lease::Holder::storing) holder writes down, so that a later holder can
/// continue: its lease, and the tick up to which it may have been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The lease, with the present end of its span.
    pub grant: Grant,
    /// The reserved tick. No id was issued at or after it, and no id will be before the next record
    /// is written.
    pub reserved_tick: u64,
}
