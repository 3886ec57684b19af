//! Whether this isolate has a lease, or the authority answers.

use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::isolate;

/// Answers whether this isolate has a lease of `default`, or else whether the authority answers.
/// This creates nothing and issues no id. It does not prove that a request would get an id, because
/// a shard that answers may still grant nothing.
///
/// # Errors
/// A problem if it has no lease and the authority does not answer, or the variables are not valid.
pub(crate) async fn answer(request: &Admitted<'_>) -> Result<web_sys::Response, Problem> {
    let configured = request.settings.configured()?;
    isolate::check_default(request.env, configured.config.layout()).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
