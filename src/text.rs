//! Ids as text, and as the signed numbers of SQL.
//!
//! ```
//! use edgeflake::text::{self, Form};
//!
//! let id = 1_541_815_603_606_036_480;
//! assert_eq!(&*text::encode(id, Form::Decimal), "1541815603606036480");
//! assert_eq!(&*text::encode(id, Form::Base62), "1ptWyK4WgZU");
//! assert_eq!(text::parse("1ptWyK4WgZU", Form::Base62)?, id);
//! # Ok::<(), edgeflake::Error>(())
//! ```
//!
//! As bytes, an id is `id.to_be_bytes()`: these sort as the ids do.

use core::fmt;
use core::ops::Deref;

use crate::Error;
use crate::digits::{self, Digits, Symbols};
pub use crate::fault::Fault;
pub use crate::form::Form;

/// The text of an id in a form.
///
/// ```
/// use edgeflake::text::{self, Form};
///
/// assert_eq!(&*text::encode(u64::MAX, Form::Base32), "FZZZZZZZZZZZZ");
/// assert_eq!(&*text::encode(u64::MAX, Form::SignedDecimal), "-1");
/// assert_eq!(text::encode(255, Form::Hex).to_string(), "00000000000000ff");
/// ```
#[must_use]
pub fn encode(id: u64, form: Form) -> Text {
    match form {
        Form::Decimal => Text::shortest(&digits::DECIMAL, id),
        Form::SignedDecimal => {
            let number = to_signed(id);
            let text = Text::shortest(&digits::DECIMAL, number.unsigned_abs());
            if number < 0 { text.negative() } else { text }
        }
        Form::Hex => Text::padded(&digits::HEX, id),
        Form::Binary => Text::padded(&digits::BINARY, id),
        Form::Base32 => Text::padded(&digits::BASE32, id),
        Form::ZBase32 => Text::shortest(&digits::Z_BASE32, id),
        Form::Base36 => Text::shortest(&digits::BASE36, id),
        Form::Base58 => Text::shortest(&digits::BASE58, id),
        Form::Base58Flickr => Text::shortest(&digits::BASE58_FLICKR, id),
        Form::Base62 => Text::padded(&digits::BASE62, id),
        Form::Base64Url => Text::shortest(&digits::BASE64_URL, id),
    }
}

/// The id of a text in a form; [`Form`] says what is read beyond what [`encode`] prints.
///
/// # Errors
/// [`Error::IdText`], with the first [`Fault`] that applies.
///
/// ```
/// use edgeflake::{Error, text::{self, Fault, Form}};
///
/// assert_eq!(text::parse("fzzzzzzzzzzzz", Form::Base32), Ok(u64::MAX));
/// assert_eq!(text::parse("-1", Form::SignedDecimal), Ok(u64::MAX));
/// assert_eq!(
///     text::parse("18446744073709551616", Form::Decimal),
///     Err(Error::IdText { form: Form::Decimal, position: 19, fault: Fault::Overflow })
/// );
/// ```
#[inline]
pub fn parse(text: &str, form: Form) -> Result<u64, Error> {
    let digits = Digits::of(form);
    let (negative, max) = form.sign(text);
    let magnitude = text.as_bytes().get(usize::from(negative)..).and_then(|text| digits.read(text));
    match magnitude {
        Some(number) if number <= max => Ok(if negative { number.wrapping_neg() } else { number }),
        _ => Err(Fault::of(text, form, digits)),
    }
}

/// An id as the signed number of the same 64 bits, for SQL's `BIGINT`.
///
/// ```
/// assert_eq!(edgeflake::text::to_signed(1 << 63), i64::MIN);
/// ```
#[must_use]
pub const fn to_signed(id: u64) -> i64 {
    id.cast_signed()
}

/// The id that [`to_signed`] makes this number of.
///
/// ```
/// assert_eq!(edgeflake::text::from_signed(-1), u64::MAX);
/// ```
#[must_use]
pub const fn from_signed(number: i64) -> u64 {
    number.cast_unsigned()
}

/// An id as text: at most 64 ASCII characters, kept inline.
///
/// ```
/// use edgeflake::text::{self, Form, Text};
///
/// let text: Text = text::encode(255, Form::Hex);
/// assert!(text.ends_with("ff")); // it is a `str`
/// assert_eq!(format!("id-{text}"), "id-00000000000000ff");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text {
    /// The text stands at the end, after zero bytes.
    bytes: [u8; Self::LENGTH_MAX],
    start: u8,
}

impl Text {
    /// The binary form is the longest.
    const LENGTH_MAX: usize = 64;

    /// All digits of a number, with leading zeros.
    ///
    /// Dividing a `u64` is slow, above all in wasm, where the compiler has no multiplication to
    /// turn it into. So the number is cut into chunks of as many digits as a `u32` holds.
    pub(crate) fn padded(symbols: &Symbols, mut number: u64) -> Self {
        let start = Self::LENGTH_MAX.saturating_sub(symbols.width);
        let mut bytes = [0; Self::LENGTH_MAX];
        for digits in bytes[start..].rchunks_mut(symbols.chunk_digits) {
            let chunks = number / symbols.chunk;
            let mut rest = number - chunks * symbols.chunk;
            number = chunks;
            for place in digits.iter_mut().rev() {
                let digit;
                (rest, digit) = symbols.split(rest);
                *place = symbols.all[digit];
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "less than LENGTH_MAX")]
        Self { bytes, start: start as u8 }
    }

    /// The digits of a number without leading zeros.
    pub(crate) fn shortest(symbols: &Symbols, number: u64) -> Self {
        let mut text = Self::padded(symbols, number);
        if let Some((_last, digits)) = text.bytes[usize::from(text.start)..].split_last_mut() {
            for zero in digits.iter_mut().take_while(|digit| **digit == symbols.all[0]) {
                *zero = 0;
                text.start += 1;
            }
        }
        text
    }

    /// The text after a minus sign.
    fn negative(mut self) -> Self {
        if let Some(before) = self.bytes[..usize::from(self.start)].last_mut() {
            *before = b'-';
            self.start -= 1;
        }
        self
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        // Only ASCII is ever stored, so the fallback is unreachable and costs no panic path.
        core::str::from_utf8(&self.bytes[usize::from(self.start)..]).unwrap_or_default()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
