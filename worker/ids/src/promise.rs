//! How a future outlives its request.

use std::panic::AssertUnwindSafe;

use edgeflake_authority::console;
use edgeflake_authority::found::message;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::Promise;
use worker::wasm_bindgen_futures::future_to_promise;

#[wasm_bindgen(module = "cloudflare:workers")]
extern "C" {
    #[wasm_bindgen(js_name = waitUntil, catch)]
    fn wait_until(promise: &Promise) -> Result<(), JsValue>;
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
