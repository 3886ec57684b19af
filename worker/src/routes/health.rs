//! Whether this isolate can issue ids.

use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::isolate;

/// Answers whether this isolate has a lease, or the authority answers. Nothing is created, and no id
/// is issued.
///
/// # Errors
/// The problem that a request for an id would get.
pub(crate) async fn answer(request: &Admitted<'_>) -> Result<web_sys::Response, Problem> {
    let configured = request.settings.configured()?;
    isolate::check_default(request.env, configured.config.layout()).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
