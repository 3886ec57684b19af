//! Defines the tables of an authority, and upgrades the tables of earlier versions.

use edgeflake_wire::Value;

use crate::objects::sql::{Result, Sql, integer, unreadable};

/// For each version of the schema, the statements that upgrade the schema from the version before.
/// Version 0 is an empty storage.
pub const UPGRADES: [&[&str]; 1] = [&VERSION_1];

const VERSION_1: [&str; 3] = [
    // This table contains the sequencer's bound configuration and its state.
    "CREATE TABLE sequencer (\
        id INTEGER PRIMARY KEY CHECK (id = 1), \
        incarnation INTEGER NOT NULL, \
        layout TEXT NOT NULL, \
        first_node INTEGER NOT NULL, \
        node_count INTEGER NOT NULL, \
        withdrawn INTEGER NOT NULL, \
        shards INTEGER NOT NULL, \
        from_tick INTEGER NOT NULL, \
        life TEXT NOT NULL, \
        confirmed INTEGER NOT NULL, \
        until_tick INTEGER NOT NULL, \
        write INTEGER NOT NULL\
        ) STRICT",
    // This table has the newest span of each node that was ever used. A single SQL statement
    // compares the old row and writes the new row. With key-value storage, a second instance of the
    // object could write between the read and the write.
    "CREATE TABLE node (\
        node INTEGER PRIMARY KEY, \
        from_tick INTEGER NOT NULL, \
        until_tick INTEGER NOT NULL, \
        until_sequence INTEGER NOT NULL, \
        token TEXT, \
        issued INTEGER NOT NULL, \
        issued_of_span INTEGER NOT NULL, \
        write INTEGER NOT NULL\
        ) STRICT",
    // This table contains the newest proof that the storage accepts writes.
    "CREATE TABLE proof (\
        id INTEGER PRIMARY KEY CHECK (id = 1), \
        written_ms INTEGER NOT NULL\
        ) STRICT",
];

/// Creates the table that contains the schema's version and the session that may write.
const CREATE_SCHEMA: &str = "CREATE TABLE IF NOT EXISTS schema (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    version INTEGER NOT NULL, \
    session INTEGER NOT NULL\
    ) STRICT";

/// Upgrades a storage to the newest version in `upgrades`. Run this in a transaction, so that a
/// failed upgrade changes nothing.
///
/// # Errors
/// An error of the storage, or a stored version that is newer than all `upgrades`.
pub fn upgrade(sql: &Sql, upgrades: &[&[&str]]) -> Result<()> {
    sql.run(CREATE_SCHEMA, Vec::new())?;
    let row = sql.row("SELECT json_object('version', version) FROM schema", Vec::new())?;
    let version = row.map_or(Ok(0), |row| row.field("version"));
    let version = version.map_err(|error| unreadable(&error))?;
    let newest = upgrades.len();
    let missing = usize::try_from(version).ok().and_then(|version| upgrades.get(version..));
    let Some(missing) = missing else {
        return Err(unreadable(&format_args!(
            "the schema has version {version}: this code reads at most {newest}"
        )));
    };
    if missing.is_empty() {
        return Ok(());
    }
    for statement in missing.iter().copied().flatten() {
        sql.run(statement, Vec::new())?;
    }
    let upsert = "INSERT INTO schema VALUES (1, ?, 0) \
                  ON CONFLICT (id) DO UPDATE SET version = excluded.version";
    sql.run(upsert, vec![integer(newest as u64)?])?;
    Ok(())
}
