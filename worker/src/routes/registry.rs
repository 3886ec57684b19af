//! What the registry of a sequencer says of it.

use edgeflake::lease::{CallFailed, Reply, Request, Sequencer};
use worker::Env;

use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::http::problem::Problem;
use crate::objects::address::REGISTRY;
use crate::objects::shard_client::ShardClient;

/// Asks the registry what the sequencer is.
///
/// # Errors
/// A problem if the registry knows none, refuses, or does not answer in time.
pub(crate) async fn registered(env: &Env, client: &ShardClient) -> Result<Sequencer, Problem> {
    let reply = client.send(env, REGISTRY, &Request::Describe);
    let reply = in_time(ANSWER_MAX_MS, reply).await.ok_or_else(Problem::unreachable)?;
    described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&client.name))
}

/// The sequencer that a reply of the registry describes; `None` if the registry knows none.
///
/// # Errors
/// A problem if the registry refuses or does not answer.
pub(crate) fn described(reply: &Result<Reply, CallFailed>) -> Result<Option<Sequencer>, Problem> {
    match reply {
        Ok(Reply::Described(sequencer)) => Ok(*sequencer),
        Ok(Reply::Refused { refusal, incarnation }) => {
            Err(Problem::refused(*refusal, *incarnation))
        }
        Ok(_) | Err(_) => Err(Problem::unreachable()),
    }
}
