//! Calls the SQLite database of a Durable Object, and classifies the database's errors.

use std::fmt::Display;
use std::result;

use edgeflake_wire::{misconfigured, parse};
use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::found::message;
use crate::objects::call::UNREADABLE;

#[wasm_bindgen]
extern "C" {
    /// The state that the platform passes to an object.
    #[wasm_bindgen(typescript_type = "DurableObjectState")]
    pub type DurableObjectState;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn storage(this: &DurableObjectState) -> Storage;

    /// The storage of an object.
    #[derive(Clone, Debug)]
    pub(crate) type Storage;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn sql(this: &Storage) -> Sql;

    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &Storage,
        run: &mut dyn FnMut() -> result::Result<(), JsValue>,
    ) -> result::Result<(), JsValue>;

    #[wasm_bindgen(method, getter, js_name = commitSync)]
    fn own_commit(this: &Storage) -> Option<js_sys::Function>;

    #[wasm_bindgen(method, catch, js_name = commitSync)]
    fn commit_sync(this: &Storage) -> result::Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = nextTurn)]
    fn next_turn_promise(this: &Storage) -> result::Result<Promise, JsValue>;

    #[wasm_bindgen(method, getter, js_name = unseenMaxMs)]
    fn own_unseen_max_ms(this: &Storage) -> Option<js_sys::Function>;

    #[wasm_bindgen(method, js_name = unseenMaxMs)]
    fn unseen_max(this: &Storage) -> u32;

    /// The database of an object.
    #[derive(Clone, Debug)]
    pub type Sql;

    #[wasm_bindgen(method, catch, variadic)]
    fn exec(this: &Sql, statement: &str, values: Vec<JsValue>) -> result::Result<Cursor, JsValue>;

    type Cursor;

    #[wasm_bindgen(method, catch)]
    fn raw(this: &Cursor) -> result::Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(iterable: &JsValue) -> result::Result<Array, JsValue>;

    #[wasm_bindgen(method, getter, js_name = rowsWritten)]
    fn rows_written(this: &Cursor) -> usize;
}

/// A result whose error describes a failure of the storage.
pub type Result<T, E = String> = result::Result<T, E>;

impl Storage {
    /// Returns whether this code must commit. This code must commit on Node, where the storage has
    /// the method `commitSync`. Cloudflare commits by itself, and holds back replies and calls
    /// until it has committed.
    pub(crate) fn is_committed_by_shell(&self) -> bool {
        self.own_commit().is_some()
    }

    /// Returns the longest time, in ms, that a request may have waited before this process read the
    /// request. The storage of an authority on Node provides this time; elsewhere the time is 0 ms.
    pub(crate) fn unseen_max_ms(&self) -> u64 {
        self.own_unseen_max_ms().map_or(0, |_| self.unseen_max().into())
    }

    /// Resolves when the requests that have arrived by now have reached their objects.
    pub(crate) async fn next_turn(&self) {
        if let Ok(turn) = self.next_turn_promise() {
            // The promise never rejects.
            let _ = JsFuture::from(turn).await;
        }
    }

    /// Makes all writes durable.
    ///
    /// # Errors
    /// The reason why the writes were undone.
    pub(crate) fn commit(&self) -> Result<()> {
        self.commit_sync().map_err(failure)
    }

    /// Runs a function in which each statement is a complete write. If this code must commit, the
    /// writes join the transaction of all requests in this turn of the event loop. On Cloudflare,
    /// the writes need no transaction, and a transaction would cost time.
    pub(crate) fn grouped<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.is_committed_by_shell() { self.transaction(run) } else { run() }
    }

    /// Runs a function in a transaction. An error undoes the writes of the function and, if this
    /// code must commit, all writes that are not durable yet.
    pub(crate) fn transaction<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let (mut run, mut result) = (Some(run), None);
        let committed = self.transaction_sync(&mut || {
            let run = run.take().ok_or_else(JsValue::undefined)?;
            result = Some(run().map_err(|error| js_sys::Error::new(&error))?);
            Ok(())
        });
        committed.map_err(failure)?;
        result.ok_or_else(|| "the transaction was not run".to_owned())
    }
}

impl Sql {
    /// Runs a statement. Returns the number of rows that the statement wrote.
    pub(crate) fn run(&self, statement: &str, values: Vec<JsValue>) -> Result<usize> {
        Ok(self.exec(statement, values).map_err(failure)?.rows_written())
    }

    /// Returns the values that a statement with one column selects.
    pub(crate) fn column(&self, statement: &str, values: Vec<JsValue>) -> Result<Array> {
        // The cursor throws for an unreadable row only when it reaches the row.
        let rows = self.exec(statement, values).and_then(|cursor| cursor.raw());
        let rows = rows.and_then(|rows| array_from(&rows)).map_err(failure)?;
        Ok(rows.map(&mut |row, _, _| Array::from(&row).get(0)))
    }

    /// Returns the row that a statement selects as JSON, so that no number is rounded.
    pub(crate) fn row(&self, statement: &str, values: Vec<JsValue>) -> Result<Option<JsValue>> {
        let Some(text) = self.column(statement, values)?.get(0).as_string() else {
            return Ok(None);
        };
        parse(&text).map(Some).map_err(|error| unreadable(&error))
    }
}

/// Returns the message of the storage's error.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
fn failure(error: JsValue) -> String {
    match message(&error) {
        error if error.starts_with(NO_SQL) => misconfigured(SQLITE_CLASSES),
        error => error,
    }
}

/// Converts a number to a value that SQLite stores as an integer.
///
/// # Errors
/// An error if the number is 2^53 or more.
#[expect(clippy::cast_precision_loss, reason = "numbers below 2^53 stay exact")]
pub(crate) fn integer(value: u64) -> Result<JsValue> {
    if value < 1 << 53 {
        return Ok(JsValue::from(value as f64));
    }
    Err(format!("{value} cannot be stored: a number must be less than 2^53"))
}

/// The beginning of the platform's error for a class that has no migration, or a migration without
/// SQLite.
const NO_SQL: &str = "SQL is not enabled";

/// The advice for classes without SQLite storage.
const SQLITE_CLASSES: &str = "the classes Authority and Directory have no SQLite storage: in the \
    Worker that exports them, write \"migrations\": [{ \"tag\": \"v1\", \"new_sqlite_classes\": \
    [\"Authority\", \"Directory\"] }], with new_sqlite_classes and not new_classes";

/// The prefix of errors that no retry can fix.
const CANNOT_READ: &str = "the stored data cannot be read: ";

/// The endings of the platform's errors for a file that is damaged, or that is not a file of
/// SQLite.
const DAMAGED: [&str; 2] = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/// Creates the error for stored data that this code cannot have written.
pub(crate) fn unreadable(what: &dyn Display) -> String {
    format!("{CANNOT_READ}{what}")
}

/// Returns the HTTP status of the answer to a request that failed with this error.
pub(crate) fn status_of(error: &str) -> u16 {
    let is_damaged = DAMAGED.iter().any(|damaged| error.ends_with(damaged));
    if error.starts_with(CANNOT_READ) || is_damaged { UNREADABLE } else { 500 }
}
