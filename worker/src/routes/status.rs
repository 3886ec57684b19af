//! Answers with a sequencer's status, with a sequencer's nodes, or with the health of this isolate.

use std::fmt::Write as _;

use edgeflake_wire::{Value, parse};
use edgeflake_workers::admin::administration::Task;
use edgeflake_workers::objects::call::NoAnswer;
use edgeflake_workers::objects::client::ShardClient;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::{admin, isolate, value};
use futures_util::future::join_all;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::parameters::{PAGE, SKIPPED};

/// Answers with the status of a sequencer.
///
/// # Errors
/// A problem if no sequencer has this name, or its registry does not answer.
pub(crate) async fn answer(
    request: &AdmittedRequest<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let sequencers = request.settings.sequencers()?;
    let shown = admin::run(request.env, name, Task::Show).await?;
    Ok(answer::json(&value::json(&shown.describe(name, sequencers))?))
}

/// Answers with a page of a sequencer's nodes that were ever used. The nodes of each shard are
/// columns of numbers. Ticks are relative to the shard's current tick. In each shard, the page
/// skips the first `cursor` nodes, and covers the next `limit` nodes. `next` is the cursor of the
/// next page, if there is a next page.
///
/// # Errors
/// A problem for a parameter that cannot be used, if there is no sequencer of this name, or if a
/// shard does not answer.
pub(crate) async fn nodes(
    request: &AdmittedRequest<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let [cursor, limit, ..] = &request.parameters;
    let cursor: u64 = SKIPPED.read("cursor", cursor.as_deref())?;
    let limit: u64 = PAGE.read("limit", limit.as_deref())?;
    let client = isolate::client(request.env, name).await?;
    let sequencer = client.registered(request.env.as_ref()).await?;
    let config = &sequencer.config;
    let layout = config.layout();
    let mut json = format!(
        r#"{{"incarnation":{},"first_node":{},"node_count":{},"epoch_ms":{},"tick_ms":{},"ids_per_tick":{},"shards":["#,
        sequencer.incarnation,
        config.first_node(),
        config.node_count(),
        layout.epoch_ms(),
        layout.tick_ms(),
        layout.ids_per_tick()
    );
    let page = format!("nodes?cursor={cursor}&limit={limit}");
    // The first call to a shard decides for good in which region the shard's object runs. The
    // region depends on the number of shards, so this number must be right.
    let client = ShardClient { shards: config.shards(), ..client };
    let shards = (0..client.shards).map(|shard| client.look(request.env.as_ref(), shard, &page));
    let shards = join_all(shards).await.into_iter().collect::<Result<Vec<_>, _>>();
    let shards = shards.map_err(NoAnswer::problem)?;
    json.push_str(&shards.join(","));
    json.push(']');
    if shards.iter().any(|shard| has_more(shard)) {
        // Writing into a string cannot fail.
        let _ = write!(json, r#","next":{}"#, cursor + limit);
    }
    json.push('}');
    Ok(answer::json(&json))
}

/// Returns whether a shard has more nodes after a page.
fn has_more(shard: &str) -> bool {
    parse(shard).is_ok_and(|shard| shard.field("last").is_ok_and(|is_last: bool| !is_last))
}

/// Answers whether this isolate has a lease of `default`, or else whether the authority answers.
/// Creates and issues nothing. Does not prove that a request would get an id, because a shard that
/// answers may still grant nothing.
///
/// # Errors
/// A problem if the isolate has no lease and the authority does not answer, or if the variables are
/// invalid.
pub(crate) async fn health(request: &AdmittedRequest<'_>) -> Result<web_sys::Response, Problem> {
    let sequencers = request.settings.sequencers()?;
    isolate::check_default(request.env, sequencers.config.layout()).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}

/// Answers whether a lease of `default` can be granted now.
///
/// # Errors
/// A problem that says why no lease can be granted.
pub(crate) async fn ready(request: &AdmittedRequest<'_>) -> Result<web_sys::Response, Problem> {
    let sequencers = request.settings.sequencers()?;
    isolate::check_ready(request.env, &sequencers.config).await?;
    Ok(answer::json(r#"{"status":"ok"}"#))
}
