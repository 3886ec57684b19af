//! Exports the functions behind `admin` of the npm module `edgeflake/authority`.

use std::panic;

use wasm_bindgen::JsValue;
use wasm_bindgen::handler::{schedule_reinit, set_on_abort};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::admin::administration::Task;
use crate::admin::new_sequencer::{self, NewSequencer};
use crate::admin::{self, Forgetful, audit};
use crate::log::{self, Event};
use crate::problem::Problem;
use crate::settings::SequencerSettings;
use crate::value::{sequencer_name_of, structured};

/// Starts an instance of the module. A panic is logged and ends the instance; the next call starts
/// another instance.
#[wasm_bindgen(start)]
fn begin() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        log::write(Event::Panic, &format!("a panic at {place}"));
    }));
    set_on_abort(schedule_reinit);
}

/// Creates a sequencer as `PUT /v1/sequencers/{name}` does.
///
/// # Errors
/// A problem, see [`Problem::into_js`].
#[wasm_bindgen]
pub async fn create(env: JsValue, name: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    run(&env, &name, Some(Event::SequencerCreated), |sequencers, name| {
        let wanted = if options.is_undefined() {
            NewSequencer::default()
        } else {
            NewSequencer::read("options", &options)?
        };
        wanted.bound_config(sequencers, name).map(Task::Create)
    })
    .await
}

/// Shows a sequencer as `GET /v1/sequencers/{name}` does.
///
/// # Errors
/// A problem, see [`Problem::into_js`].
#[wasm_bindgen]
pub async fn status(env: JsValue, name: JsValue) -> Result<JsValue, JsValue> {
    run(&env, &name, None, |_, _| Ok(Task::Show)).await
}

/// Shrinks a sequencer as `PATCH /v1/sequencers/{name}` does.
///
/// # Errors
/// A problem, see [`Problem::into_js`].
#[wasm_bindgen]
pub async fn shrink(env: JsValue, name: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    run(&env, &name, Some(Event::SequencerShrunk), |_, _| {
        new_sequencer::change("options", &options)
    })
    .await
}

/// Destroys a sequencer as `DELETE /v1/sequencers/{name}` does.
///
/// # Errors
/// A problem, see [`Problem::into_js`].
#[wasm_bindgen]
pub async fn destroy(env: JsValue, name: JsValue) -> Result<JsValue, JsValue> {
    run(&env, &name, Some(Event::SequencerDestroyed), |_, _| Ok(Task::Destroy)).await
}

/// Carries out a task on a sequencer. If there is an `event`, logs the outcome as this event.
async fn run(
    env: &JsValue,
    name: &JsValue,
    event: Option<Event>,
    task: impl FnOnce(&SequencerSettings, &str) -> Result<Task, Problem>,
) -> Result<JsValue, JsValue> {
    let mut shown = None;
    let done = async {
        let name = sequencer_name_of(name)?;
        let sequencers = SequencerSettings::of(env)?;
        let task = task(&sequencers, &name)?;
        let outcome = admin::carry_out(env, &name, task, &Forgetful).await?;
        shown = Some(structured(&outcome.describe(&name, &sequencers))?);
        Ok(outcome)
    };
    let done = done.await;
    if let Some(event) = event {
        audit(event, name.as_string().as_deref(), &done).write();
    }
    match done {
        Ok(_) => Ok(shown.unwrap_or_default()),
        Err(problem) => Err(problem.into_js()),
    }
}
