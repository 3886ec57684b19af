use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::str::FromStr;

use super::error::Error;
use super::text::{after_prefix, is_prefix, number};
use crate::text::{self, Encoding};

/// A kind of ids, such as order ids. `()` is the kind of untyped ids.
pub trait Kind {
    /// The prefix of the texts: 1 to 63 characters `a-z` and `_`. The first and the last character
    /// are letters, as in [TypeID](https://github.com/jetify-com/typeid/tree/main/spec).
    const PREFIX: &'static str;
}

impl Kind for () {
    const PREFIX: &'static str = "";
}

/// An id of one [`Kind`]. Ids of two kinds are two types. The id's text has the kind's prefix and
/// the number in base62. To hide what the number reveals, use [`PublicIds`](super::PublicIds).
/// Without a kind, the text is the decimal number.
///
/// For an SQL `BIGINT`, convert from and to `i64`, which has the same 64 bits. With the feature
/// `sqlx`, the crate `sqlx` converts ids itself. With the feature `serde`, an id is its text in
/// JSON and in other formats that people read, and its number in all other formats.
///
/// ```
/// use edgeflake::public::{Id, Kind};
///
/// struct Order;
/// impl Kind for Order {
///     const PREFIX: &'static str = "ord";
/// }
///
/// let order = Id::<Order>::new(1_541_815_603_606_036_480);
/// assert_eq!(order.to_string(), "ord_1ptWyK4WgZU");
/// assert_eq!("ord_1ptWyK4WgZU".parse(), Ok(order));
/// assert_eq!(i64::from(order), 1_541_815_603_606_036_480);
///
/// let untyped: Id = "1541815603606036480".parse()?;
/// assert_eq!(untyped.get(), order.get());
/// # Ok::<(), edgeflake::public::Error>(())
/// ```
///
/// An id of another kind does not compile:
///
/// ```compile_fail,E0308
/// use edgeflake::public::{Id, Kind};
///
/// struct Order;
/// impl Kind for Order {
///     const PREFIX: &'static str = "ord";
/// }
///
/// fn ship(order: Id<Order>) {}
/// ship(Id::<()>::new(5));
/// ```
///
/// A prefix that is not allowed does not compile, either:
///
/// ```compile_fail,E0080
/// use edgeflake::public::{Id, Kind};
///
/// struct Order;
/// impl Kind for Order {
///     const PREFIX: &'static str = "Order";
/// }
///
/// Id::<Order>::new(5).to_string();
/// ```
pub struct Id<K = ()> {
    id: u64,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// Makes an id of this kind from a number, as generators and databases return it.
    #[must_use]
    pub const fn new(id: u64) -> Self {
        Self { id, kind: PhantomData }
    }

    /// Returns the id as a number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.id
    }
}

impl<K: Kind> Id<K> {
    /// The kind's prefix. If the prefix is not allowed, this does not compile.
    pub(super) const PREFIX: &'static str = {
        assert!(
            K::PREFIX.is_empty() || is_prefix(K::PREFIX),
            "a prefix has 1 to 63 characters a-z and _, and begins and ends with a letter"
        );
        K::PREFIX
    };
}

impl<K> From<u64> for Id<K> {
    fn from(id: u64) -> Self {
        Self::new(id)
    }
}

impl<K> From<Id<K>> for u64 {
    fn from(id: Id<K>) -> Self {
        id.id
    }
}

impl<K> From<i64> for Id<K> {
    fn from(id: i64) -> Self {
        Self::new(id.cast_unsigned())
    }
}

impl<K> From<Id<K>> for i64 {
    fn from(id: Id<K>) -> Self {
        id.id.cast_signed()
    }
}

impl<K: Kind> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if Self::PREFIX.is_empty() {
            return self.id.fmt(f);
        }
        write!(f, "{}_{}", Self::PREFIX, text::format(self.id, Encoding::Base62))
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: Kind> FromStr for Id<K> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if Self::PREFIX.is_empty() {
            return text::parse(text, Encoding::Decimal).map(Self::new).map_err(Error::Digits);
        }
        let width = *Encoding::Base62.lengths().end();
        number(after_prefix(text, Self::PREFIX, width)?).map(Self::new)
    }
}

// A derived implementation would also require that the kind implements the trait.

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
