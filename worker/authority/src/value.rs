//! Values as texts, which variables, queries and bodies have in common.

use edgeflake::{Instant, Layout, preset};

use crate::found::Found;

/// The layout of a preset's name or of a layout string; `name` says where the text stands.
///
/// # Errors
/// A text that says what was found and what is allowed.
pub fn layout(name: &str, text: &str) -> Result<Layout, String> {
    if let Some(preset) = preset::named(text) {
        return Ok(preset.layout);
    }
    text.parse().map_err(|error| {
        let names: Vec<_> = preset::ALL.iter().map(|preset| preset.name).collect();
        format!(
            "{name} is {}, which is none of the presets {}; as a layout string: {error}",
            Found(text),
            names.join(", ")
        )
    })
}

/// An instant in Unix ms, written so or as an RFC 3339 date.
///
/// # Errors
/// A text that says what cannot be read.
pub fn instant(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let Instant(ms) = text.parse().map_err(|error: edgeflake::Error| error.to_string())?;
        return Ok(ms);
    }
    let most = Layout::INSTANT_MAX_MS;
    digits(text).filter(|ms| *ms <= most).ok_or_else(|| format!("at most {most} is Unix ms"))
}

/// A whole number of decimal digits and nothing else, without a leading 0.
pub fn digits(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    let digits = number.checked_ilog10().map_or(1, |exponent| exponent as usize + 1);
    (digits == text.len()).then_some(number)
}
