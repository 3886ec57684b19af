//! Reads a request's headers and its body.

use edgeflake_wire::parse;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::Promise;
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::Request;

use edgeflake_workers::problem::Problem;

/// A header that is read. Its name passes to JavaScript as a number because a string would be
/// decoded each time.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub(crate) enum HeaderName {
    Authorization = "Authorization",
    ContentLength = "Content-Length",
    Address = "CF-Connecting-IP",
    Origin = "Origin",
    Ray = "CF-Ray",
    RequestMethod = "Access-Control-Request-Method",
}

#[wasm_bindgen(module = "/src/http/request.js")]
extern "C" {
    /// The value of a header; `None` if the request does not have it.
    pub(crate) fn header(request: &Request, name: HeaderName) -> Option<String>;

    #[wasm_bindgen(js_name = readBody)]
    fn read_body(request: &Request, bytes_max: usize, ms: u32) -> Promise;
}

/// The most bytes of a body. Its longest part, a layout string, has at most 700.
const BODY_BYTES_MAX: usize = 4_096;

/// How long a body may take to arrive, in ms. A request waits just as long for ids.
const BODY_MS_MAX: u32 = 5_000;

/// Whether a body of unknown length is empty.
///
/// # Errors
/// A problem if nothing of the body arrives in time.
pub(crate) async fn is_empty(request: &Request) -> Result<bool, Problem> {
    Ok(match read(request, 0).await? {
        Read::All(text) => text.is_empty(),
        // A body that breaks off is not empty.
        Read::TooMany(_) | Read::Broken => false,
    })
}

/// The body as JSON; `None` if it is empty. No more of it is read than is allowed.
///
/// # Errors
/// A problem for a body that is too large, takes too long, breaks off, or is not JSON.
pub(crate) async fn body(request: &Request) -> Result<Option<JsValue>, Problem> {
    let length = header(request, HeaderName::ContentLength).and_then(|text| text.parse().ok());
    if let Some(length) = length.filter(|length| *length > BODY_BYTES_MAX) {
        return Err(Problem::too_large("", length, BODY_BYTES_MAX));
    }
    match read(request, BODY_BYTES_MAX).await? {
        Read::All(text) if text.is_empty() => Ok(None),
        Read::All(text) => parse(&text).map(Some).map_err(|_| Problem::not_json("the body")),
        Read::TooMany(length) => Err(Problem::too_large("at least ", length, BODY_BYTES_MAX)),
        Read::Broken => Err(Problem::body("the body broke off: send all of it".to_owned())),
    }
}

/// What was read of a body.
enum Read {
    All(String),
    /// This many bytes, which are too many.
    TooMany(usize),
    Broken,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
async fn read(request: &Request, bytes_max: usize) -> Result<Read, Problem> {
    let Ok(read) = JsFuture::from(read_body(request, bytes_max, BODY_MS_MAX)).await else {
        return Ok(Read::Broken);
    };
    match (read.as_string(), read.as_f64()) {
        (Some(text), _) => Ok(Read::All(text)),
        (None, Some(length)) => Ok(Read::TooMany(length as usize)),
        (None, None) => Err(Problem::too_slow(BODY_MS_MAX)),
    }
}
