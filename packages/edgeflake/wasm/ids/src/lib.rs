//! Exports edgeflake to JavaScript. This crate only translates and computes nothing itself. The
//! package's TypeScript in `src/` documents the exports, and is their only caller.
//!
//! Arguments and results are only numbers, because numbers (also 64-bit integers) need no glue and
//! no allocation. JavaScript refers to layouts and generators by handles. All other data is in the
//! *exchange*, memory that JavaScript and Rust read and write in place. A function that refuses its
//! arguments says so by its result, and writes the error's code and message to the exchange.
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
