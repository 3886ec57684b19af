//! What an object stores as the witness of a shard.

use edgeflake::lease::Witness;
use edgeflake_wire::{
    WitnessCall, parse, read_stamp, read_witness_call, write_confirmed, write_opened, write_stamp,
};

use crate::objects::sql::{Result, Sql, integer, whole};

const CREATE: &str = "CREATE TABLE IF NOT EXISTS witness (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    session INTEGER NOT NULL, \
    rollbacks INTEGER NOT NULL, \
    stamp TEXT NOT NULL\
    ) STRICT";

/// Answers a shard.
///
/// # Errors
/// An error of the storage, and a message that cannot be read.
pub(crate) fn answer(sql: &Sql, text: &str) -> Result<String> {
    sql.run(CREATE, Vec::new())?;
    let call = parse(text).and_then(|message| read_witness_call(&message));
    let mut witness = load(sql)?;
    let before = witness;
    let answer = match call.map_err(|error| error.to_string())? {
        WitnessCall::Open(loaded) => write_opened(&witness.open(&loaded)),
        WitnessCall::Confirm(stamp) => write_confirmed(witness.confirm(&stamp)),
    };
    if witness != before {
        store(sql, &witness)?;
    }
    Ok(answer)
}

fn load(sql: &Sql) -> Result<Witness> {
    let row = sql.row("SELECT session, rollbacks, stamp FROM witness", Vec::new())?;
    let Some(row) = row else { return Ok(Witness::default()) };
    let stamp = parse(&row.get(2).as_string().unwrap_or_default());
    let stamp = stamp.and_then(|stamp| read_stamp(&stamp)).map_err(|error| error.to_string())?;
    Ok(Witness { session: whole(&row.get(0))?, stamp, rollbacks: whole(&row.get(1))? })
}

fn store(sql: &Sql, witness: &Witness) -> Result<()> {
    let Witness { session, stamp, rollbacks } = witness;
    let values = vec![integer(*session)?, integer(*rollbacks)?, write_stamp(stamp).into()];
    sql.run("INSERT OR REPLACE INTO witness VALUES (1, ?, ?, ?)", values)?;
    Ok(())
}
