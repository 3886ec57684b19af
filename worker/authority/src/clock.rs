//! The only place in the authority that reads a clock, and how long it waits.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use worker::Delay;

/// The longest time that an object is waited for, in ms. It is also the longest wait for ids.
pub const ANSWER_MAX_MS: u64 = 5_000;

/// The time in Unix ms. When deployed, it stands still between I/O events.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Waits for the value of a future; `None` if it takes longer than this many ms.
pub async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), Delay::from(Duration::from_millis(ms))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
