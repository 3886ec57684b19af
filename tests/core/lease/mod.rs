//! Leases: the authority, the holder and the shard router, each by itself.

mod authority;
mod batch;
mod destruction;
mod fence;
mod holder;
mod objects;
mod overload;
mod registry;
mod router;
pub(crate) mod shell;
mod shrinking;
mod witness;
