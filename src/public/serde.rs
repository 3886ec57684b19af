use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::id::{Id, Kind};

impl<K: Kind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u64(self.get())
        }
    }
}

impl<'de, K: Kind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Text(PhantomData))
        } else {
            u64::deserialize(deserializer).map(Self::new)
        }
    }
}

/// Reads an id's text. Numbers are refused, because JavaScript may have rounded them.
struct Text<K>(PhantomData<K>);

impl<K: Kind> Visitor<'_> for Text<K> {
    type Value = Id<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id as a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Id<K>, E> {
        text.parse().map_err(E::custom)
    }
}
