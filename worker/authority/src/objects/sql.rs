//! The SQLite of a Durable Object.

use edgeflake_wire::Value;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::found::message;
use crate::objects::unreadable::unreadable;

#[wasm_bindgen]
extern "C" {
    /// The state that the platform gives to an object.
    #[wasm_bindgen(typescript_type = "DurableObjectState")]
    pub type DurableObjectState;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn storage(this: &DurableObjectState) -> Storage;

    /// How often an object of this name has failed before, if the platform counts it because it
    /// makes the object again after each failure.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn failures(this: &DurableObjectState) -> Option<u32>;

    pub(crate) type Storage;

    #[wasm_bindgen(method, getter)]
    fn sql(this: &Storage) -> JsValue;
}

#[wasm_bindgen(module = "/src/objects/sql.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn rows(
        sql: &JsValue,
        statement: &str,
        values: Vec<JsValue>,
    ) -> std::result::Result<Vec<Array>, JsValue>;

    #[wasm_bindgen(catch)]
    fn written(
        sql: &JsValue,
        statement: &str,
        values: Vec<JsValue>,
    ) -> std::result::Result<usize, JsValue>;
}

/// A result whose error says what is wrong with the storage.
pub type Result<T, E = String> = std::result::Result<T, E>;

/// The database of one object.
#[derive(Debug)]
pub struct Sql(JsValue);

impl Sql {
    /// The database of the object that has this state.
    pub fn of(state: &DurableObjectState) -> Self {
        Self(state.storage().sql())
    }

    /// The rows that a statement returns.
    pub(crate) fn rows(&self, statement: &str, values: Vec<JsValue>) -> Result<Vec<Array>> {
        rows(&self.0, statement, values).map_err(|error| message(&error))
    }

    /// The first row that a statement returns.
    pub(crate) fn row(&self, statement: &str, values: Vec<JsValue>) -> Result<Option<Array>> {
        Ok(self.rows(statement, values)?.into_iter().next())
    }

    /// Runs a statement. Returns the number of rows that it wrote.
    pub(crate) fn run(&self, statement: &str, values: Vec<JsValue>) -> Result<usize> {
        written(&self.0, statement, values).map_err(|error| message(&error))
    }
}

/// The bytes of a value; `None` if it is not bytes.
pub(crate) fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    value.is_object().then(|| Uint8Array::new(value).to_vec())
}

/// A number as SQLite stores it.
///
/// # Errors
/// The number is 2^53 or more.
#[expect(clippy::cast_precision_loss, reason = "of what is below 2^53 nothing is lost")]
pub(crate) fn integer(value: u64) -> Result<JsValue> {
    if value < 1 << 53 {
        return Ok(JsValue::from(value as f64));
    }
    Err(format!("{value} cannot be stored: less than 2^53 is allowed"))
}

/// A number that is stored.
///
/// # Errors
/// The value is not a whole number below 2^53.
pub(crate) fn whole(value: &JsValue) -> Result<u64> {
    value.number().ok_or_else(|| unreadable(&"a value is not a whole number"))
}
