use sqlx::database::Database;
use sqlx::encode::{Encode, IsNull};
use sqlx::error::BoxDynError;
use sqlx::{Decode, Type};

use super::id::Id;

// An id is stored in every database as the `i64` with the same bits.

impl<K, DB: Database> Type<DB> for Id<K>
where
    i64: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        i64::type_info()
    }

    fn compatible(info: &DB::TypeInfo) -> bool {
        i64::compatible(info)
    }
}

impl<'q, K, DB: Database> Encode<'q, DB> for Id<K>
where
    i64: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        i64::from(*self).encode(buffer)
    }
}

impl<'r, K, DB: Database> Decode<'r, DB> for Id<K>
where
    i64: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        i64::decode(value).map(Self::from)
    }
}
