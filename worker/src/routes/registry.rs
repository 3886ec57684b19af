//! What the registry says about its sequencer.

use edgeflake::lease::{Request, Sequencer};
use edgeflake_authority::admin::administration::described;
use edgeflake_authority::objects::address::REGISTRY;
use edgeflake_authority::objects::shard_client::ShardClient;
use edgeflake_authority::problem::Problem;
use worker::Env;

/// Asks the registry what the sequencer is.
///
/// # Errors
/// A problem if the registry knows no such sequencer, refuses, or does not answer in time.
pub(crate) async fn registered(env: &Env, client: &ShardClient) -> Result<Sequencer, Problem> {
    let reply = client.send(env.as_ref(), REGISTRY, &Request::Describe).await;
    described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&client.name))
}
