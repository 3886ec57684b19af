//! The edge Worker as WebAssembly: what `edgeflake-worker` exports, optimised as one.
#![cfg(target_arch = "wasm32")]

pub use edgeflake_worker::*;
