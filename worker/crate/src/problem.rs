//! Makes RFC 9457 problems. Every answer is a problem, unless the request succeeded.

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::Deref;

use edgeflake::code;
use edgeflake::lease::{CallFailure, Difference, Error, Refusal, Reply, Sequencer};
use edgeflake_wire::{Cause, Fields, Json, Unreadable, Value, unknown_sequencer};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::found::{Quote, shown};
use crate::log::{self, Event};

/// The shorter of the two periods that a rate-limit binding can have, in s. The binding does not
/// say which period it has.
const LIMIT_PERIOD_S: u64 = 10;

/// The page that lists all paths. Errors do not mention `/openapi.json`, because not every Worker
/// serves this file.
const API: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/API.md");

/// The header with the number of seconds after which a retry may succeed.
const RETRY_AFTER: &str = "Retry-After";

/// A header's name and its value.
pub type Header = (&'static str, String);

/// A problem. Its `type` is `/problems/` followed by its name, which never changes.
///
/// The facts are boxed, so that a problem is small: each `?` that returns a problem moves it.
#[derive(Debug)]
pub struct Problem(Box<Facts>);

/// The contents of a problem.
#[derive(Debug)]
pub struct Facts {
    /// The HTTP status.
    pub status: u16,
    /// The name, which never changes.
    pub name: &'static str,
    /// The kind of fault, which is the same for all problems with this name and status.
    pub title: &'static str,
    /// A text that says what was found and what is allowed.
    pub detail: String,
    /// A header in addition to the headers that every answer with a problem has.
    pub header: Option<Header>,
    /// The authority's refusal, for holders that call over HTTP.
    pub refused: Option<Box<str>>,
}

impl Deref for Problem {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl Problem {
    /// Returns a problem with this code and the code's first HTTP status. A code without an HTTP
    /// status is a fault of the Worker.
    fn new(name: &'static str, detail: String) -> Self {
        let (statuses, title) = code::http(name).unwrap_or((&[500], "The Worker failed"));
        Self(Box::new(Facts {
            status: statuses[0],
            name,
            title,
            detail,
            header: None,
            refused: None,
        }))
    }

    /// Returns the same problem with this status, if the problem's code allows the status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        if code::http(self.name).is_some_and(|(statuses, _)| statuses.contains(&status)) {
            self.0.status = status;
        }
        self
    }

    fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.0.header = Some((name, value));
        self
    }

    /// Returns the problem for an invalid query parameter.
    pub fn parameter(detail: String) -> Self {
        Self::new(code::INVALID_PARAMETER, detail)
    }

    /// Returns the problem for a text that is not an id.
    pub fn id(detail: String) -> Self {
        Self::new(code::INVALID_ID, detail)
    }

    /// Returns the problem for a valid request that does not fit the layout, such as a tag that is
    /// too large.
    pub fn unfit(error: &edgeflake::Error) -> Self {
        Self::new(error.code(), error.to_string())
    }

    /// Returns the problem for an unknown path.
    pub fn not_found(path: &str) -> Self {
        let detail = format!("nothing is at {}: {API} lists what there is", Quote(path));
        Self::new(code::NOT_FOUND, detail)
    }

    /// Returns the problem for a name that no sequencer can have; `refusal` says which names are
    /// allowed.
    pub fn sequencer_name(found: &dyn Display, refusal: &str) -> Self {
        let detail = format!("the sequencer's name is {found}: {refusal}");
        Self::new(code::INVALID_NAME, detail)
    }

    /// Returns the problem for a sequencer that was never created.
    pub fn unknown_sequencer(name: &str) -> Self {
        Self::new(code::UNKNOWN_SEQUENCER, unknown_sequencer(name))
    }

    /// Returns the problem for a method that a path does not support.
    pub fn method(found: &str, allowed: String) -> Self {
        let detail = format!("the method is {}: this path takes {allowed}", Quote(found));
        Self::new(code::METHOD_NOT_ALLOWED, detail).with_header("Allow", allowed)
    }

    /// Returns the problem for a missing or unknown token; `scope` names the secret to send.
    pub fn unauthorized(detail: String, scope: &str) -> Self {
        let challenge = format!("Bearer realm=\"edgeflake\", scope=\"{scope}\"");
        Self::new(code::UNAUTHORIZED, detail).with_header("WWW-Authenticate", challenge)
    }

    /// Returns the problem for a token whose role is too low.
    pub fn forbidden(detail: String) -> Self {
        Self::new(code::FORBIDDEN, detail)
    }

    /// Returns the problem for a client that exceeds the rate limit.
    pub fn too_many_requests() -> Self {
        Self::new(
            code::TOO_MANY_REQUESTS,
            format!("too many requests from this client: retry in {LIMIT_PERIOD_S} s"),
        )
        .with_header(RETRY_AFTER, LIMIT_PERIOD_S.to_string())
    }

    /// Returns the problem for a fault of the Worker itself.
    pub fn own(error: &dyn Display) -> Self {
        Self::new(code::INTERNAL, error.to_string())
    }

    /// Returns the problem for an unusable variable, binding or class of the Worker.
    pub fn configuration(detail: String) -> Self {
        note_mistake(&detail);
        Self::new(code::INVALID_CONFIGURATION, detail)
    }

    /// Returns the problem for an invalid body.
    pub fn body(detail: String) -> Self {
        Self::new(code::INVALID_BODY, detail)
    }

    /// Returns the problem for a text that is not JSON. The message calls the text `what`.
    pub fn not_json(what: &str) -> Self {
        Self::body(format!("{what} is not JSON: send an object"))
    }

    /// Returns the problem for an object with an unreadable value. The message calls the object
    /// `what`.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
    pub fn unreadable(what: &str, given: &JsValue, error: Unreadable) -> Self {
        let Cause::Field { name, expected } = *error else {
            return Self::body(format!("in {what}, {error}"));
        };
        let found = given.get(name).map_or_else(|| "missing".to_owned(), |value| shown(&value));
        Self::body(format!("in {what}, {name} is {found}: give {expected}"))
    }

    /// Returns the problem for a body that is too long. `at_least` is `"at least "` if the rest of
    /// the body was not read, and empty otherwise.
    pub fn too_large(at_least: &str, length: usize, most: usize) -> Self {
        let detail = format!("the body has {at_least}{length} bytes: at most {most} are allowed");
        Self::new(code::BODY_TOO_LARGE, detail)
    }

    /// Returns the problem for a body that does not arrive in time.
    pub fn too_slow(most_ms: u32) -> Self {
        let detail = format!("the body was not there after {most_ms} ms: send all of it at once");
        Self::new(code::BODY_TOO_SLOW, detail)
    }

    /// Returns the problem for a sequencer that is bound to another configuration.
    pub fn already_registered(name: &str, difference: &Difference) -> Self {
        Self::new(
            code::SEQUENCER_ALREADY_REGISTERED,
            format!(
                "the sequencer {} is bound to another configuration: its {difference}; send the \
                 bound configuration, or use another name",
                Quote(name)
            ),
        )
    }

    /// Returns the problem for a sequencer that is being destroyed: not all shards have confirmed
    /// the end.
    pub fn being_destroyed(name: &str) -> Self {
        Self::new(
            code::SEQUENCER_BEING_DESTROYED,
            format!("the sequencer {} is half destroyed: destroy it again", Quote(name)),
        )
    }

    /// Returns the problem for Durable Objects that do not answer.
    pub fn unreachable() -> Self {
        Self::issuing(&Error::AuthorityUnreachable, Some(1_000))
    }

    /// Returns the problem that reports an authority's refusal to a holder. The status is 409 if
    /// the error code allows this status, because the holder itself may have to fix the cause.
    pub fn refused(refusal: Refusal, incarnation: u64) -> Self {
        let retry_in_ms = refusal.retry_in_ms();
        let mut problem = Self::issuing(&Error::Refused(refusal), retry_in_ms).with_status(409);
        let mut json = Json::object();
        refusal.write(&mut json);
        json.number("incarnation", incarnation);
        problem.0.refused = Some(json.end().into());
        problem
    }

    /// Returns the problem for ids that could not be issued, with the time after which to retry.
    pub fn issuing(error: &Error, retry_in_ms: Option<u64>) -> Self {
        let mut detail = error.to_string();
        if let Error::Refused(Refusal::InvalidConfiguration) = error {
            detail = MISTAKE.with_borrow(Clone::clone);
        }
        if let (Error::AuthorityUnreachable, Some(_)) = (error, retry_in_ms) {
            detail.push_str(": try again");
        }
        let problem = Self::new(error.code(), detail);
        match retry_in_ms {
            Some(ms) => problem.with_header(RETRY_AFTER, ms.div_ceil(1_000).max(1).to_string()),
            None => problem,
        }
    }

    /// Returns the number of seconds after which a retry may succeed; `None` if no retry can
    /// succeed.
    pub fn retry_after_s(&self) -> Option<u32> {
        let header = self.header.as_ref().filter(|(name, _)| *name == RETRY_AFTER);
        header.and_then(|(_, value)| value.parse().ok())
    }

    /// Returns the error with which a promise is rejected. The message begins with the problem's
    /// name, because a caller over RPC may get only the message.
    #[must_use]
    pub fn into_js(self) -> JsValue {
        let error = js_sys::Error::new(&format!("{}: {}", self.name, self.detail));
        let retry_in_ms = self.retry_after_s().map(|seconds| f64::from(seconds) * 1_000.0);
        for (name, value) in [
            ("code", self.name.into()),
            ("detail", self.detail.as_str().into()),
            ("retryInMs", retry_in_ms.into()),
        ] {
            // Setting a property of a new object cannot fail.
            let _ = Reflect::set(&error, &name.into(), &value);
        }
        error.into()
    }
}

thread_local! {
    /// The text about the newest mistake in the configuration that this isolate has found, or that
    /// an object has reported. [`Refusal::InvalidConfiguration`] does not contain this text.
    static MISTAKE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes a mistake in the configuration. Logs the mistake, unless the previous mistake was the
/// same.
pub(crate) fn note_mistake(detail: &str) {
    if MISTAKE.replace(detail.to_owned()) != detail {
        log::write(Event::ConfigurationRefused, detail);
    }
}

/// Returns the sequencer in a reply of the registry; `None` if the registry does not know the
/// sequencer.
///
/// # Errors
/// A problem if the registry refuses or does not answer.
pub fn described(reply: &Result<Reply, CallFailure>) -> Result<Option<Sequencer>, Problem> {
    match reply {
        Ok(Reply::Described(sequencer)) => Ok(*sequencer),
        Ok(Reply::Refused { refusal, incarnation }) => {
            Err(Problem::refused(*refusal, *incarnation))
        }
        Ok(_) | Err(_) => Err(Problem::unreachable()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_in_whole_seconds() {
        let header = |ms| Problem::issuing(&Error::AuthorityUnreachable, ms).header.clone();
        assert_eq!(header(None), None);
        for (ms, seconds) in [(0, "1"), (1, "1"), (1_000, "1"), (1_001, "2")] {
            assert_eq!(header(Some(ms)), Some(("Retry-After", seconds.to_owned())));
        }
    }
}
