use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that messages carry in its text form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Reader(PhantomData))
    }
}

struct Reader<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Reader<T> {
    type Value = Text<T>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        text.parse().map(Text).map_err(E::custom)
    }
}
