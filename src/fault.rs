use core::fmt;

use crate::Error;
use crate::digits::Digits;
use crate::text::Form;

/// What is wrong with an id's text; the first that applies, in this order.
///
/// ```
/// use edgeflake::Error;
/// use edgeflake::text::{self, Fault, Form};
///
/// let refused = text::parse("12a4", Form::Decimal).unwrap_err();
/// let fault = Fault::Character('a');
/// assert_eq!(refused, Error::IdText { form: Form::Decimal, position: 2, fault });
/// assert_eq!(refused.to_string(), "an id in decimal has a at position 2: 0-9 are allowed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no digit.
    Empty,
    /// This character is not one of the form's.
    Character(char),
    /// There is a digit more than the largest id has, even if it is a leading zero.
    TooLong {
        /// The most digits.
        max: usize,
    },
    /// With this digit, the number has more than 64 bits, or is past those of a signed one.
    Overflow,
}

impl Fault {
    /// What is wrong with a text that is no id.
    #[cold]
    pub(crate) fn of(text: &str, form: Form, digits: &Digits) -> Error {
        let fault = |position, fault| Error::IdText { form, position, fault };
        let (negative, number_max) = form.sign(text);
        let sign = usize::from(negative);
        let mut number = 0;
        let mut overflow = None;
        for (position, character) in text.bytes().enumerate().skip(sign) {
            let Some(digit) = digits.digit(character) else {
                // Only ASCII stands before it, so a character begins here.
                let found = text.get(position..).and_then(|rest| rest.chars().next());
                return fault(position, Self::Character(found.unwrap_or_default()));
            };
            match digits.append(number, digit) {
                Some(longer) if longer <= number_max => number = longer,
                _ => overflow = overflow.or(Some(position)),
            }
        }
        let (length, max) = (text.len() - sign, digits.width());
        match overflow {
            _ if length == 0 => fault(sign, Self::Empty),
            Some(position) if length <= max => fault(position, Self::Overflow),
            _ => fault(sign + max, Self::TooLong { max }),
        }
    }

    pub(crate) fn write(
        self,
        f: &mut fmt::Formatter<'_>,
        form: Form,
        position: usize,
    ) -> fmt::Result {
        write!(f, "an id in {form} ")?;
        match self {
            Self::Empty => f.write_str("has no digit")?,
            Self::Character(found) if found.is_ascii_graphic() => write!(f, "has {found}")?,
            Self::Character(found) => write!(f, "has U+{:04X}", u32::from(found))?,
            Self::TooLong { .. } => f.write_str("is too long")?,
            Self::Overflow if form == Form::SignedDecimal => {
                f.write_str("exceeds a signed number of 64 bits")?;
            }
            Self::Overflow => f.write_str("exceeds 64 bits")?,
        }
        write!(f, " at position {position}")?;
        match self {
            Self::Empty | Self::Character(_) => write!(f, ": {} are allowed", form.allowed()),
            Self::TooLong { max } => write!(f, ": at most {max} digits are allowed"),
            Self::Overflow => Ok(()),
        }
    }
}
