//! Names that a caller gives, such as those of parameters and variables. Each kind has a list of
//! allowed names; any other name is refused, with a suggestion.

use std::fmt::{Display, Formatter, Result};

use strsim::levenshtein;

use crate::found::Found;

/// How many letters of a short name may be wrong. In a long name, a third of them may be.
const EDITS_MAX: usize = 2;

/// The longest name for which a similar one is looked for.
const LENGTH_MAX: usize = 60;

/// The shortest name that counts as a part of a known one.
const PART_MIN: usize = 3;

/// Writes a list of allowed words, with the verb: `a, b and c are`.
pub struct Allowed<'a>(pub &'a [&'a str]);

impl Display for Allowed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            [] => f.write_str("none is"),
            [one] => write!(f, "{one} is"),
            [first @ .., last] => write!(f, "{} and {last} are", first.join(", ")),
        }
    }
}

/// The text that refuses an unknown name. It says which known name was probably meant, and lists
/// all of them. `kind` is the kind of name, such as `parameter`.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let (found, allowed) = (Found(name), Allowed(known));
    let question = question(name, known);
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("there is {article} {kind} {found}{question}: {allowed} allowed")
}

/// The known name that was probably meant, as a question in brackets; empty if there is none.
pub(crate) fn question(name: &str, known: &[&str]) -> String {
    let meant = meant(name, known).map(|meant| format!(" (did you mean {meant}?)"));
    meant.unwrap_or_default()
}

/// The known name that was probably meant: one with a similar spelling, or one that contains this
/// name or is contained in it.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
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

/// Whether two names differ only in how their words are separated, as `nodeCount` and `node_count`.
pub(crate) fn is_alike(name: &str, other: &str) -> bool {
    letters(name) == letters(other)
}

/// The ASCII letters and digits of a name, in lower case. Other letters are left out, because no
/// known name has any.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The known name that was probably meant, or else the one with the most similar spelling.
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
        assert_eq!(Allowed(&[]).to_string(), "none is");
        assert_eq!(Allowed(&["a"]).to_string(), "a is");
        assert_eq!(Allowed(&["a", "b", "c"]).to_string(), "a, b and c are");
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
            "there is a parameter \"cuont\" (did you mean count?): count and format are allowed"
        );
        assert_eq!(
            unknown("parameter", "a\nb", &[]),
            "there is a parameter \"a\\u{a}b\": none is allowed"
        );
    }
}
