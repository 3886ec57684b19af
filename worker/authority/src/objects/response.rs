//! What an object answers.

use wasm_bindgen::JsValue;
use web_sys::{Response, ResponseInit};

/// The status if an object cannot read what is stored.
pub(crate) const UNREADABLE: u16 = 507;

/// The status if the witness of a shard does not answer.
pub(crate) const UNWITNESSED: u16 = 504;

/// A response with this status and text.
pub(crate) fn response(status: u16, text: &str) -> Result<Response, JsValue> {
    let init = ResponseInit::new();
    init.set_status(status);
    Response::new_with_opt_str_and_init(Some(text), &init)
}
