#![doc = include_str!("../README.md")]

mod error;
#[cfg(feature = "http")]
mod http;
mod ids;
mod report;
mod shared;
#[cfg(all(test, feature = "http"))]
mod tests;
mod transport;

pub use self::error::Error;
pub use self::ids::{Builder, LeasedIds};
