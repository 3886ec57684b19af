//! The status of a sequencer and of its nodes.

use edgeflake::Instant;
use edgeflake::lease::{Life, Sequencer, Status};
use edgeflake_wire::{Object, Unreadable, parse};
use serde::Serialize;
use worker::{Env, web_sys};

use crate::admission::Admitted;
use crate::clock::{ANSWER_MAX_MS, in_time, now_ms};
use crate::http::answer;
use crate::http::problem::Problem;
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::objects::shard_client::ShardClient;
use crate::routes::registry::registered;
use crate::together::together;

/// From this share of a layout's life on, a warning tells of its end.
const LIFE_USED_WARNING: f64 = 0.9;

/// A sequencer as answers describe it. All numbers are below 2^53.
#[derive(Serialize)]
pub(crate) struct Described<'a> {
    name: &'a str,
    state: &'static str,
    incarnation: u64,
    layout: String,
    first_node: u64,
    node_count: u64,
    shards: u64,
    ids_per_second_and_node: u64,
    /// When the layout runs out.
    ends: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recreatable_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Nodes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<u64>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Nodes {
    total: u64,
    held: u64,
    free: u64,
    used: u64,
}

impl<'a> Described<'a> {
    pub(crate) fn new(name: &'a str, sequencer: &Sequencer) -> Self {
        let config = &sequencer.config;
        let layout = config.layout();
        let until = |tick| Some(Instant(layout.start_ms(tick)).to_string());
        let (state, recreatable_from) = match sequencer.life {
            Life::Active => ("active", None),
            Life::Destroying { .. } => ("destroying", None),
            Life::Destroyed { until_tick } => ("destroyed", until(until_tick)),
        };
        let mut warnings = Vec::new();
        let used = layout.life_used(now_ms());
        if used > LIFE_USED_WARNING {
            warnings.push(format!(
                "the layout ends at {}: another layout needs another name",
                Instant(layout.end_ms())
            ));
        }
        Self {
            name,
            state,
            incarnation: sequencer.incarnation,
            layout: layout.to_string(),
            first_node: config.first_node(),
            node_count: config.node_count(),
            shards: config.shards(),
            ids_per_second_and_node: layout.ids_per_tick().saturating_mul(1_000) / layout.tick_ms(),
            ends: Instant(layout.end_ms()).to_string(),
            recreatable_from,
            nodes: None,
            issued: None,
            warnings,
        }
    }

    fn with_status(self, status: &Status, statistics: bool) -> Self {
        let &Status { nodes: total, used, held, issued } = status;
        let nodes = Nodes { total, held, free: status.free(), used };
        Self { nodes: Some(nodes), issued: statistics.then_some(issued), ..self }
    }

    fn with_unreachable(mut self, shards: &[u64]) -> Self {
        let shards: Vec<_> = shards.iter().map(u64::to_string).collect();
        self.warnings.push(format!(
            "shards that do not answer, so that nodes and ids are not counted: {}",
            shards.join(", ")
        ));
        self
    }

    pub(crate) fn json(&self) -> String {
        // Strings and numbers always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Answers with the status of a sequencer.
///
/// # Errors
/// A problem if there is none of this name, or its registry does not answer.
pub(crate) async fn answer(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let client = request.client(name).await?;
    let (sequencer, status) = status(request, &client).await?;
    let configured = request.settings.configured()?;
    let statistics = configured.settings.terms.statistics;
    let described = Described::new(name, &sequencer);
    let mut described = match &status {
        Ok(status) => described.with_status(status, statistics),
        Err(unreachable) => described.with_unreachable(unreachable),
    };
    if name == DEFAULT_SEQUENCER
        && let Some(difference) = sequencer.config.difference(&configured.config)
    {
        described
            .warnings
            .push(format!("the variables differ from what it is bound to: {difference}"));
    }
    Ok(answer::json(&described.json()))
}

/// How much of a sequencer's nodes is in use, or which of its shards do not answer.
pub(crate) type Usage = Result<Status, Vec<u64>>;

/// A sequencer, and what its shards say.
///
/// # Errors
/// A problem if there is none of this name, or its registry does not answer.
pub(crate) async fn status(
    request: &Admitted<'_>,
    client: &ShardClient,
) -> Result<(Sequencer, Usage), Problem> {
    let sequencer = registered(request.env, client).await?;
    let (mut total, mut unreachable) = (Status::default(), Vec::new());
    let answers = look(request.env, client, &sequencer, "status").await;
    for (shard, answer) in (0..).zip(answers) {
        let Some(text) = answer else {
            unreachable.push(shard);
            continue;
        };
        let status = read(&text, sequencer.incarnation).map_err(|error| Problem::own(&error))?;
        // A shard that was never asked has used no node.
        let nodes = sequencer.config.shard_nodes(shard);
        let unused = Status { nodes: nodes.end - nodes.start - 1, ..Status::default() };
        total = total.with(&status.unwrap_or(unused));
    }
    Ok((sequencer, if unreachable.is_empty() { Ok(total) } else { Err(unreachable) }))
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
    let shards = look(request.env, &client, &sequencer, "nodes").await;
    let shards: Option<Vec<_>> = shards.into_iter().collect();
    json.push_str(&shards.ok_or_else(Problem::unreachable)?.join(","));
    json.push_str("]}");
    Ok(answer::json(&json))
}

/// What a shard says of itself; `None` if it has not heard of this incarnation.
fn read(text: &str, incarnation: u64) -> Result<Option<Status>, Unreadable> {
    let message = parse(text)?;
    let message = Object(&message);
    // During a deploy an object may answer that runs the code before it.
    if message.number_or_none("incarnation")?.is_some_and(|found| found != incarnation) {
        return Ok(None);
    }
    Ok(Some(Status {
        nodes: message.number("nodes")?,
        used: message.number("used")?,
        held: message.number("held")?,
        issued: message.number("issued")?,
    }))
}

/// What each shard says of itself. All are asked at once; `None` stands for a shard that does not
/// answer in time.
async fn look(
    env: &Env,
    client: &ShardClient,
    sequencer: &Sequencer,
    what: &str,
) -> Vec<Option<String>> {
    // An object stays where it is first asked for, so the number of shards must be right.
    let shards = sequencer.config.shards();
    let client = ShardClient { shards, ..client.clone() };
    let answers = (0..shards).map(async |shard| {
        let answer = client.look(env, shard, what);
        in_time(ANSWER_MAX_MS, answer).await?.ok()
    });
    together(answers).await
}
