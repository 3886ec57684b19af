//! Ids for the world outside: typed, with a prefix, and opaque.
//!
//! An id shows its time and node, and two ids show about how many ids were issued between them.
//! Keep the numbers in your database, where they sort, and show others the texts of [`PublicIds`],
//! which reveal none of this without the key.
//!
//! ```text
//! ord_kJYnezlDLK7oQV
//! │   ││          └─ check digits, 0 to 4
//! │   │└─ the encrypted id, 11 digits of base62
//! │   └─ the name of the key
//! └─ the prefix of the kind
//! ```
//!
//! Each key gives two ciphers per prefix, so that a text is not valid with another prefix. Both
//! ciphers are Speck64/128. Their keys are derived by the counter mode of NIST SP 800-108, with
//! CBC-MAC as the pseudorandom function. The input of this function is a block with the counter (1
//! or 2), the purpose (`i` or `c`) and the prefix's length, and then the prefix, padded with zeros.
//! The cipher for `i` encrypts the id as one block. The cipher for `c` encrypts the encrypted id
//! again. The check digits are the last digits of the first half of this second result.
//!
//! The texts do not replace authorization, because a few guessed texts have the right check digits.
//! So check who may see the object that an id names. The same id has the same text each time.

mod error;
mod id;
mod key;
#[cfg(feature = "serde")]
mod serde;
mod speck;
#[cfg(feature = "sqlx")]
mod sqlx;
mod text;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

pub use self::error::Error;
pub use self::id::{Id, Kind};
use self::key::{Key, keys};
use self::text::{after_prefix, number};
use crate::layout::Layout;
use crate::text::{Encoding, format};

const CHECK_DIGITS_MAX: usize = 4;
const CHECK_DIGITS_DEFAULT: usize = 2;

/// Writes the ids of one kind as opaque texts, and reads them.
///
/// ```
/// use edgeflake::preset;
/// use edgeflake::public::{Error, Id, Kind, PublicIds};
///
/// struct Order;
/// impl Kind for Order {
///     const PREFIX: &'static str = "ord";
/// }
///
/// // `edgeflake key` prints such a key. Read yours from a variable.
/// let orders = PublicIds::<Order>::new("k:000102030405060708090a0b0c0d0e0f")?
///     .with_layout(preset::TWITTER, 60_000);
/// let now_ms = 1_780_000_000_000;
///
/// let order = Id::new(1_541_815_603_606_036_480);
/// let text = orders.format(order);
/// assert_eq!(text, "ord_kJYnezlDLK7oQV");
/// assert_eq!(orders.parse(&text, now_ms), Ok(order));
/// assert_eq!(orders.parse("ord_k00000000000AA", now_ms), Err(Error::Check));
/// # Ok::<(), Error>(())
/// ```
///
/// An id of another kind does not compile:
///
/// ```compile_fail,E0308
/// # use edgeflake::public::{Id, Kind, PublicIds};
/// # struct Order;
/// # impl Kind for Order {
/// #     const PREFIX: &'static str = "ord";
/// # }
/// # fn text(orders: &PublicIds<Order>) {
/// orders.format(Id::<()>::new(5));
/// # }
/// ```
///
/// Opaque texts without a prefix do not compile, either:
///
/// ```compile_fail,E0080
/// use edgeflake::public::PublicIds;
///
/// PublicIds::<()>::new("k:000102030405060708090a0b0c0d0e0f");
/// ```
pub struct PublicIds<K> {
    keys: Vec<Key>,
    check_digits: usize,
    /// The layout, and how many ms an id may be ahead of the clock.
    layout: Option<(Layout, u64)>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> PublicIds<K> {
    /// The kind's prefix. If the kind has no prefix, this does not compile.
    const PREFIX: &'static str = {
        assert!(!K::PREFIX.is_empty(), "opaque ids need a kind with a prefix");
        Id::<K>::PREFIX
    };

    /// Reads one or two keys, with a comma between them. Each key has a name (a digit or a letter),
    /// a colon, and 16 bytes as 32 hex digits or 24 characters of base64. [`format`](Self::format)
    /// uses the first key, and [`parse`](Self::parse) uses the key that the text names.
    ///
    /// Texts have two check digits and no layout unless you call [`with_check_digits`] and
    /// [`with_layout`].
    ///
    /// # Errors
    /// - [`Error::KeyCount`], [`Error::KeyName`], [`Error::KeyDigits`].
    /// - [`Error::KeyPrintable`], [`Error::KeyRepeats`]: the key is not random.
    /// - [`Error::SameName`], [`Error::SameKey`].
    ///
    /// [`with_check_digits`]: Self::with_check_digits
    /// [`with_layout`]: Self::with_layout
    pub fn new(keys: &str) -> Result<Self, Error> {
        Ok(Self {
            keys: self::keys(keys, Self::PREFIX)?,
            check_digits: CHECK_DIGITS_DEFAULT,
            layout: None,
            kind: PhantomData,
        })
    }

    /// Sets the number of check digits. One in 62^n guessed texts has the right n digits. Texts
    /// with another number of check digits are refused, so never change the number.
    ///
    /// # Errors
    /// [`Error::CheckDigits`] for more than 4.
    pub fn with_check_digits(mut self, digits: usize) -> Result<Self, Error> {
        if digits > CHECK_DIGITS_MAX {
            return Err(Error::CheckDigits { digits });
        }
        self.check_digits = digits;
        Ok(self)
    }

    /// Makes [`parse`](Self::parse) refuse numbers that are no ids of a layout, or whose time is
    /// more than `allowed_future_ms` ahead of the time that you give to `parse`.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout, allowed_future_ms: u64) -> Self {
        self.layout = Some((layout, allowed_future_ms));
        self
    }

    /// Writes an id as an opaque text. The text of an id is always the same.
    #[must_use]
    pub fn format(&self, id: Id<K>) -> String {
        let mut text = String::from(Self::PREFIX);
        text.push('_');
        if let Some(key) = self.keys.first() {
            let block = key.ids.encrypt(id.get());
            text.push(char::from(key.name));
            text.push_str(&format(block, Encoding::Base62));
            text.extend(self.check(key, block));
        }
        text
    }

    /// Reads the text of an id. `now_ms` (Unix ms) is used only with a
    /// [layout](Self::with_layout).
    ///
    /// # Errors
    /// - [`Error::OtherKind`], [`Error::NoPrefix`].
    /// - [`Error::Digits`], [`Error::Length`], [`Error::TooLarge`].
    /// - [`Error::UnknownKey`], [`Error::Check`].
    /// - [`Error::Implausible`]: see [`with_layout`](Self::with_layout).
    pub fn parse(&self, text: &str, now_ms: u64) -> Result<Id<K>, Error> {
        let width = *Encoding::Base62.lengths().end();
        let digits = after_prefix(text, Self::PREFIX, 1 + width + self.check_digits)?;
        let (name, digits) = digits.split_at(1);
        let (block, check) = digits.split_at(width);
        let block = number(block)?;
        let Some(key) = self.keys.iter().find(|key| name.as_bytes() == [key.name]) else {
            return Err(Error::UnknownKey { name: name.chars().next().unwrap_or_default() });
        };
        if !check.chars().eq(self.check(key, block)) {
            return Err(Error::Check);
        }
        let id = key.ids.decrypt(block);
        if let Some((layout, allowed_future_ms)) = self.layout {
            let until_ms = now_ms.saturating_add(allowed_future_ms);
            match layout.decode(id) {
                Ok(parts) if layout.start_ms(parts.tick) <= until_ms => {}
                _ => return Err(Error::Implausible),
            }
        }
        Ok(Id::new(id))
    }

    /// Returns the check digits of a block, which are the last digits of a 32-bit number. The other
    /// digits take at least 256 values, so all check digits are about equally likely.
    fn check(&self, key: &Key, block: u64) -> impl Iterator<Item = char> {
        let digits = format(key.checks.encrypt(block) >> u32::BITS, Encoding::Base62);
        let others = digits.len() - self.check_digits;
        (others..digits.len()).map(move |at| char::from(digits.as_bytes()[at]))
    }
}

impl<K: Kind> fmt::Debug for PublicIds<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicIds").field("prefix", &K::PREFIX).finish_non_exhaustive()
    }
}
