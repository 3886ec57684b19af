//! Reads and stores the state of a shard's witness. Two instances of the witness's object may run
//! for a moment, so the object keeps nothing in memory. Each call reads the row, decides and writes
//! the row, without an await in between.

use edgeflake::lease::Witness;
use edgeflake::lease::fence::WitnessCall;
use edgeflake_wire::witness::Confirmation;
use edgeflake_wire::{Unreadable, Value, parse, read, write};

use crate::log::{self, Event};
use crate::objects::sql::{Result, Sql, integer, unreadable};

pub(crate) const CREATE: &str = "CREATE TABLE IF NOT EXISTS witness (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    session INTEGER NOT NULL, \
    rollbacks INTEGER NOT NULL, \
    restarting INTEGER NOT NULL, \
    stamp TEXT NOT NULL\
    ) STRICT";

/// Answers the shard of this witness. `name` is the name of the shard's object and also of the
/// witness's object.
///
/// # Errors
/// An error of the storage, or a message that cannot be read.
pub(crate) fn answer(sql: &Sql, name: &str, text: &str) -> Result<String> {
    let call = parse(text).and_then(|message| read(&message));
    let mut witness = load(sql)?;
    let before = witness;
    let answer = match call.map_err(|error| error.to_string())? {
        WitnessCall::Open(loaded) => {
            let (known, found) = (witness.session, loaded.version.session);
            if known < found {
                log::write(
                    Event::WitnessRolledBack,
                    &format!(
                        "the witness of {name} knows session {known}, but its shard has session \
                         {found}"
                    ),
                );
            }
            write(&witness.open(&loaded))
        }
        WitnessCall::Confirm(stamp) => write(&Confirmation { confirmed: witness.confirm(&stamp) }),
    };
    if witness != before {
        store(sql, &witness)?;
    }
    Ok(answer)
}

fn load(sql: &Sql) -> Result<Witness> {
    let select = "SELECT json_object('session', session, 'rollbacks', rollbacks, \
                  'restarting', restarting, 'stamp', json(stamp)) FROM witness";
    let Some(row) = sql.row(select, Vec::new())? else { return Ok(Witness::default()) };
    let witness = || {
        let stamp = read(&row.get("stamp").unwrap_or_default())?;
        let (session, rollbacks) = (row.field("session")?, row.field("rollbacks")?);
        Ok(Witness { session, stamp, rollbacks, restarting: row.field("restarting")? })
    };
    witness().map_err(|error: Unreadable| unreadable(&error))
}

fn store(sql: &Sql, witness: &Witness) -> Result<()> {
    let Witness { session, stamp, rollbacks, restarting } = *witness;
    let values =
        vec![integer(session)?, integer(rollbacks)?, integer(restarting)?, write(&stamp).into()];
    sql.run("INSERT OR REPLACE INTO witness VALUES (1, ?, ?, ?, ?)", values)?;
    Ok(())
}
