//! The SQLite of a Durable Object.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::found::message;

#[wasm_bindgen]
extern "C" {
    /// The state that the platform gives to an object.
    #[wasm_bindgen(typescript_type = "DurableObjectState")]
    pub type DurableObjectState;

    #[wasm_bindgen(method, getter)]
    fn storage(this: &DurableObjectState) -> Storage;

    /// How often an object of this name has failed before, where the platform makes it anew after
    /// each failure.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn failures(this: &DurableObjectState) -> Option<u32>;

    type Storage;

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

/// A result whose error says what was wrong with the storage.
pub(crate) type Result<T, E = String> = std::result::Result<T, E>;

/// The database of one object.
#[derive(Debug)]
pub(crate) struct Sql(JsValue);

impl Sql {
    pub(crate) fn of(state: &DurableObjectState) -> Self {
        Self(state.storage().sql())
    }

    /// The rows that a statement answers.
    pub(crate) fn rows(&self, statement: &str, values: Vec<JsValue>) -> Result<Vec<Array>> {
        rows(&self.0, statement, values).map_err(|error| message(&error))
    }

    /// The first row that a statement answers.
    pub(crate) fn row(&self, statement: &str, values: Vec<JsValue>) -> Result<Option<Array>> {
        Ok(self.rows(statement, values)?.into_iter().next())
    }

    /// Runs a statement. Returns the number of rows that it wrote.
    pub(crate) fn run(&self, statement: &str, values: Vec<JsValue>) -> Result<usize> {
        written(&self.0, statement, values).map_err(|error| message(&error))
    }
}

impl AsRef<JsValue> for Sql {
    fn as_ref(&self) -> &JsValue {
        &self.0
    }
}

/// A value that is bytes.
pub(crate) fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    value.is_object().then(|| Uint8Array::new(value).to_vec())
}
