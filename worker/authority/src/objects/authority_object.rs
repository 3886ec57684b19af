//! The Durable Object that grants leases, in a Worker in Rust.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::objects::message::Message;
use crate::objects::shard::Shard;
use crate::objects::sql::{DurableObjectState, Result};

#[wasm_bindgen(module = "/src/objects/witnessed.js")]
extern "C" {
    type Witnessed;

    #[wasm_bindgen(constructor)]
    fn new(env: &JsValue, storage: &JsValue, shard: JsValue) -> Witnessed;

    #[wasm_bindgen(method)]
    fn answer(this: &Witnessed, method: &str, url: &str, text: &str) -> Promise;
}

/// The authority of one shard.
#[wasm_bindgen]
pub struct Authority {
    shard: Witnessed,
}

#[wasm_bindgen]
impl Authority {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a constructor keeps what it is given")]
    pub fn new(state: DurableObjectState, env: JsValue) -> Self {
        let storage = state.storage();
        let shard = Shard::new(state, env.clone());
        Self { shard: Witnessed::new(&env, storage.as_ref(), shard.into()) }
    }

    /// Answers a request of an isolate; the platform calls this.
    ///
    /// # Errors
    /// The platform's error if the request broke off.
    pub async fn fetch(&self, request: web_sys::Request) -> Result<JsValue, JsValue> {
        let Message { method, url, text } = Message::of(&request).await?;
        JsFuture::from(self.shard.answer(&method, &url, &text)).await
    }
}
