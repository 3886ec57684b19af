//! Stores secrets, and compares tokens with them.

use subtle::ConstantTimeEq;

/// The smallest number of characters: 16 of base64 are 96 random bits, which cannot be guessed over
/// a network.
const LENGTH_MIN: usize = 16;

/// The largest number of characters: twice as many as 32 random bytes have in hexadecimal.
const LENGTH_MAX: usize = 128;

/// The largest number of values that a role's secret may have: the current one and the next.
const VALUES_MAX: usize = 2;

/// A secret, padded to a fixed length, so that every comparison covers the same number of bytes.
///
/// A comparison of two strings stops at once if their lengths differ, so the time of an answer
/// would reveal the length of the secret. The padding is 0 bytes, which no secret contains, so
/// values of different lengths always differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Secret([u8; LENGTH_MAX]);

impl Secret {
    /// Reads the values of a role's secret: one, or two with white space between them.
    ///
    /// # Errors
    /// A text that says what is allowed, and does not show the value.
    pub(crate) fn read(name: &str, text: &str) -> Result<Vec<Self>, String> {
        let values: Vec<_> = text.split_ascii_whitespace().collect();
        if values.len() > VALUES_MAX {
            return Err(format!(
                "{name} has {} values with spaces between them: 1 and {VALUES_MAX} are allowed",
                values.len()
            ));
        }
        if !values.iter().all(|value| value.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(format!(
                "{name} has a character that no token has: visible ASCII characters are allowed"
            ));
        }
        let lengths = LENGTH_MIN..=LENGTH_MAX;
        if let Some(value) = values.iter().find(|value| !lengths.contains(&value.len())) {
            return Err(format!(
                "{name} has {} characters: {LENGTH_MIN} to {LENGTH_MAX} are allowed",
                value.len()
            ));
        }
        Ok(values.into_iter().filter_map(Self::of).collect())
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
        let read = |text: &str| Secret::read("X", text);
        let count = |text: &str| read(text).map(|secrets| secrets.len());
        for length in [LENGTH_MIN, LENGTH_MAX] {
            assert_eq!(count(&"a".repeat(length)), Ok(1), "{length}");
        }
        for length in [1, LENGTH_MIN - 1, LENGTH_MAX + 1] {
            let refusal = format!("X has {length} characters: 16 to 128 are allowed");
            assert_eq!(count(&"a".repeat(length)), Err(refusal));
        }
        for empty in ["", " ", "\n"] {
            assert_eq!(count(empty), Ok(0));
        }
        assert_eq!(read(" 0123456789abcdef\n"), Ok(vec![Secret::of("0123456789abcdef").unwrap()]));
        for other in ["0123456789äabcdef", "0123456789\0abcdef"] {
            let refused =
                "X has a character that no token has: visible ASCII characters are allowed";
            assert_eq!(count(other), Err(refused.to_owned()));
        }
        let (one, two) = ("0123456789abcdef", "0123456789abcdef\n 0123456789abcdeg");
        assert_eq!(count(two), Ok(2));
        let refused = "X has 3 values with spaces between them: 1 and 2 are allowed";
        assert_eq!(count(&format!("{two} {one}")), Err(refused.to_owned()));
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
