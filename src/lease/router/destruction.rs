use super::Action;
use crate::lease::message::{CallFailure, Confirm, Life, Reply, Request, Sequencer};

/// Destroys a sequencer. It tells the registry first, and then one shard after the other. When a
/// shard has ended, the `Destruction` confirms this to the registry. You may stop anywhere and
/// begin again, because the registry stores how far the destruction has got.
///
/// ```
/// use edgeflake::lease::{Action, Authority, BoundConfig, Destruction, Error, Life, Reply};
/// use edgeflake::lease::{Request, Sequencer, Settings};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 2)?);
/// let load = |shard, sequencer| Authority::load(shard, sequencer, Settings::default(), []);
/// let mut shards = [load(0, Some(sequencer))?, load(1, None)?];
///
/// let mut destruction = Destruction::new();
/// let mut asked = Vec::new();
/// let reply = loop {
///     match destruction.action() {
///         Action::Send { shard, request } => {
///             asked.push(shard);
///             let authority = &mut shards[shard as usize];
///             let decision = authority.decide(0, &request);
///             decision.write.iter().for_each(|write| authority.apply(write));
///             destruction.receive(Ok(decision.reply));
///         }
///         Action::Done(reply) => break reply,
///     }
/// };
/// assert_eq!(asked, [0, 1, 0]);
/// let Ok(Reply::Described(Some(sequencer))) = reply else { unreachable!() };
/// assert_eq!(sequencer.life, Life::Destroyed { until_tick: 0 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Destruction {
    next: Action,
}

impl Destruction {
    /// Creates a destruction that has not started.
    #[must_use]
    pub const fn new() -> Self {
        Self { next: Action::Send { shard: Sequencer::REGISTRY, request: Request::Destroy } }
    }

    /// Returns the next action. The answer at the end says that the sequencer is destroyed, or why
    /// it is not.
    #[must_use]
    pub const fn action(&self) -> Action {
        self.next
    }

    /// Takes the reply to the request that was sent last.
    pub fn receive(&mut self, reply: Result<Reply, CallFailure>) {
        self.next = match (self.next, reply) {
            (
                Action::Send {
                    shard: Sequencer::REGISTRY,
                    request: Request::Destroy | Request::Confirm(_),
                },
                Ok(Reply::Described(Some(sequencer))),
            ) => match sequencer.life {
                Life::Destroying { confirmed, .. } => {
                    Action::Send { shard: confirmed, request: Request::Follow(sequencer) }
                }
                Life::Active | Life::Destroyed { .. } => Action::Done(reply),
            },
            (
                Action::Send { shard, request: Request::Follow(told) },
                Ok(Reply::Described(Some(Sequencer {
                    incarnation,
                    life: Life::Destroyed { until_tick },
                    ..
                }))),
            ) if incarnation == told.incarnation => {
                let confirm = Confirm { incarnation, shard, until_tick };
                Action::Send { shard: Sequencer::REGISTRY, request: Request::Confirm(confirm) }
            }
            (_, Ok(refused @ Reply::Refused { .. })) => Action::Done(Ok(refused)),
            _ => Action::Done(Err(CallFailure)),
        };
    }
}

impl Default for Destruction {
    fn default() -> Self {
        Self::new()
    }
}
