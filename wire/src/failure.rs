//! Tells whether a failed call is worth a retry. If no retry can help, the text of the failure
//! passes unchanged through every kind of call: as the answer of an object, and as the message of
//! an error over HTTP or RPC.

use alloc::format;
use alloc::string::String;

use core::fmt::Display;

use edgeflake::code::INVALID_CONFIGURATION;

/// The time to wait, in ms, before the next call to an object that the platform reports as
/// overloaded. It is at least the shortest wait that an overloaded authority itself asks for.
pub const OVERLOADED_MS: u64 = 2_000;

/// Formats a failure for an unusable variable, binding or class of the Worker; `detail` says what
/// to change.
#[must_use]
pub fn misconfigured(detail: impl Display) -> String {
    format!("{INVALID_CONFIGURATION}: {detail}")
}

/// Returns the `detail` in the text of a failed call that [`misconfigured`] formatted; `None` for
/// any other text.
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
