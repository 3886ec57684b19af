//! The shell of [`Administration`]: it asks the objects.

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

/// The isolate for which a task is done.
pub trait Isolate {
    /// Returns the number of shards of a sequencer; `None` if no sequencer has this name.
    fn shards(
        &self,
        env: &JsValue,
        name: &str,
    ) -> impl Future<Output = Result<Option<u64>, Problem>> {
        shards(env, name)
    }

    /// Notes that a sequencer was created with this number of shards.
    fn created(&self, _name: &str, _shards: u64) {}

    /// Notes the reply of a shard.
    fn replied(&self, _name: &str, _reply: &Result<Reply, CallFailure>) {}
}

/// Returns the number of shards of a sequencer, as the variables or the directory say it; `None` if
/// no sequencer has this name.
///
/// # Errors
/// A problem of the variables, or if the directory does not answer.
pub async fn shards(env: &JsValue, name: &str) -> Result<Option<u64>, Problem> {
    if name == DEFAULT_SEQUENCER {
        return Ok(Some(SequencerSettings::of(env)?.config.shards()));
    }
    Namespace::directory(env)?;
    client::shards_of(env, name).await.map_err(NoAnswer::problem)
}

/// An isolate that remembers nothing.
#[derive(Clone, Copy, Debug)]
pub struct Forgetful;

impl Isolate for Forgetful {}

/// Does a task on the sequencer of this name.
///
/// # Errors
/// A problem that says why it is not done.
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
                // An object stays where its first call places it, so the number must be right.
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

/// Asks a shard for its status, after a proof that it can write. A shard that cannot write can still
/// say what it reads.
pub async fn look(env: &JsValue, client: &ShardClient, shard: u64) -> Answer {
    let mut told = client.look(env, shard, "proof").await;
    if matches!(told, Err(NoAnswer::Failed | NoAnswer::Full)) {
        told = client.look(env, shard, "status").await;
    }
    match told {
        Ok(text) => ShardStatus::read(&text).map_or(Answer::None, Answer::Status),
        Err(NoAnswer::Unreadable) => Answer::Unreadable,
        Err(NoAnswer::Full) => Answer::Full,
        Err(_) => Answer::None,
    }
}

/// Makes the log line about a change, or about the problem that prevented it. The caller adds who
/// asked for it.
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
