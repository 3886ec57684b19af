//! The Durable Objects (`authority_object.rs` with its `store.rs`, and `directory_object.rs`), and
//! how an isolate asks them (`shard_client.rs`, `call.rs`).

pub(crate) mod address;
pub(crate) mod authority_object;
mod call;
pub(crate) mod directory_object;
pub(crate) mod region;
pub(crate) mod shard_client;
mod store;
