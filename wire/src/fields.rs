//! Defines macros that generate the writer and the reader of a message from a table, which names
//! each field once.

use alloc::string::String;

use crate::{Field, Json, Unreadable, Value};

/// A message, or a part of a message, as fields of a JSON object.
pub trait Fields: Sized {
    /// Adds the fields to an object.
    fn write(&self, json: &mut Json);

    /// Reads the fields of an object.
    ///
    /// # Errors
    /// [`Unreadable`] if a field is missing, or has a value that is not allowed.
    fn read<V: Value>(object: &V) -> Result<Self, Unreadable>;
}

impl<T: Fields> Field for Option<T> {
    const ALLOWED: &'static str = "an object";
    const SCHEMA: &'static str = r#"{"type":"object"}"#;

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

/// Writes a message as JSON.
#[must_use]
pub fn write(message: &impl Fields) -> String {
    let mut json = Json::object();
    message.write(&mut json);
    json.end()
}

/// Reads a message.
///
/// # Errors
/// [`Unreadable`] if a field is missing, or has a value that is not allowed.
pub fn read<T: Fields, V: Value>(message: &V) -> Result<T, Unreadable> {
    T::read(message)
}

/// Implements [`Fields`] for structs, from tables of their fields:
///
/// - `name` is a field. It has the same name in Rust and in JSON.
/// - `name = default` is a field that is left out if it has its default. A field that is added
///   later needs a default, because older code does not write the field.
/// - `..name` adds the fields of another struct, without nesting them in an object.
/// - `..(name, name)` adds the fields of two structs that are read together.
/// - `; name { ... } or default` ends a table with a nested object and its fields. The object is
///   always written. If the reader finds no such object, its fields have the values of `default`.
///
/// A doc comment of a field goes into its schema.
macro_rules! fields {
    ($($type:ident {
        $(
            $(..$part:ident)? $(..($($pair:ident),+))?
            $($(#[doc = $line:literal])* $name:ident $(= $default:expr)?)?
        ),*
        $(; $object:ident {
            $(
                $(..$inner_part:ident)?
                $($(#[doc = $inner_line:literal])* $inner:ident $(= $inner_default:expr)?)?
            ),*
        } or $absent:expr)?
    })+) => { $(
        impl $crate::Fields for $type {
            fn write(&self, json: &mut $crate::Json) {
                let Self {
                    $($($part)? $($($pair),+)? $($name)?,)*
                    $($($($inner_part)? $($inner)?,)*)?
                } = self;
                $(
                    $($crate::Fields::write($part, json);)?
                    $($crate::Fields::write(&($(*$pair),+), json);)?
                    $($(if *$name != $default)? {
                        $crate::Field::write($name, stringify!($name), json);
                    })?
                )*
                $(
                    json.open(stringify!($object));
                    $(
                        $($crate::Fields::write($inner_part, json);)?
                        $($(if *$inner != $inner_default)? {
                            $crate::Field::write($inner, stringify!($inner), json);
                        })?
                    )*
                    json.close();
                )?
            }

            fn read<V: $crate::Value>(object: &V) -> Result<Self, $crate::Unreadable> {
                $(
                    $(let $part = $crate::Fields::read(object)?;)?
                    $(let ($($pair),+) = $crate::Fields::read(object)?;)?
                    $(let $name = $crate::fields::read_field!(object, $name $(, $default)?);)?
                )*
                Ok(Self {
                    $($($part)? $($($pair),+)? $($name)?,)*
                    $(..match object.get(stringify!($object)) {
                        Some(object) => Self {
                            $(
                                $($inner_part: $crate::Fields::read(&object)?)?
                                $($inner: $crate::fields::read_field!(
                                    object, $inner $(, $inner_default)?
                                ))?,
                            )*
                            ..$absent
                        },
                        None => $absent,
                    })?
                })
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl $crate::Described for $type {
            fn describe(schema: &mut $crate::Schema) {
                $(
                    $(schema.part($crate::schema::types_of!(Self { $part, .. } => $part).0);)?
                    $(schema.part($crate::schema::types_of!(
                        Self { $($pair),+, .. } => &($(*$pair),+)
                    ).0);)?
                    $(schema.field(
                        stringify!($name),
                        $crate::schema::types_of!(Self { $name, .. } => $name).0,
                        &[$($line),*],
                        &[$(stringify!($default))?],
                    );)?
                )*
                $(
                    let mut object = $crate::Schema::default();
                    $(
                        $(object.part(
                            $crate::schema::types_of!(Self { $inner_part, .. } => $inner_part).0
                        );)?
                        $(object.field(
                            stringify!($inner),
                            $crate::schema::types_of!(Self { $inner, .. } => $inner).0,
                            &[$($inner_line),*],
                            &[$(stringify!($inner_default))?],
                        );)?
                    )*
                    schema.object(stringify!($object), object);
                )?
            }
        }
    )+ };
}

macro_rules! read_field {
    ($object:ident, $name:ident) => {
        $object.field(stringify!($name))?
    };
    ($object:ident, $name:ident, $default:expr) => {
        $object.optional(stringify!($name))?.unwrap_or($default)
    };
}

/// Implements [`Fields`] for an enum. One field is a string that names the variant; `is` lists the
/// allowed strings, for error messages. The other fields belong to the variant; `as` gives a field
/// another name in JSON.
macro_rules! variants {
    ($type:ident, $tag:literal is $allowed:literal {
        $($value:literal $variant:ident $({ $($name:ident $(as $alias:literal)?),+ })?;)+
    }) => {
        impl $crate::Fields for $type {
            fn write(&self, json: &mut $crate::Json) {
                match self {
                    $(Self::$variant $({ $($name),+ })? => {
                        json.text($tag, &$value);
                        $($($crate::Field::write(
                            $name,
                            $crate::fields::alias!($name $($alias)?),
                            json,
                        );)+)?
                    })+
                }
            }

            fn read<V: $crate::Value>(object: &V) -> Result<Self, $crate::Unreadable> {
                Ok(match object.text_or_none($tag)?.as_deref() {
                    $(Some($value) => Self::$variant $({
                        $($name: object.field($crate::fields::alias!($name $($alias)?))?),+
                    })?,)+
                    _ => return Err($crate::Unreadable::field($tag, $allowed)),
                })
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl $crate::Described for $type {
            fn describe(schema: &mut $crate::Schema) {
                schema.one_of($tag, &[$($value),+]);
                $($(
                    let ($($name,)+) = $crate::schema::types_of!(
                        Self::$variant { $($name),+ } => $($name),+
                    );
                    $(schema.field(
                        $crate::fields::alias!($name $($alias)?),
                        $name,
                        &[],
                        &["in some variants"],
                    );)+
                )?)+
            }
        }
    };
}

macro_rules! alias {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $alias:literal) => {
        $alias
    };
}

/// Implements [`Fields`] for an enum of messages, or for a struct that is a message. A message is
/// an object with one field, which has the message's name. The field's value is an object with the
/// fields of the variant or struct, as in [`fields`]. `, name = value` adds a field that is only
/// written.
macro_rules! messages {
    ($type:ident {
        $($message:literal $($variant:ident)? $(($body:ident))?
        $({ $($(..$part:ident)? $($name:ident)?),+ })?
        $(, $(#[doc = $line:literal])* $written:ident = $value:expr)?;)+
    }) => {
        impl $crate::Fields for $type {
            fn write(&self, json: &mut $crate::Json) {
                match self {
                    $(Self $(::$variant)? $(($body))? $({ $($($part)? $($name)?),+ })? => {
                        json.open($message);
                        $($crate::Fields::write($body, json);)?
                        $($(
                            $($crate::Fields::write($part, json);)?
                            $($crate::Field::write($name, stringify!($name), json);)?
                        )+)?
                        $($crate::Field::write(&$value, stringify!($written), json);)?
                        json.close();
                    })+
                }
            }

            #[allow(unused_variables, reason = "a message may have no fields")]
            fn read<V: $crate::Value>(object: &V) -> Result<Self, $crate::Unreadable> {
                $(if let Some(object) = object.get($message) {
                    $(let $body = $crate::Fields::read(&object)?;)?
                    return Ok(Self $(::$variant)? $(($body))? $({ $(
                        $($part: $crate::Fields::read(&object)?)?
                        $($name: object.field(stringify!($name))?)?
                    ),+ })?);
                })+
                Err($crate::Cause::Unknown.into())
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl $crate::Described for $type {
            fn describe(schema: &mut $crate::Schema) {
                $(
                    let ($($body,)? $($($($part)? $($name)?,)+)? $($written,)?) =
                        $crate::schema::types_of!(
                            Self $(::$variant)? $(($body))? $({ $($($part)? $($name)?),+ })?
                            => $($body,)? $($($($part)? $($name)?,)+)? $(&$value)?
                        );
                    #[allow(unused_mut, reason = "a message may have no fields")]
                    let mut object = $crate::Schema::default();
                    $(object.part($body);)?
                    $($(
                        $(object.part($part);)?
                        $(object.field(stringify!($name), $name, &[], &[]);)?
                    )+)?
                    $(object.field(stringify!($written), $written, &[$($line),*], &[]);)?
                    schema.object($message, object);
                )+
            }
        }
    };
}

/// Implements [`Described`](crate::Described) for a type that has the fields of other types.
macro_rules! described {
    ($type:ty as $($part:ty),+) => {
        #[cfg(any(test, feature = "schema"))]
        impl $crate::Described for $type {
            fn describe(schema: &mut $crate::Schema) {
                $(<$part as $crate::Described>::describe(schema);)+
            }
        }
    };
}

pub(crate) use {alias, described, fields, messages, read_field, variants};

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Settings {
        first: u64,
        later: u64,
        inner: u64,
        latest: u64,
    }

    fields! {
        Settings { first, later = 7; object { inner, latest = 8 } or Settings::default() }
    }

    #[test]
    fn what_older_code_leaves_out_has_its_default() {
        for (text, read_as, written) in [
            (r#"{"first":1,"object":{"inner":3}}"#, [1, 7, 3, 8], None),
            (r#"{"first":1,"later":2,"object":{"inner":3,"latest":4}}"#, [1, 2, 3, 4], None),
            (
                r#"{"first":1,"later":7}"#,
                [1, 7, 0, 0],
                Some(r#"{"first":1,"object":{"inner":0,"latest":0}}"#),
            ),
        ] {
            let [first, later, inner, latest] = read_as;
            let settings = Settings { first, later, inner, latest };
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(&value), Ok(settings), "{text}");
            assert_eq!(write(&settings), written.unwrap_or(text));
        }
        for (text, name) in [("{}", "first"), (r#"{"first":1,"object":{}}"#, "inner")] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let error = Unreadable::field(name, "a whole number below 2^53");
            assert_eq!(read::<Settings, _>(&value), Err(error), "{text}");
        }
    }
}
