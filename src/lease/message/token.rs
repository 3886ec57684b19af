use core::fmt;
use core::str::FromStr;

use crate::lease::error::Error;

/// Identifies one attempt of a holder to acquire: 128 random bits, which stay the same in all
/// retries of the attempt.
///
/// The token proves that a holder has the lease. So it is kept only in memory and in a
/// [`Record`](crate::lease::Record), and `Debug` does not show it. The token as text is 32
/// lower-case hexadecimal digits.
///
/// ```
/// use edgeflake::lease::Token;
///
/// let token = Token::from_random(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
/// assert_eq!(token.to_string(), "0123456789abcdef0123456789abcdef");
/// assert_eq!(token.to_string().parse(), Ok(token));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    // A token has two halves, because an authority keeps a token per node. One 128-bit number would
    // be aligned to 16 bytes, and each row would take 16 bytes more.
    high: u64,
    low: u64,
}

impl Token {
    /// The number of digits of a token as text.
    pub const DIGITS: usize = 32;

    /// Creates a token from 128 random bits.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "only the lower half is kept")]
    pub const fn from_random(bits: u128) -> Self {
        Self { high: (bits >> u64::BITS) as u64, low: bits as u64 }
    }

    /// Returns the token's last bits, which are as random as the whole token.
    #[expect(clippy::cast_possible_truncation, reason = "only the last bits are kept")]
    pub(crate) const fn last_bits(self) -> usize {
        self.low as usize
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.high, self.low)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl FromStr for Token {
    type Err = Error;

    /// Reads a token.
    ///
    /// # Errors
    /// [`Error::TokenText`] unless the text is 32 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (halves, rest) = text.as_bytes().as_chunks::<{ Self::DIGITS / 2 }>();
        let [high, low] = halves else { return Err(Error::TokenText { length: text.len() }) };
        match (half(high), half(low)) {
            (Some(high), Some(low)) if rest.is_empty() => Ok(Self { high, low }),
            _ => Err(Error::TokenText { length: text.len() }),
        }
    }
}

/// Reads 16 lower-case hexadecimal digits.
fn half(digits: &[u8; 16]) -> Option<u64> {
    digits.iter().try_fold(0, |value, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(value << 4 | u64::from(digit))
    })
}
