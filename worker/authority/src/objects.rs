//! The Durable Objects: `authority_object.rs` with its `store.rs`, and `directory_object.rs`; and how
//! they are found and called.

pub mod address;
#[cfg(feature = "objects")]
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
mod sql;
#[cfg(feature = "objects")]
mod store;
