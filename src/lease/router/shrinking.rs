use super::Action;
use crate::lease::message::{CallFailure, Refusal, Reply, Request, Sequencer, Shrink};

/// Shrinks a sequencer to fewer nodes while it grants. First the last shard gives up nodes that it
/// never granted, and then the registry stores the new number of nodes. You may stop anywhere and
/// begin again, because a shard never grants nodes that it gave up.
///
/// ```
/// use edgeflake::lease::{Action, Authority, BoundConfig, Error, Reply, Sequencer, Settings};
/// use edgeflake::lease::Shrinking;
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 2)?);
/// let load = |shard, sequencer| Authority::load(shard, sequencer, Settings::default(), []);
/// let mut shards = [load(0, Some(sequencer))?, load(1, None)?];
///
/// let mut shrinking = Shrinking::new(40);
/// let mut asked = Vec::new();
/// let reply = loop {
///     match shrinking.action() {
///         Action::Send { shard, request } => {
///             asked.push(shard);
///             let authority = &mut shards[shard as usize];
///             let decision = authority.decide(0, &request);
///             decision.write.iter().for_each(|write| authority.apply(write));
///             shrinking.receive(Ok(decision.reply));
///         }
///         Action::Done(reply) => break reply,
///     }
/// };
/// assert_eq!(asked, [0, 1, 1, 1, 0]); // shard 1 was never used, so it must first follow
/// let Ok(Reply::Described(Some(sequencer))) = reply else { unreachable!() };
/// assert_eq!(sequencer.config.node_count(), 40);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shrinking {
    node_count: u64,
    /// The sequencer as the registry describes it.
    sequencer: Option<Sequencer>,
    next: Action,
}

impl Shrinking {
    /// Creates a `Shrinking` to `node_count` nodes. It has not started.
    #[must_use]
    pub const fn new(node_count: u64) -> Self {
        let next = Action::Send { shard: Sequencer::REGISTRY, request: Request::Describe };
        Self { node_count, sequencer: None, next }
    }

    /// Returns the next action. The answer at the end describes the sequencer, or says why it did
    /// not shrink.
    #[must_use]
    pub const fn action(&self) -> Action {
        self.next
    }

    /// Takes the reply to the request that was sent last.
    pub fn receive(&mut self, reply: Result<Reply, CallFailure>) {
        self.next = match (self.next, reply) {
            (Action::Send { request: Request::Describe, .. }, Ok(Reply::Described(sequencer))) => {
                self.begin(sequencer)
            }
            (
                Action::Send { shard, request: Request::Shrink(_) },
                Ok(Reply::Refused { incarnation, .. }),
            ) if shard != Sequencer::REGISTRY => {
                match self.sequencer.filter(|known| known.incarnation > incarnation) {
                    Some(sequencer) => Action::Send { shard, request: Request::Follow(sequencer) },
                    None => Action::Done(reply),
                }
            }
            (
                Action::Send { shard, request: Request::Follow(told) },
                Ok(Reply::Described(Some(known))),
            ) if known.incarnation == told.incarnation => self.shrink(shard),
            (
                Action::Send { shard, request: Request::Shrink(_) },
                Ok(Reply::Described(Some(_))),
            ) if shard != Sequencer::REGISTRY => self.shrink(Sequencer::REGISTRY),
            (_, Ok(Reply::Described(Some(_)) | Reply::Refused { .. })) => Action::Done(reply),
            _ => Action::Done(Err(CallFailure)),
        };
    }

    fn begin(&mut self, sequencer: Option<Sequencer>) -> Action {
        self.sequencer = sequencer;
        let refused = |refusal| Action::Done(Ok(Reply::refused(refusal, sequencer.as_ref())));
        match sequencer {
            None => refused(Refusal::UnknownSequencer),
            Some(known) if !known.is_active() => refused(Refusal::SequencerDestroyed),
            Some(known) => self.shrink(known.config.shards() - 1),
        }
    }

    fn shrink(&self, shard: u64) -> Action {
        let incarnation = self.sequencer.map_or(0, |sequencer| sequencer.incarnation);
        let shrink = Shrink { incarnation, node_count: self.node_count };
        Action::Send { shard, request: Request::Shrink(shrink) }
    }
}
