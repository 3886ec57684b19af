//! Makes responses.

use std::cell::RefCell;

use edgeflake_wire::Json;
use edgeflake_workers::isolate::Origin;
use edgeflake_workers::problem::Problem;
use worker::js_sys::{self, Uint8Array};
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::{Response, ResponseInit};

pub(crate) const JSON: &str = "application/json";

/// The template of responses with ids. Copying its headers is faster than setting them.
struct Template {
    response: Response,
    /// The media type and the origin in the template's present headers.
    media_type: &'static str,
    origin: Origin,
}

thread_local! {
    static TEMPLATE: RefCell<Template> = RefCell::new(Template {
        response: answer(200, None),
        media_type: "",
        // No id has this origin, so the first response with ids sets all headers.
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
    /// Sets the headers that differ from those of the previous response.
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

/// Responds with ids and their origin.
pub(crate) fn ids(media_type: &'static str, body: &[u8], origin: Origin) -> Response {
    // Copy the bytes, because the memory behind `body` will be used again, and in older versions of
    // workerd a response refers to the memory that it was given (its issue 4995).
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

/// Returns a text as a JSON string, with quotes and escapes.
fn quoted(text: &str) -> String {
    js_sys::JSON::stringify(&text.into()).ok().and_then(|json| json.as_string()).unwrap_or_default()
}

/// Returns a success without a body, with this header.
pub(crate) fn empty(name: &str, value: &str) -> Response {
    let response = answer(204, None);
    set(&response, name, value);
    response
}

/// Returns a response with this media type and body. Its headers forbid caching, and forbid
/// browsers to guess another type.
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
    response.unwrap_or_else(|_| unreachable!("the platform makes a response of each status"))
}

pub(super) fn set(response: &Response, name: &str, value: &str) {
    // This fails only for characters that headers do not allow.
    let _ = response.headers().set(name, value);
}
