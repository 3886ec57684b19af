use edgeflake::text::{self, Form};
use wasm_bindgen::JsValue;

use crate::error::Error;

/// An id that JavaScript gives, exactly: as a bigint or as decimal digits.
pub(crate) fn read(value: JsValue) -> Result<u64, Error> {
    if let Some(text) = value.as_string() {
        return Ok(text::parse(&text, Form::Decimal)?);
    }
    if value.is_bigint() {
        return u64::try_from(value).map_err(|_| Error::IdRange);
    }
    Err(if value.as_f64().is_some() { Error::IdNumber } else { Error::IdType })
}
