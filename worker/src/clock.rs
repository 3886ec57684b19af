//! The only place in the Worker that asks for the time.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use worker::Delay;

/// The time in Unix ms. When deployed, it stands still between I/O events.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole ms since 1970, below 2^53; a cast of anything else saturates"
)]
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Longest time that a request waits for an object, in ms. It is as long as one waits for ids.
pub(crate) const ANSWER_MAX_MS: u64 = 5_000;

/// Waits for the value of a future; `None` if that takes longer than so many ms.
pub(crate) async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    let (mut future, mut late) = (pin!(future), pin!(Delay::from(Duration::from_millis(ms))));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => late.as_mut().poll(context).map(|()| None),
    })
    .await
}
