//! The kinds of values that fields have.

use edgeflake::Layout;
use edgeflake::lease::Token;

use crate::{Field, Fields, Json, Unreadable, Value};

impl Field for u64 {
    const ALLOWED: &'static str = "a whole number below 2^53";

    fn write(&self, name: &str, json: &mut Json) {
        json.number(name, *self);
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        value.number().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))
    }
}

impl Field for bool {
    const ALLOWED: &'static str = "true or false";

    fn write(&self, name: &str, json: &mut Json) {
        json.flag(name, *self);
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        value.flag().ok_or_else(|| Unreadable::field(name, Self::ALLOWED))
    }
}

macro_rules! texts {
    ($($type:ty),+) => { $(
        impl Field for $type {
            const ALLOWED: &'static str = "a string";

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

texts!(Token, Layout);

impl Field for Option<u64> {
    const ALLOWED: &'static str = u64::ALLOWED;

    fn write(&self, name: &str, json: &mut Json) {
        if let Some(number) = self {
            json.number(name, *number);
        }
    }

    fn read<V: Value>(name: &'static str, value: &V) -> Result<Self, Unreadable> {
        u64::read(name, value).map(Some)
    }
}

impl<T: Fields> Field for Option<T> {
    const ALLOWED: &'static str = "an object";

    fn write(&self, name: &str, json: &mut Json) {
        if let Some(fields) = self {
            json.open(name);
            fields.write(json);
            json.close();
        }
    }

    fn read<V: Value>(_: &'static str, value: &V) -> Result<Self, Unreadable> {
        T::read(value).map(Some)
    }
}
