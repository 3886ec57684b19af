//! What there is to know of a sequencer.

use edgeflake::{Instant, Life, Request, Sequencer, Status};
use edgeflake_wire::{Object, Unreadable, parse};
use serde::Serialize;
use worker::web_sys;

use crate::access::Role;
use crate::address::REGISTRY;
use crate::clock::{ANSWER_MAX_MS, in_time, now_ms};
use crate::incoming::Incoming;
use crate::lifecycle::{described, known};
use crate::problem::Problem;
use crate::together::together;
use crate::{answer, objects, sequencer};

/// The share of a layout's life from which on its end is warned of.
const LIFE_USED_WARNING: f64 = 0.9;

/// A sequencer, as answers tell it. All numbers are below 2^53.
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
        let identity = &sequencer.identity;
        let layout = identity.layout();
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
            first_node: identity.first_node(),
            node_count: identity.node_count(),
            shards: identity.shards(),
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
    incoming: &Incoming<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Issue)?;
    let objects = known(incoming, name).await?;
    let (sequencer, status) = status(incoming, &objects).await?;
    let statistics = incoming.settings.sequencer()?.1.terms.statistics;
    let described = Described::new(name, &sequencer);
    let mut described = match &status {
        Ok(status) => described.with_status(status, statistics),
        Err(unreachable) => described.with_unreachable(unreachable),
    };
    if name == sequencer::DEFAULT
        && let Some(difference) = sequencer.identity.difference(&incoming.settings.sequencer()?.0)
    {
        described
            .warnings
            .push(format!("the variables differ from what it is bound to: {difference}"));
    }
    Ok(answer::json(&described.json()))
}

/// How much of all shards of a sequencer is in use, or which of them do not answer.
pub(crate) type Shards = Result<Status, Vec<u64>>;

/// A sequencer, and what its shards say.
///
/// # Errors
/// A problem if there is none of this name, or its registry does not answer.
pub(crate) async fn status(
    incoming: &Incoming<'_>,
    objects: &objects::Sequencer,
) -> Result<(Sequencer, Shards), Problem> {
    let sequencer = registered(incoming, objects).await?;
    let (mut total, mut unreachable) = (Status::default(), Vec::new());
    let answers = look(incoming, objects, &sequencer, "status").await;
    for (shard, answer) in (0..).zip(answers) {
        let Some(text) = answer else {
            unreachable.push(shard);
            continue;
        };
        let status = read(&text, sequencer.incarnation).map_err(|error| Problem::own(&error))?;
        // A shard that nobody has asked yet has all its nodes.
        let nodes = sequencer.identity.shard_nodes(shard);
        let unused = Status { nodes: nodes.end - nodes.start - 1, ..Status::default() };
        total = total.with(&status.unwrap_or(unused));
    }
    Ok((sequencer, if unreachable.is_empty() { Ok(total) } else { Err(unreachable) }))
}

/// Answers with all nodes of a sequencer that were ever used, by shard: columns of numbers, of which
/// the ticks are counted from the shard's now.
///
/// # Errors
/// A problem if there is none of this name, or a shard does not answer.
pub(crate) async fn nodes(
    incoming: &Incoming<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Issue)?;
    let objects = known(incoming, name).await?;
    let sequencer = registered(incoming, &objects).await?;
    let identity = &sequencer.identity;
    let layout = identity.layout();
    let mut json = format!(
        r#"{{"incarnation":{},"first_node":{},"node_count":{},"epoch_ms":{},"tick_ms":{},"ids_per_tick":{},"shards":["#,
        sequencer.incarnation,
        identity.first_node(),
        identity.node_count(),
        layout.epoch_ms(),
        layout.tick_ms(),
        layout.ids_per_tick()
    );
    let shards = look(incoming, &objects, &sequencer, "nodes").await;
    let shards: Option<Vec<_>> = shards.into_iter().collect();
    json.push_str(&shards.ok_or_else(Problem::unreachable)?.join(","));
    json.push_str("]}");
    Ok(answer::json(&json))
}

/// What a shard says of itself; `None` if it has not heard of this incarnation.
fn read(text: &str, incarnation: u64) -> Result<Option<Status>, Unreadable> {
    let message = parse(text)?;
    let message = Object(&message);
    // Before a deploy is over, one with the code before it may answer.
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

async fn registered(
    incoming: &Incoming<'_>,
    objects: &objects::Sequencer,
) -> Result<Sequencer, Problem> {
    let reply = objects.send(incoming.env, REGISTRY, &Request::Describe);
    let reply = in_time(ANSWER_MAX_MS, reply).await.ok_or_else(Problem::unreachable)?;
    described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&objects.name))
}

/// What each shard says of itself, all asked at once; `None` of one that does not answer in time.
async fn look(
    incoming: &Incoming<'_>,
    objects: &objects::Sequencer,
    sequencer: &Sequencer,
    what: &str,
) -> Vec<Option<String>> {
    // An object stays where it is first asked for, so this must be right.
    let shards = sequencer.identity.shards();
    let objects = objects::Sequencer { shards, ..objects.clone() };
    let answers = (0..shards).map(async |shard| {
        let answer = objects.look(incoming.env, shard, what);
        in_time(ANSWER_MAX_MS, answer).await?.ok()
    });
    together(answers).await
}
