//! Leases and batches for holders anywhere: the same messages as within the Worker, over HTTP.

use edgeflake::{Prefetch, Reply, Request, Sequencer, Terms};
use edgeflake_wire::{Object, read_acquire, read_prefetch, read_release, read_renew, write_reply};
use wasm_bindgen::JsValue;
use worker::{Env, web_sys};

use crate::access::Role;
use crate::address::REGISTRY;
use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::incoming::Incoming;
use crate::lifecycle::{described, known};
use crate::problem::Problem;
use crate::{answer, isolate, objects};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Acquire,
    Renew,
    Release,
    Prefetch,
}

/// Answers a holder.
///
/// # Errors
/// A problem for a body that cannot be read, and for what the authority refuses.
pub(crate) async fn answer(
    incoming: &Incoming<'_>,
    name: &str,
    operation: Operation,
) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Lease)?;
    let body = incoming.body().await?.unwrap_or_default();
    let answered = in_time(ANSWER_MAX_MS, ask(incoming, name, operation, &body)).await;
    match answered.unwrap_or_else(|| Err(Problem::unreachable()))? {
        Reply::Refused { refusal, incarnation } => Err(Problem::refused(refusal, incarnation)),
        reply => Ok(answer::json(&write_reply(&reply))),
    }
}

async fn ask(
    incoming: &Incoming<'_>,
    name: &str,
    operation: Operation,
    body: &JsValue,
) -> Result<Reply, Problem> {
    let mut sequencer = known(incoming, name).await?;
    let request = match operation {
        Operation::Acquire => read_acquire(body).map(Request::Acquire),
        Operation::Renew => read_renew(body).map(Request::Renew),
        Operation::Release => read_release(body).map(Request::Release),
        Operation::Prefetch => read_prefetch(body).map(Request::Prefetch),
    };
    let request = request.map_err(Problem::unreadable)?;
    if let Request::Prefetch(Prefetch { count: Some(count), .. }) = request
        && !(1..=Terms::PREFETCH_COUNT_MAX).contains(&count)
    {
        let most = Terms::PREFETCH_COUNT_MAX;
        return Err(Problem::body(format!("count is {count}: 1 to {most} are allowed")));
    }
    let shard = match operation {
        Operation::Acquire | Operation::Prefetch => None,
        // As the grant said.
        Operation::Renew | Operation::Release => {
            let shard = Object(body).number_or_none("shard").map_err(Problem::unreadable)?;
            if shard.is_none() && sequencer.shards > 1 {
                return Err(Problem::body("shard is not there: as the grant said".to_owned()));
            }
            Some(checked(shard.unwrap_or(0), &mut sequencer, incoming.env).await?)
        }
    };
    let tries = Object(body).number_or_none("tries").map_err(Problem::unreadable)?;
    let reply = sequencer.ask(incoming.env, shard, request, tries.unwrap_or(0)).await;
    isolate::note_reply(name, &reply);
    reply.map_err(|_| Problem::unreachable())
}

/// A shard that the sequencer has, so that no other object is started.
async fn checked(
    shard: u64,
    sequencer: &mut objects::Sequencer,
    env: &Env,
) -> Result<u64, Problem> {
    if shard >= sequencer.shards {
        // The variables may say fewer than are bound, and it may have been created again.
        let reply = sequencer.send(env, REGISTRY, &Request::Describe).await;
        if let Some(Sequencer { identity, .. }) = described(&reply)? {
            sequencer.shards = identity.shards();
        }
        isolate::note_reply(&sequencer.name, &reply);
    }
    if shard < sequencer.shards {
        return Ok(shard);
    }
    Err(Problem::body(format!(
        "shard is {shard}: less than {} is allowed, as the grant said",
        sequencer.shards
    )))
}
