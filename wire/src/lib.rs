//! Version 1 of the messages between holders and authorities. Each message is a JSON object with
//! one key, which names the message. The record that a storing holder writes down has the same
//! form.
//!
//! Ticks, nodes and times are numbers: all are below 2^53. Fields that are not known are ignored,
//! so that old and new code understand each other during a deploy; a field that is added later must
//! be optional.
//!
//! The platform parses the JSON, and the crate reads the parsed [`Value`], because the same
//! messages through serde would cost three times as much WebAssembly.
//!
//! With [`location_hint`] and [`place`], the crate also says where in the world shards and isolates
//! are, because all isolates must agree on that.
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
    read_confirmed, read_opened, read_stamp, read_witness_call, write_confirmed, write_opened,
    write_stamp, write_witness_call,
};
