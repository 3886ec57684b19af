//! The values of variables: where each goes, and which texts are allowed.

use core::ops::RangeInclusive;

use edgeflake::SequenceStart;

use crate::found::Quote;
use crate::value::digits;

/// The value of a variable, with what is allowed.
pub enum Value<'a> {
    /// A whole number.
    Number(&'a mut u64, RangeInclusive<u64>),
    /// A whole number that may be missing.
    OptionalNumber(&'a mut Option<u64>, RangeInclusive<u64>),
    /// `true` or `false`.
    Flag(&'a mut bool),
    /// `zero`, `rotating`, or `random:` and the largest start.
    Start(&'a mut SequenceStart),
    /// A text, which its user checks.
    Text(&'a mut String),
    /// A text that no message shows, which its user checks.
    Secret(&'a mut String),
    /// A binding, or a text, which its user reads.
    Binding,
}

impl Value<'_> {
    /// Reads a text.
    ///
    /// # Errors
    /// A text that continues the name of the variable: what was found and what is allowed.
    pub fn read(self, text: &str) -> Result<(), String> {
        let quoted = |allowed: String| format!("is {}: {allowed}", Quote(text));
        match self {
            Value::Number(value, range) => *value = number(text, &range).map_err(quoted)?,
            Value::OptionalNumber(value, range) => {
                *value = Some(number(text, &range).map_err(quoted)?);
            }
            // The text is not shown, because it may be a secret that was put into the wrong variable.
            Value::Flag(value) => {
                *value = text.parse().map_err(
                    |_| r#"is neither "true" nor "false": set it to one of them, or remove it"#,
                )?;
            }
            Value::Start(value) => *value = start(text).map_err(quoted)?,
            Value::Text(value) | Value::Secret(value) => text.clone_into(value),
            Value::Binding => {}
        }
        Ok(())
    }
}

fn number(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let (min, max) = (range.start(), range.end());
    let number = digits(text).filter(|number| range.contains(number));
    number.ok_or_else(|| format!("a whole number from {min} to {max} is allowed"))
}

fn start(text: &str) -> Result<SequenceStart, String> {
    match text {
        "zero" => Ok(SequenceStart::Zero),
        "rotating" => Ok(SequenceStart::Rotating),
        other => match other.strip_prefix("random:").and_then(digits) {
            Some(max) => Ok(SequenceStart::Random { max }),
            None => Err("zero, rotating, and random: with the largest start, such as random:99, \
                         are allowed"
                .to_owned()),
        },
    }
}
