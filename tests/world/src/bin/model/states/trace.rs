//! Prints the actions that lead to a state.

use std::fmt;

use edgeflake::lease::Row;
use stateright::Path;

use super::action::Action;
use super::world::{World, text};

/// Prints each action, and the state before it: the holders' leases, and the stored rows.
pub(crate) fn print(path: Path<World, Action>) {
    for (world, action) in path.into_vec() {
        println!("    {world}");
        if let Some(action) = action {
            println!("  {action:?}");
        } else if let Some(what) = world.wrong.clone().or_else(|| world.two_owners()) {
            println!("  {what}");
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, isolate) in self.isolates.iter().enumerate() {
            match isolate.span() {
                Some(span) => write!(f, "holder {index} has {}; ", text(span))?,
                None => write!(f, "holder {index} has no span; ")?,
            }
        }
        f.write_str("stored:")?;
        for (node, Row { from_tick, until_tick, token, .. }) in self.rows() {
            let held = if token.is_some() { "held" } else { "given back" };
            write!(f, " node {node} in ticks {from_tick}..{until_tick}, {held}")?;
        }
        Ok(())
    }
}
