//! Tests that sqlx and rusqlite store ids in SQLite.
#![cfg(test)]

use edgeflake::public::{Id, Kind};

#[derive(Debug)]
struct Order;
impl Kind for Order {
    const PREFIX: &'static str = "ord";
}

/// SQLite stores the last of these ids as -1.
const IDS: [u64; 4] = [0, 1_541_815_603_606_036_480, 1 << 63, u64::MAX];

#[tokio::test]
async fn sqlx_stores_an_id_as_a_bigint() -> sqlx::Result<()> {
    use sqlx::{Connection as _, FromRow, SqliteConnection};

    #[derive(FromRow)]
    struct Row {
        id: Id<Order>,
        number: i64,
        none: Option<Id<Order>>,
    }

    let mut database = SqliteConnection::connect("sqlite::memory:").await?;
    for id in IDS.map(Id::<Order>::new) {
        let row: Row = sqlx::query_as("SELECT ?1 AS id, ?1 AS number, NULL AS none")
            .bind(id)
            .fetch_one(&mut database)
            .await?;
        assert_eq!((row.id, row.number, row.none), (id, i64::from(id), None));
    }
    let text: Result<Id<Order>, _> =
        sqlx::query_scalar("SELECT 'ord_1'").fetch_one(&mut database).await;
    assert_eq!(
        text.unwrap_err().to_string(),
        "error occurred while decoding column 0: mismatched types; Rust type \
         `edgeflake::public::id::Id<edgeflake_databases::Order>` (as SQL type `INTEGER`) is not \
         compatible with SQL type `TEXT`"
    );
    Ok(())
}

#[test]
fn rusqlite_stores_an_id_as_an_i64() -> rusqlite::Result<()> {
    let database = rusqlite::Connection::open_in_memory()?;
    for id in IDS.map(Id::<Order>::new) {
        let stored: i64 = database.query_row("SELECT ?1", [i64::from(id)], |row| row.get(0))?;
        assert_eq!(Id::from(stored), id);
    }
    Ok(())
}
