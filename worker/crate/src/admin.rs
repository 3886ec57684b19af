//! Creates, changes and destroys sequencers by name.
//!
//! ```no_run
//! # async fn example(env: worker::Env) -> Result<(), edgeflake_workers::Error> {
//! use edgeflake_workers::Ids;
//! use edgeflake_workers::admin::{self, NewSequencer};
//!
//! let wanted = NewSequencer { layout: Some("twitter".to_owned()), ..NewSequencer::default() };
//! admin::create(&env, "orders", wanted).await?;
//! let id = Ids::sequencer(&env, "orders")?.next().await?;
//! # Ok(())
//! # }
//! ```

#[doc(hidden)]
pub mod administration;
#[doc(hidden)]
pub mod new_sequencer;
#[doc(hidden)]
pub mod outcome;
#[doc(hidden)]
pub mod shell;

use crate::log::Event;
use crate::objects::address::sequencer_name;
use crate::problem::Problem;
use crate::settings::SequencerSettings;
use edgeflake::lease::{CallFailure, Reply};
use wasm_bindgen::JsValue;
use worker::Env;

use self::administration::Task;
pub use self::new_sequencer::NewSequencer;
use self::outcome::Outcome;
use self::shell::{Isolate, audit};

use crate::ids::Error;
use crate::isolate;

/// Creates a sequencer. If it exists with the same configuration, nothing changes.
///
/// # Errors
/// `sequencer-already-registered` if it exists with another configuration, `invalid-body` for an
/// invalid configuration, or the reason why the Durable Objects do not answer.
pub async fn create(env: &Env, name: &str, wanted: NewSequencer) -> Result<(), Error> {
    let task = |name: &str| {
        wanted.bound_config(&SequencerSettings::of(env.as_ref())?, name).map(Task::Create)
    };
    change(env, name, Event::SequencerCreated, task).await
}

/// Ends a sequencer in all its shards. If an earlier call was interrupted, this one continues it.
///
/// # Errors
/// `unknown-sequencer` if no sequencer has this name, or the reason why not all shards have
/// confirmed.
pub async fn destroy(env: &Env, name: &str) -> Result<(), Error> {
    change(env, name, Event::SequencerDestroyed, |_| Ok(Task::Destroy)).await
}

/// Shrinks a sequencer to its first `node_count` nodes, while it continues to grant them. It gives
/// up the others for good, so another sequencer of the same layout may use them. Only nodes that
/// were never granted can be given up.
///
/// # Errors
/// `nodes-in-use` with the fewest nodes that the sequencer can have, `invalid-body` if `node_count`
/// is more than it has, `unknown-sequencer`, or the reason why an object does not answer. If the
/// call was interrupted, repeat it.
pub async fn shrink(env: &Env, name: &str, node_count: u64) -> Result<(), Error> {
    change(env, name, Event::SequencerShrunk, |_| Ok(Task::Shrink { node_count })).await
}

/// Carries out a task, and logs its outcome.
async fn change(
    env: &Env,
    name: &str,
    event: Event,
    task: impl FnOnce(&str) -> Result<Task, Problem>,
) -> Result<(), Error> {
    let done = async {
        let name = sequencer_name(name)?;
        run(env, name, task(name)?).await
    };
    let done = done.await;
    audit(event, Some(name), &done).write();
    done?;
    Ok(())
}

/// Carries out a task on a sequencer, and updates this isolate's memory of it.
///
/// # Errors
/// A problem that says why the task failed.
#[doc(hidden)]
pub async fn run(env: &Env, name: &str, task: Task) -> Result<Outcome, Problem> {
    shell::run(env.as_ref(), name, task, &This(env)).await
}

/// Updates the memory of the isolate that runs the task.
struct This<'a>(&'a Env);

impl Isolate for This<'_> {
    async fn shards(&self, _env: &JsValue, name: &str) -> Result<Option<u64>, Problem> {
        isolate::client(self.0, name).await.map(|client| Some(client.shards))
    }

    fn created(&self, name: &str, shards: u64) {
        isolate::note_created(name, shards);
    }

    fn replied(&self, name: &str, reply: &Result<Reply, CallFailure>) {
        // The isolate drops its lease at once, although the other shards have not confirmed yet.
        isolate::note_destroyed(name, reply);
    }
}
