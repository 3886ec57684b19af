//! What tells instances of the module apart.

use js_sys::Object;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::objects::authority_object::Authority;

thread_local! {
    static INSTANCE: Object = Object::new();
}

#[wasm_bindgen]
impl Authority {
    /// Returns an object that is the same for as long as this instance of the module lives. A panic
    /// ends the instance, and with it every Rust object that JavaScript holds.
    ///
    /// It is static because a free function that a module exports may be called over RPC.
    #[must_use]
    pub fn instance() -> Object {
        INSTANCE.with(Clone::clone)
    }
}
