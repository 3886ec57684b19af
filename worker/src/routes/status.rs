//! The status of a sequencer and of its nodes.

use edgeflake::lease::Sequencer;
use edgeflake_authority::admin::status::written;
use edgeflake_authority::admin::usage::{Answer, used};
use edgeflake_authority::problem::Problem;
use worker::{Env, web_sys};

use crate::admission::Admitted;
use crate::http::answer;
use crate::routes::registry::registered;
use crate::together::together;
use edgeflake_workers::clock::{ANSWER_MAX_MS, in_time};
use edgeflake_workers::promise::Unanswered;
use edgeflake_workers::shard_client::ShardClient;

/// Answers with the status of a sequencer.
///
/// # Errors
/// A problem if there is none of this name, or its registry does not answer.
pub(crate) async fn answer(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let client = request.client(name).await?;
    let (sequencer, answers) = status(request.env, &client).await?;
    let usage = used(&sequencer, &answers)?;
    let configured = request.settings.configured()?;
    Ok(answer::json(&written(name, &sequencer, &usage, configured)))
}

/// A sequencer, and what its shards say.
///
/// # Errors
/// A problem if there is none of this name, or its registry does not answer.
pub(crate) async fn status(
    env: &Env,
    client: &ShardClient,
) -> Result<(Sequencer, Vec<Answer>), Problem> {
    let sequencer = registered(env, client).await?;
    let answers = look(client, &sequencer, async |client, shard| {
        let answer = client.look(env, shard, "proof").await;
        if matches!(answer, Err(Unanswered::Failed)) {
            // What it can read it says all the same.
            return client.look(env, shard, "status").await;
        }
        answer
    });
    let answers = answers.await.into_iter().map(|answer| match answer {
        Some(Ok(text)) => Answer::Status(text),
        Some(Err(Unanswered::Unreadable)) => Answer::Unreadable,
        _ => Answer::None,
    });
    let answers = answers.collect();
    Ok((sequencer, answers))
}

/// Answers with all nodes of a sequencer that were ever used: per shard columns of numbers, in
/// which ticks are counted from the shard's now.
///
/// # Errors
/// A problem if there is none of this name, or a shard does not answer.
pub(crate) async fn nodes(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let client = request.client(name).await?;
    let sequencer = registered(request.env, &client).await?;
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
    let shards = look(&client, &sequencer, async |client, shard| {
        client.look(request.env, shard, "nodes").await
    });
    let shards = shards.await.into_iter().map(|shard| shard?.ok());
    let shards: Option<Vec<_>> = shards.collect();
    json.push_str(&shards.ok_or_else(Problem::unreachable)?.join(","));
    json.push_str("]}");
    Ok(answer::json(&json))
}

/// What each shard says of itself. All are asked at once; `None` stands for a shard that does not
/// answer in time.
async fn look(
    client: &ShardClient,
    sequencer: &Sequencer,
    ask: impl AsyncFn(&ShardClient, u64) -> Result<String, Unanswered>,
) -> Vec<Option<Result<String, Unanswered>>> {
    // An object stays where it is first asked for, so the number of shards must be right.
    let shards = sequencer.config.shards();
    let client = ShardClient { shards, ..client.clone() };
    let answers = (0..shards).map(async |shard| in_time(ANSWER_MAX_MS, ask(&client, shard)).await);
    together(answers).await
}
