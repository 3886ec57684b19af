//! How Rust awaits a promise of the platform, and how a future outlives its request.

use std::panic::AssertUnwindSafe;

use edgeflake::lease::CallFailed;
use edgeflake_authority::console;
use edgeflake_authority::found::message;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::{Promise, Reflect};
use worker::wasm_bindgen_futures::{JsFuture, future_to_promise};

#[wasm_bindgen(module = "cloudflare:workers")]
extern "C" {
    #[wasm_bindgen(js_name = waitUntil, catch)]
    fn wait_until(promise: &Promise) -> Result<(), JsValue>;
}

/// Why an object did not answer.
#[derive(Clone, Copy, Debug)]
pub enum Unanswered {
    /// More requests wait for the object than the platform allows.
    Overloaded,
    /// What the object has stored cannot be read.
    Unreadable,
    /// The object's witness does not answer.
    Unwitnessed,
    /// The call failed for any other reason.
    Failed,
}

impl From<Unanswered> for CallFailed {
    fn from(_: Unanswered) -> Self {
        Self
    }
}

/// Waits for the value of a promise. If it is rejected, the log says that `what` did not answer.
///
/// # Errors
/// Why there is no value.
pub async fn settled(promise: Promise, what: &str) -> Result<JsValue, Unanswered> {
    JsFuture::from(promise).await.map_err(|error| {
        console::error("call-failed", &format!("{what} did not answer: {}", message(&error)));
        let is =
            |flag: &str| Reflect::get(&error, &flag.into()).is_ok_and(|value| value.is_truthy());
        if is("overloaded") {
            Unanswered::Overloaded
        } else if is("unreadable") {
            Unanswered::Unreadable
        } else if is("unwitnessed") {
            Unanswered::Unwitnessed
        } else {
            Unanswered::Failed
        }
    })
}

/// Starts a future that goes on after the event that started it has been handled. It works in
/// events of any kind and needs no context.
pub(crate) fn outlive(future: impl Future<Output = ()> + 'static) {
    let promise = future_to_promise(AssertUnwindSafe(async {
        future.await;
        Ok(JsValue::UNDEFINED)
    }));
    if let Err(error) = wait_until(&promise) {
        let message = format!("a call may end with its request: {}", message(&error));
        console::error("call-failed", &message);
    }
}
