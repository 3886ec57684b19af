//! Ids as text.
//!
//! ```
//! use edgeflake::text::{self, Encoding};
//!
//! let id = 1_541_815_603_606_036_480;
//! assert_eq!(&*text::format(id, Encoding::Decimal), "1541815603606036480");
//! assert_eq!(&*text::format(id, Encoding::Base62), "1ptWyK4WgZU");
//! assert_eq!(text::parse("1ptWyK4WgZU", Encoding::Base62)?, id);
//! # Ok::<(), edgeflake::Error>(())
//! ```
//!
//! To store ids as bytes, use `id.to_be_bytes()`. The bytes sort as the ids do. For an SQL
//! `BIGINT`, use `id.cast_signed()`.

pub(crate) mod digits;
pub(crate) mod encoding;
pub(crate) mod fault;
pub(crate) mod printed;

use self::digits::Digits;
pub use self::encoding::Encoding;
use self::encoding::Form;
pub use self::fault::Fault;
pub use self::printed::Text;

use crate::error::Error;

/// Writes an id as text in an encoding.
///
/// ```
/// use edgeflake::text::{self, Encoding};
///
/// assert_eq!(&*text::format(u64::MAX, Encoding::Base32), "FZZZZZZZZZZZZ");
/// assert_eq!(&*text::format(u64::MAX, Encoding::SignedDecimal), "-1");
/// assert_eq!(text::format(255, Encoding::Hex).to_string(), "00000000000000ff");
/// ```
#[must_use]
#[inline]
pub fn format(id: u64, encoding: Encoding) -> Text {
    let (form, symbols) = (encoding.form(), encoding.symbols());
    let number = match form {
        Form::Padded | Form::Shortest => id,
        Form::Signed => id.cast_signed().unsigned_abs(),
        Form::Bytes => id >> 4,
    };
    let text = match encoding {
        Encoding::Decimal | Encoding::SignedDecimal => Text::in_eights::<10>(number),
        Encoding::Hex => Text::in_eights::<16>(number),
        _ => Text::padded(symbols, number),
    };
    match form {
        Form::Padded => text,
        Form::Bytes => text.of_bytes(id),
        Form::Signed if id.cast_signed() < 0 => text.shortest(symbols).negative(),
        Form::Signed | Form::Shortest => text.shortest(symbols),
    }
}

/// Returns the eight decimal digits of a number below 10^8, in ASCII.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn eight_digits(number: u64) -> [u8; 8] {
    digits::eight::<10>(number)
}

/// Reads an id from text in an encoding. The variants of [`Encoding`] say which texts `parse` reads
/// besides the texts that [`format`] prints.
///
/// # Errors
/// [`Error::IdText`], with the first [`Fault`] that applies.
///
/// ```
/// use edgeflake::{Error, text::{self, Fault, Encoding}};
///
/// assert_eq!(text::parse("fzzzzzzzzzzzz", Encoding::Base32), Ok(u64::MAX));
/// assert_eq!(text::parse("-1", Encoding::SignedDecimal), Ok(u64::MAX));
/// assert_eq!(
///     text::parse("18446744073709551616", Encoding::Decimal),
///     Err(Error::IdText { encoding: Encoding::Decimal, position: 19, fault: Fault::Overflow })
/// );
/// ```
#[inline]
pub fn parse(text: &str, encoding: Encoding) -> Result<u64, Error> {
    let digits = encoding.reads();
    let (negative, max) = encoding.sign(text);
    let magnitude = text.as_bytes().get(usize::from(negative)..).and_then(|text| digits.read(text));
    match magnitude {
        Some(number) if number <= max => Ok(if negative { number.wrapping_neg() } else { number }),
        _ => otherwise(text, encoding, digits),
    }
}

/// Reads a text that [`parse`] could not read as a number. The text may be the eight bytes of an id
/// in base64url; any other text is an error.
#[cold]
fn otherwise(text: &str, encoding: Encoding, digits: &Digits) -> Result<u64, Error> {
    if encoding == Encoding::Base64UrlBytes
        && let Some((head, last)) = text.split_at_checked(digits::BYTES_WIDTH - 1)
        && let Some(high) = Encoding::Base64Url.reads().read(head.as_bytes())
        && let Some(low) = Encoding::Base64Url.reads().read(last.as_bytes())
    {
        let id = high << 4 | low >> 2;
        // Eleven digits have two bits more than eight bytes. A text with these bits set is no id.
        if *format(id, encoding) == *text {
            return Ok(id);
        }
    }
    let (position, fault) = Fault::of(text, encoding, digits);
    Err(Error::IdText { encoding, position, fault })
}
