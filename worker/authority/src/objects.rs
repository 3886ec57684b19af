//! The Durable Objects, and how they are found and called: `shard.rs` with its `store.rs`, and
//! `directory_object.rs` with its `witness.rs`.

pub mod address;
#[cfg(feature = "fetch")]
pub(crate) mod authority_object;
pub mod call;
#[cfg(feature = "objects")]
pub(crate) mod directory_object;
#[cfg(feature = "objects")]
mod health;
#[cfg(feature = "fetch")]
mod message;
#[cfg(feature = "objects")]
mod plain;
#[cfg(feature = "objects")]
pub mod schema;
#[cfg(feature = "objects")]
pub(crate) mod shard;
#[cfg(feature = "objects")]
pub mod sql;
#[cfg(feature = "objects")]
mod store;
#[cfg(feature = "objects")]
mod unreadable;
#[cfg(feature = "objects")]
mod witness;
