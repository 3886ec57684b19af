//! The edge Worker.
//!
//! | method | path | answer |
//! |---|---|---|
//! | `POST` | `/v1/ids?count=N` | `{"ids":["..."]}`, N of 1 to 10,000, 1 without it |
//! | `GET` | `/healthz` | 200 when this isolate can issue an id |
//!
//! Everything else is answered by a problem of RFC 9457, see `problem.rs`; but for the paths of the
//! page's files, which the platform answers itself from `www/`.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod authority;
mod clock;
mod config;
mod isolate;
mod problem;
mod store;
mod wire;

pub use authority::Authority;

use isolate::NotIssued;
use problem::{Found, Problem};
use worker::{Context, Env, Headers, Response, Result, event, web_sys};

/// Most ids of one request.
const COUNT_MAX: usize = 10_000;

/// Decimal digits of the largest id, its quotes and a comma.
const ID_BYTES_MAX: usize = 20 + 3;

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, context: Context) -> Result<Response> {
    match route(&request, &env, &context).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn route(
    request: &web_sys::Request,
    env: &Env,
    context: &Context,
) -> std::result::Result<Result<Response>, Problem> {
    let (url, method) = (request.url(), request.method());
    let (path, query) = target(&url);
    match (path, method.as_str()) {
        ("/v1/ids", "POST") => {
            let ids = issue(env, context, count(query)?).await?;
            Ok(json(&ids_json(&ids)))
        }
        ("/v1/ids", method) => Err(Problem::method(method, "POST")),
        ("/healthz", "GET" | "HEAD") => {
            // One id is issued to nobody: whatever would stop the next one stops this one.
            issue(env, context, 1).await?;
            Ok(json(r#"{"status":"ok"}"#))
        }
        ("/healthz", method) => Err(Problem::method(method, "GET, HEAD")),
        (path, _) => Err(Problem::not_found(path)),
    }
}

/// Path and query of a request's URL, which the platform has parsed and written: the path begins at
/// the first `/` after the host and ends at the first `?`.
fn target(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |start| &rest[start..]);
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    path.split_once('?').unwrap_or((path, ""))
}

/// The only parameter of `/v1/ids`.
fn count(query: &str) -> std::result::Result<usize, Problem> {
    let mut count = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name != "count" {
            return Err(Problem::parameter(format!(
                "there is a parameter {}: count is allowed",
                Found(&name)
            )));
        }
        if count.is_some() {
            return Err(Problem::parameter("count is there twice: once is allowed".to_owned()));
        }
        let number = config::digits(&value).and_then(|number| usize::try_from(number).ok());
        count =
            Some(number.filter(|number| (1..=COUNT_MAX).contains(number)).ok_or_else(|| {
                Problem::parameter(format!(
                    "count is {}: a whole number from 1 to {COUNT_MAX} is allowed",
                    Found(&value)
                ))
            })?);
    }
    Ok(count.unwrap_or(1))
}

async fn issue(
    env: &Env,
    context: &Context,
    count: usize,
) -> std::result::Result<Vec<u64>, Problem> {
    // The authority reads the variables too, but its refusal would not reach the caller.
    if !isolate::has_lease() {
        let variable = |name: &str| config::variable(env, name);
        let config = config::Config::new(&variable);
        let checked = config.identity().and_then(|identity| config.tunables(identity.layout()));
        checked.map_err(Problem::configuration)?;
    }
    isolate::issue(env, context, count)
        .await
        .map_err(|NotIssued { error, retry_in_ms }| Problem::issuing(&error, retry_in_ms))
}

/// `{"ids":["1","2"]}`: ids are strings, since a JSON number loses digits in most readers.
fn ids_json(ids: &[u64]) -> String {
    let mut json = String::with_capacity(ids.len() * ID_BYTES_MAX + 16);
    let mut digits = itoa::Buffer::new();
    json.push_str(r#"{"ids":["#);
    for (index, id) in ids.iter().enumerate() {
        json.push_str(if index == 0 { "\"" } else { ",\"" });
        json.push_str(digits.format(*id));
        json.push('"');
    }
    json.push_str("]}");
    json
}

fn json(body: &str) -> Result<Response> {
    let headers = Headers::new();
    headers.set("Content-Type", "application/json")?;
    headers.set("Cache-Control", "no-store")?;
    Ok(Response::ok(body)?.with_headers(headers))
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

    #[test]
    fn counts() {
        for (query, expected) in [
            ("", 1),
            ("count=1", 1),
            ("count=10000", 10_000),
            ("count=%31%30", 10),
            ("count=007", 7),
        ] {
            assert_eq!(count(query).ok(), Some(expected), "{query}");
        }
        for query in [
            "count=",
            "count",
            "count=0",
            "count=-1",
            "count=+1",
            "count=1e3",
            "count=abc",
            "count=10001",
            "count=18446744073709551617",
            "count=99999999999999999999",
            "count=1&count=1",
            "cuont=1",
        ] {
            assert!(count(query).is_err(), "{query}");
        }
    }

    #[test]
    fn ids_are_strings() {
        assert_eq!(ids_json(&[]), r#"{"ids":[]}"#);
        assert_eq!(ids_json(&[0, u64::MAX]), r#"{"ids":["0","18446744073709551615"]}"#);
        assert!(ids_json(&[u64::MAX; 9]).len() <= 9 * ID_BYTES_MAX + 16);
    }
}
