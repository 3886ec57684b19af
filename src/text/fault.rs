use core::cmp::Ordering;
use core::fmt::{self, Write as _};

use super::digits::{BYTES_WIDTH, Digits};
use super::encoding::Encoding;

/// The fault of an id's text. If several faults apply, it is the first of
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
/// assert_eq!(refused.to_string(), "an id in decimal has \"a\" at position 2: 0-9 are allowed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text has no digit, or ends before a required digit.
    Empty,
    /// The encoding does not have this character.
    Character(char),
    /// The text has more digits than the largest id, even if the first digits are zeros.
    TooLong {
        /// The largest number of digits that is allowed.
        max: usize,
    },
    /// With this digit, the number no longer fits into 64 bits (signed in `SignedDecimal`).
    Overflow,
}

impl Fault {
    /// Returns the byte offset of the fault in a text that is not an id, and the fault.
    #[cold]
    pub(crate) fn of(text: &str, encoding: Encoding, digits: &Digits) -> (usize, Self) {
        let (negative, number_max) = encoding.sign(text);
        let sign = usize::from(negative);
        let mut number = 0;
        let mut overflow = None;
        for (position, character) in text.bytes().enumerate().skip(sign) {
            let Some(digit) = digits.digit(character) else {
                // All bytes before this offset are ASCII, so a character begins here.
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

    /// Writes the error message for a text with this fault.
    pub(crate) fn write(
        self,
        f: &mut fmt::Formatter<'_>,
        encoding: Encoding,
        position: usize,
    ) -> fmt::Result {
        for text in ["an id in ", encoding.name(), " "] {
            f.write_str(text)?;
        }
        match self {
            Self::Empty => f.write_str("has no digit")?,
            Self::Character(found) if found.is_ascii_graphic() => {
                f.write_str("has \"")?;
                f.write_char(found)?;
                f.write_char('"')?;
            }
            Self::Character(found) => write!(f, "has U+{:04X}", u32::from(found))?,
            Self::TooLong { .. } => f.write_str("is too long")?,
            Self::Overflow => f.write_str("exceeds its range")?,
        }
        write!(f, " at position {position}: ")?;
        match self {
            Self::TooLong { max } => return write!(f, "at most {max} digits are allowed"),
            Self::Overflow if encoding == Encoding::SignedDecimal => {
                f.write_str("-2^63 to 2^63 - 1")?;
            }
            Self::Overflow => f.write_str("0 to 2^64 - 1")?,
            _ => f.write_str(encoding.allowed())?,
        }
        f.write_str(" are allowed")
    }
}
