//! Values that appear in variables, queries and bodies alike, and the encoding of structured ones
//! in answers.

use edgeflake::preset::{self, Options};
use edgeflake::{Instant, Layout};
use js_sys::JSON;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::found::{Quote, message, question};
use crate::problem::Problem;

/// Converts a structured value to JavaScript. A number of 2^53 or more is an error, so such numbers
/// are texts.
///
/// # Errors
/// A number that JavaScript cannot have.
pub fn structured(value: &impl Serialize) -> Result<JsValue, Problem> {
    let value = value.serialize(&Serializer::json_compatible());
    value.map_err(|error| Problem::own(&error))
}

/// Converts a structured value to JSON.
///
/// # Errors
/// A number that JavaScript cannot have.
pub fn json(value: &impl Serialize) -> Result<String, Problem> {
    let text = structured(value).map(|value| JSON::stringify(&value))?;
    text.map(String::from).map_err(|error| Problem::own(&message(&error)))
}

/// Reads the layout that a preset's name or a layout string stands for. Errors call the text
/// `name`, such as the name of a variable.
///
/// # Errors
/// A text that says what was found and what is allowed.
pub fn layout(name: &str, text: &str) -> Result<Layout, String> {
    if let Some(preset) = preset::named(text) {
        return Ok(preset.layout);
    }
    let found = Quote(text);
    // A layout string has a colon; the name of a preset does not.
    if text.as_bytes().contains(&b':') {
        return text.parse().map_err(|error| format!("{name} is {found}: {error}"));
    }
    let names: Vec<_> = preset::ALL.iter().map(|preset| preset.name).collect();
    let question = question(text, &names);
    Err(format!(
        "{name} is {found}{question}: {}, and a layout string are allowed",
        names.join(", ")
    ))
}

/// Reads the layout of a preset with options, or of a layout string, which takes no options.
///
/// # Errors
/// A text that says what was found and what is allowed.
pub fn layout_with(name: &str, text: &str, options: &Options) -> Result<Layout, String> {
    if *options == Options::default() {
        return layout(name, text);
    }
    match preset::named(text) {
        Some(preset) => preset.with(options).map_err(|error| error.to_string()),
        None => Err(format!(
            "{name} is {}, which is no preset: write epoch, nodes and bits into it",
            Quote(text),
        )),
    }
}

/// The largest width that can be chosen: 63 bits minus one for the timestamp.
const BITS_MAX: u64 = 62;

/// Checks a number of bits.
///
/// # Errors
/// A text that says what is allowed.
pub fn bits(number: Option<u64>) -> Result<u8, String> {
    let bits = number.filter(|number| *number <= BITS_MAX);
    bits.and_then(|bits| u8::try_from(bits).ok())
        .ok_or_else(|| format!("a whole number from 0 to {BITS_MAX} is allowed"))
}

/// The texts that [`instant`] reads.
pub const INSTANTS: &str = "Unix ms and RFC 3339 dates are";

/// Reads an instant in Unix ms from a text that has Unix ms or an RFC 3339 date.
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
