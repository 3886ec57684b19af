//! Answers that are there at once.
//!
//! A promise costs more than an id, and most answers have nothing to wait for. So an answer that is
//! there at once is returned as it is, and only an answer that waits becomes a promise.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

/// The value of a future, or a promise of it.
pub fn now_or_later<T>(
    future: impl Future<Output = Result<T, JsValue>> + 'static,
) -> Result<JsValue, JsValue>
where
    T: Into<JsValue>,
{
    let mut future = Box::pin(future);
    let later = Arc::new(Later::default());
    let waker = Waker::from(later.clone());
    match future.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(value) => value.map(Into::into),
        Poll::Pending => Ok(promise(future, later, waker)),
    }
}

fn promise<T: Into<JsValue>>(
    mut future: Pin<Box<impl Future<Output = Result<T, JsValue>> + 'static>>,
    later: Arc<Later>,
    waker: Waker,
) -> JsValue {
    let rest = poll_fn(move |context| {
        later.0.register(context.waker());
        future.as_mut().poll(&mut Context::from_waker(&waker)).map_ok(Into::into)
    });
    future_to_promise(AssertUnwindSafe(rest)).into()
}

/// Wakes the promise that a future becomes. The timers and calls of the future keep the waker of
/// its first poll, when there was no promise yet.
#[derive(Default)]
struct Later(AtomicWaker);

impl Wake for Later {
    fn wake(self: Arc<Self>) {
        // Without a waker, the promise has not polled yet and soon will.
        self.0.wake();
    }
}
