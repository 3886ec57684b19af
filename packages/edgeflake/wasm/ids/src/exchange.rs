use core::fmt::{self, Write as _};

use edgeflake::Error;
use spin::{Mutex, MutexGuard};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::number;

/// The longest text in bytes. The candidates for an id and the string of a layout are always
/// shorter.
const TEXT_MAX: usize = 4_096;

/// Room for two numbers per candidate for an id.
const NUMBERS_MAX: usize = 64;

/// How many ids are passed at once.
const ROWS_MAX: usize = 1_024;

/// Time, node, sequence and tag.
pub(crate) const COLUMNS: usize = 4;

/// The memory in which the two sides pass data.
pub(crate) struct Exchange {
    pub(crate) text: [u8; TEXT_MAX],
    length: usize,
    pub(crate) numbers: [f64; NUMBERS_MAX],
    pub(crate) ids: [u64; ROWS_MAX],
    pub(crate) columns: [[f64; ROWS_MAX]; COLUMNS],
}

/// It is all zeros at first, so it adds nothing to the file.
static EXCHANGE: Mutex<Exchange> = Mutex::new(Exchange::new());

/// The exchange of this memory. Calls are not nested, so the lock is held by another call only if
/// that call panicked. Then every later call panics, too.
pub(crate) fn exchange() -> MutexGuard<'static, Exchange> {
    EXCHANGE.try_lock().unwrap_or_else(|| unreachable!())
}

/// The address of the text. JavaScript writes and reads from its beginning on.
#[must_use]
#[wasm_bindgen(js_name = textAt)]
pub fn text_at() -> usize {
    exchange().text.as_mut_ptr().expose_provenance()
}

/// The address of the numbers.
#[must_use]
#[wasm_bindgen(js_name = numbersAt)]
pub fn numbers_at() -> usize {
    exchange().numbers.as_mut_ptr().expose_provenance()
}

/// The address of the ids.
#[must_use]
#[wasm_bindgen(js_name = idsAt)]
pub fn ids_at() -> usize {
    exchange().ids.as_mut_ptr().expose_provenance()
}

/// The address of the columns, which follow each other.
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

    /// The text that JavaScript wrote, which is always UTF-8.
    pub(crate) fn read(&self, length: usize) -> &str {
        self.text.get(..length).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
    }

    /// Begins an empty text.
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }

    /// The length of the text in bytes.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Adds to the text. A piece that does not fit is left out.
    pub(crate) fn add(&mut self, text: &str) {
        let end = self.length + text.len();
        if let Some(place) = self.text.get_mut(self.length..end) {
            place.copy_from_slice(text.as_bytes());
            self.length = end;
        }
    }

    /// Replaces the numbers from the first one on.
    pub(crate) fn put_numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for (place, number) in self.numbers.iter_mut().zip(numbers) {
            *place = number;
        }
    }

    /// Leaves an error: its code and message as text that ends with a zero byte, and how long to
    /// wait as a number, which is NaN if another try cannot help.
    #[cold]
    pub(crate) fn refuse(&mut self, error: Error) {
        self.put_numbers([error.retry_in_ms().map_or(f64::NAN, number)]);
        self.clear();
        self.add(error.code());
        // Writing into an exchange cannot fail.
        let _ = write!(self, "\n{error}\0");
    }

    /// The value of a result; leaves the error if there is one.
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
