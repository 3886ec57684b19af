//! Reads and writes the tables of an authority in the SQLite database of its Durable Object.

mod chunk;

use edgeflake::lease::{Life, Row, Sequencer, Version, Write};
use edgeflake_wire::{Unreadable, Value, read};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use self::chunk::{SELECT_NODES, read_node, read_number};
use crate::objects::schema::{UPGRADES, upgrade};
use crate::objects::sql::{Result, Sql, Storage, integer, unreadable};
use crate::value::NUMBER_MAX;

/// Selects the session, and the number of the newest write, which is the highest number in any row:
/// a write that replaces or deletes the row with this number stores a higher number.
const SELECT_VERSION: &str = "SELECT json_object('session', session, \
    'write', max((SELECT coalesce(max(write), 0) FROM sequencer), \
    (SELECT coalesce(max(write), 0) FROM node))) FROM schema";

/// Selects the session, the number of the sequencer's newest write, and the first and the last node
/// that have a row. Each of these two nodes takes one index lookup.
const SELECT_ENDS: &str = "SELECT json_object('session', session, \
    'write', coalesce((SELECT write FROM sequencer), 0), \
    'lowest_node', (SELECT min(node) FROM node), \
    'highest_node', (SELECT max(node) FROM node)) FROM schema";

/// Selects the first node, from the given node on, that has a row.
const SELECT_NEXT: &str =
    "SELECT json_object('node', (SELECT min(node) FROM node WHERE node >= ?))";

const SELECT_SEQUENCER: &str = "SELECT json_object('layout', layout, 'life', life, \
    'incarnation', incarnation, 'first_node', first_node, 'node_count', node_count, \
    'shards', shards, 'withdrawn', withdrawn, 'from_tick', from_tick, 'confirmed', confirmed, \
    'until_tick', until_tick) FROM sequencer";

/// The largest number of nodes in a chunk. A chunk has at most 0.5 MB; SQLite allows 2 MB per
/// value.
const NODES_AT_ONCE: u64 = 4_096;

/// Writes the first row of a node, if the session and the sequencer have not changed since the
/// decision. The parameters are the new and the old token, then the node, the incarnation, the
/// session and the number of the write, then the numbers in the new row and in the old row.
const INSERT_NODE: &str = "INSERT INTO node (token, node, write, from_tick, until_tick, \
    until_sequence, issued, issued_of_span) SELECT ?1, ?3, ?6, ?7, ?8, ?9, ?10, ?11 \
    FROM sequencer, schema WHERE incarnation = ?4 AND session = ?5 AND life = 'active' \
    AND ?3 < first_node + node_count ON CONFLICT DO NOTHING";

/// Writes the next row of a node, if the session, the sequencer and the current row have not
/// changed since the decision. The parameters are the same as those of [`INSERT_NODE`].
const UPDATE_NODE: &str = "UPDATE node SET token = ?1, write = ?6, from_tick = ?7, \
    until_tick = ?8, until_sequence = ?9, issued = ?10, issued_of_span = ?11 WHERE node = ?3 \
    AND (SELECT incarnation FROM sequencer WHERE life = 'active') = ?4 \
    AND (SELECT session FROM schema) = ?5 \
    AND token IS ?2 AND from_tick = ?12 AND until_tick = ?13 AND until_sequence = ?14";

/// The tables of one authority.
#[derive(Debug)]
pub(crate) struct Store {
    storage: Storage,
    sql: Sql,
}

/// The error if another instance of this object has written since the decision. This instance is
/// then not the only instance, or not the newest.
const CHANGED: &str = "the storage has changed since the decision";

impl Store {
    /// Opens the store: creates its tables, or upgrades the tables of an earlier version.
    ///
    /// # Errors
    /// An error of the storage, or an error if the tables have a newer version than this code.
    pub(crate) fn open(storage: Storage) -> Result<Self> {
        let sql = storage.sql();
        upgrade(&sql, &UPGRADES)?;
        Ok(Self { storage, sql })
    }

    /// Returns the version of the newest write.
    fn version(&self) -> Result<Version> {
        let row = self.sql.row(SELECT_VERSION, Vec::new())?;
        read(&row.ok_or_else(no_schema)?).map_err(|error| unreadable(&error))
    }

    /// Begins a session, to which all later writes belong. Fails if anything was written after
    /// `version`.
    pub(crate) fn begin(&self, session: u64, version: Version) -> Result<()> {
        if self.version()? != version {
            return Err(CHANGED.to_owned());
        }
        let session = vec![integer(session)?];
        check_one(self.sql.run("UPDATE schema SET session = ?", session)?)
    }

    /// Returns the sequencer; `None` if this shard does not know the sequencer.
    pub(crate) fn sequencer(&self) -> Result<Option<Sequencer>> {
        let Some(row) = self.sql.row(SELECT_SEQUENCER, Vec::new())? else { return Ok(None) };
        read_sequencer(&row).map(Some)
    }

    /// Returns an iterator over the rows of all nodes that were ever used.
    ///
    /// # Errors
    /// An error of the storage.
    pub(crate) fn rows(&self) -> Result<Rows<'_>> {
        let row = self.sql.row(SELECT_ENDS, Vec::new())?;
        let row = row.ok_or_else(no_schema)?;
        let end = |name| row.optional::<u64>(name).map_err(|error| unreadable(&error));
        let (first, last) = (end("lowest_node")?, end("highest_node")?);
        let most = last.map_or(0, |last| last + 1 - first.unwrap_or(0));
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let version = read(&row).map_err(|error| unreadable(&error))?;
        Ok(Rows { store: self, most, version, error: None, next: 0, chunk: Vec::new(), read: 0 })
    }

    /// Reads a chunk that begins with the first row whose node is `from` or above. Returns the
    /// chunk, and the first node after the chunk's range; `None` if there is no such row.
    fn read_chunk(&self, from: u64) -> Result<Option<(Vec<u8>, u64)>> {
        let Some(first) = self.next_node(from)? else { return Ok(None) };
        let next = first + NODES_AT_ONCE;
        let range = vec![integer(first)?, integer(next - 1)?];
        let chunk = self.sql.column(SELECT_NODES, range)?.get(0);
        if !chunk.is_object() {
            return Err(unreadable(&"a stored chunk of nodes is not an array of bytes"));
        }
        Ok(Some((Uint8Array::new(&chunk).to_vec(), next)))
    }

    fn next_node(&self, from: u64) -> Result<Option<u64>> {
        let Some(row) = self.sql.row(SELECT_NEXT, vec![integer(from)?])? else { return Ok(None) };
        row.optional("node").map_err(|error| unreadable(&error))
    }

    /// Writes a row, which proves that the storage accepts writes.
    ///
    /// # Errors
    /// The reason why the storage accepts no writes.
    pub(crate) fn prove(&self, now_ms: u64) -> Result<()> {
        self.sql.run("INSERT OR REPLACE INTO proof VALUES (1, ?)", vec![integer(now_ms)?])?;
        Ok(())
    }

    /// Returns the time of the newest proof, in Unix ms; 0 if there is none.
    pub(crate) fn proved_ms(&self) -> u64 {
        let select = "SELECT json_object('written_ms', written_ms) FROM proof";
        let row = self.sql.row(select, Vec::new()).ok().flatten();
        row.and_then(|row| row.field("written_ms").ok()).unwrap_or(0)
    }

    /// Stores a write with this version. Fails if the row has changed since the decision, or if
    /// another session has begun.
    pub(crate) fn write(&self, write: &Write, version: Version) -> Result<()> {
        match write {
            Write::Node { incarnation, node, before, after } => {
                self.write_node(*incarnation, *node, before.as_ref(), after, version)
            }
            Write::Sequencer { ended_by, drops_rows, before, after } => {
                self.storage.transaction(|| {
                    let ends = (*ended_by, *drops_rows);
                    self.write_sequencer(ends, before.as_ref(), after, version)?;
                    if *drops_rows {
                        self.sql.run("DELETE FROM node", Vec::new())?;
                    }
                    Ok(())
                })
            }
        }
    }

    fn write_node(
        &self,
        incarnation: u64,
        node: u64,
        before: Option<&Row>,
        after: &Row,
        Version { session, write }: Version,
    ) -> Result<()> {
        let token = |row: &Row| row.token.map_or(JsValue::NULL, |token| token.to_string().into());
        let mut numbers = vec![
            node,
            incarnation,
            session,
            write,
            after.from_tick,
            after.until_tick,
            after.until_sequence,
            after.issued,
            after.issued_of_span,
        ];
        let statement = match before {
            None => INSERT_NODE,
            Some(before) => {
                numbers.extend([before.from_tick, before.until_tick, before.until_sequence]);
                UPDATE_NODE
            }
        };
        let tokens = [token(after), before.map_or(JsValue::NULL, token)].map(Ok);
        let values = tokens.into_iter().chain(numbers.into_iter().map(integer));
        check_one(self.sql.run(statement, values.collect::<Result<_>>()?)?)
    }

    fn write_sequencer(
        &self,
        (ended_by, drops_rows): (u64, bool),
        before: Option<&Sequencer>,
        after: &Sequencer,
        Version { session, write }: Version,
    ) -> Result<()> {
        let life = |sequencer: &Sequencer| match sequencer.life {
            Life::Active => ("active", 0, 0),
            Life::Destroying { confirmed, until_tick } => ("destroying", confirmed, until_tick),
            Life::Destroyed { until_tick } => ("destroyed", 0, until_tick),
        };
        let config = &after.config;
        let (name, confirmed, until_tick) = life(after);
        let mut values = vec![
            integer(after.incarnation)?,
            config.layout().to_string().into(),
            integer(config.first_node())?,
            integer(config.node_count())?,
            integer(config.withdrawn())?,
            integer(config.shards())?,
            integer(after.from_tick)?,
            name.into(),
            integer(confirmed)?,
            integer(until_tick)?,
            integer(write)?,
            integer(session)?,
            integer(ended_by)?,
        ];
        let statement = match before {
            None => {
                "INSERT INTO sequencer SELECT 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM schema \
                 WHERE session = ? AND NOT EXISTS (SELECT 1 FROM node \
                 WHERE until_tick + (until_sequence > 0) > ?) ON CONFLICT DO NOTHING"
            }
            Some(before) => {
                let (name, confirmed, until_tick) = life(before);
                let nodes_end = config.first_node() + config.node_count();
                values.extend([
                    integer(if drops_rows { NUMBER_MAX } else { nodes_end })?,
                    integer(before.incarnation)?,
                    name.into(),
                    integer(confirmed)?,
                    integer(until_tick)?,
                    integer(before.config.node_count())?,
                ]);
                "UPDATE sequencer SET incarnation = ?, layout = ?, first_node = ?, \
                 node_count = ?, withdrawn = ?, shards = ?, from_tick = ?, life = ?, \
                 confirmed = ?, until_tick = ?, write = ? \
                 WHERE (SELECT session FROM schema) = ? AND NOT EXISTS (SELECT 1 FROM node \
                 WHERE node.until_tick + (until_sequence > 0) > ? OR node >= ?) \
                 AND incarnation = ? AND life = ? AND confirmed = ? AND until_tick = ? \
                 AND node_count = ?"
            }
        };
        check_one(self.sql.run(statement, values)?)
    }
}

fn read_sequencer(row: &JsValue) -> Result<Sequencer> {
    let read = || Ok((read::<Sequencer, _>(row)?, row.field::<u64>("until_tick")?));
    let (sequencer, until_tick) = read().map_err(|error: Unreadable| unreadable(&error))?;
    let (from_tick, ticks) = (sequencer.from_tick, sequencer.config.layout().ticks());
    if from_tick.max(until_tick) > ticks {
        let found = format_args!("a sequencer from tick {from_tick} or until tick {until_tick}");
        return Err(unreadable(&format_args!("{found}: its layout has {ticks} ticks")));
    }
    Ok(sequencer)
}

fn no_schema() -> String {
    unreadable(&"there is no schema")
}

fn check_one(rows_written: usize) -> Result<()> {
    if rows_written == 1 {
        return Ok(());
    }
    Err(format!("{CHANGED}: {rows_written} rows written"))
}

/// Iterates over the rows of nodes in ascending order. Reads them in chunks, up to the first error.
pub(crate) struct Rows<'a> {
    store: &'a Store,
    /// An upper bound for the number of all rows.
    most: usize,
    /// The version of the newest write in the rows that were read so far.
    version: Version,
    error: Option<String>,
    /// The first node after the chunks that were read so far.
    next: u64,
    chunk: Vec<u8>,
    /// The number of bytes of the chunk that have been read.
    read: usize,
}

impl Rows<'_> {
    /// Returns the version of the newest write, once all rows were read.
    ///
    /// # Errors
    /// The reason why a row could not be read.
    pub(crate) fn version(self) -> Result<Version> {
        self.error.map_or(Ok(self.version), Err)
    }

    fn read(&mut self) -> Result<Option<(u64, Row)>> {
        if self.read == self.chunk.len() {
            let Some(chunk) = self.store.read_chunk(self.next)? else { return Ok(None) };
            (self.chunk, self.next) = chunk;
            self.read = 0;
        }
        let mut rest = &self.chunk[self.read..];
        if self.read == 0 {
            let write = read_number(&mut rest).ok_or_else(|| unreadable(&"a chunk of nodes"))?;
            self.version.write = self.version.write.max(write);
        }
        let row = read_node(&mut rest).map_err(|error| unreadable(&error))?;
        self.read = self.chunk.len() - rest.len();
        Ok(Some(row))
    }
}

impl Iterator for Rows<'_> {
    type Item = (u64, Row);

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.most))
    }

    fn next(&mut self) -> Option<Self::Item> {
        self.read().unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }
}
