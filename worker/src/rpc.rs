//! The methods that another Worker calls when it binds this one as a service, here as `IDS`:
//!
//! ```js
//! await env.IDS.next(); // a bigint
//! await env.IDS.batch(1000); // a BigUint64Array
//! await env.IDS.decode(1541815603606036480n, "twitter"); // as `GET /v1/decode/{id}`
//! ```
//!
//! Another Worker can call the methods that `entry.js` names, and no other; a test lists them. Only
//! Workers of the same account can bind this one, so no token is asked for. A promise that is
//! rejected has an error of a problem's name and detail.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::JSON;
use worker::{Context, Env, worker_sys};

use crate::clock::now_ms;
use crate::http::found::Found;
use crate::http::problem::Problem;
use crate::http::query;
use crate::isolate;
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::routes::{decode, ids};
use crate::settings::Settings;

#[wasm_bindgen]
extern "C" {
    /// The `this` of a call.
    #[derive(Debug)]
    pub type Entrypoint;

    #[wasm_bindgen(method, getter)]
    fn env(this: &Entrypoint) -> Env;

    #[wasm_bindgen(method, getter)]
    fn ctx(this: &Entrypoint) -> worker_sys::Context;
}

/// The next id.
///
/// # Errors
/// A problem of issuing.
#[wasm_bindgen(this, wasm_bindgen_futures = worker::wasm_bindgen_futures)]
pub async fn next(this: Entrypoint) -> Result<u64, JsValue> {
    let id = issue(&this, 1).await?.pop();
    id.ok_or_else(|| Problem::own(&"an order for 1 id brought none").into_js())
}

/// `count` ids, 1 to 100,000.
///
/// # Errors
/// `invalid-parameter`, or a problem of issuing.
#[wasm_bindgen(this, wasm_bindgen_futures = worker::wasm_bindgen_futures)]
pub async fn batch(this: Entrypoint, count: JsValue) -> Result<Vec<u64>, JsValue> {
    let count = whole(&count).and_then(ids::count).ok_or_else(|| {
        let found = format!("{count:?}");
        query::refused("count", &found, ids::Counts).into_js()
    })?;
    issue(&this, count).await
}

/// What an id, a bigint or a text in any encoding, says in a layout, or in the layouts that could
/// have made it.
///
/// # Errors
/// `invalid-id`, `invalid-parameter`, or a problem of the layout.
#[wasm_bindgen(js_name = decode)]
pub fn decode_id(id: &JsValue, layout: &JsValue) -> Result<JsValue, JsValue> {
    let number = || u64::try_from(id.clone()).ok().map(|id| id.to_string());
    let text = id.as_string().or_else(number).ok_or_else(|| {
        let allowed = "a bigint of 64 bits and a string are allowed";
        Problem::id(format!("the id is {}: {allowed}", Found(&format!("{id:?}")))).into_js()
    })?;
    let name = layout.as_string();
    if name.is_none() && !layout.is_null() && !layout.is_undefined() {
        let refused = query::refused("layout", &format!("{layout:?}"), "a string is");
        return Err(refused.into_js());
    }
    let json = decode::json(&text, name.as_deref(), None, now_ms());
    JSON::parse(&json.map_err(Problem::into_js)?)
}

async fn issue(this: &Entrypoint, count: usize) -> Result<Vec<u64>, JsValue> {
    let (env, context) = (this.env(), Context::new(this.ctx()));
    let settings = Settings::of(&env).map_err(Problem::into_js)?;
    // A call does not say where it comes from, so the place is random and all shards are asked.
    isolate::locate(&JsValue::UNDEFINED);
    let issued = isolate::issue(&settings, &env, &context, DEFAULT_SEQUENCER, count).await;
    Ok(issued.map_err(Problem::into_js)?.ids)
}

/// A JavaScript number that is whole.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast of anything but a whole number from 0 to 2^64 gives another number"
)]
fn whole(value: &JsValue) -> Option<u64> {
    let number = value.as_f64()?;
    let whole = number as u64;
    #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "equal, or not the number")]
    (whole as f64 == number).then_some(whole)
}
