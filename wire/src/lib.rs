//! Version 1 of the messages between holders and authorities. Each message is a JSON object with
//! one key, which names the message. The record that a holder with a store saves has the same form.
//!
//! Ticks, nodes and times are numbers below 2^53. Old and new code understand each other during a
//! deployment, because unknown fields are ignored, and each field that is added later has a
//! default. To add a field, add the field to its struct in the core, and add the field's name and
//! default to the struct's table in this crate. `src/fields.rs` explains the tables. The schema of
//! a message is made from its table, too.
//!
//! The platform parses the JSON, and the crate reads the parsed [`Value`] without serde. A
//! prototype with `serde-wasm-bindgen` added 39 to 50 KB to each module, took 49 times as long as
//! `decode()` of the npm package, and had worse errors.
//!
//! With [`Address`], [`location_hint`] and [`place`], this crate also defines how the objects of
//! shards are named, and where in the world shards and isolates are. All isolates must agree on
//! these names and places.
//!
//! ```
//! use edgeflake::lease::{Reply, Token};
//!
//! let reply = Reply::Ended { token: Token::from_random(7), incarnation: 1 };
//! let text = edgeflake_wire::write(&reply);
//! assert_eq!(
//!     text,
//!     r#"{"ended":{"token":"00000000000000000000000000000007","incarnation":1}}"#
//! );
//! ```
#![no_std]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

mod address;
pub mod database;
mod failure;
mod fields;
mod json;
mod region;
mod reply;
mod request;
#[cfg(any(test, feature = "schema"))]
mod schema;
mod sequencer;
mod value;
pub mod witness;

pub use address::{Address, DEFAULT_SEQUENCER, is_name, name_refusal, unknown_sequencer};
pub use failure::{OVERLOADED_MS, misconfiguration, misconfigured};
pub use fields::{Fields, read, write};
pub use json::Json;
pub use region::{CIRCLE, REGIONS, location_hint, place};
#[cfg(any(test, feature = "schema"))]
pub use schema::{Described, Schema};
#[cfg(feature = "js")]
pub use value::parse;
pub use value::{Cause, Field, Unreadable, Value};
