//! The function that `entry.js` calls with each request.
//!
//! It replaces `worker::event(fetch)`, which makes a promise of every answer. A promise costs more
//! than an id, and an isolate with a lease has nothing to wait for. So an answer that is there at
//! once is returned as it is, and only an answer that waits becomes a promise.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;
use worker::wasm_bindgen_futures::future_to_promise;
use worker::web_sys::{Request, Response};

use crate::routes::respond;

/// Answers a request with a `Response`, or with a promise of a `Response`. `has_body` says whether
/// the request has a body; `None` if only reading it tells.
#[must_use]
#[wasm_bindgen]
pub fn fetch(request: Request, env: Env, has_body: Option<bool>) -> JsValue {
    let mut answer = Box::pin(respond(request, env, has_body));
    let later = Arc::new(Later::default());
    let waker = Waker::from(later.clone());
    match answer.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(response) => response.into(),
        Poll::Pending => promise(answer, later, waker),
    }
}

fn promise(
    mut answer: Pin<Box<impl Future<Output = Response> + 'static>>,
    later: Arc<Later>,
    waker: Waker,
) -> JsValue {
    let rest = poll_fn(move |context| {
        later.0.register(context.waker());
        answer.as_mut().poll(&mut Context::from_waker(&waker)).map(|response| Ok(response.into()))
    });
    future_to_promise(AssertUnwindSafe(rest)).into()
}

/// Wakes the promise that an answer becomes. The timers and calls of the answer keep the waker of
/// its first poll, when there was no promise yet.
#[derive(Default)]
struct Later(AtomicWaker);

impl Wake for Later {
    fn wake(self: Arc<Self>) {
        // Without a waker, the promise has not polled yet and soon will.
        self.0.wake();
    }
}
