//! Leases and batches for holders anywhere: the same messages as within the Worker, over HTTP.

use edgeflake::{Reply, Request};
use serde::Deserialize;
use worker::web_sys;

use crate::access::Role;
use crate::incoming::Incoming;
use crate::lifecycle::known;
use crate::problem::Problem;
use crate::wire::{self, AcquireV1, PrefetchV1, ReleaseV1, RenewV1};
use crate::{answer, objects};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Acquire,
    Renew,
    Release,
    Prefetch,
}

/// Which shard a lease is of, as its grant said.
#[derive(Deserialize)]
struct OfShard {
    #[serde(default)]
    shard: u64,
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
    let body = incoming.body().await?;
    let sequencer = known(incoming, name).await?;
    let request = match operation {
        Operation::Acquire => Request::Acquire(incoming.read::<AcquireV1>(&body)?.into()),
        Operation::Renew => Request::Renew(incoming.read::<RenewV1>(&body)?.into()),
        Operation::Release => Request::Release(incoming.read::<ReleaseV1>(&body)?.into()),
        Operation::Prefetch => Request::Prefetch(incoming.read::<PrefetchV1>(&body)?.into()),
    };
    let shard = match operation {
        Operation::Acquire | Operation::Prefetch => None,
        Operation::Renew | Operation::Release => {
            Some(checked(incoming.read::<OfShard>(&body)?.shard, &sequencer)?)
        }
    };
    match sequencer.ask(incoming.env, shard, request).await {
        Ok(Reply::Refused { refusal, incarnation }) => Err(Problem::refused(refusal, incarnation)),
        Ok(reply) => {
            let json = wire::write_reply(&reply).map_err(|error| Problem::own(&error))?;
            Ok(answer::json(&json))
        }
        Err(_) => Err(Problem::unreachable()),
    }
}

/// A shard that the sequencer has, so that no other object is started.
fn checked(shard: u64, sequencer: &objects::Sequencer) -> Result<u64, Problem> {
    if shard < sequencer.shards {
        return Ok(shard);
    }
    Err(Problem::body(format!(
        "shard is {shard}: less than {} is allowed, as the grant said",
        sequencer.shards
    )))
}
