//! The only place in the Worker that asks for the time.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use worker::Delay;

/// Now, in Unix ms. Stands still between I/O events when deployed.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Longest wait for an object, where a request waits for it, in ms: as long as one for ids.
pub(crate) const ANSWER_MAX_MS: u64 = 5_000;

/// What a future comes to, unless it takes longer than so many ms.
pub(crate) async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    let (mut future, mut late) = (pin!(future), pin!(Delay::from(Duration::from_millis(ms))));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => late.as_mut().poll(context).map(|()| None),
    })
    .await
}
