use std::fmt;

use crate::problem::Problem;
use worker::{Response, ResponseBuilder};

/// Why there are no ids.
///
/// Its text says what was found and what is allowed.
#[derive(Debug)]
pub struct Error(Problem);

impl Error {
    /// A stable name, such as `overloaded` or `authority-unreachable`, the same as over HTTP. In
    /// the repository, `docs/ERRORS.md` says what to do about each.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.name
    }

    /// In how many seconds another try is worth it, as in `Retry-After`. `None` if another try
    /// cannot help, because something is configured wrongly.
    #[must_use]
    pub fn retry_after_s(&self) -> Option<u32> {
        self.0.retry_after_s()
    }

    /// The response for a client that can try again: 503 with `Retry-After`, and the code as JSON.
    ///
    /// # Errors
    /// The error itself, if another try cannot help. If your handler returns it, the platform logs
    /// it, and the client gets a 500 that does not tell how the Worker is configured.
    pub fn into_response(self) -> worker::Result<Response> {
        let Some(seconds) = self.retry_after_s() else { return Err(self.into()) };
        ResponseBuilder::new()
            .with_status(503)
            .with_header("Retry-After", &seconds.to_string())?
            .with_header("Content-Type", "application/json")?
            .ok(format!(r#"{{"error":"{}"}}"#, self.code()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.detail)
    }
}

impl std::error::Error for Error {}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<Error> for worker::Error {
    fn from(error: Error) -> Self {
        Self::RustError(format!("{}: {error}", error.code()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::lease::Error as LeaseError;

    #[test]
    fn an_error_says_when_to_try_again() {
        let error: Error = Problem::issuing(&LeaseError::AuthorityUnreachable, Some(1_500)).into();
        assert_eq!(error.code(), "authority-unreachable");
        assert_eq!(error.retry_after_s(), Some(2));
        assert_eq!(error.to_string(), "the authority did not answer: try again");
    }

    #[test]
    fn what_is_configured_wrongly_is_for_the_log() {
        let error: Error = Problem::configuration("there is no binding X".to_owned()).into();
        assert_eq!(error.retry_after_s(), None);
        let said = error.into_response().map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("invalid-configuration: there is no binding X"), "{said}");
    }
}
