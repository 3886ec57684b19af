//! Reads the clock and draws random bits. No other file of this crate does.

/// Returns the time in Unix ms. On Cloudflare, it stands still between I/O events.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Returns 128 bits from the platform's generator; `None` at module scope, where the platform gives
/// none.
pub(crate) fn drawn() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(u128::from_le_bytes(bytes))
}

/// Returns 128 random bits. Call it only where `drawn` has already succeeded.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so without random bits nothing goes on"
)]
pub(crate) fn bits() -> u128 {
    drawn().expect("a request that has a holder drew bits before")
}
