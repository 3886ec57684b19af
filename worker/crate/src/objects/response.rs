//! What an object answers, and whether it can read what is stored.

use std::fmt::Display;

use wasm_bindgen::JsValue;
use web_sys::{Response, ResponseInit};

/// A response with this status and text.
pub(crate) fn response(status: u16, text: &str) -> Result<Response, JsValue> {
    let init = ResponseInit::new();
    init.set_status(status);
    Response::new_with_opt_str_and_init(Some(text), &init)
}

/// The prefix of errors that no retry can fix.
const CANNOT_READ: &str = "what is stored cannot be read: ";

/// How an error of the platform ends if a file is damaged, or is not a SQLite file.
const DAMAGED: [&str; 2] = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/// The error of stored data that this code cannot have written.
pub(crate) fn unreadable(what: &dyn Display) -> String {
    format!("{CANNOT_READ}{what}")
}

/// Whether an error says that stored data cannot be read, however often it is tried.
pub(crate) fn is_unreadable(error: &str) -> bool {
    error.starts_with(CANNOT_READ) || DAMAGED.iter().any(|damaged| error.ends_with(damaged))
}
