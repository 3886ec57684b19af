//! Reads the parameters of a query.

use std::borrow::Cow;
use std::fmt;

use edgeflake::text::Encoding;

use edgeflake_workers::found::Quote;
use edgeflake_workers::found::{Allowed, unknown};
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value;

/// The largest number of parameters of a method.
pub(crate) const PARAMETERS_MAX: usize = 4;

/// The largest number in an argument: 2^53 - 1, up to which JavaScript numbers are exact.
pub(crate) const NUMBER_MAX: u64 = 9_007_199_254_740_991;

/// A parameter of a route, with its description for documents.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "documents describe the rest"))]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
    /// The examples, each with its name; a single example has none.
    pub(crate) examples: &'static [(&'static str, &'static str)],
}

impl Parameter {
    pub(crate) const fn new(name: &'static str, text: &'static str, kind: Kind) -> Self {
        Self { name, text, kind, is_required: false, examples: &[] }
    }
}

/// The kind of value that a parameter has.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "documents describe the kind"))]
pub(crate) enum Kind {
    Whole(Whole),
    /// One of these texts; the first is the default.
    OneOf(&'static [&'static str]),
    /// The name of an encoding.
    Encoding {
        default: Option<&'static str>,
    },
    /// A text. Documents show the pattern.
    Text {
        pattern: Option<&'static str>,
    },
}

/// A whole number in a range.
#[derive(Clone, Copy)]
pub(crate) struct Whole {
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) default: u64,
}

impl Whole {
    /// Reads the value of the parameter `name`.
    ///
    /// # Errors
    /// A problem for a text that is no whole number in the range.
    pub(crate) fn read(self, name: &str, text: Option<&str>) -> Result<u64, Problem> {
        let Some(text) = text else { return Ok(self.default) };
        let Self { min, max, .. } = self;
        let found = value::digits(text).filter(|number| (min..=max).contains(number));
        let allowed = format_args!("a whole number from {min} to {max} is");
        found.ok_or_else(|| refused(name, text, allowed))
    }
}

/// The values of a query's parameters, in the order of their names; `None` if one is missing.
pub(crate) type Values<'a> = [Option<Cow<'a, str>>; PARAMETERS_MAX];

/// Reads the values of the parameters with these names, of which there are at most
/// [`PARAMETERS_MAX`]. `keys` are the keys that the body may have; if an unknown parameter is one
/// of them, the error says so.
///
/// # Errors
/// A problem for a parameter with another name, and for a repeated one.
pub(crate) fn read<'a>(
    query: &'a str,
    names: &[&str],
    keys: &[&str],
) -> Result<Values<'a>, Problem> {
    let mut values = [const { None }; PARAMETERS_MAX];
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(index) = names.iter().position(|known| *known == name) else {
            let mut detail = unknown("parameter", &name, names);
            if keys.contains(&&*name) {
                detail.push_str("; send it as a key of the body");
            }
            return Err(Problem::parameter(detail));
        };
        if values[index].replace(value).is_some() {
            return Err(Problem::parameter(format!("{name} is given twice: give it once")));
        }
    }
    Ok(values)
}

/// Returns the problem for an invalid value, which says what was found and what is allowed.
pub(crate) fn refused(name: &str, value: &str, allowed: impl fmt::Display) -> Problem {
    Problem::parameter(format!("{name} is {}: {allowed} allowed", Quote(value)))
}

/// Returns the encoding that the parameter `encoding` names.
///
/// # Errors
/// A problem that lists the encodings.
pub(crate) fn encoding(name: &str) -> Result<Encoding, Problem> {
    Encoding::named(name)
        .ok_or_else(|| refused("encoding", name, Allowed(&Encoding::ALL.map(Encoding::name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        let read = |query| read(query, &["a", "b"], &[]).ok();
        let some = |text: &'static str| Some(Cow::from(text));
        assert_eq!(read(""), Some([None, None, None, None]));
        assert_eq!(read("b=2"), Some([None, some("2"), None, None]));
        assert_eq!(read("b=%32&a"), Some([some(""), some("2"), None, None]));
        assert_eq!(read("a=1+2&"), Some([some("1 2"), None, None, None]));
        assert_eq!(read("a=1&a=1"), None);
        assert_eq!(read("c=1"), None);
    }
}
