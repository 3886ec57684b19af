#![doc = include_str!("../README.md")]

mod builder;
mod error;
#[cfg(feature = "http")]
mod http;
mod ids;
mod report;
#[cfg(all(test, feature = "http"))]
mod tests;
mod transport;

pub use self::builder::Builder;
pub use self::error::Error;
pub use self::ids::LeasedIds;
