//! What is read of a request: its headers, its URL and its body.

use edgeflake_wire::parse;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::Promise;
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::Request;

use edgeflake_authority::problem::Problem;

/// A header that is read. Its name passes to JavaScript as a number because a text would be decoded
/// each time.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub(crate) enum HeaderName {
    Authorization = "Authorization",
    ContentLength = "Content-Length",
    Address = "CF-Connecting-IP",
    Origin = "Origin",
    RequestMethod = "Access-Control-Request-Method",
}

#[wasm_bindgen(module = "/src/http/request.js")]
extern "C" {
    /// The value of a header; `None` if the request does not have it.
    pub(crate) fn header(request: &Request, name: HeaderName) -> Option<String>;

    #[wasm_bindgen(js_name = readsBody)]
    fn reads_body(request: &Request) -> Promise;
}

/// Most bytes of a body. A layout string, its longest part, has at most 600.
const BODY_BYTES_MAX: usize = 4_096;

/// Whether a body of unknown length is empty.
pub(crate) async fn is_empty(request: &Request) -> bool {
    // One that breaks off is not.
    JsFuture::from(reads_body(request)).await.is_ok_and(|has_body| has_body.is_falsy())
}

/// The body, which is JSON; `None` for an empty one.
///
/// # Errors
/// A problem for a body that is too large, broke off, or is no JSON.
pub(crate) async fn body(request: &Request) -> Result<Option<JsValue>, Problem> {
    let length = header(request, HeaderName::ContentLength).and_then(|text| text.parse().ok());
    check_length(length.unwrap_or(0))?;
    let broken = |_| Problem::body("the body broke off".to_owned());
    let text = JsFuture::from(request.text().map_err(broken)?).await.map_err(broken)?;
    let text = text.as_string().unwrap_or_default();
    check_length(text.len())?;
    if text.is_empty() {
        return Ok(None);
    }
    parse(&text).map(Some).map_err(Problem::unreadable)
}

fn check_length(length: usize) -> Result<(), Problem> {
    if length <= BODY_BYTES_MAX { Ok(()) } else { Err(Problem::too_large(length, BODY_BYTES_MAX)) }
}
