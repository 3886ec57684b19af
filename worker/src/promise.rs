//! How Rust awaits a promise of the platform.

use edgeflake::lease::CallFailed;
use wasm_bindgen::{JsCast, JsValue};
use worker::console_error;
use worker::js_sys::{Error, Promise, Reflect};
use worker::wasm_bindgen_futures::JsFuture;

/// Why there is no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unanswered {
    /// More requests wait for the object than the platform allows.
    Overloaded,
    /// The call failed for any other reason.
    Failed,
}

impl From<Unanswered> for CallFailed {
    fn from(_: Unanswered) -> Self {
        Self
    }
}

/// Waits for the value of a promise. If it is rejected, the log says that `what` did not answer.
pub(crate) async fn settled(promise: Promise, what: &str) -> Result<JsValue, Unanswered> {
    JsFuture::from(promise).await.map_err(|error| {
        let message = error.dyn_ref::<Error>().map(Error::message);
        let message = message.and_then(|message| message.as_string());
        console_error!("{what} did not answer: {}", message.unwrap_or_default());
        match Reflect::get(&error, &"overloaded".into()) {
            Ok(overloaded) if overloaded.is_truthy() => Unanswered::Overloaded,
            _ => Unanswered::Failed,
        }
    })
}
