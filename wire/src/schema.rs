//! Describes messages as JSON Schema, for the documentation of an HTTP API. The macros of
//! `fields.rs` generate the schema from the same tables as the code that writes and reads messages.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use edgeflake::lease::Sequencer;
use serde_json::{Map, Value, json};

use crate::Field;

/// A message, or a part of a message, whose fields have a schema.
pub trait Described {
    /// Adds the fields to a schema.
    fn describe(schema: &mut Schema);
}

/// The schema of an object.
#[derive(Debug, Default)]
pub struct Schema {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Schema {
    /// Returns the schema of a message as JSON. An integer field has the format `uint64`. A field
    /// that may be missing may also be null.
    #[must_use]
    pub fn of<T: Described>() -> Value {
        let mut schema = Self::default();
        T::describe(&mut schema);
        schema.end()
    }

    /// Adds the fields of a part that is not an object of its own.
    pub(crate) fn part<T: Described>(&mut self, _: PhantomData<T>) {
        T::describe(self);
    }

    /// Adds a field. `lines` are the lines of its comment in the table. If the field may be
    /// missing, `defaults` contains its default.
    pub(crate) fn field<T: Field>(
        &mut self,
        name: &str,
        _: PhantomData<T>,
        lines: &[&str],
        defaults: &[&str],
    ) {
        let mut value: Value = serde_json::from_str(T::SCHEMA).unwrap_or_default();
        if !lines.is_empty() {
            value["description"] = lines.concat().trim().into();
        }
        if !defaults.is_empty() {
            let may_be = value["type"].take();
            value["type"] = json!([may_be, "null"]);
        }
        self.add(name, value, defaults.is_empty());
    }

    /// Adds a field whose value is one of `texts`.
    pub(crate) fn one_of(&mut self, name: &str, texts: &[&str]) {
        self.add(name, json!({ "type": "string", "enum": texts }), true);
    }

    /// Adds a field whose value is an object.
    pub(crate) fn object(&mut self, name: &str, object: Self) {
        self.add(name, object.end(), true);
    }

    fn add(&mut self, name: &str, value: Value, is_required: bool) {
        self.properties.insert(name.to_owned(), value);
        if is_required {
            self.required.push(name.to_owned());
        }
    }

    fn end(self) -> Value {
        let Self { properties, required } = self;
        json!({ "type": "object", "properties": properties, "required": required })
    }
}

/// Requires no field, because `None` is an object without fields.
impl Described for Option<Sequencer> {
    fn describe(schema: &mut Schema) {
        Sequencer::describe(schema);
        schema.required.clear();
    }
}

/// Returns the types of the values that a pattern binds in a message. The macro needs no message.
macro_rules! types_of {
    ($message:pat => $($value:expr),* $(,)?) => {
        match None::<&Self> {
            Some($message) => ($($crate::schema::type_of($value),)*),
            _ => Default::default(),
        }
    };
}

/// Returns the type of a value.
pub(crate) const fn type_of<T>(_: &T) -> PhantomData<T> {
    PhantomData
}

pub(crate) use types_of;

/// Checks that the schema of a message has all fields of the message in `text`, with their types,
/// and that it requires no other fields.
#[cfg(test)]
pub(crate) fn check<T: Described>(text: &str) {
    fn check_object(schema: &Value, object: &Map<String, Value>) {
        for (name, value) in object {
            let property = &schema["properties"][name];
            let allowed = match value {
                Value::Object(object) => {
                    check_object(property, object);
                    "object"
                }
                Value::Number(_) => "integer",
                Value::Bool(_) => "boolean",
                Value::String(_) => "string",
                _ => "array",
            };
            let found = property["type"].as_array().map_or(&property["type"], |types| &types[0]);
            assert_eq!(found, allowed, "{name}");
        }
        for name in schema["required"].as_array().unwrap() {
            assert!(object.contains_key(name.as_str().unwrap()), "{name}");
        }
    }
    let schema = Schema::of::<T>();
    let message: Map<String, Value> = serde_json::from_str(text).unwrap();
    for (name, value) in message {
        check_object(&schema["properties"][&name], value.as_object().unwrap());
    }
}
