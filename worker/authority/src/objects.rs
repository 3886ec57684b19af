//! The Durable Objects: `authority_object.rs` with its `store.rs`, and `directory_object.rs`.

pub mod address;
pub mod authority_object;
pub mod directory_object;
mod plain;
mod sql;
mod store;
