use alloc::string::String;
use core::fmt;

use crate::code;

/// The reason why keys or a text were refused. No message contains a part of a key, or of the
/// number that a guessed text stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The list of keys has more than two keys.
    KeyCount {
        /// The number of keys.
        count: usize,
    },
    /// A key does not begin with its name and a colon.
    KeyName,
    /// A key is not 16 bytes in hex or base64.
    KeyDigits {
        /// The key's name.
        name: char,
    },
    /// A key is not random: all its bytes are printable ASCII, as in a password.
    KeyPrintable {
        /// The key's name.
        name: char,
    },
    /// A key is not random: it has fewer than 8 different bytes.
    KeyRepeats {
        /// The key's name.
        name: char,
        /// The number of different bytes.
        distinct: usize,
    },
    /// Both keys have the same name.
    SameName {
        /// The name.
        name: char,
    },
    /// The same key is given under two names.
    SameKey {
        /// The two names.
        names: [char; 2],
    },
    /// There are more check digits than are allowed.
    CheckDigits {
        /// The number of check digits.
        digits: usize,
    },
    /// The text has the prefix of another kind.
    OtherKind {
        /// The prefix of the text.
        found: String,
        /// The prefix that is expected.
        expected: &'static str,
    },
    /// The text has no prefix.
    NoPrefix {
        /// The prefix that is expected.
        expected: &'static str,
    },
    /// The text has a character that is not a digit, or the text of an untyped id is not a number.
    Digits(crate::Error),
    /// Too few or too many characters follow the prefix.
    Length {
        /// The prefix.
        prefix: &'static str,
        /// The number of characters after the prefix.
        found: usize,
        /// The number of characters that are allowed.
        allowed: usize,
    },
    /// The digits of the id stand for a number above 2^64 - 1.
    TooLarge,
    /// The text names a key that was not given.
    UnknownKey {
        /// The name of the key.
        name: char,
    },
    /// The check digits do not match the other digits.
    Check,
    /// The layout has no such id, or the id's time is too far ahead of the given time.
    Implausible,
}

impl Error {
    /// Returns a stable name of the error, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::KeyCount { .. }
            | Self::KeyName
            | Self::KeyDigits { .. }
            | Self::KeyPrintable { .. }
            | Self::KeyRepeats { .. }
            | Self::SameName { .. }
            | Self::SameKey { .. }
            | Self::CheckDigits { .. } => code::INVALID_OPTION,
            _ => code::INVALID_ID,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAKE: &str = "make one with \"npx edgeflake key\"";
        match self {
            Self::KeyCount { count } => {
                write!(f, "there are {count} keys: give 1 or 2, with a comma between them")
            }
            Self::KeyName => f.write_str(
                "a key has no name: begin it with a digit or letter and a colon, as \"npx \
                 edgeflake key\" does",
            ),
            Self::KeyDigits { name } => write!(
                f,
                "key {name} is not 16 bytes in hex (32 digits) or base64 (24 characters): {MAKE}"
            ),
            Self::KeyPrintable { name } => {
                write!(f, "key {name} is printable text, but a key must be random bytes: {MAKE}")
            }
            Self::KeyRepeats { name, distinct } => write!(
                f,
                "key {name} has only {distinct} different bytes, and needs at least 8: {MAKE}"
            ),
            Self::SameName { name } => {
                write!(
                    f,
                    "both keys are named {name}: rename the newer key if no public id was made \
                     with it; else read with one key at a time"
                )
            }
            Self::SameKey { names: [first, second] } => {
                write!(
                    f,
                    "keys {first} and {second} are equal: remove the key with which no public id \
                     was made"
                )
            }
            Self::CheckDigits { digits } => {
                write!(f, "there are {digits} check digits: give 0 to 4")
            }
            Self::OtherKind { found, expected } => {
                write!(f, "the id begins with {found}_, but must begin with {expected}_")
            }
            Self::NoPrefix { expected } => {
                write!(f, "the id has no prefix, but must begin with {expected}_")
            }
            Self::Digits(error) => error.fmt(f),
            Self::Length { prefix, found, allowed } => {
                write!(f, "the id has {found} characters after {prefix}_, but needs {allowed}")
            }
            Self::TooLarge => f.write_str("the id is too large: at most 2^64 - 1 is allowed"),
            Self::UnknownKey { name } => {
                write!(
                    f,
                    "the id needs key {name}, which is not given: add the key, or replace a key \
                     that no public id needs"
                )
            }
            Self::Check => f.write_str(
                "the id has wrong check digits: it was mistyped or guessed, or needs another key",
            ),
            Self::Implausible => f.write_str(
                "the id does not fit the layout, or is later than now: it was guessed, or needs \
                 another layout or key",
            ),
        }
    }
}

impl core::error::Error for Error {}
