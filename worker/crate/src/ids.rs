use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use edgeflake::text::{self, Encoding};
use edgeflake_wire::DEFAULT_SEQUENCER;
use wasm_bindgen::JsValue;
use worker::{Env, Response, ResponseBuilder};

use crate::isolate;
use crate::problem::Problem;
use crate::value::sequencer_name;

/// Issues the ids of a sequencer, from the lease of this isolate.
///
/// An `Ids` costs little, so create an `Ids` in each request. You can use an `Ids` in any event
/// handler and in a Durable Object. A call waits for ids for at most 5 s. Calls to the authority
/// continue after your Worker has answered the request.
#[derive(Clone, Debug)]
pub struct Ids {
    env: Env,
    sequencer: String,
    tag: u64,
}

impl Ids {
    /// The numbers of ids that one call can issue.
    pub const COUNTS: RangeInclusive<usize> = 1..=100_000;

    /// Returns access to the ids of the sequencer `default`. The first use of this sequencer
    /// creates the sequencer from the variables.
    ///
    /// ```no_run
    /// # async fn example(env: worker::Env) -> Result<(), edgeflake_workers::Error> {
    /// use edgeflake_workers::Ids;
    ///
    /// let id: u64 = Ids::new(&env).next().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn new(env: &Env) -> Self {
        Self { env: env.clone(), sequencer: DEFAULT_SEQUENCER.to_owned(), tag: 0 }
    }

    /// Returns access to the ids of the sequencer `name`. Create the sequencer before: by
    /// `admin::create`, by `admin.create` of `edgeflake/authority`, or by `PUT
    /// /v1/sequencers/{name}` of edgeflake's Worker.
    ///
    /// ```no_run
    /// # async fn example(env: worker::Env) -> Result<(), edgeflake_workers::Error> {
    /// use edgeflake_workers::Ids;
    ///
    /// let orders = Ids::sequencer(&env, "orders")?;
    /// let ids: Vec<u64> = orders.batch(1_000).await?;
    /// assert!(ids.is_sorted());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `invalid-name`, if no sequencer can have this name.
    pub fn sequencer(env: &Env, name: &str) -> Result<Self, Error> {
        Ok(Self { env: env.clone(), sequencer: sequencer_name(name)?.to_owned(), tag: 0 })
    }

    /// Returns access to ids of the same sequencer, with `tag` (such as a resource type) in the
    /// layout's tag fields. If `tag` is too large for the tag fields, calls fail with `too-large`.
    ///
    /// ```no_run
    /// # async fn example(env: worker::Env) -> Result<(), edgeflake_workers::Error> {
    /// use edgeflake_workers::Ids;
    ///
    /// let id: u64 = Ids::new(&env).tagged(3).next().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn tagged(mut self, tag: u64) -> Self {
        self.tag = tag;
        self
    }

    /// Returns the next id.
    ///
    /// # Errors
    /// An error that says why there is no id, and when to retry.
    pub async fn next(&self) -> Result<u64, Error> {
        let [id] = self.issue(1).await?[..] else {
            return Err(Problem::own(&"one id was asked for, and none was issued").into());
        };
        Ok(id)
    }

    /// Returns the next id as text. In JSON, use the text, because most ids are too large for a
    /// JavaScript number.
    ///
    /// # Errors
    /// An error that says why there is no id, and when to retry.
    pub async fn next_string(&self, encoding: Encoding) -> Result<String, Error> {
        Ok(text::format(self.next().await?, encoding).to_string())
    }

    /// Returns exactly `count` ids, in ascending order unless a lease ended during the call.
    ///
    /// # Errors
    /// `invalid-parameter` if `count` is not in [`COUNTS`](Self::COUNTS); otherwise an error that
    /// says why there are not enough ids, and when to retry.
    pub async fn batch(&self, count: usize) -> Result<Vec<u64>, Error> {
        if !Self::COUNTS.contains(&count) {
            let (min, max) = (Self::COUNTS.start(), Self::COUNTS.end());
            let detail = format!("count is {count}: give a whole number from {min} to {max}");
            return Err(Problem::parameter(detail).into());
        }
        self.issue(count).await
    }

    async fn issue(&self, count: usize) -> Result<Vec<u64>, Error> {
        // The location of the client is not known here, so an isolate that has no place on the
        // circle of shards yet gets a random place.
        isolate::locate(&JsValue::UNDEFINED);
        Ok(isolate::issue(&self.env, &self.sequencer, count, self.tag).await?.ids)
    }
}

/// The reason why there are no ids.
///
/// The text of the error says what was found and what is allowed.
#[derive(Debug)]
pub struct Error(Problem);

impl Error {
    /// Returns the stable name of the error, such as `overloaded` or `authority-unreachable`. The
    /// HTTP API uses the same names. In the repository, `docs/API.md` says what to do about each
    /// error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.name
    }

    /// Returns the time in s after which a retry may succeed, as in `Retry-After`. Returns `None`
    /// if no retry can help, because the configuration is wrong.
    #[must_use]
    pub fn retry_after_s(&self) -> Option<u32> {
        self.0.retry_after_s()
    }

    /// Returns the response for a client, with the error's code and text as JSON. The status is
    /// 503, with `Retry-After`. If no retry can help, the status is 500.
    ///
    /// # Errors
    /// The platform's error if the platform cannot make the response.
    pub fn into_response(self) -> worker::Result<Response> {
        let seconds = self.retry_after_s();
        let body = BTreeMap::from([("error", self.code()), ("detail", &self.0.detail)]);
        let mut response =
            ResponseBuilder::new().with_status(if seconds.is_some() { 503 } else { 500 });
        if let Some(seconds) = seconds {
            response = response.with_header("Retry-After", &seconds.to_string())?;
        }
        response.from_json(&body)
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
        assert_eq!(error.to_string(), "the authority gave no reply: try again");
    }
}
