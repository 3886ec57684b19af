//! The parameters of a query.

use std::borrow::Cow;
use std::fmt;

use edgeflake::text::Encoding;

use edgeflake_authority::found::Found;
use edgeflake_authority::problem::Problem;

/// The values of the parameters with these names, in this order; `None` for a missing one.
///
/// # Errors
/// A problem for a parameter with another name, and for a repeated one.
pub(crate) fn read<'a, const N: usize>(
    query: &'a str,
    names: [&'static str; N],
) -> Result<[Option<Cow<'a, str>>; N], Problem> {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(index) = names.iter().position(|known| *known == name) else {
            return Err(Problem::parameter(format!(
                "there is a parameter {}: {} allowed",
                Found(&name),
                Allowed(&names)
            )));
        };
        if values[index].replace(value).is_some() {
            return Err(Problem::parameter(format!("{name} is there twice: once is allowed")));
        }
    }
    Ok(values)
}

/// The problem of a value that cannot be used: it says what was found and what is allowed.
pub(crate) fn refused(name: &str, value: &str, allowed: impl fmt::Display) -> Problem {
    Problem::parameter(format!("{name} is {}: {allowed} allowed", Found(value)))
}

/// Writes words as what is allowed: `a, b and c are`.
pub(crate) struct Allowed<'a>(pub(crate) &'a [&'a str]);

impl fmt::Display for Allowed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none is"),
            [one] => write!(f, "{one} is"),
            [first @ .., last] => write!(f, "{} and {last} are", first.join(", ")),
        }
    }
}

/// The encoding that the parameter `encoding` names.
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
        let read = |query| read(query, ["a", "b"]).ok();
        let some = |text: &'static str| Some(Cow::from(text));
        assert_eq!(read(""), Some([None, None]));
        assert_eq!(read("b=2"), Some([None, some("2")]));
        assert_eq!(read("b=%32&a"), Some([some(""), some("2")]));
        assert_eq!(read("a=1+2&"), Some([some("1 2"), None]));
        assert_eq!(read("a=1&a=1"), None);
        assert_eq!(read("c=1"), None);
    }

    #[test]
    fn words() {
        assert_eq!(Allowed(&[]).to_string(), "none is");
        assert_eq!(Allowed(&["a"]).to_string(), "a is");
        assert_eq!(Allowed(&["a", "b", "c"]).to_string(), "a, b and c are");
    }
}
