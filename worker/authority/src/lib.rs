//! The Durable Objects that grant leases, and what decides how a sequencer is created, shown and
//! destroyed: all that `edgeflake/authority` has, and what the routes of the Worker stand on.
//!
//! It does without the crate `worker`, which would be a quarter of the module.
//!
//! | in | is |
//! |---|---|
//! | `objects/` | the objects |
//! | `admin/` | how a sequencer is created, shown and destroyed |
//! | `settings/` | the variables |
//! | `problem.rs` | why a call fails |
//! | `names.rs` | names that are not known |
#![expect(clippy::must_use_candidate, reason = "the Worker is its only user")]
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

pub mod admin;
pub mod clock;
mod console;
pub mod found;
mod instance;
pub mod names;
pub mod objects;
pub mod problem;
pub mod settings;
pub mod target;
pub mod value;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

pub use instance::instance;
pub use objects::authority_object::Authority;
pub use objects::directory_object::Directory;
