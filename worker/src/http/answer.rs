//! Makes responses, and lets pages of the origins in `EDGEFLAKE_CORS_ORIGINS` read the responses.

use std::cell::RefCell;

use edgeflake_wire::Json;
use edgeflake_workers::found::Quote;
use edgeflake_workers::isolate::Origin;
use edgeflake_workers::problem::Problem;
use worker::js_sys::{self, Uint8Array};
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::{Request, Response, ResponseInit};

use crate::http::request::{HeaderName, header};

pub(crate) const JSON: &str = "application/json";

/// The template of responses with ids. Copying the headers of the template is faster than setting
/// each header.
struct Template {
    response: Response,
    /// The media type that the template's headers name.
    media_type: &'static str,
    /// The origin of an id: the node, span and incarnation that the template's headers name.
    origin: Origin,
}

thread_local! {
    static TEMPLATE: RefCell<Template> = RefCell::new(Template {
        response: answer(200, None),
        media_type: "",
        // No id comes from this origin, so the first response with ids sets all headers.
        origin: Origin {
            node: u64::MAX,
            from_tick: u64::MAX,
            until_tick: u64::MAX,
            incarnation: u64::MAX,
            ahead_ms: u64::MAX,
        },
    });
}

impl Template {
    /// Sets the headers that differ from the headers of the previous response.
    fn update(&mut self, media_type: &'static str, origin: Origin) {
        let response = &self.response;
        if media_type != self.media_type {
            set(response, "Content-Type", media_type);
        }
        if origin.node != self.origin.node {
            set(response, "Edgeflake-Node", &origin.node.to_string());
        }
        let Origin { from_tick, until_tick, .. } = origin;
        if (from_tick, until_tick) != (self.origin.from_tick, self.origin.until_tick) {
            if until_tick > 0 {
                set(response, "Edgeflake-Span", &format!("{from_tick}/{until_tick}"));
            } else {
                // An id from a batch has no span.
                let _ = response.headers().delete("Edgeflake-Span");
            }
        }
        if origin.incarnation != self.origin.incarnation {
            set(response, "Edgeflake-Incarnation", &origin.incarnation.to_string());
        }
        if origin.ahead_ms != self.origin.ahead_ms {
            set(response, "Edgeflake-Ahead-Millis", &origin.ahead_ms.to_string());
        }
        (self.media_type, self.origin) = (media_type, origin);
    }
}

/// Responds with ids, and with headers that name the ids' node, span and incarnation.
pub(crate) fn ids(media_type: &'static str, body: &[u8], origin: Origin) -> Response {
    // Copy the bytes, because the memory behind `body` will be used again. In older versions of
    // workerd, a response refers to the memory that the caller has passed (workerd issue 4995).
    let body = Uint8Array::new_from_slice(body);
    TEMPLATE.with_borrow_mut(|template| {
        template.update(media_type, origin);
        let init = template.response.unchecked_ref();
        made(Response::new_with_opt_js_u8_array_and_init(Some(&body), init))
    })
}

pub(crate) fn json(body: &str) -> Response {
    json_with_status(200, body)
}

pub(crate) fn json_with_status(status: u16, body: &str) -> Response {
    answer(status, Some((JSON, body)))
}

/// Responds with metrics in the text format of Prometheus.
pub(crate) fn metrics(body: &str) -> Response {
    answer(200, Some(("text/plain; version=0.0.4; charset=utf-8", body)))
}

pub(crate) fn problem(problem: &Problem) -> Response {
    let mut json = Json::object();
    json.text("type", &format_args!("/problems/{}", problem.name));
    json.text("title", &problem.title);
    json.number("status", problem.status.into());
    json.json("detail", &quoted(&problem.detail));
    if let Some(refused) = &problem.refused {
        json.json("refused", refused);
    }
    let response = answer(problem.status, Some(("application/problem+json", &json.end())));
    if let Some((name, value)) = &problem.header {
        set(&response, name, value);
    }
    response
}

/// Returns the JSON string of a text, with quotes and escapes.
fn quoted(text: &str) -> String {
    js_sys::JSON::stringify(&text.into()).ok().and_then(|json| json.as_string()).unwrap_or_default()
}

/// Returns a response with status 204, without a body, and with this header.
pub(crate) fn empty(name: &str, value: &str) -> Response {
    let response = answer(204, None);
    set(&response, name, value);
    response
}

/// Returns a response with this media type and body. The headers of the response forbid caching,
/// and forbid browsers to guess another media type.
fn answer(status: u16, content: Option<(&str, &str)>) -> Response {
    let init = ResponseInit::new();
    init.set_status(status);
    let (media_type, body) = content.unzip();
    let response = made(Response::new_with_opt_str_and_init(body, &init));
    set(&response, "Cache-Control", "no-store");
    set(&response, "X-Content-Type-Options", "nosniff");
    if let Some(media_type) = media_type {
        set(&response, "Content-Type", media_type);
    }
    response
}

fn made(response: Result<Response, JsValue>) -> Response {
    // The platform refuses only a status that does not exist.
    response.unwrap_or_else(|_| unreachable!("the platform accepts each status that exists"))
}

fn set(response: &Response, name: &str, value: &str) {
    // Setting a header fails only for characters that headers do not allow.
    let _ = response.headers().set(name, value);
}

/// The headers that a page of another origin may read, in addition to the headers that browsers
/// always allow.
const EXPOSED: &str = "Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, \
    Edgeflake-Ahead-Millis, Retry-After, WWW-Authenticate";

/// The time for which a browser may keep the answer to a preflight request, in s. This is a day,
/// although most browsers keep the answer for 2 hours at most.
const MAX_AGE_S: &str = "86400";

/// The origins whose pages may read the answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cors {
    /// Only the Worker's own origin.
    Off,
    /// Every origin.
    All,
    /// Only the listed origins.
    Origins(Vec<String>),
}

impl Cors {
    /// Reads the variable `EDGEFLAKE_CORS_ORIGINS`.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(origins: &str) -> Result<Self, String> {
        match origins.trim() {
            "" => Ok(Self::Off),
            "*" => Ok(Self::All),
            list => list
                .split(',')
                .map(|text| origin(text.trim()).map(str::to_owned))
                .collect::<Result<_, _>>()
                .map(Self::Origins),
        }
        .map_err(|found: &str| {
            format!(
                "EDGEFLAKE_CORS_ORIGINS has {}: give *, or origins such as https://example.com (no \
                 slash at the end) with commas between them",
                Quote(found)
            )
        })
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a page of this origin.
    fn allowed(&self, origin: &str) -> Option<&str> {
        match self {
            Self::Off => None,
            Self::All => Some("*"),
            Self::Origins(origins) => {
                origins.iter().find(|known| *known == origin).map(String::as_str)
            }
        }
    }

    /// Adds the headers that let a page read this response. If the request may be a preflight
    /// request, `methods` are the methods of the request's path.
    pub(crate) fn apply(&self, request: &Request, response: &Response, methods: Option<&str>) {
        let varies = match self {
            Self::Off => return,
            Self::All => false,
            Self::Origins(_) => true,
        };
        let origin =
            varies.then(|| header(request, HeaderName::Origin)).flatten().unwrap_or_default();
        if varies {
            set(response, "Vary", "Origin");
        }
        let Some(allowed) = self.allowed(&origin) else { return };
        set(response, "Access-Control-Allow-Origin", allowed);
        set(response, "Access-Control-Expose-Headers", EXPOSED);
        let methods = methods.filter(|_| header(request, HeaderName::RequestMethod).is_some());
        let Some(methods) = methods else { return };
        set(response, "Access-Control-Allow-Methods", methods);
        set(response, "Access-Control-Allow-Headers", "Authorization, Content-Type");
        set(response, "Access-Control-Max-Age", MAX_AGE_S);
    }
}

/// Checks that a text is an origin as browsers write it: scheme, host and perhaps a port.
fn origin(text: &str) -> Result<&str, &str> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let in_host =
        |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':' | b'[' | b']');
    match host {
        Some(host) if !host.is_empty() && host.bytes().all(in_host) => Ok(text),
        _ => Err(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        assert_eq!(Cors::read(" "), Ok(Cors::Off));
        assert_eq!(Cors::read("*"), Ok(Cors::All));
        let two = Cors::read("https://a.example, http://localhost:8787").unwrap();
        assert_eq!(two.allowed("https://a.example"), Some("https://a.example"));
        assert_eq!(two.allowed("http://localhost:8787"), Some("http://localhost:8787"));
        for other in ["", "https://a.example:443", "http://a.example", "null", "*"] {
            assert_eq!(two.allowed(other), None, "{other}");
        }
        assert_eq!(Cors::All.allowed("https://a.example"), Some("*"));
        assert_eq!(Cors::Off.allowed("https://a.example"), None);
    }

    #[test]
    fn refusals() {
        for found in ["a.example", "https://a.example/", "https://", "HTTPS://a", "null", "*.a", ""]
        {
            assert_eq!(
                Cors::read(&format!("https://b.example,{found}")),
                Err(format!(
                    "EDGEFLAKE_CORS_ORIGINS has {found:?}: give *, or origins such as \
                     https://example.com (no slash at the end) with commas between them"
                ))
            );
        }
    }
}
