//! What an authority stores, in the SQLite of its Durable Object.

use edgeflake::{Identity, Life, Row, Sequencer, Token, Write};
use worker::{Error, Result, SqlStorage, SqlStorageValue};

/// The version of the schema that this code reads and writes. One more for each step below.
const SCHEMA_VERSION: i64 = 2;

/// Which version the tables have. Version 1 had no such table.
const CREATE_SCHEMA: &str = "CREATE TABLE IF NOT EXISTS schema (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    version INTEGER NOT NULL\
    ) STRICT";

/// Version 1: one row for what the sequencer is bound to, and a row for each node that was ever
/// used, with its newest span.
const VERSION_1: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS sequencer (\
        id INTEGER PRIMARY KEY CHECK (id = 1), \
        schema_version INTEGER NOT NULL, \
        incarnation INTEGER NOT NULL, \
        layout TEXT NOT NULL, \
        first_node INTEGER NOT NULL, \
        node_count INTEGER NOT NULL, \
        shards INTEGER NOT NULL\
        ) STRICT",
    "CREATE TABLE IF NOT EXISTS node (\
        node INTEGER PRIMARY KEY, \
        from_tick INTEGER NOT NULL, \
        until_tick INTEGER NOT NULL, \
        token TEXT\
        ) STRICT",
];

/// Version 2: sequencers that are destroyed and created again, batches, and what was issued. The
/// number in the sequencer's row is what makes code of version 1 refuse.
const VERSION_2: [&str; 9] = [
    "ALTER TABLE sequencer ADD COLUMN from_tick INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sequencer ADD COLUMN life TEXT NOT NULL DEFAULT 'active'",
    "ALTER TABLE sequencer ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sequencer ADD COLUMN until_tick INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE node ADD COLUMN until_sequence INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE node ADD COLUMN issued INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE node ADD COLUMN issued_of_span INTEGER NOT NULL DEFAULT 0",
    "UPDATE sequencer SET schema_version = 2",
    "INSERT INTO schema VALUES (1, 2)",
];

/// All nodes in a few rows: one row a node is read ten times as slowly. Of a row the numbers and
/// the token, parted by spaces; rows are parted by semicolons.
const SELECT_NODES: &str = "SELECT group_concat(\
    node || ' ' || from_tick || ' ' || until_tick || ' ' || until_sequence || ' ' || \
    issued || ' ' || issued_of_span || ' ' || ifnull(token, ''), ';') \
    FROM node GROUP BY node / 4096";

/// The tables of one authority.
#[derive(Debug)]
pub(crate) struct Store {
    sql: SqlStorage,
}

/// What is wrong with a row that has other columns than those of this version.
const SEQUENCER_ROW: &str = "the sequencer's row has other columns";

impl Store {
    /// Opens the store: creates its tables, or brings those of an older version up to this one.
    ///
    /// # Errors
    /// Those of the storage, and a version that is newer than this code.
    pub(crate) fn open(sql: SqlStorage) -> Result<Self> {
        sql.exec(CREATE_SCHEMA, None)?;
        let version = sql.exec("SELECT version FROM schema", None)?.raw().next().transpose()?;
        match version.as_deref() {
            None => {
                for statement in VERSION_1.iter().chain(&VERSION_2) {
                    sql.exec(statement, None)?;
                }
            }
            Some([SqlStorageValue::Integer(SCHEMA_VERSION)]) => {}
            Some([SqlStorageValue::Integer(other)]) => {
                return Err(unreadable(&format!(
                    "schema version {other}: this code reads {SCHEMA_VERSION}"
                )));
            }
            Some(_) => return Err(unreadable(&"the schema version is no whole number")),
        }
        Ok(Self { sql })
    }

    /// The sequencer, if it is known here.
    pub(crate) fn sequencer(&self) -> Result<Option<Sequencer>> {
        let select = "SELECT layout, life, incarnation, first_node, node_count, shards, \
                      from_tick, confirmed, until_tick FROM sequencer";
        let Some(row) = self.sql.exec(select, None)?.raw().next() else {
            return Ok(None);
        };
        let row = row?;
        let [SqlStorageValue::String(layout), SqlStorageValue::String(life), numbers @ ..] =
            row.as_slice()
        else {
            return Err(unreadable(&SEQUENCER_ROW));
        };
        let numbers = numbers.iter().map(whole).collect::<Result<Vec<_>>>()?;
        let [incarnation, first_node, node_count, shards, from_tick, confirmed, until_tick] =
            numbers[..]
        else {
            return Err(unreadable(&SEQUENCER_ROW));
        };
        let layout = layout.parse().map_err(|error| unreadable(&error))?;
        let identity = Identity::new(layout, first_node, node_count, shards)
            .map_err(|error| unreadable(&error))?;
        let life = match life.as_str() {
            "active" => Life::Active,
            "destroying" => Life::Destroying { confirmed, until_tick },
            "destroyed" => Life::Destroyed { until_tick },
            other => return Err(unreadable(&format_args!("life {other}"))),
        };
        Ok(Some(Sequencer { identity, incarnation, from_tick, life }))
    }

    /// The rows of all nodes that were ever used.
    pub(crate) fn rows(&self) -> Result<Vec<(u64, Row)>> {
        let mut rows = Vec::new();
        for chunk in self.sql.exec(SELECT_NODES, None)?.raw() {
            match chunk?.as_slice() {
                [SqlStorageValue::String(text)] => {
                    for row in text.split(';') {
                        // Not the row, in which the token of a lease may be.
                        let node = row.split(' ').next().unwrap_or_default();
                        let read = read_node(row);
                        rows.push(read.ok_or_else(|| unreadable(&format!("node {node}")))?);
                    }
                }
                _ => return Err(unreadable(&"a chunk of nodes is no text")),
            }
        }
        Ok(rows)
    }

    /// Makes a write, if what it was decided from is still so: one row written, or an error.
    pub(crate) fn write(&self, write: &Write) -> Result<()> {
        match write {
            Write::Node { incarnation, node, before, after } => {
                self.write_node(*incarnation, *node, before.as_ref(), after)
            }
            Write::Sequencer { ended_by, before, after } => {
                self.write_sequencer(*ended_by, before.as_ref(), after)?;
                let is_other = before.is_some_and(|before| before.incarnation != after.incarnation);
                if is_other {
                    self.sql.exec("DELETE FROM node", None)?;
                }
                Ok(())
            }
        }
    }

    fn write_node(
        &self,
        incarnation: u64,
        node: u64,
        before: Option<&Row>,
        after: &Row,
    ) -> Result<()> {
        let token = |row: &Row| row.token.map(|token| token.to_string()).into();
        let mut values = vec![
            integer(after.from_tick)?,
            integer(after.until_tick)?,
            integer(after.until_sequence)?,
            token(after),
            integer(after.issued)?,
            integer(after.issued_of_span)?,
            integer(node)?,
            integer(incarnation)?,
        ];
        let statement = match before {
            None => {
                "INSERT INTO node (from_tick, until_tick, until_sequence, token, issued, \
                 issued_of_span, node) SELECT ?, ?, ?, ?, ?, ?, ? FROM sequencer \
                 WHERE incarnation = ? AND life = 'active' ON CONFLICT DO NOTHING"
            }
            Some(before) => {
                values.extend([
                    integer(before.until_tick)?,
                    integer(before.until_sequence)?,
                    token(before),
                ]);
                "UPDATE node SET from_tick = ?, until_tick = ?, until_sequence = ?, token = ?, \
                 issued = ?, issued_of_span = ? WHERE node = ? \
                 AND (SELECT incarnation FROM sequencer WHERE life = 'active') = ? \
                 AND until_tick = ? AND until_sequence = ? AND token IS ?"
            }
        };
        self.write_one(statement, values)
    }

    fn write_sequencer(
        &self,
        ended_by: u64,
        before: Option<&Sequencer>,
        after: &Sequencer,
    ) -> Result<()> {
        let life = |sequencer: &Sequencer| match sequencer.life {
            Life::Active => ("active", 0, 0),
            Life::Destroying { confirmed, until_tick } => ("destroying", confirmed, until_tick),
            Life::Destroyed { until_tick } => ("destroyed", 0, until_tick),
        };
        let identity = &after.identity;
        let (name, confirmed, until_tick) = life(after);
        let mut values = vec![
            SCHEMA_VERSION.into(),
            integer(after.incarnation)?,
            identity.layout().to_string().into(),
            integer(identity.first_node())?,
            integer(identity.node_count())?,
            integer(identity.shards())?,
            integer(after.from_tick)?,
            name.into(),
            integer(confirmed)?,
            integer(until_tick)?,
            integer(ended_by)?,
        ];
        let statement = match before {
            None => {
                "INSERT INTO sequencer SELECT 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? \
                 WHERE NOT EXISTS (SELECT 1 FROM node \
                 WHERE until_tick + (until_sequence > 0) > ?) ON CONFLICT DO NOTHING"
            }
            Some(before) => {
                let (name, confirmed, until_tick) = life(before);
                values.extend([
                    integer(before.incarnation)?,
                    name.into(),
                    integer(confirmed)?,
                    integer(until_tick)?,
                ]);
                "UPDATE sequencer SET schema_version = ?, incarnation = ?, layout = ?, \
                 first_node = ?, node_count = ?, shards = ?, from_tick = ?, life = ?, \
                 confirmed = ?, until_tick = ? WHERE NOT EXISTS (SELECT 1 FROM node \
                 WHERE node.until_tick + (until_sequence > 0) > ?) \
                 AND incarnation = ? AND life = ? AND confirmed = ? AND until_tick = ?"
            }
        };
        self.write_one(statement, values)
    }

    fn write_one(&self, statement: &str, values: Vec<SqlStorageValue>) -> Result<()> {
        match self.sql.exec(statement, values)?.rows_written() {
            1 => Ok(()),
            written => Err(Error::from(format!(
                "what is stored is not what was decided from: {written} rows written"
            ))),
        }
    }
}

/// Reads what [`SELECT_NODES`] makes of a row.
fn read_node(text: &str) -> Option<(u64, Row)> {
    let mut words = text.split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let (node, from_tick, until_tick) = (number()?, number()?, number()?);
    let (until_sequence, issued, issued_of_span) = (number()?, number()?, number()?);
    let token = match words.next()? {
        "" => None,
        token => Some(token.parse::<Token>().ok()?),
    };
    let row = Row { from_tick, until_tick, until_sequence, token, issued, issued_of_span };
    words.next().is_none().then_some((node, row))
}

fn integer(value: u64) -> Result<SqlStorageValue> {
    i64::try_from(value).map_err(|error| unreadable(&error)).and_then(SqlStorageValue::try_from_i64)
}

fn whole(value: &SqlStorageValue) -> Result<u64> {
    match value {
        SqlStorageValue::Integer(value) => {
            u64::try_from(*value).map_err(|error| unreadable(&error))
        }
        _ => Err(unreadable(&"what should be a whole number is not")),
    }
}

fn unreadable(what: &impl std::fmt::Display) -> Error {
    Error::from(format!("what is stored cannot be read: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_as_they_are_read() {
        let token = "000102030405060708090a0b0c0d0e0f";
        let row = Row {
            from_tick: 2,
            until_tick: 3,
            until_sequence: 4,
            token: Some(token.parse().unwrap()),
            issued: 5,
            issued_of_span: 6,
        };
        assert_eq!(read_node(&format!("1 2 3 4 5 6 {token}")), Some((1, row)));
        assert_eq!(read_node("1 2 3 4 5 6 "), Some((1, Row { token: None, ..row })));
        for text in ["", "1 2 3 4 5 6", "1 2 3 4 5 -6 ", "1 2 3 4 5 6 00", "1 2 3 4 5 6  7"] {
            assert_eq!(read_node(text), None, "{text}");
        }
    }
}
