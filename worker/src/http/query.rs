//! The parameters of a query.

use std::borrow::Cow;
use std::fmt;

use edgeflake::text::Encoding;

use edgeflake_workers::found::Quote;
use edgeflake_workers::found::{Allowed, unknown};
use edgeflake_workers::problem::Problem;

/// The largest number of parameters of a method.
pub(crate) const PARAMETERS_MAX: usize = 4;

/// The values of the parameters of a query in the order of their names; `None` for a missing one.
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

/// Creates the problem of a value that cannot be used. It says what was found and what is allowed.
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
