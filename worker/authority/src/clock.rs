//! The only place in the authority that reads a clock.

/// The time in Unix ms. When deployed, it stands still between I/O events.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}
