//! How long a request waits.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use worker::Delay;

/// The longest time that a request waits for an object, in ms. It is also the longest wait for ids.
pub const ANSWER_MAX_MS: u64 = 5_000;

/// Waits for the value of a future; `None` if it takes longer than this many ms.
pub async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), Delay::from(Duration::from_millis(ms))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
