use crate::{CallFailed, Confirm, Errand, Life, Reply, Request, Sequencer};

/// Destroys a sequencer: tells the registry, then each shard, and the registry that the shard has
/// ended. Can be broken off anywhere and done again: what is done stays done.
///
/// ```
/// use edgeflake::{Authority, Destruction, Errand, Error, Identity, Life, Reply, Request, Sequencer};
/// use edgeflake::{Tunables, preset::EDGE};
///
/// let sequencer = Sequencer::new(Identity::new(EDGE, 0, 64, 2)?);
/// let load = |shard, sequencer| Authority::load(shard, sequencer, Tunables::default(), []);
/// let mut shards = [load(0, Some(sequencer))?, load(1, None)?];
///
/// let mut destruction = Destruction::new();
/// let mut asked = Vec::new();
/// let reply = loop {
///     match destruction.errand() {
///         Errand::Send { shard, request } => {
///             asked.push(shard);
///             let authority = &mut shards[shard as usize];
///             let decision = authority.decide(0, &request);
///             decision.write.iter().for_each(|write| authority.apply(write));
///             destruction.receive(Ok(decision.reply));
///         }
///         Errand::Done(reply) => break reply,
///     }
/// };
/// assert_eq!(asked, [0, 1, 0]);
/// let Ok(Reply::Described(Some(sequencer))) = reply else { unreachable!() };
/// assert_eq!(sequencer.life, Life::Destroyed { until_tick: 0 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Destruction {
    next: Errand,
}

impl Destruction {
    /// To be started.
    #[must_use]
    pub const fn new() -> Self {
        Self { next: Errand::Send { shard: 0, request: Request::Destroy } }
    }

    /// What to do next. The answer is the registry's: `Destroyed`, or why not.
    #[must_use]
    pub const fn errand(&self) -> Errand {
        self.next
    }

    /// Takes the reply to what was sent last.
    pub fn receive(&mut self, reply: Result<Reply, CallFailed>) {
        self.next = match (self.next, reply) {
            (
                Errand::Send { shard: 0, request: Request::Destroy | Request::Confirm(_) },
                Ok(Reply::Described(Some(sequencer))),
            ) => match sequencer.life {
                Life::Destroying { confirmed, .. } => {
                    Errand::Send { shard: confirmed, request: Request::Follow(sequencer) }
                }
                Life::Active | Life::Destroyed { .. } => Errand::Done(reply),
            },
            (
                Errand::Send { shard, request: Request::Follow(told) },
                Ok(Reply::Described(Some(Sequencer {
                    incarnation,
                    life: Life::Destroyed { until_tick },
                    ..
                }))),
            ) if incarnation == told.incarnation => {
                let confirm = Confirm { incarnation, shard, until_tick };
                Errand::Send { shard: 0, request: Request::Confirm(confirm) }
            }
            (_, Ok(refused @ Reply::Refused { .. })) => Errand::Done(Ok(refused)),
            _ => Errand::Done(Err(CallFailed)),
        };
    }
}

impl Default for Destruction {
    fn default() -> Self {
        Self::new()
    }
}
