//! Responses. JavaScript makes each in one call, see `answer.js`.

use edgeflake_wire::Json;
use edgeflake_workers::isolate::Origin;
use edgeflake_workers::problem::Problem;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::JSON;
use worker::web_sys;

/// A media type. It passes to JavaScript as a number because a string would be decoded each time.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub(crate) enum Media {
    Json = "application/json",
    Problem = "application/problem+json",
    Text = "text/plain; charset=utf-8",
    Metrics = "text/plain; version=0.0.4; charset=utf-8",
    Binary = "application/octet-stream",
}

#[wasm_bindgen(module = "/src/http/answer.js")]
extern "C" {
    fn answer(
        status: u16,
        media_type: Option<Media>,
        body: Option<&str>,
        name: Option<&str>,
        value: Option<&str>,
    ) -> web_sys::Response;

    #[wasm_bindgen(js_name = issuedText)]
    fn issued_text(
        media_type: Media,
        body: &[u8],
        node: f64,
        from_tick: f64,
        until_tick: f64,
        incarnation: f64,
        ahead_ms: f64,
    ) -> web_sys::Response;

    #[wasm_bindgen(js_name = issuedBinary)]
    fn issued_binary(
        media_type: Media,
        body: &[u64],
        node: f64,
        from_tick: f64,
        until_tick: f64,
        incarnation: f64,
        ahead_ms: f64,
    ) -> web_sys::Response;
}

/// A success in JSON.
pub(crate) fn json(body: &str) -> web_sys::Response {
    answer(200, Some(Media::Json), Some(body), None, None)
}

/// A success in JSON, with a status of its own.
pub(crate) fn json_with_status(status: u16, body: &str) -> web_sys::Response {
    answer(status, Some(Media::Json), Some(body), None, None)
}

/// Metrics in the text format of Prometheus.
pub(crate) fn metrics(body: &str) -> web_sys::Response {
    answer(200, Some(Media::Metrics), Some(body), None, None)
}

/// A problem.
pub(crate) fn problem(problem: &Problem) -> web_sys::Response {
    let header = problem.header.as_ref();
    let (name, value) = header.map(|(name, value)| (*name, value.as_str())).unzip();
    let mut json = Json::object();
    json.text("type", &format_args!("/problems/{}", problem.name));
    json.text("title", &problem.title);
    json.number("status", problem.status.into());
    json.json("detail", &quoted(&problem.detail));
    if let Some(refused) = &problem.refused {
        json.json("refused", refused);
    }
    answer(problem.status, Some(Media::Problem), Some(&json.end()), name, value)
}

/// A text as a JSON string, with quotes and escapes. Every text has one.
fn quoted(text: &str) -> String {
    JSON::stringify(&text.into()).ok().and_then(|json| json.as_string()).unwrap_or_default()
}

/// A success without a body, but with this header.
pub(crate) fn empty(name: &str, value: &str) -> web_sys::Response {
    answer(204, None, None, Some(name), Some(value))
}

/// Sets a header of a response.
pub(super) fn set(response: &web_sys::Response, name: &str, value: &str) {
    // Only a name or a value with characters that no header allows would fail.
    let _ = response.headers().set(name, value);
}

/// Ids as text of a media type.
pub(crate) fn text(media_type: Media, body: &[u8], origin: &Origin) -> web_sys::Response {
    let [node, from_tick, until_tick, incarnation, ahead_ms] = numbers(origin);
    issued_text(media_type, body, node, from_tick, until_tick, incarnation, ahead_ms)
}

/// Ids as the bytes that they have in memory.
pub(crate) fn binary(ids: &[u64], origin: &Origin) -> web_sys::Response {
    let [node, from_tick, until_tick, incarnation, ahead_ms] = numbers(origin);
    issued_binary(Media::Binary, ids, node, from_tick, until_tick, incarnation, ahead_ms)
}

/// The numbers of an origin, in the order in which JavaScript takes them.
#[expect(clippy::cast_precision_loss, reason = "all of an origin is below 2^53")]
const fn numbers(origin: &Origin) -> [f64; 5] {
    let Origin { node, from_tick, until_tick, incarnation, ahead_ms } = *origin;
    [node as f64, from_tick as f64, until_tick as f64, incarnation as f64, ahead_ms as f64]
}
