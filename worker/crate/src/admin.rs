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

use edgeflake::lease::{CallFailure, Reply};
use edgeflake_wire::DEFAULT_SEQUENCER;
use futures_util::future::join_all;
use wasm_bindgen::JsValue;
use worker::Env;

use self::administration::{Administration, Step, Task};
pub use self::new_sequencer::NewSequencer;
use self::outcome::{Outcome, look};
use crate::log::{Audit, Event};
use crate::objects::call::{Namespace, NoAnswer};
use crate::objects::client::{self, ShardClient};
use crate::problem::Problem;
use crate::settings::SequencerSettings;
use crate::value::sequencer_name;

use crate::ids::Error;
use crate::isolate;

/// Creates a sequencer. If the sequencer exists with the same configuration, nothing changes.
///
/// # Errors
/// `sequencer-already-registered` if the sequencer exists with another configuration,
/// `invalid-body` if the configuration is not valid, or an error that says why a Durable Object
/// does not answer.
pub async fn create(env: &Env, name: &str, wanted: NewSequencer) -> Result<(), Error> {
    let task = |name: &str| {
        wanted.bound_config(&SequencerSettings::of(env.as_ref())?, name).map(Task::Create)
    };
    change(env, name, Event::SequencerCreated, task).await
}

/// Destroys a sequencer in all its shards. If an earlier call was interrupted, this call continues
/// where the earlier call stopped.
///
/// # Errors
/// `unknown-sequencer` if no sequencer has this name, or an error that says why not all shards have
/// confirmed.
pub async fn destroy(env: &Env, name: &str) -> Result<(), Error> {
    change(env, name, Event::SequencerDestroyed, |_| Ok(Task::Destroy)).await
}

/// Shrinks a sequencer to its first `node_count` nodes, which the sequencer continues to grant. The
/// sequencer gives up its other nodes for good, so another sequencer with the same layout may use
/// the nodes that were given up. Only nodes that were never granted can be given up.
///
/// # Errors
/// `nodes-in-use` if the sequencer must keep more nodes (the error says how many), `invalid-body`
/// if the sequencer has fewer than `node_count` nodes, `unknown-sequencer`, or an error that says
/// why a Durable Object does not answer. If the call was interrupted, repeat the call.
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

/// Carries out a task on a sequencer, and updates this isolate's memory of the sequencer.
///
/// # Errors
/// A problem that says why the task failed.
#[doc(hidden)]
pub async fn run(env: &Env, name: &str, task: Task) -> Result<Outcome, Problem> {
    carry_out(env.as_ref(), name, task, &This(env)).await
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
        // If the sequencer was destroyed, the isolate drops its lease of the sequencer at once,
        // although the other shards have not confirmed yet.
        isolate::note_destroyed(name, reply);
    }
}

/// An isolate's memory of sequencers. A task reads and updates this memory.
#[doc(hidden)]
#[expect(async_fn_in_trait, reason = "only crates of edgeflake use it")]
pub trait Isolate {
    /// Returns the number of shards of a sequencer; `None` if no sequencer has this name. This
    /// implementation reads the number of `default` from the variables, and asks the directory for
    /// the number of any other sequencer.
    async fn shards(&self, env: &JsValue, name: &str) -> Result<Option<u64>, Problem> {
        if name == DEFAULT_SEQUENCER {
            return Ok(Some(SequencerSettings::of(env)?.config.shards()));
        }
        Namespace::directory(env)?;
        client::shards_of(env, name).await.map_err(NoAnswer::problem)
    }

    /// Notes that a sequencer was created, and its number of shards.
    fn created(&self, _name: &str, _shards: u64) {}

    /// Notes the reply of a shard.
    fn replied(&self, _name: &str, _reply: &Result<Reply, CallFailure>) {}
}

/// An isolate without a memory of sequencers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Forgetful;

impl Isolate for Forgetful {}

/// Carries out a task on the sequencer of this name.
///
/// # Errors
/// A problem that says why the task failed.
#[doc(hidden)]
pub async fn carry_out(
    env: &JsValue,
    name: &str,
    task: Task,
    isolate: &impl Isolate,
) -> Result<Outcome, Problem> {
    Namespace::authority(env)?;
    let mut administration = Administration::new(name, task);
    let mut client =
        ShardClient::new(name, if let Task::Create(config) = task { config.shards() } else { 1 });
    loop {
        match administration.step() {
            Step::Find => {
                let shards = isolate.shards(env, name).await?;
                client.shards = shards.unwrap_or(1);
                administration.found(shards);
            }
            Step::Send { shard, request } => {
                let reply = client.send(env, shard, &request).await;
                isolate.replied(name, &reply);
                administration.receive(reply);
            }
            Step::Look { shards } => {
                // The first call to a shard decides for good in which region the shard's object
                // runs. The region depends on the number of shards, so this number must be right.
                client.shards = shards;
                let answers = (0..shards).map(async |shard| look(env, &client, shard).await);
                administration.looked(join_all(answers).await);
            }
            Step::Note { shards } => {
                isolate.created(name, shards);
                let noted = client::note_shards(env, name, shards).await;
                administration.noted(noted.map_err(NoAnswer::problem));
            }
            Step::Done(outcome) => return outcome,
        }
    }
}

/// Makes the log line about a change, or about the problem that prevented the change. The caller of
/// this function adds who requested the change.
#[doc(hidden)]
pub fn audit<'a>(
    event: Event,
    sequencer: Option<&'a str>,
    done: &'a Result<Outcome, Problem>,
) -> Audit<'a> {
    let (message, outcome, incarnation) = match done {
        Ok(outcome) => ("done", "ok", Some(outcome.sequencer.incarnation)),
        Err(problem) => (problem.detail.as_str(), problem.name, None),
    };
    let outcome = Some(outcome);
    Audit { message, sequencer, incarnation, outcome, ..Audit::of(event) }
}
