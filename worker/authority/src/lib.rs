//! The Durable Objects that grant leases, and what decides how a sequencer is created, shown and
//! destroyed: all that `edgeflake/authority` has, and what the routes of edgeflake's Worker stand on.
//!
//! In a Worker of your own, use `edgeflake-workers`. This crate is published because
//! `edgeflake-workers` depends on it: what is public here may change with any release.
//!
//! It does without the crate `worker`, which would be a quarter of the module. The classes of the
//! objects are there with a feature only, because a Worker exports every class that it links.
//!
//! | in | is |
//! |---|---|
//! | `objects/` | the objects |
//! | `admin/` | how a sequencer is created, shown and destroyed |
//! | `settings/` | the variables |
//! | `problem.rs` | why a call fails |
//! | `names.rs` | names that are not known |
#![expect(clippy::must_use_candidate, reason = "only crates of edgeflake use it")]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

pub mod admin;
pub mod clock;
pub mod console;
pub mod found;
#[cfg(feature = "objects")]
mod instance;
pub mod names;
pub mod objects;
pub mod problem;
pub mod settings;
pub mod target;
pub mod value;

#[cfg(all(feature = "module", target_arch = "wasm32"))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[cfg(feature = "fetch")]
pub use objects::authority_object::Authority;
#[cfg(feature = "objects")]
pub use objects::directory_object::Directory;
#[cfg(feature = "module")]
pub use objects::shard::Shard;
