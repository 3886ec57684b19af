#![doc = include_str!("../README.md")]

mod error;
mod http;
mod ids;
mod report;
mod shared;
#[cfg(test)]
mod tests;
mod transport;

pub use self::error::Error;
pub use self::ids::{Builder, LeasedIds};
