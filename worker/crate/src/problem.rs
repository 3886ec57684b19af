//! Every answer that is not a success is an RFC 9457 problem.

use std::fmt::Display;
use std::ops::Deref;

use edgeflake::lease::{CallFailure, Difference, Error, Refusal, Reply, Sequencer};
use edgeflake_wire::{Cause, Fields, Json, Unreadable, Value};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::found::{Quote, shown};

/// The shorter of the two periods that a rate-limit binding can have, in s. The binding does not
/// say which one it has.
const LIMIT_PERIOD_S: u64 = 10;

/// The page that lists the paths. Errors do not name `/openapi.json`, because not every Worker
/// serves this file.
const API: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/API.md");

/// The header that says after how many seconds another try is worth it.
const RETRY_AFTER: &str = "Retry-After";

/// A header's name and its value.
pub type Header = (&'static str, String);

/// A problem. Its `type` is `/problems/` followed by its name, which never changes.
///
/// It is boxed because every `?` on the way moves it.
#[derive(Debug)]
pub struct Problem(Box<Facts>);

/// What a problem says.
#[derive(Debug)]
pub struct Facts {
    /// The HTTP status.
    pub status: u16,
    /// The name, which never changes.
    pub name: &'static str,
    /// What is wrong, the same for all problems of a name and status.
    pub title: &'static str,
    /// What was found and what is allowed.
    pub detail: String,
    /// A header besides those that every problem has.
    pub header: Option<Header>,
    /// What the authority refused, for holders that speak HTTP.
    pub refused: Option<Box<str>>,
}

impl Deref for Problem {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl Problem {
    /// The name of the problem of a variable that cannot be used.
    pub const CONFIGURATION: &str = "invalid-configuration";

    fn new(status: u16, name: &'static str, title: &'static str, detail: String) -> Self {
        Self(Box::new(Facts { status, name, title, detail, header: None, refused: None }))
    }

    /// The same problem with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = status;
        self
    }

    fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.0.header = Some((name, value));
        self
    }

    /// A query parameter that cannot be used.
    pub fn parameter(detail: String) -> Self {
        Self::new(400, "invalid-parameter", "A query parameter cannot be used", detail)
    }

    /// A text that is not an id.
    pub fn id(detail: String) -> Self {
        Self::new(400, "invalid-id", "The id cannot be read", detail)
    }

    /// A request that could be read but asks for ids that the layout does not have.
    pub fn unfit(error: &edgeflake::Error) -> Self {
        Self::new(422, error.code(), "The layout has no such ids", error.to_string())
    }

    /// A path that nothing answers.
    pub fn not_found(path: &str) -> Self {
        let detail = format!("nothing is at {}: {API} lists what there is", Quote(path));
        Self::new(404, "not-found", "There is nothing at this path", detail)
    }

    /// A name that no sequencer can have; `refusal` says which it can have.
    pub fn sequencer_name(found: &dyn Display, refusal: &str) -> Self {
        let detail = format!("the sequencer's name is {found}: {refusal}");
        Self::new(400, "invalid-name", "No sequencer can have this name", detail)
    }

    /// A sequencer that was never created.
    pub fn unknown_sequencer(name: &str) -> Self {
        let detail = format!("no sequencer is named {}: create it first", Quote(name));
        Self::new(404, "unknown-sequencer", "There is no sequencer of this name", detail)
    }

    /// A method that a path does not take.
    pub fn method(found: &str, allowed: String) -> Self {
        let detail = format!("the method is {}: this path takes {allowed}", Quote(found));
        Self::new(405, "method-not-allowed", "This path does not take this method", detail)
            .with_header("Allow", allowed)
    }

    /// A request without a known token; `scope` is the name of the secret to send.
    pub fn unauthorized(detail: String, scope: &str) -> Self {
        let challenge = format!("Bearer realm=\"edgeflake\", scope=\"{scope}\"");
        Self::new(401, "unauthorized", "A token is needed", detail)
            .with_header("WWW-Authenticate", challenge)
    }

    /// A request whose token has too low a role.
    pub fn forbidden(detail: String) -> Self {
        Self::new(403, "forbidden", "The token's role may not do this", detail)
    }

    /// A client that sends more requests than the rate limit allows.
    pub fn too_many_requests() -> Self {
        Self::new(
            429,
            "too-many-requests",
            "The rate limit of this client is used up",
            format!("too many requests of this client: retry in {LIMIT_PERIOD_S} s"),
        )
        .with_header(RETRY_AFTER, LIMIT_PERIOD_S.to_string())
    }

    /// A fault of the Worker itself.
    pub fn own(error: &dyn Display) -> Self {
        Self::new(500, "internal", "The Worker failed", error.to_string())
    }

    /// A variable of the Worker that cannot be used.
    pub fn configuration(detail: String) -> Self {
        Self::new(500, Self::CONFIGURATION, "A variable or binding cannot be used", detail)
    }

    /// A body that cannot be used.
    pub fn body(detail: String) -> Self {
        Self::new(422, "invalid-body", "The body cannot be used", detail)
    }

    /// A text that is not JSON. The error calls it `what`.
    pub fn not_json(what: &str) -> Self {
        Self::body(format!("{what} is not JSON: send an object"))
    }

    /// An object with a value that cannot be read. The error calls the object `what`.
    #[expect(clippy::needless_pass_by_value, reason = "so that it maps errors")]
    pub fn unreadable(what: &str, given: &JsValue, error: Unreadable) -> Self {
        let Cause::Field { name, expected } = *error else {
            return Self::body(format!("in {what}, {error}"));
        };
        let found = given.get(name).map_or_else(|| "missing".to_owned(), |value| shown(&value));
        Self::body(format!("in {what}, {name} is {found}: {expected} is allowed"))
    }

    /// A body that is too long. `at_least` is `"at least "` if the rest of the body was not read,
    /// and empty otherwise.
    pub fn too_large(at_least: &str, length: usize, most: usize) -> Self {
        let detail = format!("the body has {at_least}{length} bytes: at most {most} are allowed");
        Self::new(413, "body-too-large", "The body is too large", detail)
    }

    /// A body that does not arrive in time.
    pub fn too_slow(most_ms: u32) -> Self {
        let detail = format!("the body was not there after {most_ms} ms: send all of it at once");
        Self::new(408, "body-too-slow", "The body takes too long", detail)
    }

    /// A sequencer that is bound to another configuration.
    pub fn already_registered(name: &str, difference: &Difference) -> Self {
        Self::new(
            409,
            "sequencer-already-registered",
            "The sequencer is bound to another configuration",
            format!(
                "the sequencer {} is bound to another configuration: its {difference}; send \
                 what is bound, or use another name",
                Quote(name)
            ),
        )
    }

    /// A sequencer whose destruction not all shards have confirmed.
    pub fn being_destroyed(name: &str) -> Self {
        Self::new(
            409,
            "sequencer-being-destroyed",
            "The sequencer is being destroyed",
            format!("the sequencer {} is being destroyed: destroy it again", Quote(name)),
        )
    }

    /// Objects that do not answer.
    pub fn unreachable() -> Self {
        Self::issuing(&Error::AuthorityUnreachable, Some(1_000))
    }

    /// What an authority refused a holder. The holder may have to fix the cause itself.
    pub fn refused(refusal: Refusal, incarnation: u64) -> Self {
        let retry_in_ms = refusal.retry_in_ms();
        let mut problem = Self::issuing(&Error::Refused(refusal), retry_in_ms);
        if let Refusal::ClockDisagreement { .. } | Refusal::OtherIncarnation { .. } = refusal {
            problem.0.status = 409;
        }
        let mut json = Json::object();
        refusal.write(&mut json);
        json.number("incarnation", incarnation);
        problem.0.refused = Some(json.end().into());
        problem
    }

    /// Ids that could not be issued. `retry_in_ms` says when another try is worth it.
    pub fn issuing(error: &Error, retry_in_ms: Option<u64>) -> Self {
        let mut detail = error.to_string();
        if let (Error::AuthorityUnreachable, Some(_)) = (error, retry_in_ms) {
            detail.push_str(": try again");
        }
        let problem = Self::new(status(error), error.code(), title(error), detail);
        match retry_in_ms {
            Some(ms) => problem.with_header(RETRY_AFTER, ms.div_ceil(1_000).max(1).to_string()),
            None => problem,
        }
    }

    /// In how many seconds another try is worth it; `None` if it cannot help.
    pub fn retry_after_s(&self) -> Option<u32> {
        let header = self.header.as_ref().filter(|(name, _)| *name == RETRY_AFTER);
        header.and_then(|(_, value)| value.parse().ok())
    }

    /// The error that a promise is rejected with. A caller over RPC may get only the message, which
    /// therefore begins with the name.
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

/// The sequencer that a reply of the registry describes; `None` if the registry knows none.
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

/// The status of an error of the core. Errors that only the isolate's own lease causes are 503,
/// because a client that asks for ids cannot fix them.
const fn status(error: &Error) -> u16 {
    match error {
        Error::Refused(refusal) => match refusal {
            Refusal::UnknownSequencer => 404,
            Refusal::SequencerDestroyed => 410,
            Refusal::OtherTimestamp
            | Refusal::SpansNotEnded { .. }
            | Refusal::OtherShard { .. }
            | Refusal::NodesInUse { .. } => 409,
            Refusal::UnsuitableSettings => 500,
            Refusal::ClockDisagreement { .. }
            | Refusal::OtherIncarnation { .. }
            | Refusal::NoNodeFree { .. }
            | Refusal::BatchesExhausted { .. }
            | Refusal::Overloaded { .. }
            | Refusal::OutsideLayout { .. }
            | Refusal::Unreadable => 503,
        },
        _ => 503,
    }
}

const fn title(error: &Error) -> &'static str {
    match error {
        Error::AuthorityUnreachable => "The authority cannot be reached",
        Error::Generator(error) => match error {
            edgeflake::Error::Exhausted { .. } => {
                "More ids were asked for than the allowed future allows"
            }
            edgeflake::Error::ClockBack { .. } => "The clock went back",
            edgeflake::Error::LayoutEnded { .. } => "The layout has run out",
            edgeflake::Error::BeforeEpoch { .. } => "The layout has not begun",
            _ => "No id can be issued",
        },
        Error::Refused(refusal) => match refusal {
            Refusal::NoNodeFree { .. } => "All nodes are held",
            Refusal::BatchesExhausted { .. } => "All nodes are held, and the batches are used up",
            Refusal::Overloaded { .. } => "The authority is overloaded",
            Refusal::ClockDisagreement { .. } => "The clocks disagree",
            Refusal::OtherIncarnation { .. } => "The sequencer has another incarnation",
            Refusal::UnknownSequencer => "There is no sequencer of this name",
            Refusal::SequencerDestroyed => "The sequencer was destroyed",
            Refusal::OutsideLayout { now_ms, epoch_ms, .. } if *now_ms < *epoch_ms => {
                "The layout has not begun"
            }
            Refusal::OutsideLayout { .. } => "The layout has run out",
            Refusal::Unreadable => "The authority cannot read its storage",
            Refusal::OtherTimestamp | Refusal::SpansNotEnded { .. } => {
                "The sequencer cannot be created again like this"
            }
            _ => "The authority refused",
        },
        _ => "No id can be issued",
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
