//! The name and the address of a shard's object, and the target of a request.

use wasm_bindgen::JsValue;

use crate::found::{Quote, shown};
use crate::problem::Problem;

/// The name of the sequencer that is made from the variables.
pub const DEFAULT_SEQUENCER: &str = "default";

/// The shard that is the registry of its sequencer.
pub const REGISTRY: u64 = 0;

/// The largest number of characters of a sequencer's name. A DNS label may have as many.
const NAME_LENGTH_MAX: usize = 63;

/// Checks the name of a sequencer.
///
/// # Errors
/// A problem if no sequencer can have this name.
pub fn sequencer_name(text: &str) -> Result<&str, Problem> {
    if is_name(text) {
        return Ok(text);
    }
    let similar = kebab(text);
    // A percent-encoded text would give a misleading suggestion.
    let is_similar = is_name(&similar) && text.is_ascii() && !text.as_bytes().contains(&b'%');
    Err(Problem::sequencer_name(&Quote(text), is_similar.then_some(&similar)))
}

/// Returns whether a sequencer can have this name.
pub(crate) fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=NAME_LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed)
}

/// Returns the words of a name in lower case, with `-` between them: `sequencer-name` for
/// `sequencerName`.
fn kebab(text: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for character in text.chars() {
        if !character.is_ascii_alphanumeric() || after_lower && character.is_ascii_uppercase() {
            name.push('-');
        }
        if character.is_ascii_alphanumeric() {
            name.push(character.to_ascii_lowercase());
        }
        after_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    name
}

/// Checks the name of a sequencer that JavaScript gives.
///
/// # Errors
/// A problem if no sequencer can have this name.
pub fn sequencer_name_of(value: &JsValue) -> Result<String, Problem> {
    match value.as_string() {
        Some(text) => sequencer_name(&text).map(str::to_owned),
        None => Err(Problem::sequencer_name(&shown(value), None)),
    }
}

/// One shard of a sequencer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The name of the sequencer.
    pub sequencer: &'a str,
    /// The number of the shard.
    pub shard: u64,
}

impl<'a> Address<'a> {
    /// Returns the name of its object.
    pub fn object(&self) -> String {
        format!("{}/{}", self.sequencer, self.shard)
    }

    /// Returns the URL for messages of version 1. It contains the address because an object does
    /// not know its own name.
    pub fn url(&self, what: &str) -> String {
        format!("https://authority/v1/{}/{}/{what}", self.sequencer, self.shard)
    }

    /// Reads an address, and the operation that follows it, from the path of a [`url`](Self::url).
    pub fn read(path: &'a str) -> Option<(Self, &'a str)> {
        let (sequencer, rest) = path.strip_prefix("/v1/")?.split_once('/')?;
        let (shard, what) = rest.split_once('/')?;
        Some((Self { sequencer, shard: shard.parse().ok()? }, what))
    }

    /// Returns whether this is the registry of the default sequencer.
    pub fn is_default_registry(&self) -> bool {
        self.sequencer == DEFAULT_SEQUENCER && self.shard == REGISTRY
    }
}

/// Returns path and query of a request's URL. The platform has normalised the URL, so the path
/// begins at the first `/` after the host and ends at the first `?`.
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
    fn s14_h16_a_name_that_cannot_be_is_refused_with_a_similar_one() {
        let detail = |text| sequencer_name(text).err().map(|problem| problem.detail.clone());
        let allowed = "1 to 63 of a-z, 0-9 and - are allowed";
        assert_eq!(detail("orders-2"), None);
        for (text, similar) in [
            ("sequencerName", "sequencer-name"),
            ("Orders", "orders"),
            ("ordersV2_eu.west", "orders-v2-eu-west"),
            ("HTTPServer", "httpserver"),
        ] {
            let expected =
                format!("the sequencer's name is {text:?}: {allowed}, such as {similar}");
            assert_eq!(detail(text), Some(expected));
        }
        for text in ["", &"A".repeat(64), "caf\u{e9}", "%61"] {
            assert!(detail(text).unwrap().ends_with(allowed), "{text}");
        }
    }

    #[test]
    fn addresses() {
        let address = Address { sequencer: "orders", shard: 3 };
        assert_eq!(address.object(), "orders/3");
        assert_eq!(address.url("status"), "https://authority/v1/orders/3/status");
        assert_eq!(Address::read("/v1/orders/3/status"), Some((address, "status")));
        assert_eq!(Address::read("/v1/orders/3/"), Some((address, "")));
        for path in ["", "/v1", "/v1/orders", "/v1/orders/3", "/v1/orders/x/", "/v2/orders/3/"] {
            assert_eq!(Address::read(path), None, "{path}");
        }
    }

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
