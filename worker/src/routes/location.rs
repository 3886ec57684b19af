//! The routes at a path.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::routes::route::Route;
use crate::routes::table::ROUTES;
use edgeflake_workers::objects::address::{DEFAULT_SEQUENCER, sequencer_name};
use edgeflake_workers::problem::Problem;

/// A path of the table of routes, as a request has it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Location<'a> {
    path: &'static str,
    /// The path's parameter: an id, or the name of a sequencer, which is the default one if the path
    /// has no parameter.
    pub(crate) parameter: Cow<'a, str>,
}

impl<'a> Location<'a> {
    /// The location that a path names.
    ///
    /// # Errors
    /// A problem if there is no route, or no sequencer can have the name in the path.
    pub(crate) fn at(path: &'a str) -> Result<Self, Problem> {
        let found = |route: &Route| Some((route.path, parameter(route.path, path)?));
        let found = ROUTES.iter().find_map(found);
        let (path, parameter) = found.ok_or_else(|| Problem::not_found(path))?;
        let parameter = match parameter {
            None => DEFAULT_SEQUENCER.into(),
            // Bytes that are not UTF-8 become a character that no id has.
            Some(id) if path.contains("{id}") => percent_decode_str(id).decode_utf8_lossy(),
            Some(name) => sequencer_name(name)?.into(),
        };
        Ok(Self { path, parameter })
    }

    fn routes(&self) -> impl Iterator<Item = &'static Route> {
        ROUTES.iter().filter(|route| route.path == self.path)
    }

    /// The route of this method; `None` if the path does not take it. `HEAD` takes what `GET` takes.
    pub(crate) fn route(&self, method: &str) -> Option<&'static Route> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.routes().find(|route| route.method == method)
    }

    /// The methods of the path, as in the header `Allow`. Every caller may send `OPTIONS`, with any
    /// query, because a browser does so before it sends the request itself.
    pub(crate) fn allow(&self) -> String {
        let mut allow = String::new();
        for Route { method, .. } in self.routes() {
            allow.push_str(if *method == "GET" { "GET, HEAD" } else { method });
            allow.push_str(", ");
        }
        allow + "OPTIONS"
    }
}

/// The parameter of a path that is one of `pattern`, if the pattern has one; `None` for another path.
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
    use crate::routes::route::{Endpoint, Operation};

    #[test]
    fn paths() {
        for (method, path, endpoint, parameter) in [
            ("POST", "/v1/ids", Endpoint::Ids, "default"),
            ("POST", "/v1/sequencers/orders-2/ids", Endpoint::Ids, "orders-2"),
            ("PUT", "/v1/sequencers/a", Endpoint::Create, "a"),
            ("GET", "/v1/sequencers/a/nodes", Endpoint::Nodes, "a"),
            ("POST", "/v1/sequencers/a/leases", Endpoint::Lease(Operation::Acquire), "a"),
            ("POST", "/v1/sequencers/a/leases/renew", Endpoint::Lease(Operation::Renew), "a"),
            ("POST", "/v1/sequencers/a/leases/release", Endpoint::Lease(Operation::Release), "a"),
            ("POST", "/v1/sequencers/a/batches", Endpoint::Lease(Operation::Prefetch), "a"),
            ("GET", "/metrics", Endpoint::Metrics, "default"),
            ("GET", "/v1/decode/123", Endpoint::Decode, "123"),
            ("GET", "/v1/decode/%31%32%ff", Endpoint::Decode, "12\u{fffd}"),
            ("GET", "/v1/decode/", Endpoint::Decode, ""),
            ("GET", "/v1/range", Endpoint::Range, "default"),
            ("GET", "/healthz", Endpoint::Health, "default"),
            ("HEAD", "/healthz", Endpoint::Health, "default"),
        ] {
            let location = Location::at(path).ok().unwrap();
            assert_eq!(location.parameter, parameter, "{path}");
            assert_eq!(location.route(method).map(|route| route.endpoint), Some(endpoint));
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
            assert_eq!(Location::at("/v1/ids").ok().unwrap().route(method), None, "{method}");
        }
    }
}
