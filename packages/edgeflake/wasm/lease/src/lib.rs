//! Exports the holder that `docs/DESIGN.md` describes to JavaScript: the same state machine as in
//! the Worker's isolates. This crate only translates and decides nothing itself. The package's
//! `src/leased/leased-generator.ts` documents it, and is its only caller.
//!
//! It is a separate module, so that programs that assign nodes by hand, or only read ids, do not
//! load it.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

mod address;
mod delivery;
mod holder;
mod id_request;
#[path = "../../number.rs"]
mod number;
#[cfg(target_arch = "wasm32")]
#[path = "../../runtime.rs"]
mod runtime;

pub use address::*;
pub use delivery::*;
pub use holder::*;
pub use id_request::*;
