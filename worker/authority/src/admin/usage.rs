//! How much of a sequencer is in use, and which of its shards are in trouble.

use edgeflake::lease::{Sequencer, Status};
use edgeflake_wire::{Object, Unreadable, Value, parse};
use wasm_bindgen::JsValue;

use crate::problem::Problem;

/// What the shards of a sequencer say about themselves, summed up.
#[derive(Debug, Default)]
pub struct Usage {
    /// How many of its nodes are in use; `None` if a shard does not say it.
    pub status: Option<Status>,
    /// The shards that do not answer.
    pub unreachable: Vec<u64>,
    /// The shards that cannot read what they have stored.
    pub unreadable: Vec<u64>,
    /// The shards that answer but cannot write.
    pub unwritable: Vec<u64>,
    /// Each shard that has a witness, with how often its storage was rolled back.
    pub rollbacks: Vec<(u64, u64)>,
}

/// How a shard answered when it was asked for its status.
#[derive(Debug)]
pub enum Answer {
    /// It says this about itself.
    Status(String),
    /// It cannot read what it has stored.
    Unreadable,
    /// It does not answer.
    None,
}

/// Sums up what the shards of a sequencer say about themselves.
///
/// # Errors
/// A problem if a shard's answer cannot be read.
pub fn used(sequencer: &Sequencer, answers: &[Answer]) -> Result<Usage, Problem> {
    let (mut total, mut usage) = (Status::default(), Usage::default());
    for (shard, answer) in (0..).zip(answers) {
        match answer {
            Answer::Status(text) => {
                // A shard that was never asked has used no node.
                let nodes = sequencer.config.shard_nodes(shard);
                let unused = Status { nodes: nodes.end - nodes.start - 1, ..Status::default() };
                let told = read(text, sequencer.incarnation);
                let told = told.map_err(|error| Problem::own(&error))?;
                total = total.with(&told.status.unwrap_or(unused));
                if told.is_unproved {
                    usage.unwritable.push(shard);
                }
                usage.rollbacks.extend(told.rollbacks.map(|rollbacks| (shard, rollbacks)));
            }
            Answer::Unreadable => usage.unreadable.push(shard),
            Answer::None => usage.unreachable.push(shard),
        }
    }
    let is_known = usage.unreachable.is_empty() && usage.unreadable.is_empty();
    usage.status = is_known.then_some(total);
    Ok(usage)
}

/// What a shard says about itself.
struct Told {
    /// `None` if the shard has not heard of this incarnation.
    status: Option<Status>,
    /// Whether the shard did not prove that it can write.
    is_unproved: bool,
    /// How often its storage was rolled back; `None` if it has no witness.
    rollbacks: Option<u64>,
}

/// Whether a shard says that it did not prove that it can write.
#[must_use]
pub fn is_unproved(text: &str) -> bool {
    parse(text).is_ok_and(|message| has_no_proof(&message))
}

fn has_no_proof(message: &JsValue) -> bool {
    message.get("unproved").is_some()
}

fn read(text: &str, incarnation: u64) -> Result<Told, Unreadable> {
    let message = parse(text)?;
    let is_unproved = has_no_proof(&message);
    let message = Object(&message);
    let rollbacks = message.number_or_none("rollbacks")?;
    let is_other = message.number("incarnation")? != incarnation;
    let status = if is_other {
        None
    } else {
        Some(Status {
            nodes: message.number("nodes")?,
            used: message.number("used")?,
            held: message.number("held")?,
            issued: message.number("issued")?,
        })
    };
    Ok(Told { status, is_unproved, rollbacks })
}
