//! The status of a sequencer.

use edgeflake::lease::{Sequencer, Status};
use edgeflake_wire::{Object, Unreadable, parse};

use crate::admin::described::Described;
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::problem::Problem;
use crate::settings::Configured;

/// The status of a sequencer of which this much is in use, as JSON.
#[must_use]
pub fn written(
    name: &str,
    sequencer: &Sequencer,
    usage: &Usage,
    configured: &Configured,
) -> String {
    let described = Described::new(name, sequencer);
    let described = match usage {
        Ok(status) => described.with_status(status, configured.settings_of(name).terms.statistics),
        Err(unreachable) => described.with_unreachable(unreachable),
    };
    let difference = match name {
        DEFAULT_SEQUENCER => sequencer.config.difference(&configured.config),
        _ => None,
    };
    match difference {
        Some(difference) => described.with_difference(&difference),
        None => described,
    }
    .json()
}

/// How much of a sequencer's nodes is in use, or which of its shards do not answer.
pub type Usage = Result<Status, Vec<u64>>;

/// What the shards of a sequencer say of themselves, `None` for one that does not answer.
///
/// # Errors
/// A problem if what one says cannot be read.
pub fn used(sequencer: &Sequencer, answers: Vec<Option<String>>) -> Result<Usage, Problem> {
    let (mut total, mut unreachable) = (Status::default(), Vec::new());
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
    Ok(if unreachable.is_empty() { Ok(total) } else { Err(unreachable) })
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
