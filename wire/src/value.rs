use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use edgeflake::lease::Error;

/// A value of parsed JSON.
pub trait Value: Sized {
    /// A field of an object; `None` if this is no object, or the field is not there or `null`.
    fn get(&self, name: &str) -> Option<Self>;

    /// A whole number below 2^53; `None` if this is none.
    fn number(&self) -> Option<u64>;

    /// A string; `None` if this is none.
    fn text(&self) -> Option<String>;

    /// `true` or `false`; `None` if this is neither.
    fn flag(&self) -> Option<bool>;
}

/// Why a message cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not JSON.
    NotJson,
    /// It is none of the messages that are known.
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

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("the message is not JSON"),
            Self::Unknown => f.write_str("the message is none of version 1"),
            Self::Field { name, expected } => write!(f, "{name} is missing, or is not {expected}"),
            Self::Value { name, error } => write!(f, "{name}: {error}"),
        }
    }
}

impl core::error::Error for Unreadable {}

/// An object, whose fields are asked for by name.
#[derive(Debug)]
pub struct Object<'a, V>(pub &'a V);

impl<V: Value> Object<'_, V> {
    /// A number.
    ///
    /// # Errors
    /// [`Unreadable::Field`].
    pub fn number(&self, name: &'static str) -> Result<u64, Unreadable> {
        self.number_or_none(name)?.ok_or(Unreadable::Field { name, expected: WHOLE })
    }

    /// A number that may be left out.
    ///
    /// # Errors
    /// [`Unreadable::Field`] for something else.
    pub fn number_or_none(&self, name: &'static str) -> Result<Option<u64>, Unreadable> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        value.number().map(Some).ok_or(Unreadable::Field { name, expected: WHOLE })
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// [`Unreadable::Field`].
    pub fn flag(&self, name: &'static str) -> Result<bool, Unreadable> {
        let flag = self.0.get(name).and_then(|value| value.flag());
        flag.ok_or(Unreadable::Field { name, expected: "true or false" })
    }

    /// A string that may be left out.
    ///
    /// # Errors
    /// [`Unreadable::Field`] for something else.
    pub fn text_or_none(&self, name: &'static str) -> Result<Option<String>, Unreadable> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        value.text().map(Some).ok_or(Unreadable::Field { name, expected: "a string" })
    }

    /// A value that is written as text.
    ///
    /// # Errors
    /// [`Unreadable::Field`], [`Unreadable::Value`].
    pub fn parsed<T: FromStr>(&self, name: &'static str) -> Result<T, Unreadable>
    where
        T::Err: Into<Error>,
    {
        let text = self.text_or_none(name)?;
        let text = text.ok_or(Unreadable::Field { name, expected: "a string" })?;
        text.parse().map_err(|error: T::Err| Unreadable::Value { name, error: error.into() })
    }
}

const WHOLE: &str = "a whole number below 2^53";

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
