//! Unique, time-sorted 64-bit ids in a Cloudflare Worker in Rust.
//!
//! Each isolate leases a node from the *authority*, a Durable Object, and issues ids from its own
//! memory. An isolate calls the authority twice per lease time (5 minutes), not once per id. **No
//! id is ever issued twice** within a sequencer, whatever the clocks do.
//!
//! ```no_run
//! use edgeflake_workers::{Encoding, Ids};
//! use worker::{Context, Env, Request, Response, Result, event};
//!
//! // The Durable Objects that grant the leases: a Worker exports the classes that it links.
//! pub use edgeflake_workers::{Authority, Directory};
//!
//! #[event(fetch)]
//! async fn fetch(_request: Request, env: Env, _context: Context) -> Result<Response> {
//!     match Ids::new(&env).next_string(Encoding::Decimal).await {
//!         Ok(id) => Response::from_json(&[id]),
//!         Err(error) => error.into_response(), // 503 with `Retry-After`, or 500
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! In `wrangler.jsonc`, declare the Durable Objects that your Worker exports:
//!
//! ```json
//! "durable_objects": {
//!   "bindings": [
//!     { "name": "AUTHORITY", "class_name": "Authority" },
//!     { "name": "DIRECTORY", "class_name": "Directory" }
//!   ]
//! },
//! "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Authority", "Directory"] }]
//! ```
//!
//! The Worker has the same variables as edgeflake's own Worker, such as `EDGEFLAKE_LAYOUT`. Choose
//! the layout before you issue the first id, because the first id fixes the layout. An unknown
//! variable whose name begins with `EDGEFLAKE_` is an error.
//!
//! If another Worker of your account has the Durable Objects (edgeflake's own Worker, or a Worker
//! with `edgeflake/authority` from npm), bind these objects, with the name of that Worker as
//! `script_name`. Then turn off the feature `authority`, which saves 27 KB with gzip. Set
//! `EDGEFLAKE_SHARDS` to the same value as in that Worker, so that the first lease comes from a
//! near shard.
//!
//! An isolate has one lease per sequencer, however many [`Ids`] there are. A panic ends the leases
//! of its isolate, because the platform then makes a new instance of the module, without leases.
#![expect(
    clippy::must_use_candidate,
    reason = "most functions are called by edgeflake's own crates only"
)]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

pub mod admin;
mod ids;

// These modules are only for edgeflake's own Worker and npm package. The modules are not a public
// API.
#[cfg(feature = "admin")]
#[doc(hidden)]
pub mod exports;
#[doc(hidden)]
pub mod found;
#[doc(hidden)]
pub mod isolate;
#[doc(hidden)]
pub mod log;
#[doc(hidden)]
pub mod objects {
    //! Defines the Durable Objects, finds them and calls them. `authority_object.rs` uses
    //! `shard.rs`, and `directory_object.rs` uses `witness.rs`.

    pub mod call;
    pub mod client;

    #[cfg(feature = "authority")]
    pub(crate) mod authority_object;
    #[cfg(feature = "authority")]
    pub(crate) mod directory_object;
    #[cfg(feature = "authority")]
    pub mod schema;
    #[cfg(feature = "authority")]
    mod shard;
    #[cfg(feature = "authority")]
    pub mod sql;
    #[cfg(feature = "authority")]
    mod store;
    #[cfg(feature = "authority")]
    mod witness;
}
#[doc(hidden)]
pub mod platform;
#[doc(hidden)]
pub mod problem;
#[doc(hidden)]
pub mod recent_texts;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod value;

pub use edgeflake::text::Encoding;
pub use ids::{Error, Ids};
#[cfg(feature = "authority")]
pub use objects::authority_object::AuthorityObject as Authority;
#[cfg(feature = "authority")]
pub use objects::directory_object::Directory;
