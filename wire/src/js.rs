use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::{Cause, Unreadable, Value};

impl Value for JsValue {
    fn get(&self, name: &str) -> Option<Self> {
        let value = Reflect::get(self, &name.into()).ok()?;
        (!value.is_undefined() && !value.is_null()).then_some(value)
    }

    fn list(&self) -> Option<Vec<Self>> {
        self.dyn_ref::<Array>().map(Array::to_vec)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "equal, or not the number"
    )]
    fn number(&self) -> Option<u64> {
        let number = self.as_f64()?;
        let whole = number as u64;
        (whole as f64 == number && whole < 1 << 53).then_some(whole)
    }

    fn text(&self) -> Option<String> {
        self.as_string()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }
}

/// Parses JSON.
///
/// # Errors
/// [`Cause::NotJson`].
pub fn parse(text: &str) -> Result<JsValue, Unreadable> {
    JSON::parse(text).map_err(|_| Cause::NotJson.into())
}
