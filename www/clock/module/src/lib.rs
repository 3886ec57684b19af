//! The playground of the page: a few processes that issue ids on clocks which a visitor breaks.
//!
//! The authority, the holders and the generators in it are those of the core. This crate adds time,
//! clocks, messages, requests, a classic generator to compare with, and a ledger that counts the
//! ids of both. Nothing here decides about an id.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[cfg(target_arch = "wasm32")]
#[path = "../../../../packages/edgeflake/wasm/allocator.rs"]
mod allocator;
mod classic;
mod clock;
mod ledger;
#[path = "../../../../packages/edgeflake/wasm/number.rs"]
mod number;
mod playground;
mod process;
mod random;
mod shard;
mod snapshot;
mod world;

pub use playground::*;
