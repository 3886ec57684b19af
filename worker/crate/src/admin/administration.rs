//! Creates, shows, shrinks and destroys sequencers. [`Administration`] decides on the next step.
//! Its caller, the shell, carries out the step and decides nothing.

use edgeflake::lease::{
    Action, BoundConfig, CallFailure, Destruction, Life, Refusal, Reply, Request, Sequencer,
    Shrinking,
};

use crate::admin::outcome::{Answer, Outcome, Usage};
use crate::problem::{Problem, described};

/// A task on a sequencer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one per call")]
pub enum Task {
    /// Creates the sequencer with this configuration, unless the sequencer exists.
    Create(BoundConfig),
    /// Shows the sequencer.
    Show,
    /// Shrinks the sequencer to its first nodes. The sequencer gives up its other nodes for good.
    Shrink {
        /// The number of nodes that the sequencer keeps; at most the number of nodes that it has
        /// now.
        node_count: u64,
    },
    /// Destroys the sequencer in all its shards. If an earlier attempt was interrupted, continues
    /// where that attempt stopped.
    Destroy,
}

/// The next step, which the shell carries out.
#[derive(Debug)]
pub enum Step {
    /// Looks up how many shards the sequencer has, and calls [`Administration::found`].
    Find,
    /// Sends a request to a shard, and calls [`Administration::receive`] with the reply.
    Send {
        /// The shard.
        shard: u64,
        /// The request.
        request: Request,
    },
    /// Asks all shards at once for their status, and calls [`Administration::looked`].
    Look {
        /// The number of shards.
        shards: u64,
    },
    /// Stores in the directory how many shards the sequencer has, and calls
    /// [`Administration::noted`].
    Note {
        /// The number of shards.
        shards: u64,
    },
    /// Answers the caller.
    Done(Result<Outcome, Problem>),
}

/// The progress of a task.
///
/// ```
/// use edgeflake::lease::{Reply, Request};
/// use edgeflake_workers::admin::administration::{Administration, Step, Task};
///
/// let mut administration = Administration::new("orders", Task::Destroy);
/// assert!(matches!(administration.step(), Step::Find));
/// administration.found(Some(1));
/// assert!(matches!(administration.step(), Step::Send { shard: 0, request: Request::Destroy }));
/// administration.receive(Ok(Reply::Described(None)));
/// let Step::Done(Err(problem)) = administration.step() else { unreachable!() };
/// assert_eq!(problem.name, "authority-unreachable");
/// ```
#[derive(Debug)]
pub struct Administration {
    name: String,
    task: Task,
    stage: Stage,
    existed: bool,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one per call")]
enum Stage {
    Find,
    Describe,
    Create(BoundConfig),
    Destroy(Destruction),
    Shrink(Shrinking),
    Look(Sequencer),
    Note(Sequencer),
    /// The administration is done. `None` means that `step` has already returned the outcome.
    Done(Option<Result<Outcome, Problem>>),
}

impl Administration {
    /// Begins a task on the sequencer of this name.
    #[must_use]
    pub fn new(name: &str, task: Task) -> Self {
        let stage = if let Task::Create(_) = task { Stage::Describe } else { Stage::Find };
        Self { name: name.to_owned(), task, stage, existed: false }
    }

    /// Returns the next step.
    pub fn step(&mut self) -> Step {
        let action = match &mut self.stage {
            Stage::Find => return Step::Find,
            Stage::Describe => {
                Action::Send { shard: Sequencer::REGISTRY, request: Request::Describe }
            }
            Stage::Create(config) => {
                Action::Send { shard: Sequencer::REGISTRY, request: Request::Create(*config) }
            }
            Stage::Destroy(destruction) => destruction.action(),
            Stage::Shrink(shrinking) => shrinking.action(),
            Stage::Look(sequencer) => return Step::Look { shards: sequencer.config.shards() },
            Stage::Note(sequencer) => return Step::Note { shards: sequencer.config.shards() },
            Stage::Done(outcome) => {
                return Step::Done(outcome.take().unwrap_or_else(|| Err(Problem::unreachable())));
            }
        };
        match action {
            Action::Send { shard, request } => Step::Send { shard, request },
            Action::Done(reply) => Step::Done(self.ended(&reply)),
        }
    }

    /// Takes the number of shards that was looked up; `None` if no sequencer has this name.
    pub fn found(&mut self, shards: Option<u64>) {
        self.stage = match (shards, self.task) {
            (None, _) => Stage::Done(Some(Err(Problem::unknown_sequencer(&self.name)))),
            (Some(_), Task::Create(_) | Task::Show) => Stage::Describe,
            (Some(_), Task::Shrink { node_count }) => Stage::Shrink(Shrinking::new(node_count)),
            (Some(_), Task::Destroy) => Stage::Destroy(Destruction::new()),
        };
    }

    /// Takes the reply of a shard.
    pub fn receive(&mut self, reply: Result<Reply, CallFailure>) {
        match &mut self.stage {
            Stage::Destroy(destruction) => destruction.receive(reply),
            Stage::Shrink(shrinking) => shrinking.receive(reply),
            Stage::Describe | Stage::Create(_) => {
                self.stage = match self.next(&reply) {
                    Ok(stage) => stage,
                    Err(problem) => Stage::Done(Some(Err(problem))),
                };
            }
            _ => {}
        }
    }

    /// Returns the stage that follows from the registry's reply.
    fn next(&mut self, reply: &Result<Reply, CallFailure>) -> Result<Stage, Problem> {
        let found = described(reply);
        match (&self.stage, self.task) {
            (Stage::Describe, Task::Create(config)) => {
                // `OutsideLayout` means that the current time is outside of the layout in the
                // variables. It may be inside the layout that the caller has sent.
                let is_outside = matches!(
                    reply,
                    Ok(Reply::Refused { refusal: Refusal::OutsideLayout { .. }, .. })
                );
                let found = if is_outside { None } else { found? };
                self.existed = found.as_ref().is_some_and(Sequencer::is_active);
                Ok(Stage::Create(config))
            }
            (Stage::Describe, _) => {
                let sequencer = found?.ok_or_else(|| Problem::unknown_sequencer(&self.name))?;
                Ok(Stage::Look(sequencer))
            }
            _ => {
                // The caller must fix a layout that is refused here, so the status is 422, not 503.
                let found = found.map_err(|problem| problem.with_status(422));
                let sequencer = found?.ok_or_else(Problem::unreachable)?;
                if !sequencer.is_active() {
                    return Err(Problem::being_destroyed(&self.name));
                }
                Ok(Stage::Note(sequencer))
            }
        }
    }

    /// Takes the statuses of the shards, in the order of the shards' numbers.
    pub fn looked(&mut self, answers: Vec<Answer>) {
        if let Stage::Look(sequencer) = self.stage {
            self.done(sequencer, Some(Usage { answers }));
        }
    }

    /// Takes the directory's answer to the request to store the number of shards.
    pub fn noted(&mut self, noted: Result<(), Problem>) {
        let (Stage::Note(sequencer), Task::Create(config)) = (&self.stage, self.task) else {
            return;
        };
        let problem = match (noted, sequencer.config.difference(&config)) {
            (Err(problem), _) => problem,
            (Ok(()), Some(difference)) => Problem::already_registered(&self.name, &difference),
            (Ok(()), None) => return self.done(*sequencer, None),
        };
        self.stage = Stage::Done(Some(Err(problem)));
    }

    fn done(&mut self, sequencer: Sequencer, usage: Option<Usage>) {
        let outcome = Outcome { sequencer, existed: self.existed, usage };
        self.stage = Stage::Done(Some(Ok(outcome)));
    }

    /// Returns the outcome of destroying or shrinking the sequencer.
    fn ended(&self, reply: &Result<Reply, CallFailure>) -> Result<Outcome, Problem> {
        let sequencer = described(reply)?.ok_or_else(Problem::unreachable)?;
        let found = sequencer.config.node_count();
        match self.task {
            Task::Shrink { node_count } if node_count > found => Err(Problem::body(format!(
                "node_count is {node_count}, but the sequencer has {found} nodes and cannot grow: \
                 give at most {found}"
            ))),
            Task::Destroy if !matches!(sequencer.life, Life::Destroyed { .. }) => {
                Err(Problem::unreachable())
            }
            _ => Ok(Outcome { sequencer, existed: self.existed, usage: None }),
        }
    }
}
