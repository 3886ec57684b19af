//! An id that is read prints a text that reads as the same id, in every encoding. The standard
//! library reads some of the encodings, with the same result.

use std::collections::BTreeMap;

use edgeflake::Error;
use edgeflake::text::{self, Encoding};

use super::variant;

/// Returns the encodings by outcome. Most encodings refuse a character, and are left out.
pub fn check(found: &str) -> String {
    let mut outcomes = BTreeMap::<String, Vec<&str>>::new();
    for encoding in Encoding::ALL {
        let read = text::parse(found, encoding);
        let outcome = match read {
            Ok(id) => {
                let printed = text::format(id, encoding);
                assert_eq!(text::parse(&printed, encoding), Ok(id), "{encoding} {printed}");
                String::from("an id")
            }
            Err(error @ Error::IdText { encoding: refused, position, fault }) => {
                assert_eq!(refused, encoding);
                assert!(found.is_char_boundary(position), "{error}");
                assert!(error.to_string().is_ascii());
                variant(&fault)
            }
            Err(error) => panic!("{error}"),
        };
        outcomes.entry(outcome).or_default().push(encoding.name());
        if let Some(standard) = standard(found, encoding) {
            assert_eq!(read.ok(), standard, "{encoding} {found}");
        }
    }
    if let Some(encoding) = Encoding::named(found) {
        assert_eq!(encoding.name(), found);
        return String::from("the name of an encoding");
    }
    outcomes.remove("Character");
    let each =
        outcomes.iter().map(|(outcome, encodings)| format!("{outcome} in {}", encodings.join(" ")));
    if outcomes.is_empty() { String::from("no id") } else { each.collect::<Vec<_>>().join("; ") }
}

/// Reads the text with the standard library if that knows the encoding.
#[expect(
    clippy::option_option,
    reason = "an encoding that it does not read, and a text that is no id"
)]
fn standard(text: &str, encoding: Encoding) -> Option<Option<u64>> {
    let (radix, digits_max) = match encoding {
        Encoding::Decimal => (10, 20),
        Encoding::Hex => (16, 16),
        Encoding::Binary => (2, 64),
        Encoding::Base36 => (36, 13),
        Encoding::SignedDecimal => {
            let is_read = !text.starts_with('+') && text.trim_start_matches('-').len() <= 20;
            let id = text.parse().ok().map(i64::cast_unsigned);
            return Some(id.filter(|_| is_read));
        }
        _ => return None,
    };
    let is_read = !text.starts_with('+') && text.len() <= digits_max;
    Some(u64::from_str_radix(text, radix).ok().filter(|_| is_read))
}
