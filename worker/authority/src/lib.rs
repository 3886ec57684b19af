//! The Durable Objects that grant leases, and the code that decides how a sequencer is created,
//! shown and destroyed. `edgeflake/authority` is made of this crate, and the routes of edgeflake's
//! Worker use it.
//!
//! In a Worker of your own, use `edgeflake-workers`. This crate is published only because
//! `edgeflake-workers` depends on it, so its API may change with any release.
//!
//! It does without the crate `worker`, which would be a quarter of the module. Features turn the
//! classes of the objects on, because a Worker exports every class that it links.
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
#[cfg(feature = "admin")]
pub mod exports;
pub mod found;
#[cfg(feature = "objects")]
mod instance;
pub mod later;
pub mod names;
pub mod objects;
pub mod problem;
pub mod settings;
pub mod target;
pub mod value;

#[cfg(feature = "objects")]
pub use objects::authority_object::Authority;
#[cfg(feature = "objects")]
pub use objects::directory_object::Directory;
