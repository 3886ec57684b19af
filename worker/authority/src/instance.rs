//! What tells instances of the module apart.

use js_sys::Object;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static INSTANCE: Object = Object::new();
}

/// Returns an object that is the same for as long as this instance of the module lives. A panic
/// ends the instance, and with it every Rust object that JavaScript holds.
#[must_use]
#[wasm_bindgen]
pub fn instance() -> Object {
    INSTANCE.with(Clone::clone)
}
