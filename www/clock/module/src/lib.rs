//! The playground of the page: a few processes that issue ids on clocks which a visitor breaks.
//!
//! The authority, the holders and the generators in it are those of the core. What this crate adds
//! is around them: time, clocks, messages, requests, a classic generator to compare with, and a
//! ledger that counts what both issued. Nothing here decides what an id is.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

extern crate alloc;

mod classic;
mod clock;
mod ledger;
#[path = "../../../../packages/edgeflake/wasm/number.rs"]
mod number;
mod playground;
mod process;
mod random;
#[cfg(target_arch = "wasm32")]
#[path = "../../../../packages/edgeflake/wasm/runtime.rs"]
mod runtime;
mod shard;
mod world;

pub use playground::*;
