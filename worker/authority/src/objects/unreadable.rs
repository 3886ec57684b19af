//! Whether what is stored can be read.

use std::fmt::Display;

/// The prefix of errors that no retry can fix.
const UNREADABLE: &str = "what is stored cannot be read: ";

/// How an error of the platform ends if a file is damaged, or is not a SQLite file.
const DAMAGED: [&str; 2] = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/// The error of stored data that this code cannot have written.
pub(crate) fn unreadable(what: &dyn Display) -> String {
    format!("{UNREADABLE}{what}")
}

/// Whether an error says that stored data cannot be read, however often it is tried.
pub(crate) fn is_unreadable(error: &str) -> bool {
    error.starts_with(UNREADABLE) || DAMAGED.iter().any(|damaged| error.ends_with(damaged))
}
