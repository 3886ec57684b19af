use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use edgeflake::lease::Error;

/// A value of parsed JSON.
pub trait Value: Sized {
    /// A field of an object; `None` if this is not an object, or the field is missing or `null`.
    fn get(&self, name: &str) -> Option<Self>;

    /// A whole number below 2^53; `None` if this is something else.
    fn number(&self) -> Option<u64>;

    /// A string; `None` if this is something else.
    fn text(&self) -> Option<String>;

    /// `true` or `false`; `None` if this is something else.
    fn flag(&self) -> Option<bool>;
}

/// Why a message cannot be read. It is boxed because every `?` on the way moves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(Box<Cause>);

/// What makes a message [`Unreadable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is not JSON.
    NotJson,
    /// It is not a known message.
    Unknown,
    /// A field is missing, or its value is of another kind.
    Field {
        /// Its name.
        name: &'static str,
        /// The kind of value that is allowed.
        expected: &'static str,
    },
    /// A field has an invalid value.
    Value {
        /// Its name.
        name: &'static str,
        /// Why the value is refused.
        error: Error,
    },
}

impl Unreadable {
    /// The error of a field that is missing or of another kind.
    #[cold]
    pub(crate) fn field(name: &'static str, expected: &'static str) -> Self {
        Cause::Field { name, expected }.into()
    }

    /// The error of a field that has an invalid value.
    #[cold]
    pub(crate) fn value(name: &'static str, error: Error) -> Self {
        Cause::Value { name, error }.into()
    }
}

impl From<Cause> for Unreadable {
    #[cold]
    fn from(cause: Cause) -> Self {
        Self(Box::new(cause))
    }
}

impl Deref for Unreadable {
    type Target = Cause;

    fn deref(&self) -> &Cause {
        &self.0
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &**self {
            Cause::NotJson => f.write_str("the message is not JSON"),
            Cause::Unknown => f.write_str("the message is not one of version 1"),
            Cause::Field { name, expected } => write!(f, "{name} is missing, or is not {expected}"),
            Cause::Value { name, error } => write!(f, "{name}: {error}"),
        }
    }
}

impl core::error::Error for Unreadable {}

/// An object whose fields are read by name.
#[derive(Debug)]
pub struct Object<'a, V>(pub &'a V);

impl<V: Value> Object<'_, V> {
    /// A number.
    ///
    /// # Errors
    /// [`Cause::Field`].
    pub fn number(&self, name: &'static str) -> Result<u64, Unreadable> {
        self.number_or_none(name)?.ok_or_else(|| Unreadable::field(name, WHOLE))
    }

    /// A number that may be left out.
    ///
    /// # Errors
    /// [`Cause::Field`] for a value of another kind.
    pub fn number_or_none(&self, name: &'static str) -> Result<Option<u64>, Unreadable> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        value.number().map(Some).ok_or_else(|| Unreadable::field(name, WHOLE))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// [`Cause::Field`].
    pub fn flag(&self, name: &'static str) -> Result<bool, Unreadable> {
        let flag = self.0.get(name).and_then(|value| value.flag());
        flag.ok_or_else(|| Unreadable::field(name, "true or false"))
    }

    /// A string that may be left out.
    ///
    /// # Errors
    /// [`Cause::Field`] for a value of another kind.
    pub fn text_or_none(&self, name: &'static str) -> Result<Option<String>, Unreadable> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        value.text().map(Some).ok_or_else(|| Unreadable::field(name, TEXT))
    }

    /// A value that is written as a string and parsed.
    ///
    /// # Errors
    /// [`Cause::Field`], [`Cause::Value`].
    pub fn parsed<T: FromStr>(&self, name: &'static str) -> Result<T, Unreadable>
    where
        T::Err: Into<Error>,
    {
        let text = self.text_or_none(name)?;
        let text = text.ok_or_else(|| Unreadable::field(name, TEXT))?;
        text.parse().map_err(|error: T::Err| Unreadable::value(name, error.into()))
    }
}

const WHOLE: &str = "a whole number below 2^53";
const TEXT: &str = "a string";

#[cfg(any(test, feature = "serde_json"))]
impl Value for serde_json::Value {
    fn get(&self, name: &str) -> Option<Self> {
        self.as_object()?.get(name).filter(|value| !value.is_null()).cloned()
    }

    fn number(&self) -> Option<u64> {
        self.as_u64().filter(|number| *number < 1 << 53)
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(String::from)
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }
}
