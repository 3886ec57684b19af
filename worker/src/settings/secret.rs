//! A secret, and its comparison with a token.

use subtle::ConstantTimeEq;

/// The smallest number of characters: 16 of base64 are 96 random bits, which cannot be guessed over
/// a network.
const LENGTH_MIN: usize = 16;

/// The largest number of characters: twice as many as 32 random bytes have in hexadecimal.
const LENGTH_MAX: usize = 128;

/// A secret, padded to a fixed length, so that every comparison covers the same number of bytes.
///
/// A comparison of two strings returns at once if their lengths differ, so the time of an answer
/// would tell how long the secret is. The padding is 0 bytes, which no secret contains, so values
/// of different lengths always differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Secret([u8; LENGTH_MAX]);

impl Secret {
    /// Reads the value of a variable; `None` if it is not set or empty. White space around it, such
    /// as a line end, is removed.
    ///
    /// # Errors
    /// A text that says what is allowed, without the value.
    pub(crate) fn read(name: &str, value: Option<String>) -> Result<Option<Self>, String> {
        let value = value.unwrap_or_default();
        let value = value.trim();
        let length = value.len();
        if length == 0 {
            return Ok(None);
        }
        if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!(
                "{name} has a character that no token has: visible ASCII characters are allowed"
            ));
        }
        if !(LENGTH_MIN..=LENGTH_MAX).contains(&length) {
            return Err(format!(
                "{name} has {length} characters: {LENGTH_MIN} to {LENGTH_MAX} are allowed"
            ));
        }
        Ok(Self::of(value))
    }

    /// Pads a token for comparison. Returns `None` if it is longer than a secret can be.
    pub(crate) fn of(token: &str) -> Option<Self> {
        let mut bytes = [0; LENGTH_MAX];
        bytes.get_mut(..token.len())?.copy_from_slice(token.as_bytes());
        Some(Self(bytes))
    }

    /// Returns whether two secrets are the same. The comparison always takes the same time.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.0.as_slice().ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        let read = |text: &str| Secret::read("X", Some(text.to_owned()));
        for length in [LENGTH_MIN, LENGTH_MAX] {
            assert!(matches!(read(&"a".repeat(length)), Ok(Some(_))), "{length}");
        }
        for length in [1, LENGTH_MIN - 1, LENGTH_MAX + 1] {
            assert_eq!(
                read(&"a".repeat(length)),
                Err(format!("X has {length} characters: 16 to 128 are allowed"))
            );
        }
        for empty in ["", " ", "\n"] {
            assert_eq!(read(empty), Ok(None));
        }
        assert_eq!(read(" 0123456789abcdef\n"), Ok(Secret::of("0123456789abcdef")));
        for other in ["0123456789 abcdef", "0123456789äabcdef", "0123456789\0abcdef"] {
            let refused =
                "X has a character that no token has: visible ASCII characters are allowed";
            assert_eq!(read(other), Err(refused.to_owned()));
        }
    }

    #[test]
    fn a_token_is_the_secret_or_not() {
        let secret = Secret::of("0123456789abcdef").unwrap();
        for (token, is) in [
            ("0123456789abcdef", true),
            ("0123456789abcdeg", false),
            ("0123456789abcde", false),
            ("0123456789abcdef0", false),
            ("", false),
        ] {
            assert_eq!(secret.is(&Secret::of(token).unwrap()), is, "{token}");
        }
        assert_eq!(Secret::of(&"a".repeat(LENGTH_MAX + 1)), None);
    }
}
