use core::fmt::{self, Write as _};

use edgeflake::Error;
use spin::{Mutex, MutexGuard};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::number;

/// The size of the text buffer, in bytes. The candidates for an id and the string of a layout
/// always fit.
const TEXT_MAX: usize = 4_096;

/// The largest count of numbers: `identify` passes two numbers per candidate.
pub(crate) const NUMBERS_MAX: usize = 64;

/// The largest number of ids that one call can pass.
const ROWS_MAX: usize = 1_024;

/// Number of columns; decoding fills them with time, node, sequence and tag.
pub(crate) const COLUMNS: usize = 4;

/// The memory in which JavaScript and Rust pass data to each other.
pub(crate) struct Exchange {
    pub(crate) text: [u8; TEXT_MAX],
    length: usize,
    pub(crate) numbers: [f64; NUMBERS_MAX],
    pub(crate) ids: [u64; ROWS_MAX],
    pub(crate) columns: [[f64; ROWS_MAX]; COLUMNS],
}

/// The initial value is all zeros, so it adds nothing to the module's file.
static EXCHANGE: Mutex<Exchange> = Mutex::new(Exchange::new());

/// Locks the exchange. Calls are not nested, so another call holds the lock only if that call
/// panicked. In that case every later call panics, too.
pub(crate) fn exchange() -> MutexGuard<'static, Exchange> {
    EXCHANGE.try_lock().unwrap_or_else(|| unreachable!())
}

/// Returns the address of the text, which JavaScript writes and reads from its beginning.
#[must_use]
#[wasm_bindgen(js_name = textAt)]
pub fn text_at() -> usize {
    exchange().text.as_mut_ptr().expose_provenance()
}

/// Returns the address of the numbers.
#[must_use]
#[wasm_bindgen(js_name = numbersAt)]
pub fn numbers_at() -> usize {
    exchange().numbers.as_mut_ptr().expose_provenance()
}

/// Returns the address of the ids.
#[must_use]
#[wasm_bindgen(js_name = idsAt)]
pub fn ids_at() -> usize {
    exchange().ids.as_mut_ptr().expose_provenance()
}

/// Returns the address of the columns, which follow each other.
#[must_use]
#[wasm_bindgen(js_name = columnsAt)]
pub fn columns_at() -> usize {
    exchange().columns.as_mut_ptr().expose_provenance()
}

impl Exchange {
    #[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
    pub(crate) const fn new() -> Self {
        Self {
            text: [0; TEXT_MAX],
            length: 0,
            numbers: [0.0; NUMBERS_MAX],
            ids: [0; ROWS_MAX],
            columns: [[0.0; ROWS_MAX]; COLUMNS],
        }
    }

    /// Returns the text that JavaScript wrote, which is always UTF-8.
    pub(crate) fn read(&self, length: usize) -> &str {
        self.text.get(..length).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
    }

    /// Empties the text.
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }

    /// Returns the length of the text in bytes.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Appends a piece to the text, or nothing if the piece does not fit.
    pub(crate) fn add(&mut self, text: &str) {
        let end = self.length + text.len();
        if let Some(place) = self.text.get_mut(self.length..end) {
            place.copy_from_slice(text.as_bytes());
            self.length = end;
        }
    }

    /// Writes the given numbers to the exchange, from its first number on.
    pub(crate) fn put_numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for (place, number) in self.numbers.iter_mut().zip(numbers) {
            *place = number;
        }
    }

    /// Writes an error to the exchange. The text is the error's code and message, and ends with a
    /// zero byte. The first number is the number of ms after which a retry may help, or NaN if no
    /// retry can help.
    #[cold]
    pub(crate) fn refuse(&mut self, error: Error) {
        self.put_numbers([error.retry_in_ms().map_or(f64::NAN, number)]);
        self.clear();
        self.add(error.code());
        // Writing into an exchange cannot fail.
        let _ = write!(self, "\n{error}\0");
    }

    /// Returns the value of a result; if the result is an error, writes the error to the exchange.
    pub(crate) fn accept<T>(&mut self, answer: Result<T, Error>) -> Option<T> {
        answer.map_err(|error| self.refuse(error)).ok()
    }
}

impl fmt::Write for Exchange {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text);
        Ok(())
    }
}
