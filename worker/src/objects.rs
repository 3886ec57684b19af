//! The Durable Objects (`authority.rs`, with its `store.rs`, and `directory.rs`), and how an
//! isolate asks them (`stub.rs`, `object.rs`).

pub(crate) mod address;
pub(crate) mod authority;
pub(crate) mod directory;
mod object;
pub(crate) mod region;
mod store;
pub(crate) mod stub;
