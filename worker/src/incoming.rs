use edgeflake::CallFailed;
use edgeflake_wire::parse;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::js_sys::Array;
use worker::wasm_bindgen_futures::JsFuture;
use worker::{Context, Env, web_sys};

use crate::access::Role;
use crate::objects;
use crate::problem::Problem;
use crate::settings::Settings;

/// A header that is read. Its name passes to JavaScript as a number, as a media type does.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Authorization = "Authorization",
    ContentLength = "Content-Length",
    Address = "CF-Connecting-IP",
    Origin = "Origin",
    RequestMethod = "Access-Control-Request-Method",
}

#[wasm_bindgen(module = "/src/incoming.js")]
extern "C" {
    /// A header of a request.
    pub(crate) fn header(request: &web_sys::Request, name: Name) -> Option<String>;
}

/// Most bytes of a body: those of a layout's text form are 600 at most.
const BODY_BYTES_MAX: usize = 4_096;

/// A request on its way to what answers it.
pub(crate) struct Incoming<'a> {
    pub(crate) request: &'a web_sys::Request,
    /// The query of its URL, without the `?`.
    pub(crate) query: &'a str,
    pub(crate) env: &'a Env,
    pub(crate) context: &'a Context,
    pub(crate) settings: &'a Settings,
}

impl Incoming<'_> {
    /// Admits the request to what needs a role.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send.
    pub(crate) fn admit(&self, needed: Role) -> Result<Option<Role>, Problem> {
        self.settings.access.admit(needed, || header(self.request, Name::Authorization))
    }

    /// Admits the request to ids, as often as the rate limit of its client allows.
    ///
    /// # Errors
    /// As [`Incoming::admit`], and a problem for too many requests.
    pub(crate) async fn admit_to_ids(&self) -> Result<(), Problem> {
        let role = self.admit(Role::Issue)?;
        let Some(limiter) = &self.settings.limiter else { return Ok(()) };
        let address = header(self.request, Name::Address).unwrap_or_default();
        let client = format!("{} {address}", role.map_or("", Role::secret));
        match objects::is_within_limit(limiter, &client).await {
            Ok(false) => Err(Problem::too_many_requests()),
            // A limit that cannot be read stops nobody.
            Ok(true) | Err(CallFailed) => Ok(()),
        }
    }
}

impl Incoming<'_> {
    /// The body, which is an object in JSON; `None` for an empty one.
    ///
    /// # Errors
    /// A problem for one that is too large, broke off, or is no such object.
    pub(crate) async fn body(&self) -> Result<Option<JsValue>, Problem> {
        let length = header(self.request, Name::ContentLength).and_then(|text| text.parse().ok());
        check_length(length.unwrap_or(0))?;
        let broken = |_| Problem::body("the body broke off".to_owned());
        let text = JsFuture::from(self.request.text().map_err(broken)?).await.map_err(broken)?;
        let text = text.as_string().unwrap_or_default();
        check_length(text.len())?;
        if text.is_empty() {
            return Ok(None);
        }
        let body = parse(&text).map_err(Problem::unreadable)?;
        if !body.is_object() || Array::is_array(&body) {
            return Err(Problem::body("the body is no object: an object is allowed".to_owned()));
        }
        Ok(Some(body))
    }
}

fn check_length(length: usize) -> Result<(), Problem> {
    if length <= BODY_BYTES_MAX { Ok(()) } else { Err(Problem::too_large(length, BODY_BYTES_MAX)) }
}

/// Path and query of a request's URL, which the platform has parsed and written: the path begins at
/// the first `/` after the host and ends at the first `?`.
pub(crate) fn target(url: &str) -> (&str, &str) {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches('/');
    let path = rest.find('/').map_or("/", |start| &rest[start..]);
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    path.split_once('?').unwrap_or((path, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        for (url, expected) in [
            ("https://ids.example.com/v1/ids?count=3", ("/v1/ids", "count=3")),
            ("http://127.0.0.1:8787/v1/ids", ("/v1/ids", "")),
            ("http://host/", ("/", "")),
            ("http://host/a?b?c/d#e?f", ("/a", "b?c/d")),
            ("http://host/a#b?c", ("/a", "")),
        ] {
            assert_eq!(target(url), expected, "{url}");
        }
    }
}
