//! Whether this isolate can issue an id.

use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use edgeflake_authority::objects::address::DEFAULT_SEQUENCER;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::isolate;

/// Answers that this isolate can issue an id.
///
/// # Errors
/// The problem that a request for an id would get.
pub(crate) async fn answer(request: &Admitted<'_>) -> Result<web_sys::Response, Problem> {
    // It issues one id and drops it, because what would stop the next id stops this one.
    isolate::issue(request.env, DEFAULT_SEQUENCER, 1, 0).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
