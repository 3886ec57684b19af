//! What an object reads of a request.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Request;

/// The message of an isolate.
pub(crate) struct Message {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) text: String,
}

impl Message {
    /// Waits until the whole request has arrived.
    ///
    /// # Errors
    /// The platform's error if the request broke off.
    pub(crate) async fn of(request: &Request) -> Result<Self, JsValue> {
        let text = JsFuture::from(request.text()?).await?.as_string().unwrap_or_default();
        Ok(Self { method: request.method(), url: request.url(), text })
    }
}
