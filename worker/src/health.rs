use worker::web_sys;

use crate::incoming::Incoming;
use crate::problem::Problem;
use crate::{answer, ids, isolate, sequencer};

/// Says that this isolate can issue an id.
///
/// # Errors
/// The problem that a request for an id would get.
pub(crate) async fn answer(incoming: &Incoming<'_>) -> Result<web_sys::Response, Problem> {
    isolate::locate(incoming.request);
    // One id is issued to nobody: whatever would stop the next one stops this one.
    let Incoming { settings, env, context, .. } = incoming;
    ids::issue(settings, env, context, sequencer::DEFAULT, 1).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
