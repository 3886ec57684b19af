//! Creates, changes and destroys sequencers.

use edgeflake_workers::admin;
use edgeflake_workers::admin::administration::Task;
use edgeflake_workers::admin::new_sequencer::{self, NewSequencer};
use edgeflake_workers::admin::outcome::Outcome;
use edgeflake_workers::log::Event;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value::json;
use wasm_bindgen::JsValue;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;

/// Creates a sequencer. If the sequencer exists with the same configuration, nothing changes.
///
/// # Errors
/// A problem if the configuration is not valid, or differs from the bound configuration.
pub(crate) async fn create(
    request: &AdmittedRequest<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let task = async {
        let wanted = match request.body().await? {
            None => NewSequencer::default(),
            Some(body) => NewSequencer::read("the body", &body)?,
        };
        Ok(Task::Create(wanted.bound_config(request.settings.sequencers()?, name)?))
    };
    let created = run(request, name, Event::SequencerCreated, task).await?;
    let status = if created.existed { 200 } else { 201 };
    Ok(answer::json_with_status(
        status,
        &json(&created.describe(name, request.settings.sequencers()?))?,
    ))
}

/// Shrinks a sequencer by its last nodes. The sequencer continues to grant its other nodes.
///
/// # Errors
/// A problem if one of the last nodes was ever granted, if no sequencer has this name, or if an
/// object that must confirm does not answer.
pub(crate) async fn change(
    request: &AdmittedRequest<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let task = async {
        let body = request.body().await?.unwrap_or(JsValue::UNDEFINED);
        new_sequencer::change("the body", &body)
    };
    let changed = run(request, name, Event::SequencerShrunk, task).await?;
    Ok(answer::json(&json(&changed.describe(name, request.settings.sequencers()?))?))
}

/// Destroys a sequencer in all its shards. If an earlier call was interrupted, continues where that
/// call stopped.
///
/// # Errors
/// A problem if no sequencer has this name, or not all shards have confirmed.
pub(crate) async fn destroy(
    request: &AdmittedRequest<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let ended = run(request, name, Event::SequencerDestroyed, async { Ok(Task::Destroy) }).await?;
    Ok(answer::json(&json(&ended.describe(name, request.settings.sequencers()?))?))
}

/// Carries out a task, and logs the task's outcome and the role that requested the task.
async fn run(
    request: &AdmittedRequest<'_>,
    name: &str,
    event: Event,
    task: impl Future<Output = Result<Task, Problem>>,
) -> Result<Outcome, Problem> {
    let done = async {
        request.settings.sequencers()?;
        admin::run(request.env, name, task.await?).await
    };
    let done = done.await;
    request.audit(event, name, &done);
    done
}
