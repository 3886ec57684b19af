//! The log.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Writes an error into the log.
    #[wasm_bindgen(js_namespace = console)]
    pub fn error(text: &str);

    /// Writes a warning into the log.
    #[wasm_bindgen(js_namespace = console)]
    pub fn warn(text: &str);
}
