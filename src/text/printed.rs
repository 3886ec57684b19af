use core::fmt;
use core::ops::Deref;

use super::digits::{BASE64_URL, Symbols, eight, width};

/// An id as text: at most 64 ASCII characters, kept inline.
///
/// ```
/// use edgeflake::text::{self, Encoding, Text};
///
/// let text: Text = text::format(255, Encoding::Hex);
/// assert!(text.ends_with("ff")); // it is a `str`
/// assert_eq!(format!("id-{text}"), "id-00000000000000ff");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text {
    /// The text is at the end of the array, after zero bytes.
    bytes: [u8; Self::LENGTH_MAX],
    start: u8,
}

impl Text {
    /// The number of characters in the binary encoding, which has the most.
    const LENGTH_MAX: usize = 64;

    /// Returns all digits of a number, with leading zeros.
    ///
    /// Dividing a `u64` is slow, above all in WebAssembly, where the compiler cannot replace the
    /// division by a multiplication. So the number is split into chunks of as many digits as always
    /// fit into 31 bits.
    #[inline]
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
                *place = symbols.all.as_bytes()[digit];
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "less than LENGTH_MAX")]
        Self { bytes, start: start as u8 }
    }

    /// Returns all digits of a number in base 10 or 16, with leading zeros. Computes eight digits
    /// at a time.
    pub(crate) fn in_eights<const BASE: u64>(mut number: u64) -> Self {
        let width = const { width(BASE) };
        let start = Self::LENGTH_MAX - width;
        let mut bytes = [0; Self::LENGTH_MAX];
        for digits in bytes.as_chunks_mut().0.iter_mut().rev().take(width.div_ceil(8)) {
            let chunk = const { BASE.pow(8) };
            *digits = eight::<BASE>(number % chunk);
            number /= chunk;
        }
        bytes[..start].fill(0);
        #[expect(clippy::cast_possible_truncation, reason = "less than LENGTH_MAX")]
        Self { bytes, start: start as u8 }
    }

    /// Writes the digits without leading zeros.
    #[inline]
    pub(crate) fn shortest(mut self, symbols: &Symbols) -> Self {
        let zero = symbols.all.as_bytes()[0];
        let digits = &mut self.bytes[usize::from(self.start)..Self::LENGTH_MAX - 1];
        for digit in digits.iter_mut().take_while(|digit| **digit == zero) {
            *digit = 0;
            self.start += 1;
        }
        self
    }

    /// Writes the eight bytes of `number` in base64url; `self` has the digits of the upper 60 bits
    /// of `number`. Eleven digits have two bits more than eight bytes, and these two bits are zero.
    pub(crate) fn of_bytes(mut self, number: u64) -> Self {
        let start = usize::from(self.start);
        self.bytes.copy_within(start + 1.., start);
        #[expect(clippy::cast_possible_truncation, reason = "less than 64")]
        let digit = ((number & 15) << 2) as usize;
        if let Some(last) = self.bytes.last_mut() {
            *last = BASE64_URL.all.as_bytes()[digit];
        }
        self
    }

    /// Writes the number after a minus sign.
    pub(crate) fn negative(mut self) -> Self {
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
        // The bytes are always ASCII, so the fallback is never used. Unlike a panic, the fallback
        // does not enlarge the compiled code.
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
