//! edgeflake in JavaScript. This crate only translates and computes nothing itself. The package's
//! TypeScript in `src/` documents it, and is its only caller.
//!
//! Arguments and results are numbers only, because numbers (also 64-bit integers) need no glue and
//! no allocation. Layouts and generators are named by handles. Everything larger is in the
//! *exchange*, memory that both sides read and write in place: below, a function *leaves* there
//! what it does not return. A function that refuses its arguments says so by its result, and leaves
//! the error's code and message.
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
