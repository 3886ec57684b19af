use core::fmt;

use super::digits::{self, Digits};

/// How an id is written as text. [`encode`](crate::text::encode) prints it, and
/// [`parse`](crate::text::parse) reads it.
///
/// | encoding | digits, from 0 on | characters | sorts as the ids do | also reads |
/// |---|---|---|---|---|
/// | [`Decimal`](Self::Decimal) | `0-9` | 1 to 20 | no | |
/// | [`SignedDecimal`](Self::SignedDecimal) | `0-9`, after `-` if negative | 1 to 20 | no | `-0` |
/// | [`Hex`](Self::Hex) | `0-9a-f` | 16 | yes | upper case |
/// | [`Binary`](Self::Binary) | `01` | 64 | yes | |
/// | [`Base32`](Self::Base32) | `0-9A-Z` without `ILOU` | 13 | yes | lower case, `Oo` as 0, `IiLl` as 1 |
/// | [`ZBase32`](Self::ZBase32) | `ybndrfg8ejkmcpqxot1uwisza345h769` | 1 to 13 | no | |
/// | [`Base36`](Self::Base36) | `0-9a-z` | 1 to 13 | no | upper case |
/// | [`Base58`](Self::Base58) | `1-9A-Za-z` without `IOl` | 1 to 11 | no | |
/// | [`Base58Flickr`](Self::Base58Flickr) | `1-9a-zA-Z` without `lIO` | 1 to 11 | no | |
/// | [`Base62`](Self::Base62) | `0-9A-Za-z` | 11 | yes | |
/// | [`Base64Url`](Self::Base64Url) | `A-Za-z0-9-_` | 1 to 11 | no | |
/// | [`Base62Lower`](Self::Base62Lower) | `0-9a-zA-Z` | 1 to 11 | no | |
/// | [`Base64UrlBytes`](Self::Base64UrlBytes) | `A-Za-z0-9-_`, of the bytes | 11 | no | |
///
/// An encoding with a fixed number of characters pads with leading zeros; the others do not. A text
/// is read with or without leading zeros, up to the most characters in the table. The exception is
/// `Base64UrlBytes`, whose text always has 11 characters. No encoding reads white space, a `+`, a
/// prefix such as `0x`, or hyphens between the digits.
///
/// *Sorts as the ids do* compares texts byte by byte and ids as unsigned numbers.
///
/// ```
/// use edgeflake::text::{self, Encoding};
///
/// let (small, large) = (text::encode(9, Encoding::Hex), text::encode(10, Encoding::Hex));
/// assert!(*small < *large);
/// let (small, large) = (text::encode(9, Encoding::Decimal), text::encode(10, Encoding::Decimal));
/// assert!(*small > *large);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The unsigned number.
    Decimal,
    /// The 64 bits as a signed number, for SQL's `BIGINT`: an id from 2^63 on is negative.
    SignedDecimal,
    /// Hexadecimal, in lower case.
    Hex,
    /// The 64 bits, one digit for each.
    Binary,
    /// Crockford's base 32, without his check symbol (<https://www.crockford.com/base32.html>).
    Base32,
    /// The number in the digits of z-base-32, as `Base32()` of bwmarrin/snowflake prints it. The
    /// z-base-32 of the eight bytes is a different text.
    ZBase32,
    /// The number in base 36, in lower case, as the standard libraries of Go, Java, JavaScript and
    /// Ruby print it.
    Base36,
    /// The number in the digits of Bitcoin, which start with upper case. Bitcoin's own text of the
    /// eight bytes has a `1` for each leading zero byte.
    Base58,
    /// The number in the digits of Flickr's short addresses, which start with lower case; also
    /// what `Base58()` of bwmarrin/snowflake prints.
    Base58Flickr,
    /// The number in base 62, with the digits in the order of their ASCII codes.
    Base62,
    /// The number in the digits of base64url (RFC 4648, section 5), as in Instagram's short codes.
    /// The base64url of the eight bytes is a different text:
    /// [`Base64UrlBytes`](Self::Base64UrlBytes).
    Base64Url,
    /// The number in base 62, with the lower case before the upper case, as base62.js prints it.
    Base62Lower,
    /// The eight bytes, the most significant first, in base64url without padding (RFC 4648,
    /// section 5), as `buffer.toString("base64url")` in Node prints them.
    Base64UrlBytes,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 13] = [
        Self::Decimal,
        Self::SignedDecimal,
        Self::Hex,
        Self::Binary,
        Self::Base32,
        Self::ZBase32,
        Self::Base36,
        Self::Base58,
        Self::Base58Flickr,
        Self::Base62,
        Self::Base64Url,
        Self::Base62Lower,
        Self::Base64UrlBytes,
    ];

    /// The encoding that has this [name](Self::name); `None` if no encoding has it.
    ///
    /// ```
    /// use edgeflake::text::Encoding;
    ///
    /// assert_eq!(Encoding::named("z-base-32"), Some(Encoding::ZBase32));
    /// assert_eq!(Encoding::named("zbase32"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// The encoding's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::SignedDecimal => "signed-decimal",
            Self::Hex => "hex",
            Self::Binary => "binary",
            Self::Base32 => "base32",
            Self::ZBase32 => "z-base-32",
            Self::Base36 => "base36",
            Self::Base58 => "base58",
            Self::Base58Flickr => "base58-flickr",
            Self::Base62 => "base62",
            Self::Base64Url => "base64url",
            Self::Base62Lower => "base62-lower",
            Self::Base64UrlBytes => "base64url-bytes",
        }
    }

    pub(super) const fn digits(self) -> &'static Digits {
        match self {
            Self::Decimal | Self::SignedDecimal => &digits::DECIMAL_DIGITS,
            Self::Hex => &digits::HEX_DIGITS,
            Self::Binary => &digits::BINARY_DIGITS,
            Self::Base32 => &digits::BASE32_DIGITS,
            Self::ZBase32 => &digits::Z_BASE32_DIGITS,
            Self::Base36 => &digits::BASE36_DIGITS,
            Self::Base58 => &digits::BASE58_DIGITS,
            Self::Base58Flickr => &digits::BASE58_FLICKR_DIGITS,
            Self::Base62 => &digits::BASE62_DIGITS,
            Self::Base64Url => &digits::BASE64_URL_DIGITS,
            Self::Base62Lower => &digits::BASE62_LOWER_DIGITS,
            Self::Base64UrlBytes => &digits::BASE64_URL_BYTES_DIGITS,
        }
    }

    /// Whether a text has a minus sign, and the largest number that may follow.
    pub(super) fn sign(self, text: &str) -> (bool, u64) {
        match self {
            Self::SignedDecimal if text.starts_with('-') => (true, i64::MIN.unsigned_abs()),
            Self::SignedDecimal => (false, i64::MAX.unsigned_abs()),
            _ => (false, u64::MAX),
        }
    }

    /// The characters that [`parse`](crate::text::parse) reads, for error texts.
    pub(super) const fn allowed(self) -> &'static str {
        match self {
            Self::Decimal => "0-9",
            Self::SignedDecimal => "0-9 after an optional -",
            Self::Hex => "0-9 and a-f",
            Self::Binary => "0 and 1",
            Self::Base32 => "0-9 and A-Z without U",
            Self::ZBase32 => "1, 3-9 and a-z without l and v",
            Self::Base36 => "0-9 and a-z",
            Self::Base58 | Self::Base58Flickr => "1-9, A-Z and a-z without I, O and l",
            Self::Base62 | Self::Base62Lower => "0-9, A-Z and a-z",
            Self::Base64Url | Self::Base64UrlBytes => "0-9, A-Z, a-z, - and _",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
