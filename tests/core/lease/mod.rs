//! Leases: the authority, the holder and the shard router, each by itself.

mod authority;
mod batch;
mod fence;
mod holder;
mod objects;
mod registry;
mod router;
pub(crate) mod shell;
