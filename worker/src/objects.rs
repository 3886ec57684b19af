//! How an isolate asks the Durable Objects, which are in `edgeflake-authority`.

mod call;
pub(crate) mod directory;
pub(crate) mod shard_client;
