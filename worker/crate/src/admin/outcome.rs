//! A sequencer after its administration: how much of it is in use, which of its shards are in
//! trouble, and how answers describe it.

use edgeflake::Instant;
use edgeflake::lease::{Life, Sequencer, Status};
use edgeflake_wire::Json;

use crate::objects::address::DEFAULT_SEQUENCER;
use crate::objects::client::ShardStatus;
use crate::platform::now_ms;
use crate::settings::Configured;

/// The sequencer after its administration.
#[derive(Debug)]
pub struct Outcome {
    /// The sequencer.
    pub sequencer: Sequencer,
    /// Whether it existed before it was to be created.
    pub existed: bool,
    /// How much of it is in use, if it was to be shown.
    pub usage: Option<Usage>,
}

/// How a shard answered when it was asked for its status.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It says this about itself.
    Status(ShardStatus),
    /// It cannot read what it has stored.
    Unreadable,
    /// It does not answer.
    None,
}

/// What the shards of a sequencer say about themselves.
#[derive(Clone, Debug)]
pub struct Usage {
    /// The answers, in the order of the shards.
    pub answers: Vec<Answer>,
    /// How many of the sequencer's nodes are in use; `None` if a shard does not say it.
    pub status: Option<Status>,
}

impl Usage {
    /// Sums up what the shards of a sequencer say about themselves.
    #[must_use]
    pub fn new(sequencer: &Sequencer, answers: Vec<Answer>) -> Self {
        let mut total = Some(Status::default());
        for (shard, answer) in (0..).zip(&answers) {
            let of_shard = match answer {
                Answer::Status(told) if told.incarnation == sequencer.incarnation => {
                    Some(told.status)
                }
                // A shard that was never asked has used no node.
                Answer::Status(_) => {
                    let nodes = sequencer.config.shard_nodes(shard);
                    Some(Status { nodes: nodes.end - nodes.start - 1, ..Status::default() })
                }
                Answer::Unreadable | Answer::None => None,
            };
            total = total.zip(of_shard).map(|(total, of_shard)| total.with(&of_shard));
        }
        Self { answers, status: total }
    }

    /// The shards that do not answer.
    #[must_use]
    pub fn unreachable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::None))
    }

    /// The shards that cannot read what they have stored.
    #[must_use]
    pub fn unreadable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::Unreadable))
    }

    /// The shards that answer but cannot write.
    #[must_use]
    pub fn unwritable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::Status(told) if !told.is_proved))
    }

    fn shards(&self, is: impl Fn(&Answer) -> bool) -> Vec<u64> {
        (0..).zip(&self.answers).filter(|(_, answer)| is(answer)).map(|(shard, _)| shard).collect()
    }

    /// What the shards that answer say about themselves, each with its number.
    pub fn statuses(&self) -> impl Iterator<Item = (u64, &ShardStatus)> {
        (0..).zip(&self.answers).filter_map(|(shard, answer)| match answer {
            Answer::Status(told) => Some((shard, told)),
            Answer::Unreadable | Answer::None => None,
        })
    }

    /// Each shard that has a witness, with how often its storage was rolled back.
    pub fn rollbacks(&self) -> impl Iterator<Item = (u64, u64)> {
        self.statuses().filter_map(|(shard, told)| Some((shard, told.rollbacks?)))
    }
}

/// When this share of the layout's time has passed, the status warns of its end.
const LIFE_USED_WARNING: f64 = 0.9;

impl Outcome {
    /// The sequencer as JSON. All numbers are below 2^53, and no text has a character that JSON
    /// escapes.
    #[must_use]
    pub fn json(&self, name: &str, configured: &Configured) -> String {
        let Self { sequencer, usage, .. } = self;
        let config = &sequencer.config;
        let layout = config.layout();
        let ends = Instant(layout.end_ms());
        let (state, recreatable_from) = match sequencer.life {
            Life::Active => ("active", None),
            Life::Destroying { .. } => ("destroying", None),
            // If nothing was granted, the sequencer can be recreated at once.
            Life::Destroyed { until_tick: 0 } => {
                ("destroyed", Some(layout.epoch_ms().min(now_ms())))
            }
            Life::Destroyed { until_tick } => ("destroyed", Some(layout.start_ms(until_tick))),
        };
        let mut json = Json::object();
        json.text("name", &name);
        json.text("state", &state);
        json.number("incarnation", sequencer.incarnation);
        json.text("layout", layout);
        json.number("first_node", config.first_node());
        json.number("node_count", config.node_count());
        json.number("shards", config.shards());
        let ids_per_second = layout.ids_per_tick().saturating_mul(1_000) / layout.tick_ms();
        json.number("ids_per_second_and_node", ids_per_second);
        json.text("ends", &ends);
        if let Some(from_ms) = recreatable_from {
            json.text("recreatable_from", &Instant(from_ms));
        }
        let mut warnings = Vec::new();
        if layout.life_used(now_ms()) > LIFE_USED_WARNING {
            warnings.push(format!("the layout ends at {ends}: create another with another name"));
        }
        if let Some(usage) = usage {
            if let Some(status) = &usage.status {
                write_status(&mut json, status);
                if configured.settings_of(name).terms.statistics {
                    json.number("issued", status.issued);
                }
            }
            let rollbacks: Vec<_> = usage.rollbacks().collect();
            if !rollbacks.is_empty() {
                json.number("rollbacks", rollbacks.iter().map(|(_, count)| count).sum());
            }
            let rolled_back = rollbacks.iter().filter(|(_, count)| *count > 0);
            for (which, shards) in [
                (
                    "were rolled back, so that their nodes started later, as their logs say",
                    rolled_back.map(|(shard, _)| *shard).collect(),
                ),
                ("do not answer, so that nodes and ids are not counted", usage.unreachable()),
                ("cannot read what they have stored, as their logs say", usage.unreadable()),
                ("cannot write, as their logs say", usage.unwritable()),
            ] {
                if !shards.is_empty() {
                    let shards: Vec<_> = shards.iter().map(u64::to_string).collect();
                    warnings.push(format!("shards that {which}: {}", shards.join(", ")));
                }
            }
            if name == DEFAULT_SEQUENCER
                && let Some(difference) = config.difference(&configured.config)
            {
                let differ = "the variables differ from what it is bound to";
                warnings.push(format!("{differ}: {difference}"));
            }
        }
        json.list("warnings");
        for warning in &warnings {
            json.text_item(warning);
        }
        json.end_list();
        json.end()
    }
}

fn write_status(json: &mut Json, status: &Status) {
    let &Status { nodes: total, used, held, .. } = status;
    json.open("nodes");
    for (name, number) in
        [("total", total), ("held", held), ("free", status.free()), ("used", used)]
    {
        json.number(name, number);
    }
    json.close();
}
