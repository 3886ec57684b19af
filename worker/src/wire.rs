//! Version 1 of the messages between holders and authorities: JSON, one object a message, named by
//! its only key.
//!
//! Ticks, nodes and times are numbers: all are below 2^53. Fields that are not known are ignored,
//! so that old and new code understand each other during a deploy; a field that is added later must
//! be optional.

mod reply;
mod request;
mod sequencer;
mod status;
mod text;

use edgeflake::{Error, Reply, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use reply::RefusedV1;
use reply::ReplyV1;
pub(crate) use request::{AcquireV1, PrefetchV1, ReleaseV1, RenewV1};
pub(crate) use status::StatusV1;

/// Why a message cannot be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It is not JSON of this form.
    Json(serde_json::Error),
    /// It has a value that cannot be.
    Value(Error),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Self {
        Self::Value(error)
    }
}

/// Reads a message.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    Ok(serde_json::from_str(text)?)
}

/// Writes a message.
pub(crate) fn write<T: Serialize>(message: &T) -> Result<String, Unreadable> {
    Ok(serde_json::to_string(message)?)
}

/// Writes a request.
pub(crate) fn write_request(request: &Request) -> Result<String, Unreadable> {
    write(&request::RequestV1::from(request))
}

/// Reads a request.
pub(crate) fn read_request(text: &str) -> Result<Request, Unreadable> {
    Ok(read::<request::RequestV1>(text)?.try_into()?)
}

/// Writes a reply.
pub(crate) fn write_reply(reply: &Reply) -> Result<String, Unreadable> {
    write(&ReplyV1::from(reply))
}

/// Reads a reply.
pub(crate) fn read_reply(text: &str) -> Result<Reply, Unreadable> {
    Ok(read::<ReplyV1>(text)?.try_into()?)
}
