//! edgeflake in JavaScript. This crate translates and computes nothing itself; `index.d.ts`
//! of the package documents it, and the modules in its `lib/` are the only callers of what is
//! exported here.
//!
//! Only numbers cross the border, 64-bit integers among them: that needs no glue and no allocation.
//! Layouts and generators are named by handles. Whatever is larger lies in the exchange, memory
//! which both sides read and write in place. What is refused says so by what it returns, and leaves
//! code and message there.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

mod exchange;
mod generator;
mod handles;
mod identify;
mod layout;
#[path = "../../number.rs"]
mod number;
#[cfg(target_arch = "wasm32")]
#[path = "../../runtime.rs"]
mod runtime;
mod state;
mod text;

pub use exchange::*;
pub use generator::*;
pub use identify::*;
pub use layout::*;
pub use text::*;
