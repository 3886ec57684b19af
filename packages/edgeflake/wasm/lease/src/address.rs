use alloc::string::String;

use edgeflake_wire::Address;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::integer;

/// Says which names a sequencer can have; `undefined` if it can have this name.
#[must_use]
#[wasm_bindgen(js_name = nameRefusal)]
pub fn name_refusal(text: &str) -> Option<String> {
    edgeflake_wire::name_refusal(text)
}

/// The name of a shard's object.
#[must_use]
#[wasm_bindgen(js_name = objectName)]
pub fn object_name(sequencer: &str, shard: f64) -> String {
    Address { sequencer, shard: integer(shard) }.object()
}

/// The URL of a shard's object, for messages.
#[must_use]
#[wasm_bindgen(js_name = objectUrl)]
pub fn object_url(sequencer: &str, shard: f64) -> String {
    Address { sequencer, shard: integer(shard) }.url("")
}
