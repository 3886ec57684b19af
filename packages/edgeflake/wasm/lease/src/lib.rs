//! Exports the holder, which `docs/DESIGN.md` describes, to JavaScript. The holder is the same
//! state machine as in the isolates of edgeflake's Worker. This crate only translates, and decides
//! nothing itself. The package's `src/leased/` documents the exports, and is their only caller.
//!
//! The exports are a separate WebAssembly module, so that programs that assign nodes by hand, or
//! only read ids, do not load them.
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
