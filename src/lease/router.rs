pub(super) mod destruction;
pub(super) mod shrinking;

use crate::lease::message::{CallFailure, Refusal, Reply, Request, Sequencer};

/// The largest number of shards that the router asks for one request.
const ASKED_MAX: u64 = 3;

/// The next action for a [`ShardRouter`], a [`Destruction`](crate::lease::Destruction) or a
/// [`Shrinking`](crate::lease::Shrinking).
///
/// ```
/// use edgeflake::lease::{Action, Request, ShardRouter};
///
/// let router = ShardRouter::new(Request::Describe, 0, 1, 0);
/// assert_eq!(router.action(), Action::Send { shard: 0, request: Request::Describe });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send this request to this shard, and give the reply to `receive`.
    Send {
        /// The shard's number; 0 is the registry.
        shard: u64,
        /// The request to send.
        request: Request,
    },
    /// Stop, because this is the answer.
    Done(Result<Reply, CallFailure>),
}

/// Finds the shard that answers a request for a span or a batch. It asks the nearest shard and, if
/// that shard has nothing free or fails, its two neighbours. When a shard does not know the
/// sequencer, or knows only an earlier incarnation of the sequencer, the router tells the shard
/// what the registry says.
///
/// A request waits for a silent shard only until its call is retried, because the retry begins at
/// another shard. The retry is not sent earlier or in parallel, because when all shards are slow,
/// the extra requests would slow them further, until no request is answered in time (`npm run
/// simulate:scale -- --isolates 30000 --shards 4 --object 200`).
///
/// ```
/// use edgeflake::lease::{Acquire, Action, Authority, BoundConfig, Error, Reply, Request};
/// use edgeflake::lease::{Sequencer, Settings, ShardRouter, Token};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 4)?);
/// let load = |shard, sequencer| Authority::load(shard, sequencer, Settings::default(), []);
/// let mut registry = load(0, Some(sequencer))?;
/// let mut third = load(2, None)?; // never used
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
/// let mut router = ShardRouter::new(Request::Acquire(acquire), 0x8000, 4, 0);
/// let mut asked = Vec::new();
/// let reply = loop {
///     match router.action() {
///         Action::Send { shard, request } => {
///             asked.push(shard);
///             let authority = if shard == 0 { &mut registry } else { &mut third };
///             let decision = authority.decide(now_ms, &request);
///             decision.write.iter().for_each(|write| authority.apply(write));
///             router.receive(Ok(decision.reply));
///         }
///         Action::Done(reply) => break reply,
///     }
/// };
/// assert_eq!(asked, [2, 0, 2, 2]);
/// let Ok(Reply::Granted(grant)) = reply else { unreachable!() };
/// assert_eq!(grant.span.node(), 33); // the third of four shards has the nodes 32 to 47
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShardRouter {
    request: Request,
    /// The place of the calling process on the circle of shards, in units of 1/65,536 of the
    /// circle.
    place: u16,
    shards: u64,
    /// The number of times that the call was sent before.
    tries: u64,
    /// The number of shards that have been asked without success.
    asked: u64,
    /// Whether the router has already told the current shard what the registry says.
    told: bool,
    next: Next,
    /// The answer if the router stops now: of several refusals, the one with the shortest wait.
    answer: Result<Reply, CallFailure>,
}

#[expect(clippy::large_enum_variant, reason = "one per router")]
#[derive(Clone, Debug)]
enum Next {
    Ask,
    Describe,
    Follow(Sequencer),
    Done,
}

impl ShardRouter {
    /// Creates a router for an acquire or a prefetch. The shards stand on a circle in order of
    /// their numbers, and `place` is the place of the calling process on the circle, in units of
    /// 1/65,536 of the circle. `shards` is the number of shards as far as you know it, and `tries`
    /// is the number of times that the call was sent before.
    #[must_use]
    pub const fn new(request: Request, place: u16, shards: u64, tries: u64) -> Self {
        Self {
            request,
            place,
            shards: if shards == 0 { 1 } else { shards },
            tries,
            asked: 0,
            told: false,
            next: Next::Ask,
            answer: Err(CallFailure),
        }
    }

    /// Returns the shard to ask: first the shard nearest to the place, then the shard after the
    /// nearest, then the shard before the nearest. Each retry begins a quarter of the circle
    /// further on, because a whole region may be silent.
    const fn shard(&self) -> u64 {
        let nearest = (self.place as u64 * self.shards) >> u16::BITS;
        let quarter = self.shards.div_ceil(4);
        let offset = match self.asked {
            0 => 0,
            1 => 1,
            _ => self.shards - 1,
        };
        (nearest + self.tries % self.shards * quarter + offset) % self.shards
    }

    /// Returns the next action.
    #[must_use]
    pub const fn action(&self) -> Action {
        match self.next {
            Next::Ask => Action::Send { shard: self.shard(), request: self.request },
            Next::Describe => {
                Action::Send { shard: Sequencer::REGISTRY, request: Request::Describe }
            }
            Next::Follow(sequencer) => {
                Action::Send { shard: self.shard(), request: Request::Follow(sequencer) }
            }
            Next::Done => Action::Done(self.answer),
        }
    }

    /// Returns the number of shards that the router knows of.
    #[must_use]
    pub const fn shards(&self) -> u64 {
        self.shards
    }

    const fn asked_max(&self) -> u64 {
        if self.shards < ASKED_MAX { self.shards } else { ASKED_MAX }
    }

    /// Takes the reply to the request that was sent last.
    pub fn receive(&mut self, reply: Result<Reply, CallFailure>) {
        match (&self.next, reply) {
            (Next::Ask, Ok(Reply::Refused { refusal, incarnation })) => {
                if self.may_be_behind(&refusal, incarnation) {
                    self.next = Next::Describe;
                } else if is_of_one_shard(&refusal) {
                    self.ask_another(&reply);
                } else {
                    self.done(&reply);
                }
            }
            (Next::Ask, Ok(_)) => self.done(&reply),
            (Next::Describe, Ok(Reply::Described(sequencer))) => self.describe(sequencer),
            // Asking another shard would not help, because its answer would also send the router to
            // the registry.
            (Next::Describe, Ok(Reply::Refused { refusal, .. })) if !is_of_one_shard(&refusal) => {
                self.done(&reply);
            }
            (Next::Follow(_), Ok(Reply::Described(_))) => {
                self.told = true;
                self.next = Next::Ask;
            }
            (Next::Done, _) => {}
            (_, reply) => self.ask_another(&reply),
        }
    }

    /// Returns whether the registry may know more than the shard that refused.
    fn may_be_behind(&self, refusal: &Refusal, incarnation: u64) -> bool {
        let behind = match refusal {
            Refusal::UnknownSequencer | Refusal::SequencerDestroyed => true,
            Refusal::OtherIncarnation { found } => *found > incarnation,
            _ => false,
        };
        behind && !self.told && self.shard() != Sequencer::REGISTRY
    }

    fn describe(&mut self, sequencer: Option<Sequencer>) {
        let refused = |refusal| Ok(Reply::refused(refusal, sequencer.as_ref()));
        match sequencer {
            None => self.done(&refused(Refusal::UnknownSequencer)),
            Some(sequencer) if !sequencer.is_active() => {
                self.done(&refused(Refusal::SequencerDestroyed));
            }
            // The sequencer has no shard of this number, because it was created again with fewer
            // shards, or always had fewer.
            Some(sequencer) if self.shard() >= sequencer.config.shards() => {
                self.shards = sequencer.config.shards();
                self.asked = 0;
                self.next = Next::Ask;
            }
            Some(sequencer) => self.next = Next::Follow(sequencer),
        }
    }

    fn ask_another(&mut self, reply: &Result<Reply, CallFailure>) {
        if retry_in_ms(reply) <= retry_in_ms(&self.answer) {
            self.answer = *reply;
        }
        self.asked += 1;
        self.told = false;
        self.next = if self.asked < self.asked_max() { Next::Ask } else { Next::Done };
    }

    fn done(&mut self, reply: &Result<Reply, CallFailure>) {
        self.answer = *reply;
        self.next = Next::Done;
    }
}

/// Returns whether another shard may grant the request that this shard refuses.
const fn is_of_one_shard(refusal: &Refusal) -> bool {
    refusal.retry_in_ms().is_some() || matches!(refusal, Refusal::Unreadable)
}

/// Returns the time to wait before another try, in ms, according to a reply. A shard that did not
/// answer, or cannot read its storage, names no time, which counts as the longest time.
fn retry_in_ms(reply: &Result<Reply, CallFailure>) -> u64 {
    match reply {
        Ok(Reply::Refused { refusal, .. }) if *refusal != Refusal::Unreadable => {
            refusal.retry_in_ms().unwrap_or(0)
        }
        _ => u64::MAX,
    }
}
