//! Lets pages of other origins call the API, as `EDGEFLAKE_CORS_ORIGINS` says.

use worker::web_sys::{Request, Response};

use crate::http::answer::set;
use crate::http::request::{HeaderName, header};
use edgeflake_workers::found::Quote;

/// The headers that a page may read in addition to the usual ones.
const EXPOSED: &str = "Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, \
    Edgeflake-Ahead-Millis, Retry-After, WWW-Authenticate";

/// The time for which a browser may keep the answer to a preflight request, in s. It is a day,
/// although most browsers keep the answer for 2 hours at most.
const MAX_AGE_S: &str = "86400";

/// The origins whose pages may read the answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cors {
    /// Only the Worker's own origin.
    Off,
    /// Every origin.
    All,
    /// These origins.
    Origins(Vec<String>),
}

impl Cors {
    /// Reads the variable.
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

    /// Adds the headers that let a page read this response. If the request may be a preflight,
    /// `methods` are the methods of its path.
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
                    "EDGEFLAKE_CORS_ORIGINS has {found:?}: * or origins such as \
                     https://example.com, with commas between them, are allowed"
                ))
            );
        }
    }
}
