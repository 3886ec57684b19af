//! Describes a sequencer in the answer to a task. If the task was to show the sequencer, the answer
//! also has the sequencer's usage and the shards in trouble.

use edgeflake::Instant;
use edgeflake::lease::{Error, Refusal, Sequencer, Status};
use edgeflake_wire::DEFAULT_SEQUENCER;
use edgeflake_wire::database::layout_warnings;
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::objects::call::NoAnswer;
use crate::objects::client::{ShardClient, ShardStatus};
use crate::platform::now_ms;
use crate::problem::Problem;
use crate::settings::SequencerSettings;

/// A sequencer after a task.
#[derive(Debug)]
pub struct Outcome {
    /// The sequencer.
    pub sequencer: Sequencer,
    /// Whether the sequencer existed before a task to create it.
    pub existed: bool,
    /// The usage of the sequencer, if the task was to show the sequencer.
    pub usage: Option<Usage>,
}

/// The time, in ms, after which a caller may look for a free node again, if no node was free.
const NODES_LOOKED_MS: u64 = 10_000;

/// The answer of a shard to a request for its status.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The shard has this status.
    Status(ShardStatus),
    /// The shard cannot read its storage.
    Unreadable,
    /// The shard's storage is empty, and the shard cannot write to it.
    Unwritable,
    /// The shard does not answer.
    None,
}

/// Asks a shard for its status, together with a proof that the shard can write. If the shard cannot
/// write, asks for the status without the proof.
pub async fn look(env: &JsValue, client: &ShardClient, shard: u64) -> Answer {
    let mut told = client.look(env, shard, "proof").await;
    if matches!(told, Err(NoAnswer::Failed | NoAnswer::Unwritable)) {
        told = client.look(env, shard, "status").await;
    }
    match told {
        Ok(text) => ShardStatus::read(&text).map_or(Answer::None, Answer::Status),
        Err(NoAnswer::Unreadable) => Answer::Unreadable,
        Err(NoAnswer::Unwritable) => Answer::Unwritable,
        Err(_) => Answer::None,
    }
}

/// The answers of a sequencer's shards to requests for their status.
#[derive(Clone, Debug)]
pub struct Usage {
    /// The answers, in the order of the shards.
    pub answers: Vec<Answer>,
}

impl Usage {
    /// Returns the sum of the counts of all shards; `None` if a shard does not answer with its
    /// counts.
    #[must_use]
    pub fn status(&self, sequencer: &Sequencer) -> Option<Status> {
        let mut total = Some(Status::default());
        for (shard, answer) in (0..).zip(&self.answers) {
            let of_shard = match answer {
                Answer::Status(told) if told.incarnation == sequencer.incarnation => {
                    Some(told.usage())
                }
                // A shard that does not know this incarnation yet has used none of this
                // incarnation's nodes.
                Answer::Status(_) => {
                    let nodes = sequencer.config.shard_nodes(shard);
                    Some(Status { nodes: nodes.end - nodes.start - 1, ..Status::default() })
                }
                Answer::Unreadable | Answer::Unwritable | Answer::None => None,
            };
            total = total.zip(of_shard).map(|(total, of_shard)| total.with(&of_shard));
        }
        total
    }

    /// Returns the shards that do not answer.
    #[must_use]
    pub fn unreachable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::None))
    }

    /// Returns the shards that cannot read what they have stored.
    #[must_use]
    pub fn unreadable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::Unreadable))
    }

    /// Returns the shards that answer but cannot write.
    #[must_use]
    pub fn unwritable(&self) -> Vec<u64> {
        self.shards(|answer| match answer {
            Answer::Status(told) => !told.proved,
            Answer::Unwritable => true,
            Answer::Unreadable | Answer::None => false,
        })
    }

    fn shards(&self, is: impl Fn(&Answer) -> bool) -> Vec<u64> {
        (0..).zip(&self.answers).filter(|(_, answer)| is(answer)).map(|(shard, _)| shard).collect()
    }

    /// Returns the statuses of the shards that answer, each with the shard's number.
    pub fn statuses(&self) -> impl Iterator<Item = (u64, &ShardStatus)> {
        (0..).zip(&self.answers).filter_map(|(shard, answer)| match answer {
            Answer::Status(told) => Some((shard, told)),
            Answer::Unreadable | Answer::Unwritable | Answer::None => None,
        })
    }

    /// Checks whether at least one shard can grant a lease now.
    ///
    /// # Errors
    /// A problem that says why no shard can grant a lease.
    pub fn check_ready(&self) -> Result<(), Problem> {
        let is_active = |told: &&ShardStatus| told.active;
        let told = || self.statuses().map(|(_, told)| told);
        let can_write = || told().filter(is_active).filter(|told| told.proved);
        // A shard without an incarnation has not granted anything yet, so all its nodes are free.
        if can_write().any(|told| told.incarnation == 0 || told.usage().free() > 0) {
            return Ok(());
        }
        let refusal = if can_write().next().is_some() {
            Refusal::NoNodeFree { retry_in_ms: NODES_LOOKED_MS }
        } else if told().any(|told| !told.active) {
            Refusal::SequencerDestroyed
        } else if !self.unreadable().is_empty() {
            Refusal::Unreadable
        } else {
            return Err(Problem::unreachable());
        };
        Err(Problem::issuing(&Error::Refused(refusal), refusal.retry_in_ms()))
    }
}

/// The description of a sequencer in an answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Sequencer"))]
pub struct Description {
    name: String,
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["active", "destroying", "destroyed"])))]
    state: &'static str,
    /// A number that goes up each time that the sequencer is created.
    incarnation: u64,
    /// The layout string.
    layout: String,
    first_node: u64,
    node_count: u64,
    shards: u64,
    ids_per_second_and_node: u64,
    /// The time at which the layout has no more timestamps, as an RFC 3339 date.
    ends: String,
    /// The time from which on a destroyed sequencer can be created again, as an RFC 3339 date.
    #[serde(skip_serializing_if = "Option::is_none")]
    recreatable_from: Option<String>,
    /// The counts of nodes in all shards. Only the answer to a request for the status has these
    /// counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Nodes>,
    /// The number of issued ids that holders have reported. Only the answer to a request for the
    /// status has this number, and only if statistics are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<u64>,
    /// The number of times that a shard's storage was rolled back, as the shards' witnesses have
    /// seen. Only the answer to a request for the status has this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    rollbacks: Option<u64>,
    /// Warnings, for example that the layout ends soon, that new ids may be equal to old ids, that
    /// some shards do not answer, so that nodes and ids are not counted, or that the variables
    /// differ from the configuration to which the sequencer is bound.
    warnings: Vec<String>,
}

/// The counts of a sequencer's nodes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Nodes {
    total: u64,
    held: u64,
    free: u64,
    used: u64,
}

impl Outcome {
    /// Describes the sequencer, whose name is `name`.
    #[must_use]
    pub fn describe(&self, name: &str, sequencers: &SequencerSettings) -> Description {
        let Self { sequencer, usage, .. } = self;
        let config = &sequencer.config;
        let layout = config.layout();
        let mut warnings = layout_warnings(layout, now_ms());
        let status = usage.as_ref().and_then(|usage| usage.status(sequencer));
        let counts = sequencers.settings_of(name).terms.statistics;
        let mut rollbacks = None;
        if let Some(usage) = usage {
            rollbacks = usage.warn(&mut warnings);
            if name == DEFAULT_SEQUENCER
                && let Some(difference) = config.difference(&sequencers.config)
            {
                let differ = "the sequencer keeps its configuration although the variables differ";
                warnings.push(format!("{differ}: {difference}"));
            }
        }
        Description {
            name: name.to_owned(),
            state: sequencer.state(),
            incarnation: sequencer.incarnation,
            layout: layout.to_string(),
            first_node: config.first_node(),
            node_count: config.node_count(),
            shards: config.shards(),
            ids_per_second_and_node: layout.ids_per_second(),
            ends: Instant(layout.end_ms()).to_string(),
            recreatable_from: sequencer.recreatable_ms(now_ms()).map(|ms| Instant(ms).to_string()),
            nodes: status.map(|status| Nodes {
                total: status.nodes,
                held: status.held,
                free: status.free(),
                used: status.used,
            }),
            issued: status.filter(|_| counts).map(|status| status.issued),
            rollbacks,
            warnings,
        }
    }
}

impl Usage {
    /// Adds a warning for each kind of trouble that shards have. Returns the number of times that
    /// shards were rolled back; `None` if no shard has a witness.
    fn warn(&self, warnings: &mut Vec<String>) -> Option<u64> {
        let rollbacks = self.statuses().filter_map(|(shard, told)| Some((shard, told.rollbacks?)));
        let rollbacks: Vec<_> = rollbacks.collect();
        let rolled_back = rollbacks.iter().filter(|(_, count)| *count > 0);
        for (which, shards) in [
            (
                "were rolled back, so that their nodes started later, as their logs say",
                rolled_back.map(|(shard, _)| *shard).collect(),
            ),
            ("do not answer, so that nodes and ids are not counted", self.unreachable()),
            ("cannot read what they have stored, as their logs say", self.unreadable()),
            ("cannot write, as their logs say", self.unwritable()),
        ] {
            if !shards.is_empty() {
                let shards: Vec<_> = shards.iter().map(u64::to_string).collect();
                warnings.push(format!("shards that {which}: {}", shards.join(", ")));
            }
        }
        (!rollbacks.is_empty()).then(|| rollbacks.iter().map(|(_, count)| count).sum())
    }
}
