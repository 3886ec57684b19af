use super::reply::Grant;

/// What a [storing](crate::lease::Holder::storing) holder has written down, so that a later holder
/// can continue after it: its lease, and up to where it may have been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The lease, with the end that its span has by now.
    pub grant: Grant,
    /// The reserved tick: no id at or after it has been issued, and none will be before the next
    /// record is written.
    pub reserved_tick: u64,
}
