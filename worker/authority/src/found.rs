//! How an error quotes what was found, and how the message of a JavaScript error is read.

use std::fmt::{Display, Formatter, Result, Write as _};

use js_sys::{Array, Error};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A text that was found, shown in quotes and cut to a length that fits into a message.
pub struct Found<'a>(pub &'a str);

impl Found<'_> {
    /// The most characters that are shown.
    const SHOWN_MAX: usize = 60;
}

impl Display for Found<'_> {
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
                // The text is escaped, so that it stays on one log line.
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
    /// JavaScript's own text of a value.
    #[wasm_bindgen(js_name = String)]
    fn text(value: &JsValue) -> String;
}

/// A JavaScript value as an error shows it.
#[must_use]
pub fn shown(value: &JsValue) -> String {
    match value.js_typeof().as_string().as_deref() {
        Some("string") => Found(&text(value)).to_string(),
        Some("object") if Array::is_array(value) => "an array".to_owned(),
        Some("object") if !value.is_null() => "an object".to_owned(),
        Some("function") => "a function".to_owned(),
        Some(name @ ("bigint" | "symbol")) => format!("the {name} {}", text(value)),
        _ => text(value),
    }
}

/// The message of a JavaScript error.
#[must_use]
pub fn message(error: &JsValue) -> String {
    let message = error.dyn_ref::<Error>().and_then(|error| error.message().as_string());
    message.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(Found("a\"b\\\n").to_string(), r#""a\"b\\\u{a}""#);
        assert_eq!(Found(&"é".repeat(60)).to_string(), format!("\"{}\"", "é".repeat(60)));
        assert_eq!(
            Found(&"é".repeat(61)).to_string(),
            format!("\"{}\" and so on, 61 characters", "é".repeat(60))
        );
    }
}
