//! The text by which a failed call says that no other try helps. It goes through every kind of call
//! unchanged: as the answer of an object, and as the message of an error over HTTP or RPC.

use alloc::format;
use alloc::string::String;

use core::fmt::Display;

use edgeflake::code::INVALID_CONFIGURATION;

/// Writes that a variable, binding or class of the Worker cannot be used; `detail` says what to
/// change.
#[must_use]
pub fn misconfigured(detail: impl Display) -> String {
    format!("{INVALID_CONFIGURATION}: {detail}")
}

/// Returns what to change in the configuration, if that is what the text of a failed call says.
///
/// ```
/// use edgeflake_wire::{misconfiguration, misconfigured};
///
/// let failure = misconfigured("there is no binding AUTHORITY: add one");
/// assert_eq!(failure, "invalid-configuration: there is no binding AUTHORITY: add one");
/// assert_eq!(misconfiguration(&failure), Some("there is no binding AUTHORITY: add one"));
/// assert_eq!(misconfiguration("the witness does not answer"), None);
/// ```
#[must_use]
pub fn misconfiguration(failure: &str) -> Option<&str> {
    failure.strip_prefix(INVALID_CONFIGURATION)?.strip_prefix(": ")
}
