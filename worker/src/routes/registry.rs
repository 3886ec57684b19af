//! What the registry says about its sequencer.

use edgeflake::lease::{Request, Sequencer};
use edgeflake_authority::admin::registry::described;
use edgeflake_authority::objects::address::REGISTRY;
use edgeflake_authority::problem::Problem;
use worker::Env;

use edgeflake_workers::clock::{ANSWER_MAX_MS, in_time};
use edgeflake_workers::shard_client::ShardClient;

/// Asks the registry what the sequencer is.
///
/// # Errors
/// A problem if the registry knows no such sequencer, refuses, or does not answer in time.
pub(crate) async fn registered(env: &Env, client: &ShardClient) -> Result<Sequencer, Problem> {
    let reply = client.send(env, REGISTRY, &Request::Describe);
    let reply = in_time(ANSWER_MAX_MS, reply).await.ok_or_else(Problem::unreachable)?;
    described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&client.name))
}
