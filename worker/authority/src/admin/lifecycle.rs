//! How a sequencer is created and destroyed.

use edgeflake::lease::{Action, BoundConfig, CallFailed, Life, Refusal, Reply, Request, Sequencer};

use crate::admin::described::Described;
use crate::admin::registry::described;
use crate::objects::address::REGISTRY;
use crate::problem::Problem;

/// Creates a sequencer: asks the registry whether it exists, then tells the registry to create it.
/// Like [`edgeflake::lease::Destruction`], it sends nothing itself; its caller sends what
/// [`Creation::action`] says.
#[derive(Debug)]
pub struct Creation {
    config: BoundConfig,
    /// Whether the sequencer existed before.
    existed: bool,
    next: Action,
}

impl Creation {
    /// A creation that has not begun.
    #[must_use]
    pub const fn new(config: BoundConfig) -> Self {
        let next = Action::Send { shard: REGISTRY, request: Request::Describe };
        Self { config, existed: false, next }
    }

    /// What to do next. [`Creation::receive`] takes the registry's reply.
    #[must_use]
    pub const fn action(&self) -> Action {
        self.next
    }

    /// Takes the reply to what was sent last.
    ///
    /// # Errors
    /// A problem if the registry refuses, such as a layout that cannot issue now, or does not
    /// answer.
    pub fn receive(&mut self, reply: Result<Reply, CallFailed>) -> Result<(), Problem> {
        let is_outside =
            matches!(reply, Ok(Reply::Refused { refusal: Refusal::OutsideLayout { .. }, .. }));
        if !matches!(self.next, Action::Send { request: Request::Describe, .. }) {
            // The refused layout is the caller's own.
            described(&reply)
                .map_err(|problem| if is_outside { problem.with_status(422) } else { problem })?;
            self.next = Action::Done(reply);
            return Ok(());
        }
        // The layout of the variables cannot be bound, but the caller's perhaps can.
        let found = if is_outside { None } else { described(&reply)? };
        self.existed = found.as_ref().is_some_and(Sequencer::is_active);
        self.next = Action::Send { shard: REGISTRY, request: Request::Create(self.config) };
        Ok(())
    }

    /// The sequencer after the creation, whether it is new or existed before.
    ///
    /// # Errors
    /// A problem if it is being destroyed.
    pub fn created(&self, name: &str) -> Result<Created, Problem> {
        let Action::Done(reply) = self.next else { return Err(Problem::unreachable()) };
        let sequencer = described(&reply)?.ok_or_else(Problem::unreachable)?;
        if !sequencer.is_active() {
            return Err(Problem::being_destroyed(name));
        }
        let shards = sequencer.config.shards();
        let json = match sequencer.config.difference(&self.config) {
            Some(difference) => Err(Problem::already_registered(name, &difference)),
            None => Ok(Described::new(name, &sequencer).json()),
        };
        Ok(Created { existed: self.existed, shards, json })
    }
}

/// A sequencer that exists, newly created or from before.
#[derive(Debug)]
pub struct Created {
    /// Whether the sequencer existed before.
    pub existed: bool,
    /// Number of its shards.
    pub shards: u64,
    /// The sequencer as JSON, or the problem if it is bound to another configuration.
    pub json: Result<String, Problem>,
}

/// The destroyed sequencer, as JSON.
///
/// # Errors
/// A problem if not all shards have confirmed.
pub fn destroyed(name: &str, reply: &Result<Reply, CallFailed>) -> Result<String, Problem> {
    match described(reply)? {
        Some(destroyed) if matches!(destroyed.life, Life::Destroyed { .. }) => {
            Ok(Described::new(name, &destroyed).json())
        }
        _ => Err(Problem::unreachable()),
    }
}
