//! Reads the values of fields from parsed JSON, and writes the values of fields as JSON.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use edgeflake::Layout;
use edgeflake::lease::{Error, Token};
#[cfg(feature = "js")]
use js_sys::{Array, JSON, Reflect};
#[cfg(feature = "js")]
use wasm_bindgen::{JsCast, JsValue};

use crate::Json;

/// A value of parsed JSON.
pub trait Value: Sized {
    /// Returns a field of an object; `None` if this is not an object, or the field is missing or
    /// `null`.
    fn get(&self, name: &str) -> Option<Self>;

    /// Returns the items of a list; `None` if this is something else.
    fn list(&self) -> Option<Vec<Self>>;

    /// Returns a whole number below 2^53; `None` if this is something else.
    fn number(&self) -> Option<u64>;

    /// Returns a string; `None` if this is something else.
    fn text(&self) -> Option<String>;

    /// Returns `true` or `false`; `None` if this is something else.
    fn flag(&self) -> Option<bool>;

    /// Returns the value of a field.
    ///
    /// # Errors
    /// [`Unreadable`] if the field is missing, or has a value that is not allowed.
    fn field<T: Field>(&self, name: &'static str) -> Result<T, Unreadable> {
        self.optional(name)?.ok_or_else(|| Unreadable::field(name, T::ALLOWED))
    }

    /// Returns the value of a field that may be missing.
    ///
    /// # Errors
    /// [`Unreadable`] for a value that is not allowed.
    fn optional<T: Field>(&self, name: &'static str) -> Result<Option<T>, Unreadable> {
        self.get(name).map(|value| T::read(name, &value)).transpose()
    }

    /// Returns a string that may be missing.
    ///
    /// # Errors
    /// [`Unreadable`] for a value of another kind.
    fn text_or_none(&self, name: &'static str) -> Result<Option<String>, Unreadable> {
        let text = self.get(name).map(|value| value.text());
        text.map(|text| text.ok_or_else(|| Unreadable::field(name, "a string"))).transpose()
    }
}

/// The value of one field.
pub trait Field: Sized {
    /// The kind of value that is allowed, as errors name it.
    const ALLOWED: &'static str;

    /// The JSON Schema of the value.
    const SCHEMA: &'static str;

    /// Adds the field to an object.
    fn write(&self, name: &str, json: &mut Json);

    /// Reads the value of the field of this name.
    ///
    /// # Errors
    /// [`Unreadable`] for a value that is not allowed.
    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable>;
}

impl Field for u64 {
    const ALLOWED: &'static str = "a whole number below 2^53";
    const SCHEMA: &'static str = r#"{"type":"integer","format":"uint64","minimum":0}"#;

    fn write(&self, name: &str, json: &mut Json) {
        json.number(name, *self);
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        value.number().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))
    }
}

impl Field for bool {
    const ALLOWED: &'static str = "true or false";
    const SCHEMA: &'static str = r#"{"type":"boolean"}"#;

    fn write(&self, name: &str, json: &mut Json) {
        json.flag(name, *self);
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        value.flag().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))
    }
}

macro_rules! texts {
    ($($type:ty, $schema:literal;)+) => { $(
        impl Field for $type {
            const ALLOWED: &'static str = "a string";
            const SCHEMA: &'static str = $schema;

            fn write(&self, name: &str, json: &mut Json) {
                json.text(name, self);
            }

            fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
                let text = value.text().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))?;
                text.parse::<Self>().map_err(|error| Unreadable::value(name, error.into()))
            }
        }
    )+ };
}

texts! {
    Token, r#"{"type":"string","pattern":"^[0-9a-f]{32}$"}"#;
    Layout, r#"{"type":"string"}"#;
}

impl Field for String {
    const ALLOWED: &'static str = "a string";
    const SCHEMA: &'static str = r#"{"type":"string"}"#;

    fn write(&self, name: &str, json: &mut Json) {
        json.text(name, self);
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        value.text().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))
    }
}

macro_rules! optional {
    ($($type:ty),+) => { $(
        impl Field for Option<$type> {
            const ALLOWED: &'static str = <$type>::ALLOWED;
            const SCHEMA: &'static str = <$type>::SCHEMA;

            fn write(&self, name: &str, json: &mut Json) {
                if let Some(value) = self {
                    value.write(name, json);
                }
            }

            fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
                <$type>::read(name, value).map(Some)
            }
        }
    )+ };
}

optional!(u64, Token);

/// The reason why a message cannot be read. The cause is boxed to keep this error small, because
/// each `?` moves the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(Box<Cause>);

/// The cause of an [`Unreadable`] message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The text is not JSON.
    NotJson,
    /// The message is unknown.
    Unknown,
    /// A field is missing, or its value is of another kind.
    Field {
        /// The name of the field.
        name: &'static str,
        /// The kind of value that is allowed.
        expected: &'static str,
    },
    /// A field has an invalid value.
    Value {
        /// The name of the field.
        name: &'static str,
        /// The reason why the value is refused.
        error: Error,
    },
}

impl Unreadable {
    /// Creates the error for a field that is missing or of another kind.
    #[cold]
    pub(crate) fn field(name: &'static str, expected: &'static str) -> Self {
        Cause::Field { name, expected }.into()
    }

    /// Creates the error for a field that has an invalid value.
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
            Cause::Unknown => f.write_str("version 1 of the protocol has no such message"),
            Cause::Field { name, expected } => write!(f, "{name} is missing, or is not {expected}"),
            Cause::Value { name, error } => write!(f, "{name}: {error}"),
        }
    }
}

impl core::error::Error for Unreadable {}

#[cfg(any(test, feature = "serde_json"))]
impl Value for serde_json::Value {
    fn get(&self, name: &str) -> Option<Self> {
        self.as_object()?.get(name).filter(|value| !value.is_null()).cloned()
    }

    fn list(&self) -> Option<Vec<Self>> {
        self.as_array().cloned()
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

#[cfg(feature = "js")]
impl Value for JsValue {
    fn get(&self, name: &str) -> Option<Self> {
        let value = Reflect::get(self, &name.into()).ok()?;
        (!value.is_undefined() && !value.is_null()).then_some(value)
    }

    fn list(&self) -> Option<Vec<Self>> {
        self.dyn_ref::<Array>().map(Array::to_vec)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "the comparison shows whether the conversion is exact"
    )]
    fn number(&self) -> Option<u64> {
        let number = self.as_f64()?;
        let whole = number as u64;
        (whole as f64 == number && whole < 1 << 53).then_some(whole)
    }

    fn text(&self) -> Option<String> {
        self.as_string()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }
}

/// Parses JSON.
///
/// # Errors
/// [`Cause::NotJson`] if the text is not JSON.
#[cfg(feature = "js")]
pub fn parse(text: &str) -> Result<JsValue, Unreadable> {
    JSON::parse(text).map_err(|_| Cause::NotJson.into())
}
