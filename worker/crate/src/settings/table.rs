//! The table of all variables and secrets. From this table, `npm run generate` makes the list in
//! `docs/OPERATING.md` and the TypeScript type of the variables.

use core::ops::RangeInclusive;

use edgeflake::SequenceStart;
use edgeflake::lease::{self, BoundConfig, Terms};

use crate::found::Quote;
use crate::value::{NUMBER_MAX, digits};

/// The prefix of the names of all variables and secrets. With this prefix, the names do not clash
/// with the names of other variables of the Worker.
pub const PREFIX: &str = "EDGEFLAKE_";

/// The variable that contains the layout.
pub const LAYOUT: &str = "EDGEFLAKE_LAYOUT";

/// The variable or binding that says which objects are the witnesses.
pub const WITNESS: &str = "EDGEFLAKE_WITNESS";

/// The secrets of the roles, the lowest role first.
pub const TOKENS: [&str; 4] = [
    "EDGEFLAKE_READ_TOKEN",
    "EDGEFLAKE_ISSUE_TOKEN",
    "EDGEFLAKE_LEASE_TOKEN",
    "EDGEFLAKE_ADMIN_TOKEN",
];

/// The variables that open the lowest roles to every caller.
pub const PUBLIC: [&str; 2] = ["EDGEFLAKE_PUBLIC_READ", "EDGEFLAKE_PUBLIC_ISSUE"];

/// A variable or secret.
pub struct Setting {
    /// The name of the variable or secret.
    pub name: &'static str,
    /// The scope to which the variable applies.
    pub scope: Scope,
    /// Returns the place where the value is stored, and the values that are allowed.
    pub value: fn(&mut Values) -> Value<'_>,
    /// A sentence about the variable for the documents. The Worker does not contain this sentence.
    #[cfg(not(target_family = "wasm"))]
    pub meaning: &'static str,
}

/// The scope of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The layout of the sequencer `default`. The layout is bound when the sequencer is created.
    Layout,
    /// The nodes and shards of the sequencer `default`. These numbers are bound when the sequencer
    /// is created.
    Nodes,
    /// All sequencers, or some sequencers by name: in `15000, orders=0`, 0 is the value of
    /// `orders`.
    Sequencer,
    /// The Worker.
    Worker,
    /// The secret of a role.
    Secret,
}

/// The value of a variable, with the values that are allowed.
pub enum Value<'a> {
    /// A whole number.
    Number(&'a mut u64, RangeInclusive<u64>),
    /// A whole number that may be missing.
    OptionalNumber(&'a mut Option<u64>, RangeInclusive<u64>),
    /// `true` or `false`.
    Flag(&'a mut bool),
    /// `zero`, `rotating`, or `random:` and the largest start.
    Start(&'a mut SequenceStart),
    /// A text. The code that uses the variable checks the text.
    Text(&'a mut String),
    /// A text that no message shows. The code that uses the variable checks the text.
    Secret(&'a mut String),
    /// A binding or a text. The code that uses the variable reads the value.
    Binding,
}

impl Value<'_> {
    /// Reads the text of a variable, and stores the value.
    ///
    /// # Errors
    /// The part of a message that follows the name of the variable: what was found, and what is
    /// allowed.
    pub fn read(self, text: &str) -> Result<(), String> {
        let quoted = |allowed: String| format!("is {}: {allowed}", Quote(text));
        match self {
            Value::Number(value, range) => *value = number(text, &range).map_err(quoted)?,
            Value::OptionalNumber(value, range) => {
                *value = Some(number(text, &range).map_err(quoted)?);
            }
            // The text is not shown, because it may be a secret that is in the wrong variable.
            Value::Flag(value) => {
                *value = text.parse().map_err(
                    |_| r#"is neither "true" nor "false": set it to one of them, or remove it"#,
                )?;
            }
            Value::Start(value) => *value = start(text).map_err(quoted)?,
            Value::Text(value) | Value::Secret(value) => text.clone_into(value),
            Value::Binding => {}
        }
        Ok(())
    }
}

fn number(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let (min, max) = (range.start(), range.end());
    let number = digits(text).filter(|number| range.contains(number));
    number.ok_or_else(|| format!("give a whole number from {min} to {max}"))
}

fn start(text: &str) -> Result<SequenceStart, String> {
    match text {
        "zero" => Ok(SequenceStart::Zero),
        "rotating" => Ok(SequenceStart::Rotating),
        other => match other.strip_prefix("random:").and_then(digits) {
            Some(max) => Ok(SequenceStart::Random { max }),
            None => Err("give zero, rotating, or random:N, where N is the largest start".into()),
        },
    }
}

/// The values of the variables. Each field has its default in [`Values::default`].
pub struct Values {
    /// A preset with its options, or a layout string.
    pub layout: String,
    /// The first node.
    pub first_node: u64,
    /// The number of nodes.
    pub node_count: Option<u64>,
    /// The number of shards.
    pub shards: u64,
    /// The settings of a sequencer.
    pub lease: lease::Settings,
    /// For each variable in [`PUBLIC`], whether every caller has the role of the variable.
    pub public: [bool; PUBLIC.len()],
    /// The origins whose pages may call the API.
    pub cors_origins: String,
    /// The secrets of the roles, the lowest role first.
    pub tokens: [String; TOKENS.len()],
}

impl Default for Values {
    fn default() -> Self {
        Self {
            layout: "hazelcast".to_owned(),
            first_node: 0,
            node_count: None,
            shards: 1,
            lease: lease::Settings::default(),
            public: [false; PUBLIC.len()],
            cors_origins: String::new(),
            tokens: Default::default(),
        }
    }
}

const fn row(
    name: &'static str,
    scope: Scope,
    value: fn(&mut Values) -> Value<'_>,
    meaning: &'static str,
) -> Setting {
    #[cfg(target_family = "wasm")]
    let _ = meaning;
    Setting {
        name,
        scope,
        value,
        #[cfg(not(target_family = "wasm"))]
        meaning,
    }
}

/// All variables and secrets.
pub static SETTINGS: &[Setting] = &[
    row(
        LAYOUT,
        Scope::Layout,
        |values| Value::Text(&mut values.layout),
        "The bits of an id: a [preset](LAYOUTS.md#presets), with its options as in `hazelcast \
         epoch-start=2018-01-01 bits-sequence=6` or `snowcast nodes=129`; or a layout string, such \
         as `unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms`.",
    ),
    row(
        "EDGEFLAKE_NODE_ID_OFFSET",
        Scope::Nodes,
        |values| Value::Number(&mut values.first_node, 0..=BoundConfig::NODE_MAX),
        "The first node.",
    ),
    row(
        "EDGEFLAKE_NODE_COUNT",
        Scope::Nodes,
        |values| Value::OptionalNumber(&mut values.node_count, 1..=BoundConfig::NODE_COUNT_MAX),
        "The number of nodes. Default: all from the first one on, or as many as the shards can hold.",
    ),
    row(
        "EDGEFLAKE_SHARDS",
        Scope::Nodes,
        |values| Value::Number(&mut values.shards, 1..=BoundConfig::SHARDS_MAX),
        "The number of [shards](#nodes-and-shards), the objects that grant the nodes: a power of \
         two. Each shard keeps the first of its nodes for batches.",
    ),
    row(
        "EDGEFLAKE_LEASE_MILLIS",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.terms.lease_ms, 1..=Terms::LEASE_MAX_MS),
        "How long a lease lasts: at least twice the allowed future, plus a tick.",
    ),
    row(
        "EDGEFLAKE_ALLOWED_FUTURE_MILLIS",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.terms.allowed_future_ms, 0..=NUMBER_MAX),
        "The allowed future: how far ids may run ahead of the clock.",
    ),
    row(
        "EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.clock_disagreement_max_ms, 0..=NUMBER_MAX),
        "How far the clocks of holder and authority may differ when a lease is granted.",
    ),
    row(
        "EDGEFLAKE_SEQUENCE_START",
        Scope::Sequencer,
        |values| Value::Start(&mut values.lease.terms.sequence_start),
        "[Where the sequence of a new tick starts](LAYOUTS.md#where-the-sequence-starts): \
         `zero`; `random:9` for a random number up to 9; `rotating` for a random start, where \
         the sequence wraps around, so that the ids of a tick are not in order.",
    ),
    row(
        "EDGEFLAKE_SEQUENCE_GAP_MAX",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.terms.gap_max, 0..=NUMBER_MAX),
        "The most counters left out at random between two ids, so that [ids do not tell how many \
         there were](LAYOUTS.md#gaps-so-that-ids-do-not-tell-how-many-there-were).",
    ),
    row(
        "EDGEFLAKE_PREFETCH_COUNT",
        Scope::Sequencer,
        |values| {
            Value::Number(&mut values.lease.terms.prefetch_count, 1..=Terms::PREFETCH_COUNT_MAX)
        },
        "The number of ids in a batch, which a holder fetches when no node is free.",
    ),
    row(
        "EDGEFLAKE_PREFETCH_VALIDITY_MILLIS",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.terms.prefetch_validity_ms, 0..=NUMBER_MAX),
        "How long a batch is used; 0 for no limit.",
    ),
    row(
        "EDGEFLAKE_STATISTICS_ENABLED",
        Scope::Sequencer,
        |values| Value::Flag(&mut values.lease.terms.statistics),
        "Whether holders report how many ids they issued.",
    ),
    row(
        "EDGEFLAKE_OPERATIONS_PER_SECOND_MAX",
        Scope::Sequencer,
        |values| Value::Number(&mut values.lease.operations_per_second_max, 1..=NUMBER_MAX),
        "The requests per second that one shard can answer. At half of this rate the shard \
         begins to refuse batches, and at three quarters grants. It never refuses renewals.",
    ),
    row(
        WITNESS,
        Scope::Worker,
        |_| Value::Binding,
        "The binding of the class `Directory`, whose objects are the \
         [witnesses](DESIGN.md#the-witness). With `none`, shards have no witness, and ids may \
         repeat after storage is restored. Default: the binding `DIRECTORY` or, without one, \
         the class `Directory` that the Worker exports.",
    ),
    row(
        PUBLIC[0],
        Scope::Worker,
        |values| Value::Flag(&mut values.public[0]),
        "`true` lets every caller read status, nodes and metrics while `EDGEFLAKE_READ_TOKEN` is \
         not set.",
    ),
    row(
        PUBLIC[1],
        Scope::Worker,
        |values| Value::Flag(&mut values.public[1]),
        "`true` gives ids to every caller while `EDGEFLAKE_ISSUE_TOKEN` is not set.",
    ),
    row(
        "EDGEFLAKE_CORS_ORIGINS",
        Scope::Worker,
        |values| Value::Text(&mut values.cors_origins),
        "Whose pages may call the API: `*`, or origins such as `https://example.com` with commas \
         between them. Default: no page of another origin.",
    ),
    row(
        TOKENS[0],
        Scope::Secret,
        |values| Value::Secret(&mut values.tokens[0]),
        "Opens status, nodes and metrics: for Prometheus.",
    ),
    row(
        TOKENS[1],
        Scope::Secret,
        |values| Value::Secret(&mut values.tokens[1]),
        "Opens the same, and ids.",
    ),
    row(
        TOKENS[2],
        Scope::Secret,
        |values| Value::Secret(&mut values.tokens[2]),
        "Opens the same, and leases and *batches* (ids that a shard issues): for *holders* \
         elsewhere, which are processes that lease a node.",
    ),
    row(
        TOKENS[3],
        Scope::Secret,
        |values| Value::Secret(&mut values.tokens[3]),
        "Opens the same, and creates, shrinks and destroys sequencers.",
    ),
];
