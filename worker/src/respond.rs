//! Answers a request: reads the settings, finds the route, admits the request, and calls the code
//! of the route.

use std::borrow::Cow;

use edgeflake_wire::DEFAULT_SEQUENCER;
use edgeflake_workers::platform::now_or_later;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value::{sequencer_name, target};
use percent_encoding::percent_decode_str;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;
use worker::web_sys::{Request, Response};

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::{ENDPOINTS, Endpoint};
use crate::settings::Settings;

/// Answers a request with a `Response`, or with a promise of a `Response`.
///
/// # Errors
/// This function returns no error, because errors become responses, too.
#[wasm_bindgen]
pub fn fetch(request: Request, env: Env) -> Result<JsValue, JsValue> {
    now_or_later(async move { Ok(respond(&request, &env).await) })
}

async fn respond(request: &Request, env: &Env) -> Response {
    let settings = match Settings::of(env) {
        Ok(settings) => settings,
        Err(problem) => return answer::problem(&problem),
    };
    let (url, method) = (request.url(), request.method());
    let (path, query) = target(&url);
    let (answered, methods) = match Location::at(path) {
        Err(problem) => (Err(problem), None),
        Ok(location) if method == "OPTIONS" => {
            let allow = location.allow();
            (Ok(answer::empty("Allow", &allow)), Some(allow))
        }
        Ok(location) => {
            let answered = match location.endpoint(&method) {
                None => Err(Problem::method(&method, location.allow())),
                Some(Endpoint { route, handler }) => {
                    match AdmittedRequest::admit(route, request, query, env, &settings).await {
                        Ok(admitted) => handler(&admitted, &location.parameter).await,
                        Err(problem) => Err(problem),
                    }
                }
            };
            (answered, None)
        }
    };
    let response = answered.unwrap_or_else(|problem| answer::problem(&problem));
    settings.cors.apply(request, &response, methods.as_deref());
    response
}

/// A path in the table of routes, with the value of its parameter in a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Location<'a> {
    path: &'static str,
    /// The path's parameter: an id, or the name of a sequencer. If the path has no parameter, the
    /// value is the name of the default sequencer.
    pub(crate) parameter: Cow<'a, str>,
}

impl<'a> Location<'a> {
    /// Returns the location of a path.
    ///
    /// # Errors
    /// A problem if no route has this path, or if no sequencer can have the name in the path.
    pub(crate) fn at(path: &'a str) -> Result<Self, Problem> {
        let mut patterns = ENDPOINTS.iter().map(|endpoint| endpoint.route.path);
        let found = patterns.find_map(|pattern| Some((pattern, parameter(pattern, path)?)));
        let (path, parameter) = found.ok_or_else(|| Problem::not_found(path))?;
        let parameter = match parameter {
            None => DEFAULT_SEQUENCER.into(),
            // Bytes that are not UTF-8 become a character that never occurs in an id.
            Some(id) if path.contains("{id}") => percent_decode_str(id).decode_utf8_lossy(),
            Some(name) => sequencer_name(name)?.into(),
        };
        Ok(Self { path, parameter })
    }

    fn endpoints(&self) -> impl Iterator<Item = &'static Endpoint> {
        ENDPOINTS.iter().filter(|endpoint| endpoint.route.path == self.path)
    }

    /// Returns the endpoint for this method; `None` if the path does not support the method. `HEAD`
    /// is answered as `GET`.
    pub(crate) fn endpoint(&self, method: &str) -> Option<&'static Endpoint> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.endpoints().find(|endpoint| endpoint.route.method == method)
    }

    /// Returns the methods of the path for the header `Allow`. The methods include `OPTIONS`, which
    /// every caller may use with every query, because browsers send `OPTIONS` before the request
    /// itself.
    pub(crate) fn allow(&self) -> String {
        let mut allow = String::new();
        for endpoint in self.endpoints() {
            let method = endpoint.route.method;
            allow.push_str(if method == "GET" { "GET, HEAD" } else { method });
            allow.push_str(", ");
        }
        allow + "OPTIONS"
    }
}

/// If `path` matches `pattern`, returns the parameter of the path, or `Some(None)` if the pattern
/// has no parameter. If `path` does not match, returns `None`.
#[expect(clippy::option_option, reason = "a pattern may have no parameter")]
fn parameter<'a>(pattern: &str, path: &'a str) -> Option<Option<&'a str>> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return (pattern == path).then_some(None);
    };
    let (_, after) = rest.split_once('}')?;
    let parameter = path.strip_prefix(before)?.strip_suffix(after)?;
    (!parameter.contains('/')).then_some(Some(parameter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, pattern, parameter) in [
            ("/v1/ids", "/v1/ids", "default"),
            ("/v1/sequencers/orders-2/ids", "/v1/sequencers/{name}/ids", "orders-2"),
            ("/v1/sequencers/a", "/v1/sequencers/{name}", "a"),
            ("/v1/sequencers/a/nodes", "/v1/sequencers/{name}/nodes", "a"),
            ("/v1/sequencers/a/leases", "/v1/sequencers/{name}/leases", "a"),
            ("/v1/sequencers/a/leases/renew", "/v1/sequencers/{name}/leases/renew", "a"),
            ("/v1/decode/123", "/v1/decode/{id}", "123"),
            ("/v1/decode/%31%32%ff", "/v1/decode/{id}", "12\u{fffd}"),
            ("/v1/decode/", "/v1/decode/{id}", ""),
            ("/healthz", "/healthz", "default"),
        ] {
            let location = Location::at(path).ok();
            assert_eq!(location, Some(Location { path: pattern, parameter: parameter.into() }));
        }
        for path in [
            "/",
            "",
            "//",
            "/v1",
            "/v1/ids/",
            "/v1/id",
            "/v2/ids",
            "/V1/ids",
            "/a/b/c/d/e/f",
            "/v1/sequencers",
            "/v1/sequencers/a/b",
            "/v1/sequencers/a/b/ids",
            "/v1/decode/1/2",
        ] {
            assert_eq!(Location::at(path).err().map(|problem| problem.status), Some(404), "{path}");
        }
    }

    #[test]
    fn names() {
        let longest = "a".repeat(63);
        for segment in ["default", "a", "-", "0-9", &longest] {
            assert_eq!(sequencer_name(segment).ok(), Some(segment));
        }
        for segment in ["", "A", "a_b", "a.b", "ä", "%61", &"a".repeat(64)] {
            let path = format!("/v1/sequencers/{segment}");
            let problem = Location::at(&path).err().unwrap();
            assert_eq!(problem.name, "invalid-name", "{segment}");
        }
    }

    #[test]
    fn methods() {
        for (path, allow) in [
            ("/v1/ids", "POST, OPTIONS"),
            ("/v1/sequencers/a", "PUT, GET, HEAD, PATCH, DELETE, OPTIONS"),
            ("/healthz", "GET, HEAD, OPTIONS"),
        ] {
            assert_eq!(Location::at(path).ok().unwrap().allow(), allow, "{path}");
        }
        for method in ["POS", "post", "", "OPTIONS", "OPTIONS, POST", "PUT", "HEAD"] {
            let endpoint = Location::at("/v1/ids").ok().unwrap().endpoint(method);
            assert!(endpoint.is_none(), "{method}");
        }
    }

    #[test]
    fn what_is_not_taken_is_named() {
        let route = |method: &str, path| {
            let endpoint = Location::at(path).ok().unwrap().endpoint(method).unwrap();
            &endpoint.route
        };
        let detail = |path, method: &str, query: &str| {
            route(method, path).read(query).err().unwrap().detail.clone()
        };
        assert_eq!(
            detail("/v1/ids", "POST", "count=1&cuont=1"),
            "the parameter \"cuont\" is unknown (did you mean count?): give count, format, \
             encoding \
             or tag"
        );
        assert_eq!(
            detail("/healthz", "GET", "name=orders"),
            "the parameter \"name\" is unknown: leave it out"
        );
        assert_eq!(
            detail("/v1/sequencers/a", "PUT", "layout=twitter"),
            "the parameter \"layout\" is unknown: send it as a key of the body"
        );
        assert_eq!(
            route("POST", "/v1/ids").no_body().detail,
            "there is a body, but this request takes none: send count, format, encoding or tag in \
             the query"
        );
        let health = route("GET", "/healthz");
        assert_eq!(health.no_body().detail, "there is a body, but this request takes none");
    }
}
