use core::cmp::Ordering;

use super::digits::{BYTES_WIDTH, Digits};
use super::encoding::Encoding;
use crate::sentence::Word::{Character, Number, Text};
use crate::sentence::say;

/// What is wrong with an id's text. If several faults apply, it is the first of
/// [`Character`](Self::Character), [`Empty`](Self::Empty), [`TooLong`](Self::TooLong) and
/// [`Overflow`](Self::Overflow).
///
/// ```
/// use edgeflake::Error;
/// use edgeflake::text::{self, Fault, Encoding};
///
/// let refused = text::parse("12a4", Encoding::Decimal).unwrap_err();
/// let fault = Fault::Character('a');
/// assert_eq!(refused, Error::IdText { encoding: Encoding::Decimal, position: 2, fault });
/// assert_eq!(refused.to_string(), "an id in decimal has a at position 2: 0-9 are allowed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text has no digit, or ends before a required digit.
    Empty,
    /// The encoding does not have this character.
    Character(char),
    /// The text has more digits than the largest id, even if the first ones are zeros.
    TooLong {
        /// The most digits.
        max: usize,
    },
    /// From this digit on, the number does not fit 64 bits, which in `SignedDecimal` are signed.
    Overflow,
}

impl Fault {
    /// What is wrong with a text that is no id, and at which byte offset.
    #[cold]
    pub(crate) fn of(text: &str, encoding: Encoding, digits: &Digits) -> (usize, Self) {
        let (negative, number_max) = encoding.sign(text);
        let sign = usize::from(negative);
        let mut number = 0;
        let mut overflow = None;
        for (position, character) in text.bytes().enumerate().skip(sign) {
            let Some(digit) = digits.digit(character) else {
                // Only ASCII stands before it, so a character begins here.
                let found = text.get(position..).and_then(|rest| rest.chars().next());
                return (position, Self::Character(found.unwrap_or_default()));
            };
            match digits.append(number, digit) {
                Some(longer) if longer <= number_max => number = longer,
                _ => overflow = overflow.or(Some(position)),
            }
        }
        let (length, max) = (text.len() - sign, digits.width());
        if encoding == Encoding::Base64UrlBytes {
            return match length.cmp(&BYTES_WIDTH) {
                Ordering::Less => (length, Self::Empty),
                Ordering::Equal => (length - 1, Self::Overflow),
                Ordering::Greater => (BYTES_WIDTH, Self::TooLong { max: BYTES_WIDTH }),
            };
        }
        match overflow {
            _ if length == 0 => (sign, Self::Empty),
            Some(position) if length <= max => (position, Self::Overflow),
            _ => (sign + max, Self::TooLong { max }),
        }
    }

    pub(crate) fn say(self, encoding: Encoding, position: usize, listener: &mut dyn FnMut(&str)) {
        let mut bytes = [0; 4];
        let none = Text("");
        let (pattern, found, allowed) = match self {
            Self::Empty => (
                "an id in {} has no digit{} at position {}: {} are allowed",
                none,
                Text(encoding.allowed()),
            ),
            Self::Character(found) if found.is_ascii_graphic() => (
                "an id in {} has {} at position {}: {} are allowed",
                Text(found.encode_utf8(&mut bytes)),
                Text(encoding.allowed()),
            ),
            Self::Character(found) => (
                "an id in {} has U+{} at position {}: {} are allowed",
                Character(found),
                Text(encoding.allowed()),
            ),
            Self::TooLong { max } => (
                "an id in {} is too long{} at position {}: at most {} digits are allowed",
                none,
                Number(max as u64),
            ),
            Self::Overflow => (
                "an id in {} exceeds its range{} at position {}: {} are allowed",
                none,
                Text(if encoding == Encoding::SignedDecimal {
                    "-2^63 to 2^63 - 1"
                } else {
                    "0 to 2^64 - 1"
                }),
            ),
        };
        say(listener, pattern, &[Text(encoding.name()), found, Number(position as u64), allowed]);
    }
}
