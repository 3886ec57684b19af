//! Answers holders that run outside of this Worker. Over HTTP, these holders use the same messages
//! as the Worker's own holders.

use edgeflake::lease::{Prefetch, Refusal, Reply, Request, Sequencer, Terms};
use edgeflake_wire::{Value, read, write};
use edgeflake_workers::isolate;
use edgeflake_workers::objects::call::NoAnswer;
use edgeflake_workers::objects::client::ShardClient;
use edgeflake_workers::platform::{ANSWER_MAX_MS, in_time};
use edgeflake_workers::problem::{Problem, described};
use wasm_bindgen::JsValue;
use worker::{Env, web_sys};

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::route::Operation;

/// Answers a holder.
///
/// # Errors
/// A problem for a body that cannot be read, and for a refusal of the authority.
pub(crate) async fn answer(
    request: &AdmittedRequest<'_>,
    name: &str,
    operation: Operation,
) -> Result<web_sys::Response, Problem> {
    let body = request.body().await?.unwrap_or_default();
    if operation == Operation::Prefetch {
        // A request costs at least one unit of the rate limit. `reply` refuses an invalid count.
        let count = body.optional("count").ok().flatten().unwrap_or(1);
        request.spend_ids(count.clamp(1, Terms::PREFETCH_COUNT_MAX)).await?;
    }
    let client = isolate::client(request.env, name);
    match reply(request.env, client, operation, &body).await? {
        Reply::Refused { refusal, incarnation } => Err(Problem::refused(refusal, incarnation)),
        reply => Ok(answer::json(&write(&reply))),
    }
}

/// Passes the body of a holder's request to the authority, and returns the reply.
///
/// # Errors
/// A problem for a body that cannot be read, and for objects that do not answer in time.
pub(crate) async fn reply(
    env: &Env,
    client: impl Future<Output = Result<ShardClient, Problem>>,
    operation: Operation,
    body: &JsValue,
) -> Result<Reply, Problem> {
    let asked = async { ask(env, client.await?, operation, body).await };
    in_time(ANSWER_MAX_MS, asked).await.unwrap_or_else(|| Err(Problem::unreachable()))
}

async fn ask(
    env: &Env,
    mut client: ShardClient,
    operation: Operation,
    body: &JsValue,
) -> Result<Reply, Problem> {
    let message = match operation {
        Operation::Acquire => read(body).map(Request::Acquire),
        Operation::Renew => read(body).map(Request::Renew),
        Operation::Release => read(body).map(Request::Release),
        Operation::Prefetch => read(body).map(Request::Prefetch),
    };
    let unreadable = |error| Problem::unreadable("the body", body, error);
    let message = message.map_err(unreadable)?;
    if let Request::Prefetch(Prefetch { count: Some(count), .. }) = message
        && !(1..=Terms::PREFETCH_COUNT_MAX).contains(&count)
    {
        let most = Terms::PREFETCH_COUNT_MAX;
        return Err(Problem::body(format!("count is {count}: give 1 to {most}")));
    }
    let shard = match operation {
        Operation::Acquire | Operation::Prefetch => None,
        // Only the shard that the grant named can renew or release the lease.
        Operation::Renew | Operation::Release => {
            let shard = body.optional("shard").map_err(unreadable)?;
            if shard.is_none() && client.shards > 1 {
                let detail = "in the body, shard is missing: give the shard that the grant named";
                return Err(Problem::body(detail.to_owned()));
            }
            Some(checked(shard.unwrap_or(0), &mut client, env).await?)
        }
    };
    let tries = body.optional("tries").map_err(unreadable)?;
    let reply = client.ask(env.as_ref(), shard, message, tries.unwrap_or(0)).await;
    isolate::note_reply(&client.name, &reply);
    match reply {
        Ok(Reply::Refused { refusal: Refusal::InvalidConfiguration, .. }) => {
            Err(NoAnswer::Misconfigured.problem())
        }
        Ok(reply) => Ok(reply),
        Err(_) => Err(Problem::unreachable()),
    }
}

/// Returns `shard` if the sequencer has a shard with this number. A call to a shard that does not
/// exist would create an object.
async fn checked(shard: u64, client: &mut ShardClient, env: &Env) -> Result<u64, Problem> {
    if shard >= client.shards {
        // This isolate may know too small a number of shards: the variables may have fewer shards
        // than the bound configuration, or the sequencer may have been created again.
        let reply = client.send(env.as_ref(), Sequencer::REGISTRY, &Request::Describe).await;
        if let Some(Sequencer { config, .. }) = described(&reply)? {
            client.shards = config.shards();
        }
        isolate::note_reply(&client.name, &reply);
    }
    if shard < client.shards {
        return Ok(shard);
    }
    Err(Problem::body(format!(
        "in the body, shard is {shard}: give the shard that the grant named, at most {}",
        client.shards - 1
    )))
}
