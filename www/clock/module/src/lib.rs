//! The playground of the page: a few processes that issue ids on clocks which a visitor breaks.
//!
//! The authority, the holders and the generators in it are those of the core. Its clocks, network
//! and ledger are those of the simulated world (`tests/world`), in which the core is checked. This
//! crate adds requests, a classic generator to compare with, and counts of the ids of both. Nothing
//! here decides about an id.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[cfg(target_arch = "wasm32")]
#[path = "../../../../packages/edgeflake/wasm/allocator.rs"]
mod allocator;
mod classic;
#[path = "../../../../packages/edgeflake/wasm/number.rs"]
mod number;
mod playground;
mod process;
mod shard;
mod snapshot;
mod tally;
mod world;

pub use playground::*;
