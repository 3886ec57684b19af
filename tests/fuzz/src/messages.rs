//! If a text can be read as a message, writing it must give a text that reads as the same message.

use edgeflake::lease::{Reply, Request};
use edgeflake_wire::{Cause, Unreadable, read, write};
use serde_json::Value;

use super::variant;

/// Returns the message's kind, or why it cannot be read.
pub fn check(text: &str) -> String {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return String::from("not JSON") };
    let again = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let mut found = Vec::new();
    match read::<Request, _>(&message) {
        Ok(request) => {
            assert_eq!(read(&again(&write(&request))), Ok(request));
            found.push(format!("request {}", variant(&request)));
        }
        Err(error) if *error == Cause::Unknown => {}
        Err(error) => found.push(format!("request refused: {}", fault(&error))),
    }
    match read::<Reply, _>(&message) {
        Ok(reply) => {
            assert_eq!(read(&again(&write(&reply))), Ok(reply));
            found.push(format!("reply {}", variant(&reply)));
        }
        Err(error) if *error == Cause::Unknown => {}
        Err(error) => found.push(format!("reply refused: {}", fault(&error))),
    }
    if found.is_empty() { String::from("unknown") } else { found.join(", ") }
}

/// Describes the field that cannot be read, with its error if it has one.
pub(super) fn fault(unreadable: &Unreadable) -> String {
    match &**unreadable {
        Cause::Field { name, .. } => (*name).to_owned(),
        Cause::Value { name, error } => format!("{name}, {}", variant(error)),
        other => variant(other),
    }
}
