//! What an object answers to an isolate.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/objects/plain.js")]
extern "C" {
    /// A response with this status and text.
    pub(crate) fn plain(status: u16, body: &str) -> JsValue;
}
