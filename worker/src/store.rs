//! What an authority stores, in the SQLite of its Durable Object.

use edgeflake::{Identity, Life, Row, Sequencer, Token, Write};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
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

/// Nodes in one value: one row a node is read ten times as slowly. As JSON, an array a row, which
/// SQLite writes in a third of the time of a text that `||` puts together. Bytes, since a text would
/// be taken through UTF-16; and one range a statement, since `GROUP BY` sorts.
const SELECT_NODES: &str = "SELECT CAST(json_group_array(json_array(\
    node, from_tick, until_tick, until_sequence, issued, issued_of_span, token)) AS BLOB) \
    FROM node WHERE node BETWEEN ? AND ?";

/// The next node with a row.
const SELECT_NEXT: &str = "SELECT min(node) FROM node WHERE node >= ?";

/// Nodes that are read at once: half a MB at most, of the 2 MB that a value may have.
const NODES_AT_ONCE: u64 = 4_096;

/// Digits of a number that is read: what is stored is below 2^53, and so many never overflow.
const NUMBER_DIGITS_MAX: usize = 19;

/// What writes the row of a node, if what it was decided from is still so. The parameters: the token
/// after and before; the node, the incarnation, what the row is after, and what it was before. They
/// pass to JavaScript as numbers, since a text is decoded each time.
#[wasm_bindgen]
#[derive(Clone, Copy)]
enum Statement {
    InsertNode = "INSERT INTO node (token, node, from_tick, until_tick, until_sequence, issued, \
        issued_of_span) SELECT ?1, ?3, ?5, ?6, ?7, ?8, ?9 FROM sequencer \
        WHERE incarnation = ?4 AND life = 'active' ON CONFLICT DO NOTHING",
    UpdateNode = "UPDATE node SET token = ?1, from_tick = ?5, until_tick = ?6, \
        until_sequence = ?7, issued = ?8, issued_of_span = ?9 WHERE node = ?3 \
        AND (SELECT incarnation FROM sequencer WHERE life = 'active') = ?4 \
        AND token IS ?2 AND from_tick = ?10 AND until_tick = ?11 AND until_sequence = ?12",
}

#[wasm_bindgen(module = "/src/store.js")]
extern "C" {
    /// Says how many rows were written.
    #[wasm_bindgen(catch, js_name = writeNode)]
    fn write_node(
        sql: &JsValue,
        statement: Statement,
        token_after: Option<&str>,
        token_before: Option<&str>,
        numbers: &[f64],
    ) -> std::result::Result<usize, JsValue>;
}

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
        let ticks = identity.layout().ticks();
        if from_tick.max(until_tick) > ticks {
            let found = format_args!("a sequencer from {from_tick} or until {until_tick}");
            return Err(unreadable(&format_args!("{found}: its layout has {ticks} ticks")));
        }
        let life = match life.as_str() {
            "active" => Life::Active,
            "destroying" => Life::Destroying { confirmed, until_tick },
            "destroyed" => Life::Destroyed { until_tick },
            other => return Err(unreadable(&format_args!("life {other}"))),
        };
        Ok(Some(Sequencer { identity, incarnation, from_tick, life }))
    }

    /// The rows of all nodes that were ever used.
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { store: self, next: 0, chunk: Vec::new(), read: 0 }
    }

    /// Reads the nodes from the first one with a row that is `from` or above, and says from where on
    /// there may be more; `None` if there is no such row.
    fn read_chunk(&self, from: u64) -> Result<Option<(Vec<u8>, u64)>> {
        let Some(first) = self.next_node(from)? else { return Ok(None) };
        let next = first + NODES_AT_ONCE;
        let range = vec![integer(first)?, integer(next - 1)?];
        let row = self.sql.exec(SELECT_NODES, range)?.raw().next().transpose()?;
        match row.and_then(|mut values| values.pop()) {
            Some(SqlStorageValue::Blob(chunk)) => Ok(Some((chunk, next))),
            _ => Err(unreadable(&"a chunk of nodes is no bytes")),
        }
    }

    fn next_node(&self, from: u64) -> Result<Option<u64>> {
        let row = self.sql.exec(SELECT_NEXT, vec![integer(from)?])?.raw().next().transpose()?;
        match row.as_deref() {
            Some([SqlStorageValue::Null]) => Ok(None),
            Some([node]) => whole(node).map(Some),
            _ => Err(unreadable(&"the next node is not one")),
        }
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
        let token = |row: &Row| row.token.map(|token| token.to_string());
        let mut numbers = vec![
            node,
            incarnation,
            after.from_tick,
            after.until_tick,
            after.until_sequence,
            after.issued,
            after.issued_of_span,
        ];
        let statement = match before {
            None => Statement::InsertNode,
            Some(before) => {
                numbers.extend([before.from_tick, before.until_tick, before.until_sequence]);
                Statement::UpdateNode
            }
        };
        let numbers = numbers.into_iter().map(number).collect::<Result<Vec<_>>>()?;
        let (after, before) = (token(after), before.and_then(token));
        let sql = self.sql.as_ref();
        check_one(write_node(sql, statement, after.as_deref(), before.as_deref(), &numbers)?)
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
        check_one(self.sql.exec(statement, values)?.rows_written())
    }
}

fn check_one(rows_written: usize) -> Result<()> {
    if rows_written == 1 {
        return Ok(());
    }
    Err(Error::from(format!(
        "what is stored is not what was decided from: {rows_written} rows written"
    )))
}

/// The rows of nodes, ascending, read a chunk at a time. Ends with the first error.
pub(crate) struct Rows<'a> {
    store: &'a Store,
    /// From where on there may be more.
    next: u64,
    chunk: Vec<u8>,
    /// Bytes of the chunk that were read.
    read: usize,
}

impl Iterator for Rows<'_> {
    type Item = Result<(u64, Row)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read == self.chunk.len() {
            (self.chunk, self.next) = match self.store.read_chunk(self.next).transpose()? {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(error)),
            };
            self.read = 0;
        }
        let mut rest = &self.chunk[self.read..];
        let row = read_node(&mut rest);
        self.read = self.chunk.len() - rest.len();
        Some(row)
    }
}

/// Reads a row off what [`SELECT_NODES`] makes, with the character after it, and for the first one
/// with that before it.
fn read_node(rest: &mut &[u8]) -> Result<(u64, Row)> {
    if let Some(first) = rest.strip_prefix(b"[[") {
        *rest = first;
    } else if let Some(other) = rest.strip_prefix(b"[") {
        *rest = other;
    }
    let node = read_number(rest).ok_or_else(|| unreadable(&"a row without its node"))?;
    // Not the row, in which the token of a lease may be.
    let row = read_row(rest).ok_or_else(|| unreadable(&format!("node {node}")))?;
    Ok((node, row))
}

fn read_row(rest: &mut &[u8]) -> Option<Row> {
    let mut number = || read_number(rest);
    let (from_tick, until_tick) = (number()?, number()?);
    let (until_sequence, issued, issued_of_span) = (number()?, number()?, number()?);
    let token = if let Some(after) = rest.strip_prefix(b"null]") {
        *rest = after;
        None
    } else {
        let (digits, after) = rest.strip_prefix(b"\"")?.split_at_checked(Token::DIGITS)?;
        *rest = after.strip_prefix(b"\"]")?;
        Some(str::from_utf8(digits).ok()?.parse().ok()?)
    };
    // A comma before another row, a bracket after the last.
    *rest = rest.get(1..)?;
    Some(Row { from_tick, until_tick, until_sequence, token, issued, issued_of_span })
}

/// Digits, up to and with a comma.
fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let (mut value, mut length) = (0, 0);
    loop {
        match *rest.get(length)? {
            digit @ b'0'..=b'9' if length < NUMBER_DIGITS_MAX => {
                value = value * 10 + u64::from(digit - b'0');
            }
            b',' if length > 0 => break,
            _ => return None,
        }
        length += 1;
    }
    *rest = &rest[length + 1..];
    Some(value)
}

#[expect(clippy::cast_precision_loss, reason = "of what is below 2^53 nothing is lost")]
fn number(value: u64) -> Result<f64> {
    if value < 1 << 53 {
        return Ok(value as f64);
    }
    Err(Error::from(format!("{value} cannot be stored: less than 2^53 is allowed")))
}

fn integer(value: u64) -> Result<SqlStorageValue> {
    number(value).map(SqlStorageValue::Float)
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
        let read = |text: &str| {
            let mut rest = text.as_bytes();
            let mut rows = Vec::new();
            while !rest.is_empty() {
                rows.push(read_node(&mut rest).ok()?);
            }
            Some(rows)
        };
        let without = Row { token: None, ..row };
        assert_eq!(read(&format!("[[1,2,3,4,5,6,\"{token}\"]]")), Some(vec![(1, row)]));
        assert_eq!(read("[[1,2,3,4,5,6,null]]"), Some(vec![(1, without)]));
        let largest = 9_999_999_999_999_999_999;
        let text = format!("[[1,2,3,4,5,6,null],[{largest},2,3,4,5,6,\"{token}\"]]");
        assert_eq!(read(&text), Some(vec![(1, without), (largest, row)]));
        for text in [
            "[]",
            "[[",
            "[[1,2,3,4,5,6",
            "[[1,2,3,4,5,6,",
            "[[1,2,3,4,5,6]]",
            "[[1,2,3,4,5,6,null]",
            "[[1,2,3,4,5,-6,null]]",
            "[[1,2,,3,4,5,6,null]]",
            "[[1,2,3,4,5,6.5,null]]",
            "[[10000000000000000000,2,3,4,5,6,null]]",
            "[[1,2,3,4,5,6,\"00\"]]",
            "[[1,2,3,4,5,6,7,null]]",
            "[[1,2,3,4,5,6,7]]",
            &format!("[[1,2,3,4,5,6,{token}]]"),
            &format!("[[1,2,3,4,5,6,\"{token}0\"]]"),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
