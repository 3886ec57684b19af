//! The function that `entry.js` calls with each request. It replaces `worker::event(fetch)`, which
//! makes a promise of every answer.

use edgeflake_authority::later::now_or_later;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;
use worker::web_sys::Request;

use crate::routes::respond;

/// Answers a request with a `Response`, or with a promise of a `Response`. `has_body` says whether
/// the request has a body; `None` if only reading it tells.
///
/// # Errors
/// None; an error is a response, too.
#[wasm_bindgen]
pub fn fetch(request: Request, env: Env, has_body: Option<bool>) -> Result<JsValue, JsValue> {
    now_or_later(async move { Ok(respond(request, env, has_body).await) })
}
