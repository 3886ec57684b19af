use alloc::string::String;

use edgeflake::text::{self, Encoding};
use wasm_bindgen::prelude::wasm_bindgen;

/// The name of the encoding that has this number, from 0 on; `undefined` after the last one.
#[must_use]
#[wasm_bindgen(js_name = encodingName)]
pub fn encoding_name(number: usize) -> Option<String> {
    Encoding::ALL.get(number).map(|encoding| encoding.name().into())
}

/// An id as text, in the encoding that has this number.
#[must_use]
#[wasm_bindgen]
pub fn format(id: u64, number: usize) -> Option<String> {
    Encoding::ALL.get(number).map(|encoding| (*text::format(id, *encoding)).into())
}
