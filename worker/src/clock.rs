//! The only place in the Worker that asks for the time.

/// Now, in Unix ms. Stands still between I/O events when deployed.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}
