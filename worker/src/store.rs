//! Version 1 of what an authority stores, in the SQLite of its Durable Object.

use edgeflake::{Identity, Row, Write};
use worker::{Error, Result, SqlStorage, SqlStorageValue};

const SCHEMA_VERSION: i64 = 1;

const FIRST_INCARNATION: u64 = 1;

/// One row: what the sequencer is bound to.
const CREATE_SEQUENCER: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    schema_version INTEGER NOT NULL, \
    incarnation INTEGER NOT NULL, \
    layout TEXT NOT NULL, \
    first_node INTEGER NOT NULL, \
    node_count INTEGER NOT NULL, \
    shards INTEGER NOT NULL\
    ) STRICT";

/// A row for each node that was ever used: its newest span.
const CREATE_NODE: &str = "CREATE TABLE IF NOT EXISTS node (\
    node INTEGER PRIMARY KEY, \
    from_tick INTEGER NOT NULL, \
    until_tick INTEGER NOT NULL, \
    token TEXT\
    ) STRICT";

/// What the stored rows bind the sequencer to.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) identity: Identity,
    pub(crate) incarnation: u64,
}

/// The tables of one authority.
#[derive(Debug)]
pub(crate) struct Store {
    sql: SqlStorage,
}

impl Store {
    /// Opens the store, creating its tables where there are none.
    pub(crate) fn open(sql: SqlStorage) -> Result<Self> {
        sql.exec(CREATE_SEQUENCER, None)?;
        sql.exec(CREATE_NODE, None)?;
        Ok(Self { sql })
    }

    /// Binds a sequencer that is not bound yet: its first incarnation.
    pub(crate) fn bind(&self, identity: Identity) -> Result<Bound> {
        self.sql.exec(
            "INSERT INTO sequencer VALUES (1, ?, ?, ?, ?, ?, ?)",
            vec![
                SCHEMA_VERSION.into(),
                integer(FIRST_INCARNATION)?,
                identity.layout().to_string().into(),
                integer(identity.first_node())?,
                integer(identity.node_count())?,
                integer(identity.shards())?,
            ],
        )?;
        Ok(Bound { identity, incarnation: FIRST_INCARNATION })
    }

    /// What the sequencer is bound to, if it is.
    pub(crate) fn bound(&self) -> Result<Option<Bound>> {
        let select = "SELECT schema_version, incarnation, layout, first_node, node_count, shards \
                      FROM sequencer";
        let Some(row) = self.sql.exec(select, None)?.raw().next() else {
            return Ok(None);
        };
        match row?.as_slice() {
            [
                version,
                incarnation,
                SqlStorageValue::String(layout),
                first_node,
                node_count,
                shards,
            ] => {
                if *version != SqlStorageValue::Integer(SCHEMA_VERSION) {
                    return Err(unreadable(&format!(
                        "schema version {version:?}: this code reads {SCHEMA_VERSION}"
                    )));
                }
                let layout = layout.parse().map_err(|error| unreadable(&error))?;
                let identity =
                    Identity::new(layout, whole(first_node)?, whole(node_count)?, whole(shards)?)
                        .map_err(|error| unreadable(&error))?;
                Ok(Some(Bound { identity, incarnation: whole(incarnation)? }))
            }
            other => Err(unreadable(&format!("{other:?}"))),
        }
    }

    /// The rows of all nodes that were ever used.
    pub(crate) fn rows(&self) -> Result<Vec<(u64, Row)>> {
        let select = "SELECT node, from_tick, until_tick, token FROM node";
        self.sql
            .exec(select, None)?
            .raw()
            .map(|row| match row?.as_slice() {
                [node, from_tick, until_tick, token] => {
                    let token = match token {
                        SqlStorageValue::Null => None,
                        SqlStorageValue::String(token) => {
                            Some(token.parse().map_err(|error| unreadable(&error))?)
                        }
                        other => return Err(unreadable(&format!("token {other:?}"))),
                    };
                    let (from_tick, until_tick) = (whole(from_tick)?, whole(until_tick)?);
                    Ok((whole(node)?, Row { from_tick, until_tick, token }))
                }
                other => Err(unreadable(&format!("{other:?}"))),
            })
            .collect()
    }

    /// Makes a write, if the row is still as it was: one row written, or an error.
    pub(crate) fn write(&self, write: &Write) -> Result<()> {
        let Write { node, before, after } = write;
        let token = |row: &Row| row.token.map(|token| token.to_string()).into();
        let mut values = vec![
            integer(after.from_tick)?,
            integer(after.until_tick)?,
            token(after),
            integer(*node)?,
        ];
        let statement = match before {
            None => {
                "INSERT INTO node (from_tick, until_tick, token, node) VALUES (?, ?, ?, ?) \
                 ON CONFLICT DO NOTHING"
            }
            Some(before) => {
                values.extend([integer(before.until_tick)?, token(before)]);
                "UPDATE node SET from_tick = ?, until_tick = ?, token = ? \
                 WHERE node = ? AND until_tick = ? AND token IS ?"
            }
        };
        match self.sql.exec(statement, values)?.rows_written() {
            1 => Ok(()),
            written => Err(Error::from(format!(
                "the row of node {node} is not as it was: {written} rows written"
            ))),
        }
    }
}

fn integer(value: u64) -> Result<SqlStorageValue> {
    i64::try_from(value).map_err(|error| unreadable(&error)).and_then(SqlStorageValue::try_from_i64)
}

fn whole(value: &SqlStorageValue) -> Result<u64> {
    match value {
        SqlStorageValue::Integer(value) => {
            u64::try_from(*value).map_err(|error| unreadable(&error))
        }
        other => Err(unreadable(&format!("{other:?} is not a whole number"))),
    }
}

fn unreadable(what: &impl std::fmt::Display) -> Error {
    Error::from(format!("the stored rows cannot be read: {what}"))
}
