//! Checks the names of sequencers that callers send, and splits a request's URL.

pub use edgeflake_wire::DEFAULT_SEQUENCER;
use edgeflake_wire::name_refusal;
use wasm_bindgen::JsValue;

use crate::found::{Quote, shown};
use crate::problem::Problem;

/// The shard that is the registry of its sequencer.
pub const REGISTRY: u64 = 0;

/// Checks the name of a sequencer.
///
/// # Errors
/// A problem if no sequencer can have this name.
pub fn sequencer_name(text: &str) -> Result<&str, Problem> {
    match name_refusal(text) {
        None => Ok(text),
        Some(refusal) => Err(Problem::sequencer_name(&Quote(text), &refusal)),
    }
}

/// Checks the name of a sequencer that JavaScript passes.
///
/// # Errors
/// A problem if no sequencer can have this name.
pub fn sequencer_name_of(value: &JsValue) -> Result<String, Problem> {
    let Some(text) = value.as_string() else {
        let refusal = name_refusal("").unwrap_or_default();
        return Err(Problem::sequencer_name(&shown(value), &refusal));
    };
    sequencer_name(&text).map(str::to_owned)
}

/// Returns path and query of a request's URL; the crate `url` would add 68 KB. The platform has
/// normalised the URL, so the path begins at the first `/` after the host and ends at the first
/// `?`.
#[must_use]
pub fn target(url: &str) -> (&str, &str) {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches('/');
    let path = rest.find('/').and_then(|start| rest.get(start..)).unwrap_or("/");
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
