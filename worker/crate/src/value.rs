//! Reads values that occur in variables, URLs and bodies alike, and encodes structured values in
//! answers.

use edgeflake::{Error, Instant, Layout, preset};
use edgeflake_wire::name_refusal;
use js_sys::JSON;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::found::{Quote, meant, message, shown};
use crate::problem::Problem;

/// The largest whole number in a message. JavaScript holds every whole number up to this one
/// exactly.
pub const NUMBER_MAX: u64 = (1 << 53) - 1;

/// Converts a structured value to a JavaScript value. Write numbers that may be 2^53 or more as
/// texts.
///
/// # Errors
/// A problem if the value contains a number of 2^53 or more.
pub fn structured(value: &impl Serialize) -> Result<JsValue, Problem> {
    let value = value.serialize(&Serializer::json_compatible());
    value.map_err(|error| Problem::own(&error))
}

/// Converts a structured value to JSON.
///
/// # Errors
/// A problem if the value contains a number of 2^53 or more.
pub fn json(value: &impl Serialize) -> Result<String, Problem> {
    let text = structured(value).map(|value| JSON::stringify(&value))?;
    text.map(String::from).map_err(|error| Problem::own(&message(&error)))
}

/// Returns the layout that a text describes, see [`Layout::parse`]. Error messages call the text
/// `name`, which is for example the name of a variable.
///
/// # Errors
/// A text that says what was found and what is allowed.
pub fn layout(name: &str, text: &str) -> Result<Layout, String> {
    Layout::parse(text).map_err(|error| {
        let error = match error {
            Error::UnknownPreset { name, meant: None, names } => {
                Error::UnknownPreset { name, meant: meant(name.as_str(), names), names }
            }
            error => error,
        };
        format!("{name} is {}: {error}", Quote(text))
    })
}

/// Refuses a number of nodes if the layout is `snowcast` without its option `nodes`. In the
/// original snowcast, the number of nodes determines the bits of the layout. Without the option,
/// edgeflake would use the bits for 8,192 nodes.
///
/// # Errors
/// A text that says what to write instead.
pub fn check_node_count(
    [layout_name, count_name]: [&str; 2],
    text: &str,
    node_count: Option<u64>,
) -> Result<(), String> {
    let Some(preset) = preset::of(text).filter(|preset| preset.options.contains(&"nodes")) else {
        return Ok(());
    };
    let most = preset.layout.nodes();
    match node_count {
        Some(nodes) if nodes < most && !text.contains("nodes=") => {
            let least = match Layout::parse(&format!("{text} nodes={nodes}")) {
                Err(Error::NodeCount { min, .. }) => min,
                _ => nodes,
            };
            Err(format!(
                "{count_name} is {nodes}, and {layout_name} is {}, whose bits depend on its number \
                 of nodes: write \"{text} nodes={least}\", or \"{text} nodes={most}\"",
                Quote(text)
            ))
        }
        _ => Ok(()),
    }
}

/// The formats that [`instant`] reads, as a part of an error message.
pub const INSTANTS: &str = "Unix ms or an RFC 3339 date";

/// Reads an instant, given in Unix ms or as an RFC 3339 date. Returns Unix ms.
///
/// # Errors
/// A text that says what cannot be read.
pub fn instant(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let Instant(ms) = text.parse().map_err(|error: edgeflake::Error| error.to_string())?;
        return Ok(ms);
    }
    let most = Layout::INSTANT_MAX_MS;
    digits(text).filter(|ms| *ms <= most).ok_or_else(|| format!("Unix ms are at most {most}"))
}

/// Reads a whole number: decimal digits and nothing else, without a leading 0.
pub fn digits(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    let digits = number.checked_ilog10().map_or(1, |exponent| exponent as usize + 1);
    (digits == text.len()).then_some(number)
}

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

/// Returns the path and the query of a request's URL. The crate `url` would add 68 KB to the
/// compiled code. The platform has normalised the URL, so the path begins at the first `/` after
/// the host and ends at the first `?`.
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
