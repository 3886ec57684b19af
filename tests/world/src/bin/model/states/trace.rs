//! Prints the way to a state, for a reader.

use std::fmt;

use edgeflake::lease::{
    Acquire, Batch, Grant, Release, Renew, Renewal, Reply, Request, Row, Token,
};
use stateright::Path;

use super::action::Action;
use super::isolate::Message;
use super::world::{World, text};

/// Prints each action, and the state after it: the holders' leases, and the stored rows.
pub(crate) fn print(path: Path<World, Action>) {
    for (world, action) in path.into_vec() {
        println!("    {world}");
        if let Some(action) = action {
            println!("  {}", told(&world, action));
        } else if let Some(what) = world.wrong.clone().or_else(|| world.two_owners()) {
            println!("  {what}");
        }
    }
}

fn told(world: &World, action: Action) -> String {
    match action {
        Action::Decide { isolate, letter, .. } | Action::Receive { isolate, letter, .. } => {
            let letter = &world.isolates[isolate].mail[letter];
            format!("{action:?}: {}", message(&letter.message))
        }
        other => format!("{other:?}"),
    }
}

fn message(message: &Message) -> String {
    match *message {
        Message::Request(Request::Acquire(Acquire { token, excluded_node, .. })) => {
            let excluded = excluded_node.map(|node| format!(" on another node than {node}"));
            format!("acquire {}{}", number(token), excluded.unwrap_or_default())
        }
        Message::Request(Request::Renew(Renew { token, node, tick, .. })) => {
            format!("renew {} of node {node}, which is at tick {tick}", number(token))
        }
        Message::Request(Request::Release(Release { token, node, until_tick, .. })) => {
            format!("release {} of node {node} from tick {until_tick} on", number(token))
        }
        Message::Request(Request::Prefetch(_)) => "prefetch".into(),
        Message::Reply(Reply::Granted(Grant { token, span, .. })) => {
            format!("granted {}: {}", number(token), text(span))
        }
        Message::Reply(Reply::Renewed(Renewal { token, until_tick, .. })) => {
            format!("renewed {} until tick {until_tick}", number(token))
        }
        Message::Reply(Reply::Ended { token, .. }) => format!("ended {}", number(token)),
        Message::Reply(Reply::Batched(Batch { from, until, .. })) => {
            format!("batched {from:?} until {until:?}")
        }
        Message::Reply(Reply::Refused { refusal, .. }) => format!("refused: {refusal}"),
        Message::Request(request) => format!("{request:?}"),
        Message::Reply(reply) => format!("{reply:?}"),
    }
}

/// Returns the number of a token, which is its upper half. Tokens are numbered as they are drawn.
fn number(token: Token) -> String {
    let digits = token.to_string();
    format!("token {}", digits[..digits.len() / 2].trim_start_matches('0'))
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, isolate) in self.isolates.iter().enumerate() {
            match isolate.span() {
                Some(span) => write!(f, "holder {index} has {}; ", text(span))?,
                None => write!(f, "holder {index} has none; ")?,
            }
        }
        f.write_str("stored:")?;
        for (node, Row { from_tick, until_tick, token, .. }) in self.object.rows() {
            let token = token.map_or_else(|| "no token".into(), number);
            write!(f, " node {node} in ticks {from_tick}..{until_tick} with {token}")?;
        }
        Ok(())
    }
}
