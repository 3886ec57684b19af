use core::fmt;
use core::time::Duration;

use edgeflake::code;

/// The reason why a call failed.
///
/// The text of the error says what was found, what is allowed, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    message: String,
    retry_in: Option<Duration>,
}

impl Error {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_in: None }
    }

    pub(crate) fn option(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_OPTION, message)
    }

    pub(crate) const fn retry_in_ms(mut self, ms: Option<u64>) -> Self {
        self.retry_in = match ms {
            Some(ms) => Some(Duration::from_millis(ms)),
            None => None,
        };
        self
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the error's stable name, for programs. `docs/API.md` in edgeflake's repository has
    /// the cause and the remedy of each error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// Returns how long to wait before the next try; `None` if a person must repair something
    /// first.
    #[must_use]
    pub const fn retry_in(&self) -> Option<Duration> {
        self.retry_in
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

/// Checks the name of a sequencer.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let refusal = edgeflake_wire::name_refusal(name);
    refusal.map_or(Ok(()), |why| Err(Error::option(format!("sequencer is {name:?}: {why}"))))
}
