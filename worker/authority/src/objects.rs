//! The Durable Objects, and how they are found and called: `authority_object.rs` with its
//! `shard.rs`, and `directory_object.rs` with its `witness.rs`.

pub mod address;
pub mod call;
pub mod directory;
mod response;
pub mod shard_client;
pub mod shard_status;

#[cfg(feature = "objects")]
pub(crate) mod authority_object;
#[cfg(feature = "objects")]
pub(crate) mod directory_object;
#[cfg(feature = "objects")]
mod health;
#[cfg(feature = "objects")]
mod message;
#[cfg(feature = "objects")]
pub mod schema;
#[cfg(feature = "objects")]
mod shard;
#[cfg(feature = "objects")]
pub mod sql;
#[cfg(feature = "objects")]
mod store;
#[cfg(feature = "objects")]
mod unreadable;
#[cfg(feature = "objects")]
mod witness;
