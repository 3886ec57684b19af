//! Whether more can be written.

use super::Store;
use crate::objects::sql::{Result, integer, whole};

/// The table of the newest proof. It is no part of the schema, because code that does not know it
/// reads all that there is without it.
const CREATE: &str = "CREATE TABLE IF NOT EXISTS proof (\
    id INTEGER PRIMARY KEY CHECK (id = 1), \
    written_ms INTEGER NOT NULL\
    ) STRICT";

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
