//! What an isolate asks of a shard.

use std::ops::Range;

use edgeflake::lease::Request;
use edgeflake::lease::fence::Ticket;
use edgeflake_wire::{parse, read_request};

use crate::objects::address::Address;
use crate::objects::sql::Result;
use crate::target::target;

/// A request of an isolate.
pub(crate) struct Message<'a> {
    pub(crate) address: Address<'a>,
    pub(crate) task: Task,
}

/// What a shard is asked for.
pub(crate) enum Task {
    /// A reply.
    Answer(Request),
    /// Its status, after it has proved that it can write.
    Proof,
    /// Its status.
    Status,
    /// A page of its nodes, counted from its first one.
    Nodes(Range<u64>),
}

impl<'a> Message<'a> {
    /// Reads a request; `None` if shards have no such path.
    ///
    /// # Errors
    /// Why the message in it cannot be read.
    pub(crate) fn read(method: &str, url: &'a str, text: &str) -> Result<Option<Self>> {
        let (path, query) = target(url);
        let Some((address, what)) = Address::read(path) else { return Ok(None) };
        let task = match (method, what) {
            ("POST", "") => {
                let request = parse(text).and_then(|message| read_request(&message));
                Task::Answer(request.map_err(|error| error.to_string())?)
            }
            ("GET", "status") => Task::Status,
            ("GET", "proof") => Task::Proof,
            ("GET", "nodes") => Task::Nodes(page(query)),
            _ => return Ok(None),
        };
        Ok(Some(Self { address, task }))
    }

    pub(crate) fn ticket(&self) -> Ticket {
        if matches!(self.task, Task::Status) { Ticket::of_status() } else { Ticket::default() }
    }
}

/// The page that a query such as `cursor=1000&limit=1000` names; all nodes without a query. The
/// isolate that asks has checked the query.
fn page(query: &str) -> Range<u64> {
    let number = |name: &str| {
        let mut parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
        parameters.find(|(known, _)| *known == name)?.1.parse().ok()
    };
    let start: u64 = number("cursor").unwrap_or(0);
    start..number("limit").map_or(u64::MAX, |limit| start.saturating_add(limit))
}
