//! The holder of DESIGN.md in JavaScript: the state machine of the Worker's isolates. This crate
//! translates and decides nothing itself; `lease.d.ts` of the package documents what it
//! is for, and its `lib/leased-generator.js` is the only caller of what is exported here.
//!
//! A module of its own, so that a user who issues ids of static nodes, or only reads ids, does not
//! load it.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

mod asking;
mod delivery;
mod holder;
#[path = "../../number.rs"]
mod number;
#[cfg(target_arch = "wasm32")]
#[path = "../../runtime.rs"]
mod runtime;
mod text;

pub use asking::*;
pub use delivery::*;
pub use holder::*;
pub use text::*;
