#![cfg_attr(feature = "postgres", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "postgres"), doc = "<https://docs.rs/edgeflake-client>")]

#[cfg(not(any(feature = "http", feature = "postgres")))]
compile_error!("edgeflake-client needs its feature http or postgres");

#[cfg(feature = "postgres")]
mod admin;
mod error;
#[cfg(feature = "http")]
mod http;
mod ids;
#[cfg(feature = "postgres")]
mod postgres;
mod report;
mod shared;
#[cfg(all(test, feature = "http"))]
mod tests;
mod transport;

/// The core crate, exported because the signatures of `edgeflake-client` use types of the core
/// crate.
pub use edgeflake;

#[cfg(feature = "postgres")]
#[doc(inline)]
pub use edgeflake_wire::database::{Nodes, SequencerStatus};

#[cfg(feature = "postgres")]
pub use self::admin::PostgresAdmin;
pub use self::error::Error;
pub use self::ids::{Builder, LeasedIds};
