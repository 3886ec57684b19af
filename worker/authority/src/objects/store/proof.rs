//! Whether what is stored can be read, and whether more can be written.

use std::fmt::Display;

use super::{Store, integer, whole};
use crate::objects::sql::Result;

/// How an error begins that another try does not help.
const UNREADABLE: &str = "what is stored cannot be read: ";

/// How an error of the platform ends if a file is damaged, or is none of SQLite's.
const DAMAGED: [&str; 2] = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/// The table of the newest proof. It is no part of the schema, because code that does not know it
/// reads all that there is without it.
const CREATE: &str = "CREATE TABLE IF NOT EXISTS proof (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    written_ms INTEGER NOT NULL\
    ) STRICT";

/// The error of stored data that this code cannot have written.
pub(crate) fn unreadable(what: &dyn Display) -> String {
    format!("{UNREADABLE}{what}")
}

/// Whether an error is of stored data that cannot be read, however often it is tried.
pub(crate) fn is_unreadable(error: &str) -> bool {
    error.starts_with(UNREADABLE) || DAMAGED.iter().any(|damaged| error.ends_with(damaged))
}

impl Store {
    /// Writes a row, which proves that the storage takes more.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) fn prove(&self, now_ms: u64) -> Result<()> {
        self.sql.run(CREATE, Vec::new())?;
        self.sql.run("INSERT OR REPLACE INTO proof VALUES (1, ?)", vec![integer(now_ms)?])?;
        Ok(())
    }

    /// The time of the newest proof, in Unix ms; 0 if there is none.
    pub(crate) fn proved_ms(&self) -> u64 {
        // Before the first one there is no table.
        let row = self.sql.row("SELECT written_ms FROM proof", Vec::new()).ok().flatten();
        row.and_then(|row| whole(&row.get(0)).ok()).unwrap_or(0)
    }
}
