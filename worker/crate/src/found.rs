//! Formats values for error messages: a text, a JavaScript value, or an unknown name together with
//! the known name that was probably meant. Also reads the message of a JavaScript error.

use std::fmt::{Display, Formatter, Result, Write as _};

use js_sys::{Array, Error};
use strsim::levenshtein;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A text in quotes, shortened so that it fits into a message.
pub struct Quote<'a>(pub &'a str);

impl Quote<'_> {
    /// The largest number of characters of the text that a message shows.
    const SHOWN_MAX: usize = 60;
}

impl Display for Quote<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_char('"')?;
        let mut characters = 0;
        for character in self.0.chars() {
            characters += 1;
            match character {
                _ if characters > Self::SHOWN_MAX => {}
                '"' | '\\' => {
                    f.write_char('\\')?;
                    f.write_char(character)?;
                }
                // Escape control characters, so that the text stays on one line of the log.
                _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')?;
        if characters > Self::SHOWN_MAX {
            write!(f, " and so on, {characters} characters")?;
        }
        Ok(())
    }
}

#[wasm_bindgen]
extern "C" {
    /// Returns the text that JavaScript's `String` makes of a value.
    #[wasm_bindgen(js_name = String)]
    fn text(value: &JsValue) -> String;
}

/// Formats a JavaScript value for an error message.
#[must_use]
pub fn shown(value: &JsValue) -> String {
    match value.js_typeof().as_string().as_deref() {
        Some("string") => Quote(&text(value)).to_string(),
        Some("object") if Array::is_array(value) => "an array".to_owned(),
        Some("object") if !value.is_null() => "an object".to_owned(),
        Some("function") => "a function".to_owned(),
        Some(name @ ("bigint" | "symbol")) => format!("the {name} {}", text(value)),
        _ => text(value),
    }
}

/// Returns the message of a JavaScript error.
#[must_use]
pub fn message(error: &JsValue) -> String {
    let message = error.dyn_ref::<Error>().and_then(|error| error.message().as_string());
    message.unwrap_or_default()
}

/// The largest number of wrong letters with which a short name is recognized. In a long name, a
/// third of the letters may be wrong.
const EDITS_MAX: usize = 2;

/// The largest number of letters of a name that is compared with the known names.
const LENGTH_MAX: usize = 60;

/// The smallest number of letters with which a name is recognized as a part of a known name.
const PART_MIN: usize = 3;

/// Formats a list of allowed words: `a, b or c`.
pub struct Allowed<'a>(pub &'a [&'a str]);

impl Display for Allowed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            [] => f.write_str("none"),
            [one] => f.write_str(one),
            [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
        }
    }
}

/// Formats the refusal of an unknown name: the known name that was probably meant, and all known
/// names. `kind` is the kind of name, such as `parameter`.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let (found, allowed) = (Quote(name), Allowed(known));
    let meant = meant(name, known).map(|meant| format!(" (did you mean {meant}?)"));
    let question = meant.unwrap_or_default();
    if known.is_empty() {
        return format!("the {kind} {found} is unknown: leave it out");
    }
    format!("the {kind} {found} is unknown{question}: give {allowed}")
}

/// Returns the known name that was probably meant: a name with a similar spelling, a name that
/// contains `name`, or a name that `name` contains.
pub(crate) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let given = letters(name);
    if given.len() > LENGTH_MAX {
        return None;
    }
    let most = EDITS_MAX.max(given.len() / 3).min(given.len() / 2);
    let edits_to = |known: &str| {
        let known = letters(known);
        let is_part = given.contains(&*known) || given.len() >= PART_MIN && known.contains(&*given);
        if is_part { 0 } else { levenshtein(&known, &given) }
    };
    let alike = known.iter().copied().filter(|known| edits_to(known) <= most);
    alike.min_by_key(|known| (edits_to(known), known.len().abs_diff(name.len())))
}

/// Returns whether two names differ only in how their words are separated, as `nodeCount` and
/// `node_count`.
pub(crate) fn is_alike(name: &str, other: &str) -> bool {
    letters(name) == letters(other)
}

/// Returns the ASCII letters and digits of a name, in lower case. Other letters are left out,
/// because no known name has any.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns the known name that was probably meant, or else the known name with the most similar
/// spelling.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> &'a str {
    let edits_to = |known: &&str| levenshtein(known, name);
    let alike = || known.iter().copied().min_by_key(edits_to);
    meant(name, known).or_else(alike).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(Allowed(&[]).to_string(), "none");
        assert_eq!(Allowed(&["a"]).to_string(), "a");
        assert_eq!(Allowed(&["a", "b", "c"]).to_string(), "a, b or c");
    }

    #[test]
    fn what_was_meant() {
        let known = ["layout", "epoch", "nodes", "first_node", "node_count"];
        for (name, expected) in [
            ("layuot", Some("layout")),
            ("Layout", Some("layout")),
            ("layouts", Some("layout")),
            ("epoch_start", Some("epoch")),
            ("epochMs", Some("epoch")),
            ("nodeCount", Some("node_count")),
            ("node", Some("nodes")),
            ("firstNode", Some("first_node")),
            ("", None),
            ("n", None),
            ("id", None),
            ("allowed_future_millis", None),
            (&"layout".repeat(11), None),
        ] {
            assert_eq!(meant(name, &known), expected, "{name}");
        }
        assert_eq!(meant("a", &[]), None);
    }

    #[test]
    fn refusals() {
        assert_eq!(
            unknown("parameter", "cuont", &["count", "format"]),
            "the parameter \"cuont\" is unknown (did you mean count?): give count or format"
        );
        assert_eq!(
            unknown("parameter", "a\nb", &[]),
            "the parameter \"a\\u{a}b\" is unknown: leave it out"
        );
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(Quote("a\"b\\\n").to_string(), r#""a\"b\\\u{a}""#);
        assert_eq!(Quote(&"é".repeat(60)).to_string(), format!("\"{}\"", "é".repeat(60)));
        assert_eq!(
            Quote(&"é".repeat(61)).to_string(),
            format!("\"{}\" and so on, 61 characters", "é".repeat(60))
        );
    }
}
