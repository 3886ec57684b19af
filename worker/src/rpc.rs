//! Answers the methods that another Worker can call if it binds this Worker as a service, here as
//! `IDS`:
//!
//! ```js
//! await env.IDS.next(); // a bigint
//! await env.IDS.batch(1000); // a BigUint64Array
//! await env.IDS.next({ tag: 3 }); // with 3 in the layout's tag fields
//! await env.IDS.nextString("base62"); // "1ptWyK4WgZU"
//! await env.IDS.decode(1541815603606036480n, "twitter"); // as `GET /v1/decode/{id}`
//! await env.IDS.sequencer("orders").next(); // of a sequencer by name
//! await env.IDS.sequencer("orders").lease("acquire", "{...}"); // as `edgeflake/lease` does
//! ```
//!
//! Another Worker can call only the methods that `entry.js` names; a test lists these methods. Only
//! Workers of the same account can bind this Worker, so the methods ask for no token. The error of
//! a rejected promise has the name and the detail of a problem.

use edgeflake::lease::{Refusal, Reply};
use edgeflake::text::{self, Encoding};
use edgeflake_wire::{DEFAULT_SEQUENCER, Value, parse, write};
use edgeflake_workers::found::{Allowed, shown, unknown};
use edgeflake_workers::isolate;
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value::{sequencer_name_of, structured};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;
use worker::js_sys::{Array, BigUint64Array, Object, Reflect};

use crate::routes::parameters::{COUNTS, TAGS};
use crate::routes::route::Operation;
use crate::routes::{decode, leases, parameters};
use crate::settings::Settings;

/// A method of a sequencer.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum Method {
    /// `next(options)` returns the next id, as a bigint. In `next`, `nextString` and `batch`,
    /// `options` may have a `tag`.
    Next,
    /// `nextString(encoding, options)` returns the next id, as text.
    NextString,
    /// `batch(count, options)` returns 1 to 100,000 ids, as a `BigUint64Array`.
    Batch,
    /// `decode(id)` reads an id in the layout of the sequencer.
    Decode,
    /// `lease(operation, body)` sends the authority the request of a holder in another Worker.
    /// `body` is the body of the equivalent HTTP request. The reply is JSON.
    Lease,
}

/// Answers a call to the sequencer of this name, or to the default sequencer if there is no name.
/// Arguments that the caller did not pass are undefined.
///
/// # Errors
/// A problem about an argument, such as `invalid-parameter`, or a problem with issuing or leasing.
#[wasm_bindgen(wasm_bindgen_futures = worker::wasm_bindgen_futures)]
pub async fn call(
    env: Env,
    sequencer: Option<String>,
    method: Method,
    first: JsValue,
    second: JsValue,
) -> Result<JsValue, JsValue> {
    let sequencer = sequencer.as_deref().unwrap_or(DEFAULT_SEQUENCER);
    let answer = answer(&env, sequencer, method, first, second).await;
    answer.map_err(Problem::into_js)
}

async fn answer(
    env: &Env,
    sequencer: &str,
    method: Method,
    first: JsValue,
    second: JsValue,
) -> Result<JsValue, Problem> {
    Settings::of(env)?;
    // A call does not say where it comes from, so the isolate takes a random place on the circle of
    // shards. Over many isolates, the calls spread over all shards.
    isolate::locate(&JsValue::UNDEFINED);
    let (count, encoding, options) = match method {
        Method::Next => (1, None, first),
        Method::NextString => (1, Some(encoding_of(&first)?), second),
        Method::Batch => {
            let number = first.number().and_then(|number| COUNTS.checked(number));
            (number.ok_or_else(|| found("count", &first, COUNTS))?, None, second)
        }
        Method::Decode => {
            let id = id_of(&first)?;
            let layout = if let Some(layout) = isolate::layout(sequencer) {
                layout
            } else {
                let client = isolate::client(env, sequencer).await?;
                *client.registered(env.as_ref()).await?.config.layout()
            };
            let decoded = decode::decode(&id, Some(&layout.to_string()), None, now_ms())?;
            return structured(&decoded);
        }
        Method::Lease => {
            let (operation, body) = (first, second);
            let name = operation.as_string().unwrap_or_default();
            let operation = Operation::named(&name).ok_or_else(|| {
                found("operation", &operation, Allowed(&Operation::ALL.map(Operation::name)))
            })?;
            let body = body.as_string().ok_or_else(|| found("body", &body, "JSON is"))?;
            let body = parse(&body).map_err(|_| Problem::not_json("body"))?;
            let client = isolate::client(env, sequencer);
            let reply = leases::reply(env, client, operation, &body).await;
            let reply = match reply {
                // If no sequencer has this name, a holder expects a refusal, not a problem.
                Err(problem) if problem.name == Refusal::UnknownSequencer.code() => {
                    Reply::refused(Refusal::UnknownSequencer, None)
                }
                reply => reply?,
            };
            return Ok(write(&reply).into());
        }
    };
    let ids = isolate::issue(env, sequencer, count, tag_of(&options)?).await?.ids;
    Ok(match (method, encoding, ids.as_slice()) {
        (Method::Batch, ..) => BigUint64Array::from(ids.as_slice()).into(),
        (_, Some(encoding), [id]) => text::format(*id, encoding).to_string().into(),
        (_, _, [id]) => JsValue::from(*id),
        _ => return Err(Problem::own(&"one id was asked for, and none was issued")),
    })
}

/// Decodes an id in a layout, or in all layouts that could have made the id. The id is a bigint or
/// a text in any encoding.
///
/// # Errors
/// `invalid-id`, `invalid-parameter`, or a problem of the layout.
#[wasm_bindgen(js_name = decode)]
pub fn decode_id(id: &JsValue, layout: &JsValue) -> Result<JsValue, JsValue> {
    let decoded = || {
        let name = layout.as_string();
        if name.is_none() && !layout.is_null() && !layout.is_undefined() {
            return Err(found("layout", layout, "a string is"));
        }
        structured(&decode::decode(&id_of(id)?, name.as_deref(), None, now_ms())?)
    };
    decoded().map_err(Problem::into_js)
}

/// Checks the name of a sequencer.
///
/// # Errors
/// `invalid-name`.
#[wasm_bindgen(js_name = sequencerName)]
pub fn sequencer_name(name: &JsValue) -> Result<String, JsValue> {
    sequencer_name_of(name).map_err(Problem::into_js)
}

/// Returns the problem for an invalid argument.
fn found(name: &str, value: &JsValue, allowed: impl std::fmt::Display) -> Problem {
    Problem::parameter(format!("{name} is {}: give {allowed}", shown(value)))
}

/// Returns the tag in the options of a call; 0 if there is none.
fn tag_of(options: &JsValue) -> Result<u64, Problem> {
    if options.is_undefined() {
        return Ok(0);
    }
    if !options.is_object() || Array::is_array(options) {
        return Err(found("options", options, "an object with tag"));
    }
    let keys = Object::keys(options.unchecked_ref::<Object>());
    let keys = keys.iter().filter_map(|key| key.as_string());
    if let Some(key) = keys.into_iter().find(|key| key != "tag") {
        return Err(Problem::parameter(unknown("option", &key, &["tag"])));
    }
    let tag = Reflect::get(options, &"tag".into()).unwrap_or_default();
    if tag.is_undefined() {
        return Ok(0);
    }
    let number = tag.number().and_then(|number| TAGS.checked(number));
    number.ok_or_else(|| found("tag", &tag, TAGS))
}

/// Returns the encoding that has this name; decimal if the name is missing.
fn encoding_of(value: &JsValue) -> Result<Encoding, Problem> {
    if value.is_undefined() {
        return Ok(Encoding::Decimal);
    }
    match value.as_string() {
        Some(name) => parameters::encoding(&name),
        None => Err(found("encoding", value, Allowed(&Encoding::ALL.map(Encoding::name)))),
    }
}

/// Returns the text of an id, which may be a bigint.
fn id_of(value: &JsValue) -> Result<String, Problem> {
    let number = || u64::try_from(value.clone()).ok().map(|id| id.to_string());
    value.as_string().or_else(number).ok_or_else(|| {
        let allowed = "give a bigint of 64 bits or a string";
        Problem::id(format!("the id is {}: {allowed}", shown(value)))
    })
}
