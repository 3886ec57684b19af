//! The headers for browsers. They say whether pages of other origins may call the API, as the
//! variable `EDGEFLAKE_CORS_ORIGINS` says, and whether browsers call it over HTTPS only, for as
//! long as `EDGEFLAKE_HSTS_MAX_AGE_SECONDS` says.

use worker::web_sys::{Request, Response};

use crate::http::answer::set;
use crate::http::request::{HeaderName, header};
use edgeflake_workers::found::Quote;
use edgeflake_workers::value::digits;

/// The headers that a page may read besides the usual ones.
const EXPOSED: &str = "Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, \
    Edgeflake-Ahead-Millis, Retry-After, WWW-Authenticate";

/// The time for which a browser may keep the answer to a preflight, in s. It is a day, although
/// most browsers keep it for 2 hours at most.
const MAX_AGE_S: &str = "86400";

/// The origins whose pages may read the answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cors {
    /// Only pages of the Worker's own origin may.
    Off,
    /// Pages of every origin may.
    All,
    /// Pages of these origins may.
    Origins(Vec<String>),
}

impl Cors {
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let Some(text) = variable("EDGEFLAKE_CORS_ORIGINS") else { return Ok(Self::Off) };
        match text.trim() {
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
                "EDGEFLAKE_CORS_ORIGINS has {}: * or origins such as https://example.com, with \
                 commas between them, are allowed",
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

    /// Adds the headers that let a page read this response. `methods` are the methods of the path
    /// if the request may be a preflight.
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

/// The value of `Strict-Transport-Security`, if there is one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hsts(Option<String>);

impl Hsts {
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let text = variable("EDGEFLAKE_HSTS_MAX_AGE_SECONDS").unwrap_or_default();
        match text.trim() {
            "" => Ok(Self(None)),
            text => digits(text)
                .map(|seconds| Self(Some(format!("max-age={seconds}"))))
                .ok_or_else(|| {
                    format!(
                        "EDGEFLAKE_HSTS_MAX_AGE_SECONDS is {}: a whole number such as 31536000 is \
                         allowed",
                        Quote(text)
                    )
                }),
        }
    }

    pub(crate) fn apply(&self, response: &Response) {
        if let Some(value) = &self.0 {
            set(response, "Strict-Transport-Security", value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Cors, String> {
        Cors::read(&|name| (name == "EDGEFLAKE_CORS_ORIGINS").then(|| text.to_owned()))
    }

    #[test]
    fn origins() {
        assert_eq!(Cors::read(&|_| None), Ok(Cors::Off));
        assert_eq!(read(" "), Ok(Cors::Off));
        assert_eq!(read("*"), Ok(Cors::All));
        let two = read("https://a.example, http://localhost:8787").unwrap();
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
                read(&format!("https://b.example,{found}")),
                Err(format!(
                    "EDGEFLAKE_CORS_ORIGINS has {found:?}: * or origins such as \
                     https://example.com, with commas between them, are allowed"
                ))
            );
        }
    }

    fn hsts(text: &str) -> Result<Hsts, String> {
        Hsts::read(&|name| (name == "EDGEFLAKE_HSTS_MAX_AGE_SECONDS").then(|| text.to_owned()))
    }

    #[test]
    fn seconds() {
        assert_eq!(Hsts::read(&|_| None), Ok(Hsts(None)));
        assert_eq!(hsts(" "), Ok(Hsts(None)));
        assert_eq!(hsts("0"), Ok(Hsts(Some("max-age=0".to_owned()))));
        assert_eq!(hsts(" 31536000"), Ok(Hsts(Some("max-age=31536000".to_owned()))));
        for found in ["true", "-1", "1.5", "1 year"] {
            assert_eq!(
                hsts(found),
                Err(format!(
                    "EDGEFLAKE_HSTS_MAX_AGE_SECONDS is {found:?}: a whole number such as 31536000 \
                     is allowed"
                ))
            );
        }
    }
}
