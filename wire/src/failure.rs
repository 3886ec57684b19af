//! The failure of a call, and whether another try can help. A failure that no try can fix has a text
//! that every kind of call passes on unchanged: as the answer of an object, and as the message of an
//! error over HTTP or RPC.

use alloc::format;
use alloc::string::String;

use core::fmt::Display;

use edgeflake::code::INVALID_CONFIGURATION;

/// The time to wait, in ms, before calling an object again that the platform finds overloaded. It is
/// at least as long as the wait that an overloaded authority itself names.
pub const OVERLOADED_MS: u64 = 2_000;

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
