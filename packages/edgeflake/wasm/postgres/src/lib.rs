//! Exports to JavaScript the code that decides a holder's request from the tables of a database.
//! This crate only translates, and decides nothing itself. The package's `src/postgres/` documents
//! the exports, and is their only caller.
//!
//! The exports are a separate WebAssembly module, so that programs with another authority do not
//! load them.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

mod configuration;
mod database_call;
#[path = "../../number.rs"]
mod number;
#[cfg(target_arch = "wasm32")]
#[path = "../../runtime.rs"]
mod runtime;

pub use configuration::*;
pub use database_call::*;
