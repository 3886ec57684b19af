//! Carries out the steps of [`Administration`] by calls to the Durable Objects.

use edgeflake::lease::{CallFailure, Reply};
use futures_util::future::join_all;
use wasm_bindgen::JsValue;

use crate::admin::administration::{Administration, Step, Task};
use crate::admin::outcome::{Answer, Outcome};
use crate::log::{Audit, Event};
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::objects::call::{Namespace, NoAnswer};
use crate::objects::client;
use crate::objects::client::ShardClient;
use crate::objects::client::ShardStatus;
use crate::problem::Problem;
use crate::settings::SequencerSettings;

/// The memory of the isolate that carries out a task.
pub trait Isolate {
    /// Returns the number of shards of a sequencer; `None` if no sequencer has this name.
    fn shards(
        &self,
        env: &JsValue,
        name: &str,
    ) -> impl Future<Output = Result<Option<u64>, Problem>> {
        shards(env, name)
    }

    /// Notes that a sequencer was created, and its number of shards.
    fn created(&self, _name: &str, _shards: u64) {}

    /// Notes the reply of a shard.
    fn replied(&self, _name: &str, _reply: &Result<Reply, CallFailure>) {}
}

/// Returns the number of shards of a sequencer, from the variables or the directory; `None` if no
/// sequencer has this name.
///
/// # Errors
/// A problem if the variables are invalid or the directory does not answer.
pub async fn shards(env: &JsValue, name: &str) -> Result<Option<u64>, Problem> {
    if name == DEFAULT_SEQUENCER {
        return Ok(Some(SequencerSettings::of(env)?.config.shards()));
    }
    Namespace::directory(env)?;
    client::shards_of(env, name).await.map_err(NoAnswer::problem)
}

/// An isolate without a memory of sequencers.
#[derive(Clone, Copy, Debug)]
pub struct Forgetful;

impl Isolate for Forgetful {}

/// Carries out a task on the sequencer of this name.
///
/// # Errors
/// A problem that says why the task failed.
pub async fn run(
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
                // The first call to a shard decides where its object stays, so the number of shards
                // must be right.
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

/// Asks a shard to prove that it can write, and returns its status. If it cannot write, returns the
/// status that it reads.
pub async fn look(env: &JsValue, client: &ShardClient, shard: u64) -> Answer {
    let mut told = client.look(env, shard, "proof").await;
    if matches!(told, Err(NoAnswer::Failed | NoAnswer::Unwritable)) {
        told = client.look(env, shard, "status").await;
    }
    match told {
        Ok(text) => ShardStatus::read(&text).map_or(Answer::None, Answer::Status),
        Err(NoAnswer::Unreadable) => Answer::Unreadable,
        Err(NoAnswer::Unwritable) => Answer::Unwritable,
        Err(_) => Answer::None,
    }
}

/// Makes the log line about a change, or about the problem that prevented it. The caller adds who
/// requested the change.
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
