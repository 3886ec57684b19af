//! How long a request waits.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use worker::Delay;

/// The longest time that a request waits for an object, in ms. It is also the longest wait for ids.
pub const ANSWER_MAX_MS: u64 = 5_000;

/// Waits for the value of a future; `None` if it takes longer than this many ms.
pub async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    let (mut future, mut late) = (pin!(future), pin!(Delay::from(Duration::from_millis(ms))));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => late.as_mut().poll(context).map(|()| None),
    })
    .await
}
