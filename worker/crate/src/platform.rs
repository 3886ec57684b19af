//! Asks the platform for the time, random bits and timers, and passes futures to the platform as
//! promises. No other file of this crate reads the clock or draws bits.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::task::AtomicWaker;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;
use worker::Delay;

use crate::found::message;
use crate::log::{self, Event};

/// Returns the time in Unix ms. On Cloudflare, the time stands still between I/O events.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is whole ms since 1970, below 2^53; a cast of any other value saturates"
)]
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// Returns 128 random bits from the platform; `None` at module scope, where the platform provides
/// no random bits.
pub(crate) fn drawn() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(u128::from_le_bytes(bytes))
}

/// Returns 128 random bits. Call this function only where `drawn` has already succeeded.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so the code stops without random bits"
)]
pub(crate) fn bits() -> u128 {
    drawn().expect("a request that has a holder has drawn random bits before")
}

/// The longest wait for the answer of a Durable Object, in ms. Requests wait for ids for the same
/// time at most.
pub const ANSWER_MAX_MS: u64 = 5_000;

/// Returns the value of a future if the value is ready, or else a promise of the value. Most values
/// are ready, and making a promise would take longer than making an id.
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

/// Passes each wake-up on to the promise that polls a future. This is needed because the future's
/// timers and calls keep the waker of the first poll, which came before the promise was made.
#[derive(Default)]
struct Later(AtomicWaker);

impl Wake for Later {
    fn wake(self: Arc<Self>) {
        // If there is no waker yet, the promise has not polled the future, but will soon poll it.
        self.0.wake();
    }
}

#[wasm_bindgen(module = "cloudflare:workers")]
extern "C" {
    #[wasm_bindgen(js_name = waitUntil, catch)]
    fn wait_until(promise: &Promise) -> Result<(), JsValue>;
}

/// Starts a future that continues after the end of the event that started the future. Works in
/// events of any kind, and needs no execution context.
pub(crate) fn outlive(future: impl Future<Output = ()> + 'static) {
    let promise = future_to_promise(AssertUnwindSafe(async {
        future.await;
        Ok(JsValue::UNDEFINED)
    }));
    if let Err(error) = wait_until(&promise) {
        let message =
            format!("waitUntil failed, so a call may end with its request: {}", message(&error));
        log::write(Event::CallFailed, &message);
    }
}

/// Returns the value of a future, or `None` if the future takes longer than `ms` ms.
pub async fn in_time<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), Delay::from(Duration::from_millis(ms))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
