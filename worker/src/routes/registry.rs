//! What the directory and the registry of a sequencer say of it.

use edgeflake::lease::{Request, Sequencer};
use edgeflake_authority::admin::registry::described;
use edgeflake_authority::objects::address::REGISTRY;
use edgeflake_authority::problem::Problem;
use worker::Env;

use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::objects::directory;
use crate::objects::shard_client::ShardClient;

/// The number of shards of a sequencer that was created by name; `None` if it never was.
///
/// # Errors
/// A problem if the directory does not answer in time.
pub(crate) async fn shards(env: &Env, name: &str) -> Result<Option<u64>, Problem> {
    let shards = in_time(ANSWER_MAX_MS, directory::shards(env, name)).await;
    shards.and_then(Result::ok).ok_or_else(Problem::unreachable)
}

/// Asks the registry what the sequencer is.
///
/// # Errors
/// A problem if the registry knows none, refuses, or does not answer in time.
pub(crate) async fn registered(env: &Env, client: &ShardClient) -> Result<Sequencer, Problem> {
    let reply = client.send(env, REGISTRY, &Request::Describe);
    let reply = in_time(ANSWER_MAX_MS, reply).await.ok_or_else(Problem::unreachable)?;
    described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&client.name))
}
