use alloc::string::String;

use edgeflake_wire::Address;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::integer;

/// Returns the rule for sequencer names if the name breaks it; `undefined` if the name is allowed.
#[must_use]
#[wasm_bindgen(js_name = nameRefusal)]
pub fn name_refusal(text: &str) -> Option<String> {
    edgeflake_wire::name_refusal(text)
}

/// Returns the name of a shard's Durable Object.
#[must_use]
#[wasm_bindgen(js_name = objectName)]
pub fn object_name(sequencer: &str, shard: f64) -> String {
    Address { sequencer, shard: integer(shard) }.object()
}

/// Returns the URL to which messages for a shard's object are sent.
#[must_use]
#[wasm_bindgen(js_name = objectUrl)]
pub fn object_url(sequencer: &str, shard: f64) -> String {
    Address { sequencer, shard: integer(shard) }.url("")
}
