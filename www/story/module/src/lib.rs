//! The world of the page's story: a few computers issue ids by clocks that the reader can turn.
//!
//! Its authority, holders and generators are the core's. This crate adds the time, the requests,
//! the messages, and a classic generator to compare with. Apart from that generator, no code in
//! this crate decides which id is issued.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[cfg(target_arch = "wasm32")]
#[path = "../../../../packages/edgeflake/wasm/allocator.rs"]
mod allocator;
mod classic;
mod computer;
mod layout;
mod way;
mod world;

pub use world::*;
