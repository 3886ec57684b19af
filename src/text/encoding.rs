use core::fmt;
use core::ops::RangeInclusive;

use super::digits::{self, Digits, Symbols};

/// The way in which an encoding writes an id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Writes the number without leading zeros.
    Shortest,
    /// Writes the number with leading zeros, as wide as the largest number.
    Padded,
    /// Writes the signed number, with a minus sign if it is negative.
    Signed,
    /// Writes the eight bytes instead of the number.
    Bytes,
}

/// Makes the enum from one table. A row has a sentence for people, the variant, its name, its
/// digits from 0 on, its form, the decoder of its digits, and a description of its characters for
/// error texts.
macro_rules! encodings {
    ($($(#[doc = $sentence:literal])+ $variant:ident $name:literal
        $symbols:ident $form:ident ($reads:expr) $allowed:literal;)+) => {
        /// A way to write an id as text. [`format`](crate::text::format) writes the text, and
        /// [`parse`](crate::text::parse) reads the text.
        ///
        /// An encoding with a fixed number of characters pads with leading zeros; the other
        /// encodings do not. `parse` reads a text with or without leading zeros, but with at most
        /// as many characters as [`lengths`](Self::lengths) allows. The exception is
        /// `Base64UrlBytes`, whose text always has 11 characters. No encoding reads white space, a
        /// `+`, a prefix such as `0x`, or hyphens between the digits.
        ///
        /// ```
        /// use edgeflake::text::{self, Encoding};
        ///
        /// let text = |id| text::format(id, Encoding::Hex);
        /// assert!(Encoding::Hex.is_sortable() && *text(9) < *text(10));
        /// let text = |id| text::format(id, Encoding::Decimal);
        /// assert!(!Encoding::Decimal.is_sortable() && *text(9) > *text(10));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Encoding {
            $($(#[doc = $sentence])+ $variant,)+
        }

        impl Encoding {
            /// Every encoding.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the encoding's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns a sentence, for people, about the text that the encoding writes.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($sentence),+).trim_ascii(),)+
                }
            }

            pub(super) const fn symbols(self) -> &'static Symbols {
                match self {
                    $(Self::$variant => &digits::$symbols,)+
                }
            }

            pub(super) const fn form(self) -> Form {
                match self {
                    $(Self::$variant => Form::$form,)+
                }
            }

            pub(crate) const fn reads(self) -> &'static Digits {
                match self {
                    $(Self::$variant => {
                        static READS: Digits = $reads;
                        &READS
                    })+
                }
            }

            /// Returns the characters that [`parse`](crate::text::parse) reads, for error texts.
            pub(super) const fn allowed(self) -> &'static str {
                match self {
                    $(Self::$variant => $allowed,)+
                }
            }
        }
    };
}

encodings! {
    /// The unsigned number.
    Decimal "decimal" DECIMAL Shortest (Digits::new(&digits::DECIMAL)) "0-9";
    /// The 64 bits as a signed number, for SQL's `BIGINT`: an id from 2^63 on is negative.
    SignedDecimal "signed-decimal" DECIMAL Signed (Digits::new(&digits::DECIMAL))
        "0-9 after an optional -";
    /// The number in lower case; upper case is read, too.
    Hex "hex" HEX Padded (Digits::new(&digits::HEX).any_case()) "0-9 and a-f";
    /// The 64 bits, one digit for each bit.
    Binary "binary" BINARY Padded (Digits::new(&digits::BINARY)) "0 and 1";
    /// Crockford's base 32 without his check symbol (<https://www.crockford.com/base32.html>).
    /// Parsing also accepts lower case. It reads `O` and `o` as 0, and `I`, `i`, `L` and `l` as 1.
    Base32 "base32" BASE32 Padded
        (Digits::new(&digits::BASE32).any_case().also(b"Oo", 0).also(b"IiLl", 1))
        "0-9 and A-Z without U";
    /// The number in the digits of z-base-32, as `Base32()` of bwmarrin/snowflake prints it. The
    /// z-base-32 of the eight bytes is a different text.
    ZBase32 "z-base-32" Z_BASE32 Shortest (Digits::new(&digits::Z_BASE32))
        "1, 3-9 and a-z without l and v";
    /// The number in lower case, as the standard libraries of Go, Java, JavaScript and Ruby print
    /// it; upper case is read, too.
    Base36 "base36" BASE36 Shortest (Digits::new(&digits::BASE36).any_case()) "0-9 and a-z";
    /// The number in the digits of Bitcoin, which start with upper case. Bitcoin's own text of the
    /// eight bytes has a `1` for each leading zero byte.
    Base58 "base58" BASE58 Shortest (Digits::new(&digits::BASE58))
        "1-9, A-Z and a-z without I, O and l";
    /// The number in the digits of Flickr's short addresses, which start with lower case, as
    /// `Base58()` of bwmarrin/snowflake prints it.
    Base58Flickr "base58-flickr" BASE58_FLICKR Shortest (Digits::new(&digits::BASE58_FLICKR))
        "1-9, A-Z and a-z without I, O and l";
    /// The number, with the digits in the order of their ASCII codes.
    Base62 "base62" BASE62 Padded (Digits::new(&digits::BASE62)) "0-9, A-Z and a-z";
    /// The number in the digits of base64url (RFC 4648, section 5), as in Instagram's short codes.
    /// The base64url of the eight bytes is a different text: `base64url-bytes`.
    Base64Url "base64url" BASE64_URL Shortest (Digits::new(&digits::BASE64_URL))
        "0-9, A-Z, a-z, - and _";
    /// The number in digits that have the lower case before the upper case, as base62.js prints it.
    Base62Lower "base62-lower" BASE62_LOWER Shortest (Digits::new(&digits::BASE62_LOWER))
        "0-9, A-Z and a-z";
    /// The eight bytes, the most significant first, in base64url without padding (RFC 4648,
    /// section 5), as `buffer.toString("base64url")` in Node prints them.
    Base64UrlBytes "base64url-bytes" BASE64_URL Bytes (Digits::new(&digits::BASE64_URL).of_bytes())
        "0-9, A-Z, a-z, - and _";
}

impl Encoding {
    /// Returns the encoding that has this [name](Self::name); `None` if no encoding has this name.
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

    /// Returns the digits, from the digit 0 on.
    ///
    /// ```
    /// use edgeflake::text::Encoding;
    ///
    /// assert_eq!(Encoding::ZBase32.digits(), "ybndrfg8ejkmcpqxot1uwisza345h769");
    /// ```
    #[must_use]
    pub const fn digits(self) -> &'static str {
        self.symbols().all
    }

    /// Returns how many characters a text of this encoding may have.
    ///
    /// ```
    /// use edgeflake::text::Encoding;
    ///
    /// assert_eq!(Encoding::Decimal.lengths(), 1..=20);
    /// assert_eq!(Encoding::Base62.lengths(), 11..=11);
    /// ```
    #[must_use]
    pub const fn lengths(self) -> RangeInclusive<usize> {
        let most = self.symbols().width;
        match self.form() {
            Form::Padded | Form::Bytes => most..=most,
            Form::Shortest | Form::Signed => 1..=most,
        }
    }

    /// Returns whether texts, compared byte by byte, sort in the order of their ids as unsigned
    /// numbers.
    #[must_use]
    pub fn is_sortable(self) -> bool {
        self.form() == Form::Padded && self.digits().as_bytes().is_sorted()
    }

    /// Returns whether a text has a minus sign, and the largest number that may follow.
    pub(super) fn sign(self, text: &str) -> (bool, u64) {
        match self {
            Self::SignedDecimal if text.starts_with('-') => (true, i64::MIN.unsigned_abs()),
            Self::SignedDecimal => (false, i64::MAX.unsigned_abs()),
            _ => (false, u64::MAX),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
