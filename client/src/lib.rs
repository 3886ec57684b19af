#![doc = include_str!("../README.md")]

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
#[cfg(test)]
mod tests;
mod transport;

#[cfg(feature = "postgres")]
pub use self::admin::PostgresAdmin;
pub use self::error::Error;
pub use self::ids::{Builder, LeasedIds};
