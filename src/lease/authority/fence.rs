//! # Why no reply leaves too early
//!
//! The invariant: **a reply leaves only when all writes that its shard had made by the time of the
//! decision are durable, and when the witness has confirmed these writes in the session of the
//! decision.** A reply without a write waits, too, because the reply may state a fact that must not
//! be forgotten. The first reply of a session waits as well. Without the invariant, a shard whose
//! storage is restored could contradict its earlier replies to a holder.
//! [`Witness`](crate::lease::Witness) explains the other half: how a shard notices that its storage
//! was restored.
//!
//! Requests of one shard run concurrently, and share one session. They also share one commit and
//! one confirmation at a time. [`Fence::step`] returns the next step of a request. The shell (the
//! code that does the I/O) carries out this step, and tells the fence how the step ended. Between
//! [`Step::Decide`] and [`Fence::decided`] the shell awaits nothing.
//!
//! - **One commit serves all requests that were decided before it.** While the shell waits to
//!   commit, other requests are decided, and their writes become part of the commit. If the commit
//!   fails, all these requests fail, and the table in memory is dropped, because the table already
//!   has their writes.
//! - **The witness confirms only durable writes.** Otherwise a shard whose machine stops would look
//!   as if its storage had been restored.
//! - **Each call to the witness has a number**, and the fence accepts only the answer to the call
//!   that is under way. So a late answer never counts for a session that has begun meanwhile.
//! - **No call is waited for without limit.** Each request that waits for a call tells the fence
//!   when [`WITNESS_MAX_MS`] have passed. So the wait ends even if the request that sent the call
//!   is gone.
//! - **When a session ends, its requests fail.** A [`Ticket`] belongs to one session.

use super::decision::Write;
use super::witness::{SessionStart, Stamp, Version};

/// The longest wait for the answer of a witness, in ms. It is less than the 5,000 ms for which an
/// isolate waits for the shard.
pub const WITNESS_MAX_MS: u64 = 4_000;

/// A message of a shard to its witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WitnessCall {
    /// The shard was loaded with this stamp, and asks for a session. The witness answers with
    /// [`Witness::open`].
    ///
    /// [`Witness::open`]: super::Witness::open
    Open(Stamp),
    /// The shard has stored everything up to this stamp. The witness answers with
    /// [`Witness::confirm`].
    ///
    /// [`Witness::confirm`]: super::Witness::confirm
    Confirm(Stamp),
}

/// The next step of a request, which the shell carries out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Reads the storage, and calls [`Fence::loaded`].
    Load,
    /// Sends the call to the witness. Then calls [`Fence::opened`] or [`Fence::confirmed`] with the
    /// answer, or [`Fence::lost`] if there is no answer.
    Ask {
        /// The number of the call.
        number: u64,
        /// The call.
        call: WitnessCall,
    },
    /// Waits until a call has ended. If the call takes longer than [`WITNESS_MAX_MS`], calls
    /// [`Fence::lost`].
    Wait {
        /// The number of the call.
        number: u64,
    },
    /// In one transaction: checks that the storage still has the version `loaded`, stores the
    /// session, calls [`Fence::begin`], and stores the restart if `opened` has a newer stamp. If
    /// the transaction fails, calls [`Fence::failed`].
    Begin {
        /// The version that the storage must still have.
        loaded: Version,
        /// The answer of the witness. `None` means that the shard has no witness, so there is no
        /// session to store.
        opened: Option<SessionStart>,
    },
    /// Decides the request, makes the write of the decision if there is one, and calls
    /// [`Fence::decided`]. If the decision or the write fails, undoes all writes that are not
    /// durable, and calls [`Fence::failed`].
    Decide,
    /// Makes all writes durable in one commit, and then calls [`Fence::committed`]. The shell may
    /// wait for more requests first. If the commit fails, the shell undoes all writes that are not
    /// durable, and calls [`Fence::commit_failed`]. Some platforms hold back replies and calls
    /// until earlier writes are durable. There, the shell calls [`Fence::committed`] at once.
    Commit,
    /// Answers a request for the shard's status from the storage, without a session. If the storage
    /// cannot be read, calls [`Fence::failed`].
    Look,
    /// Sends the reply.
    Reply,
    /// Tells the caller that the request failed.
    Fail(Failure),
}

/// The reason why a request fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The session has ended because a step has failed.
    SessionEnded,
    /// The session has ended because the witness has opened another session.
    SessionReplaced,
    /// The witness has not answered.
    WitnessSilent,
}

/// The progress of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The number of the call that the request waits for; 0 if there is none.
    call: u64,
    decided: Option<Decided>,
    /// Whether the request asks only for the shard's status.
    is_status: bool,
    /// Whether the request is answered without a session.
    looks: bool,
}

impl Ticket {
    /// Creates the ticket of a request for the shard's status. A shard cannot begin a session if
    /// its storage takes no writes. So once a step has failed, the status is answered without a
    /// session.
    #[must_use]
    pub fn of_status() -> Self {
        Self { is_status: true, ..Self::default() }
    }
}

/// The moment at which a request was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Decided {
    /// The number of the session, as the fence counts sessions.
    session: u64,
    /// The number of requests that had been decided in the session, including this request.
    number: u64,
    /// The number of the newest write at that moment.
    write: u64,
}

impl Decided {
    /// Stands for a decision in no session.
    const NEVER: Self = Self { session: u64::MAX, number: u64::MAX, write: u64::MAX };
}

/// Holds back the replies of a shard until they may leave.
///
/// ```
/// use edgeflake::lease::fence::{Fence, Step, Ticket, WitnessCall};
/// use edgeflake::lease::{Stamp, Witness};
///
/// let (mut fence, mut witness, mut ticket) = (Fence::new(true), Witness::default(), Ticket::default());
/// assert_eq!(fence.step(&mut ticket), Step::Load);
/// fence.loaded(Stamp::default());
/// let Step::Ask { number, call: WitnessCall::Open(stamp) } = fence.step(&mut ticket) else {
///     unreachable!()
/// };
/// fence.opened(number, witness.open(&stamp));
/// let Step::Begin { opened: Some(opened), .. } = fence.step(&mut ticket) else { unreachable!() };
/// assert_eq!(opened.session, 1);
/// fence.begin();
///
/// assert_eq!(fence.step(&mut ticket), Step::Decide);
/// fence.decided(&mut ticket);
/// assert_eq!(fence.step(&mut ticket), Step::Commit);
/// fence.committed();
/// let Step::Ask { number, call: WitnessCall::Confirm(stamp) } = fence.step(&mut ticket) else {
///     unreachable!()
/// };
/// fence.confirmed(number, witness.confirm(&stamp));
/// assert_eq!(fence.step(&mut ticket), Step::Reply);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    has_witness: bool,
    session: Session,
    /// The number of sessions so far.
    sessions: u64,
    /// The number of the newest call.
    calls: u64,
    under_way: Option<Call>,
    /// The number of the newest call that was not answered.
    lost: u64,
    /// The newest session that ended because the witness opened another session; 0 if there is
    /// none.
    replaced: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Session {
    Closed,
    Loaded(Stamp),
    Opened(Stamp, SessionStart),
    Open {
        stamp: Stamp,
        /// The number of requests that were decided in this session.
        decisions: u64,
        /// The number of requests of the session that the newest commit has made durable, and the
        /// stamp at that commit; `None` before the first commit of the session.
        committed: Option<(u64, Stamp)>,
        /// The number of the newest write that the witness has confirmed in this session.
        confirmed: Option<u64>,
        rollbacks: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Call {
    number: u64,
    /// The number of the newest write that the call asks the witness to confirm; `None` if the call
    /// opens a session.
    write: Option<u64>,
}

impl Fence {
    /// Creates the fence of a shard that is not loaded.
    #[must_use]
    pub const fn new(has_witness: bool) -> Self {
        Self {
            has_witness,
            session: Session::Closed,
            sessions: 0,
            calls: 0,
            under_way: None,
            lost: 0,
            replaced: 0,
        }
    }

    /// Returns the next step of a request.
    pub fn step(&mut self, ticket: &mut Ticket) -> Step {
        if ticket.looks {
            return Step::Look;
        }
        if let Some(decided) = ticket.decided {
            return self.step_decided(ticket, decided);
        }
        match self.session {
            Session::Open { .. } => Step::Decide,
            Session::Opened(stamp, opened) => {
                Step::Begin { loaded: stamp.version, opened: Some(opened) }
            }
            // In the next three arms, the call of the request has ended, and no session is open.
            _ if self.has_ended(ticket) && ticket.call == self.lost => {
                Step::Fail(Failure::WitnessSilent)
            }
            _ if self.has_ended(ticket) && ticket.is_status => {
                ticket.looks = true;
                Step::Look
            }
            _ if self.has_ended(ticket) => Step::Fail(Failure::SessionEnded),
            Session::Closed => Step::Load,
            Session::Loaded(stamp) if !self.has_witness => {
                Step::Begin { loaded: stamp.version, opened: None }
            }
            Session::Loaded(stamp) => self.call(ticket, WitnessCall::Open(stamp), None),
        }
    }

    fn step_decided(&mut self, ticket: &mut Ticket, decided: Decided) -> Step {
        let Decided { session, number, write } = decided;
        match self.session {
            Session::Open { committed, confirmed, .. } if session == self.sessions => {
                match committed.filter(|(decisions, _)| *decisions >= number) {
                    None => Step::Commit,
                    Some(_) if confirmed >= Some(write) => Step::Reply,
                    Some(_) if self.has_ended(ticket) => Step::Fail(Failure::WitnessSilent),
                    Some((_, stamp)) => self.call(ticket, WitnessCall::Confirm(stamp), Some(write)),
                }
            }
            _ if session == self.replaced => Step::Fail(Failure::SessionReplaced),
            _ if ticket.is_status && decided != Decided::NEVER => {
                ticket.looks = true;
                Step::Look
            }
            _ => Step::Fail(Failure::SessionEnded),
        }
    }

    /// Returns whether the call that a request has waited for has ended.
    fn has_ended(&self, ticket: &Ticket) -> bool {
        ticket.call > 0 && self.under_way.is_none_or(|call| call.number != ticket.call)
    }

    /// Sends a call for the request. If a call is under way, waits for that call instead.
    fn call(&mut self, ticket: &mut Ticket, call: WitnessCall, write: Option<u64>) -> Step {
        if let Some(Call { number, write: confirms }) = self.under_way {
            if confirms >= write {
                ticket.call = number;
            }
            return Step::Wait { number };
        }
        self.calls += 1;
        let number = self.calls;
        let write = match call {
            WitnessCall::Open(_) => None,
            WitnessCall::Confirm(stamp) => Some(stamp.version.write),
        };
        self.under_way = Some(Call { number, write });
        ticket.call = number;
        Step::Ask { number, call }
    }

    /// Takes the stamp of the storage that was just read.
    pub fn loaded(&mut self, stamp: Stamp) {
        if self.session == Session::Closed {
            self.session = Session::Loaded(stamp);
        }
    }

    /// Takes the witness's answer to an [`Open`](WitnessCall::Open).
    pub fn opened(&mut self, number: u64, opened: SessionStart) {
        if let Some(Call { write: None, .. }) = self.end(number)
            && let Session::Loaded(stamp) = self.session
        {
            self.session = Session::Opened(stamp, opened);
        }
    }

    /// Takes the witness's answer to a [`Confirm`](WitnessCall::Confirm).
    pub fn confirmed(&mut self, number: u64, is_confirmed: bool) {
        let Some(Call { write: Some(write), .. }) = self.end(number) else { return };
        if !is_confirmed {
            self.replaced = self.sessions;
            return self.close();
        }
        if let Session::Open { confirmed, .. } = &mut self.session {
            *confirmed = (*confirmed).max(Some(write));
        }
    }

    /// Notes that a call failed, or had no answer for [`WITNESS_MAX_MS`]. Returns whether this call
    /// was under way.
    pub fn lost(&mut self, number: u64) -> bool {
        let Some(Call { write, .. }) = self.end(number) else { return false };
        self.lost = number;
        // The storage must be read again before the next session is opened.
        if write.is_none() {
            self.session = Session::Closed;
        }
        true
    }

    /// Ends the call under way if it has this number.
    fn end(&mut self, number: u64) -> Option<Call> {
        self.under_way.take_if(|call| call.number == number)
    }

    /// Notes that the shell has stored the session that the witness has opened.
    pub fn begin(&mut self) {
        let (stamp, confirmed, rollbacks) = match self.session {
            Session::Opened(stamp, SessionStart { session, rollbacks, .. }) => {
                let version = Version { session, ..stamp.version };
                (Stamp { version, ..stamp }, None, rollbacks)
            }
            Session::Loaded(stamp) if !self.has_witness => (stamp, Some(u64::MAX), 0),
            _ => return,
        };
        self.sessions += 1;
        self.session = Session::Open { stamp, decisions: 0, committed: None, confirmed, rollbacks };
    }

    /// Returns the version of the next write; `None` if no session is open.
    #[must_use]
    pub const fn next_version(&self) -> Option<Version> {
        match self.session {
            Session::Open { stamp: Stamp { version: Version { session, write }, .. }, .. } => {
                Some(Version { session, write: write + 1 })
            }
            _ => None,
        }
    }

    /// Notes that a write was stored with the [next version](Self::next_version).
    pub fn wrote(&mut self, write: &Write) {
        if let Session::Open { stamp, .. } = &mut self.session {
            stamp.wrote(write);
        }
    }

    /// Notes that a request was decided, and that its write, if there is one, was made.
    pub const fn decided(&mut self, ticket: &mut Ticket) {
        if let Session::Open { stamp, decisions, .. } = &mut self.session {
            *decisions += 1;
            let write = stamp.version.write;
            ticket.call = 0;
            ticket.decided = Some(Decided { session: self.sessions, number: *decisions, write });
        }
    }

    /// Notes that all writes so far are durable.
    pub const fn committed(&mut self) {
        if let Session::Open { stamp, decisions, committed, .. } = &mut self.session {
            *committed = Some((*decisions, *stamp));
        }
    }

    /// Notes that a commit failed, so all writes since the previous commit are undone. The session
    /// ends.
    pub fn commit_failed(&mut self) {
        self.close();
    }

    /// Returns the number of times that the shard was rolled back; `None` if no session is open, or
    /// there is no witness.
    #[must_use]
    pub const fn rollbacks(&self) -> Option<u64> {
        match self.session {
            Session::Open { rollbacks, .. } if self.has_witness => Some(rollbacks),
            _ => None,
        }
    }

    /// Notes that a step of a request failed, so the table in memory may differ from the storage.
    /// The session ends. The request fails, too, unless it asks only for the status.
    pub fn failed(&mut self, ticket: &mut Ticket) {
        if ticket.decided.is_none_or(|decided| decided.session == self.sessions) {
            self.close();
        }
        let looks = ticket.is_status && !ticket.looks;
        let decided = if looks { None } else { Some(Decided::NEVER) };
        *ticket = Ticket { call: 0, decided, is_status: ticket.is_status, looks };
    }

    fn close(&mut self) {
        self.session = Session::Closed;
        self.under_way = None;
    }
}
