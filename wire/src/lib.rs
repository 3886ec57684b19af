//! Version 1 of the messages between holders and authorities: JSON, one object a message, named by
//! its only key; and of what a holder writes down to go on with, which is such an object too.
//!
//! Ticks, nodes and times are numbers: all are below 2^53. Fields that are not known are ignored,
//! so that old and new code understand each other during a deploy; a field that is added later must
//! be optional.
//!
//! The JSON is parsed by the platform, which has a parser in WebAssembly; see [`Value`].
//! What this is for is size: the same messages cost three times as much WebAssembly through serde.
//!
//! Where shards and those who ask them are in the world is here as well, because all of them must
//! agree on it: [`location_hint`] and [`place`].
//!
//! ```
//! use edgeflake::lease::{Reply, Token};
//!
//! let reply = Reply::Ended { token: Token::from_random(7), incarnation: 1 };
//! let text = edgeflake_wire::write_reply(&reply);
//! assert_eq!(
//!     text,
//!     r#"{"ended":{"token":"00000000000000000000000000000007","incarnation":1}}"#
//! );
//! ```
#![no_std]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

extern crate alloc;

#[cfg(feature = "js")]
mod js;
mod json;
mod record;
mod region;
mod reply;
mod request;
mod sequencer;
mod terms;
mod value;
mod witness;

#[cfg(feature = "js")]
pub use js::parse;
pub use json::Json;
pub use record::{read_record, write_record};
pub use region::{location_hint, place};
pub use reply::{read_described, read_refused, read_reply, write_refused, write_reply};
pub use request::{
    read_acquire, read_prefetch, read_release, read_renew, read_request, write_request,
};
pub use value::{Cause, Object, Unreadable, Value};
pub use witness::{
    WitnessCall, read_confirmed, read_opened, read_stamp, read_witness_call, write_confirmed,
    write_opened, write_stamp, write_witness_call,
};
