//! Whether this isolate has a lease, or the authority answers.

use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::isolate;

/// Answers whether this isolate has a lease of `default`, or the authority answers. Nothing is created,
/// and no id is issued. It does not prove that a request gets an id: without a lease, a shard may answer
/// and grant nothing.
///
/// # Errors
/// A problem if there is neither, or the variables cannot be used.
pub(crate) async fn answer(request: &Admitted<'_>) -> Result<web_sys::Response, Problem> {
    let configured = request.settings.configured()?;
    isolate::check_default(request.env, configured.config.layout()).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
