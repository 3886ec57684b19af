use edgeflake::{Layout, Parts};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Error;

// JavaScript builds its own objects: one call each, and always of the same shape.
#[wasm_bindgen(raw_module = "../decoded.js")]
extern "C" {
    /// What an id says.
    #[derive(Debug)]
    pub type Decoded;

    /// The value of one field of it.
    type FieldValue;

    fn decoded(
        id: u64,
        timestamp_ms: f64,
        node: u64,
        sequence: u64,
        tag: u64,
        fields: Vec<FieldValue>,
    ) -> Decoded;

    #[wasm_bindgen(js_name = fieldValue)]
    fn field_value(name: &str, role: &str, bits: u8, value: u64) -> FieldValue;
}

/// What an id says in a layout.
pub(crate) fn decode(layout: &Layout, id: u64) -> Result<Decoded, Error> {
    let Parts { tick, node, sequence, tag } = layout.unpack(id)?;
    #[expect(clippy::cast_precision_loss, reason = "every instant of a layout is below 2^53")]
    let timestamp_ms = layout.start_ms(tick) as f64;
    let fields = layout
        .values(id)
        .map(|(field, value)| {
            field_value(field.name().as_str(), field.role().word(), field.bits(), value)
        })
        .collect();
    Ok(decoded(id, timestamp_ms, node, sequence, tag, fields))
}
