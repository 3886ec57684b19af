//! Reads a request's headers and its body.

use std::borrow::Cow;

use edgeflake_wire::parse;
use edgeflake_workers::platform::in_time;
use edgeflake_workers::problem::Problem;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::js_sys::{IteratorNext, Uint8Array};
use worker::wasm_bindgen_futures::JsFuture;
use worker::web_sys::{ReadableStreamDefaultReader, Request};

/// A request header. Its name is passed to JavaScript as a number, because a string would be
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

#[wasm_bindgen]
extern "C" {
    /// The headers of a request. The type of `web_sys` takes names only as strings.
    type Headers;

    #[wasm_bindgen(method)]
    fn get(this: &Headers, name: HeaderName) -> Option<String>;
}

/// The largest number of bytes of a body. The longest part of a body, a layout string, has at most
/// 700 bytes.
const BODY_BYTES_MAX: usize = 4_096;

/// The longest time for a body to arrive, in ms. A request also waits up to this time for ids.
const BODY_MS_MAX: u32 = 5_000;

/// Returns the value of a header; `None` if the request does not have the header.
pub(crate) fn header(request: &Request, name: HeaderName) -> Option<String> {
    request.headers().unchecked_ref::<Headers>().get(name)
}

/// Returns whether the request has no body, or an empty body.
///
/// # Errors
/// A problem if the headers do not say whether the body is empty, and no part of the body arrives
/// in time.
pub(crate) async fn is_empty(request: &Request) -> Result<bool, Problem> {
    // Check this first, because most requests have no body, and reading a header takes several
    // times as long as this check.
    if request.body().is_none() {
        return Ok(true);
    }
    match header(request, HeaderName::ContentLength) {
        Some(length) => Ok(length == "0"),
        // An interrupted body is not empty.
        None => Ok(matches!(read(request, 0).await?, Read::All(bytes) if bytes.is_empty())),
    }
}

/// Reads the body as JSON; `None` if the body is empty. Stops reading when the body is too large.
///
/// # Errors
/// A problem for a body that is too large, takes too long, is interrupted, or is not JSON.
pub(crate) async fn body(request: &Request) -> Result<Option<JsValue>, Problem> {
    let length = header(request, HeaderName::ContentLength).and_then(|text| text.parse().ok());
    if let Some(length) = length.filter(|length| *length > BODY_BYTES_MAX) {
        return Err(Problem::too_large("", length, BODY_BYTES_MAX));
    }
    match read(request, BODY_BYTES_MAX).await? {
        Read::All(bytes) => match &*text(&bytes) {
            "" => Ok(None),
            text => parse(text).map(Some).map_err(|_| Problem::not_json("the body")),
        },
        Read::TooMany(length) => Err(Problem::too_large("at least ", length, BODY_BYTES_MAX)),
        Read::Broken => Err(Problem::body("the body broke off: send the whole body".to_owned())),
    }
}

/// Returns the text of a body as `TextDecoder` does: without a byte order mark, and with U+FFFD for
/// bytes that are not UTF-8.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

/// The part of a body that was read.
enum Read {
    All(Vec<u8>),
    /// The body has more bytes than are allowed; this number of bytes was read.
    TooMany(usize),
    Broken,
}

async fn read(request: &Request, bytes_max: usize) -> Result<Read, Problem> {
    let Some(body) = request.body() else { return Ok(Read::All(Vec::new())) };
    let reader = body.get_reader().unchecked_into();
    let read = in_time(BODY_MS_MAX.into(), read_all(&reader, bytes_max)).await;
    // Cancel the rest of the body, which is not needed. If the body was interrupted, the promise of
    // `cancel` is rejected. `JsFuture` handles the rejection.
    drop(JsFuture::from(reader.cancel()));
    let read = read.ok_or_else(|| Problem::too_slow(BODY_MS_MAX))?;
    Ok(read.unwrap_or(Read::Broken))
}

async fn read_all(reader: &ReadableStreamDefaultReader, bytes_max: usize) -> Result<Read, JsValue> {
    let mut bytes = Vec::new();
    loop {
        let chunk: IteratorNext = JsFuture::from(reader.read()).await?.unchecked_into();
        if chunk.done() {
            return Ok(Read::All(bytes));
        }
        let chunk: Uint8Array = chunk.value().unchecked_into();
        let length = bytes.len() + chunk.length() as usize;
        if length > bytes_max {
            return Ok(Read::TooMany(length));
        }
        bytes.extend(chunk.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (bytes, expected) in [
            (&b""[..], ""),
            (b"\xef\xbb\xbf", ""),
            (b"\xef\xbb\xbf{}", "{}"),
            (b"{}\xef\xbb\xbf", "{}\u{feff}"),
            (b"\"\xc3\xa9\"", "\"\u{e9}\""),
            (b"\"\xff\xf0\x9f\"", "\"\u{fffd}\u{fffd}\""),
        ] {
            assert_eq!(text(bytes), expected);
        }
    }
}
