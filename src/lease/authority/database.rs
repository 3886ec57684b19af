//! # Why holders may decide for themselves from one database
//!
//! A sequencer can have its table in a database that all holders reach, with no authority between
//! the holders and the database. Each holder then reads an excerpt of the table, decides from the
//! excerpt by the rules of an authority, and writes its decision. The write fails if the node's row
//! or the sequencer's row has changed since the holder read it. So if two holders decide from the
//! same row, one holder writes and the other holder reads again. No lock is held between read and
//! write. A slow holder does no harm, because no rule needs a clock.
//!
//! A holder remembers the row that it has stored last. So it decides its next renewal from *memory*,
//! at its own estimate of the database's time. The write fails if a read would return something else,
//! or if the estimate is later than the database's time. After a failure, the holder reads.
//!
//! A database can forget commits that it has confirmed: when a standby that lacks the last commits
//! is promoted, or when a backup is restored. A promotion or a restore begins a new *history* of
//! the server, and the server gives the history a name. Each sequencer's row names the history to
//! which the sequencer's rows belong. In another history, holders write nothing until the sequencer
//! has adopted that history:
//!
//! - If the operator has declared in the old history that a standby has every confirmed commit, the
//!   sequencer adopts the new history and keeps its rows. A restored backup lacks commits, so the
//!   operator must withdraw the declaration before holders reach the backup.
//! - Otherwise the sequencer's row notes a late tick. By this tick, all spans that the database may
//!   have forgotten have ended. When this tick is at most the allowed future away, the sequencer
//!   adopts the history, and restarts like a shard that was rolled back: all rows are deleted, and
//!   every node starts at this tick. Before then, the operator may declare that nothing was
//!   forgotten.
//!
//! Two servers that were promoted from the same server may give their histories the same name. So
//! each change of the sequencer's row has a random number, and in both cases above the first write
//! only notes the *failover* (the new history). The next step is decided from a reading that has
//! the random number of that write. Such a reading comes from this very server, after its
//! promotion.
//!
//! The late tick is late enough on three conditions: the old server writes no more, the two
//! servers' clocks differ by at most the allowed disagreement, and at the forgotten commits no time
//! in the settings was longer than it is now. A change of the settings changes the sequencer's row,
//! because otherwise a holder could write by settings that it read long ago. If the creation of a
//! sequencer was forgotten, create it again with the same timestamp bits, epoch and tick length.

use alloc::string::String;
use alloc::vec::Vec;

use super::decision::{Decision, Row, Write};
use super::excerpt::Excerpt;
use super::witness::Stamp;
use crate::lease::message::{Refusal, Reply, Request, Sequencer, Settings, Token};

/// The only shard of a sequencer in a database. More shards are not needed, because the database
/// serves many holders at the same time.
const SHARD: u64 = 0;

/// The number of times that other holders may write first before a call is refused as overload.
const LOST_MAX: u32 = 12;

/// The number of nodes of each kind (held, released, unused) that the first read asks for. Each
/// read after a lost race asks for four times as many, up to [`NODES_MAX`], so that a thousand
/// holders that start at once do not all try the same few nodes.
const NODES_MIN: u64 = 2;

const NODES_MAX: u64 = 1_024;

/// A holder's estimate of the elapsed time is reduced by one part in this number, because its clock
/// may run faster than the database's.
const CLOCK_RATE: u64 = 1_000;

/// If the holder's clock is later than its estimate of the database's time by more than this, in ms,
/// the holder reads instead. While a computer sleeps, its timers stand still, so the estimate may be
/// too low, and the renewed lease would be short.
const LAG_MAX_MS: u64 = 1_000;

/// The pause, in ms, after other holders have written first more than [`LOST_MAX`] times.
const LOST_PAUSE_MS: u64 = 2_000;

/// The part of the table that a call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The node whose row is read; `None` for the sequencer's first node.
    pub node: Option<u64>,
    /// The rows with this token are read.
    pub token: Option<Token>,
    /// A node that must not be granted.
    pub excluded_node: Option<u64>,
    /// The number of nodes of each kind to read for a grant; 0 if the request grants none.
    pub nodes: u64,
    /// Whether the rows whose spans end last are read.
    pub ends: bool,
}

/// An excerpt of the table, as one statement has read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The database's clock, in Unix ms.
    pub now_ms: u64,
    /// The server's history, which changes when a standby is promoted or a backup restored.
    pub history: String,
    /// Whether the server has every commit that was confirmed in [`Self::known_history`].
    pub has_all_commits: bool,
    /// The history to which the sequencer's rows belong. If there is no sequencer, it is the
    /// history in which the tables were made.
    pub known_history: String,
    /// The failover that the sequencer's row notes; `None` if it notes none.
    pub failover: Option<Failover>,
    /// The random number of the newest change of the sequencer's row; 0 without a sequencer.
    pub change: u64,
    /// The sequencer.
    pub sequencer: Option<Sequencer>,
    /// The settings that are stored with the sequencer.
    pub settings: Settings,
    /// The row of [`Part::node`].
    pub row: Option<Row>,
    /// The rows that have [`Part::token`].
    pub granted: Vec<(u64, Row)>,
    /// The held nodes whose spans end first. They may be granted when their spans end.
    pub held: Vec<(u64, Row)>,
    /// The released nodes whose spans end first. They may be granted.
    pub released: Vec<(u64, Row)>,
    /// Nodes that may be granted and were never used.
    pub unused: Vec<u64>,
    /// With [`Part::ends`]: the rows whose spans end last, one row more than a [`Stamp`] has nodes.
    /// The other rows end no later than the last of these rows.
    pub latest: Vec<(u64, Row)>,
    /// The first node after the last node that was ever used; 0 if no node was ever used.
    pub used_end: u64,
}

impl Reading {
    fn end(&self) -> Option<u64> {
        self.row.map(|row| row.until_tick)
    }

    /// Returns this reading with another time, and with no rows but this one.
    fn of_row(&self, row: Option<Row>, now_ms: u64) -> Self {
        Self {
            history: self.history.clone(),
            known_history: self.known_history.clone(),
            failover: None,
            row,
            granted: Vec::new(),
            held: Vec::new(),
            released: Vec::new(),
            unused: Vec::new(),
            latest: Vec::new(),
            used_end: 0,
            now_ms,
            ..*self
        }
    }
}

/// A history that the sequencer has not adopted yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failover {
    /// The name of the history.
    pub history: String,
    /// The tick by which every span that may have been forgotten has ended; `None` until it is
    /// computed.
    pub until_tick: Option<u64>,
}

/// A holder's memory of its last grant or renewal, from which it can decide its next renewal. It is
/// empty at first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    written: Option<Written>,
    /// The time of the answer to this write, by the holder's clock.
    answered_ms: u64,
}

/// A row, in the reading from which it was decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Written {
    node: u64,
    reading: Reading,
}

/// The content that one statement writes: all of it or nothing. The statement fails in four cases:
/// the server's history or the sequencer's row has changed, the sequencer's row belongs to another
/// history (unless the statement changes this history), the database's clock shows an earlier time
/// than [`now_ms`](Self::now_ms), or a condition of one of the [`Write`]s does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Commit {
    /// The holder's estimate of the database's time, in Unix ms, if the holder decided from memory;
    /// otherwise 0.
    pub now_ms: u64,
    /// The server's history when the excerpt was read.
    pub history: String,
    /// The random number of the newest change of the sequencer's row when the excerpt was read. A
    /// statement draws a new number if it stores the sequencer, or if its effect is not
    /// [`Effect::Keep`].
    pub change: u64,
    /// The effect on the history of the sequencer's rows.
    pub effect: Effect,
    /// The writes.
    pub writes: Vec<Write>,
}

/// The effect of a statement on the history to which the sequencer's rows belong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The rows belong to the same history as before, which must be the server's.
    Keep,
    /// The rows belong to the server's history from now on.
    Adopt,
    /// The sequencer's row notes the failover.
    Note(Failover),
}

/// The next statement of a call.
#[expect(clippy::large_enum_variant, reason = "each call has one value, and a reply is Copy")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// Read this part; then call [`DatabaseCall::read`].
    Read(Part),
    /// Write this; then call [`DatabaseCall::wrote`].
    Write(Commit),
    /// The call is done, and this is its reply.
    Done(Reply),
}

/// A request that the holder decides itself, from a table in a database.
///
/// Carry out each [`statement`](Self::statement) until it is [`Statement::Done`]. If a statement
/// fails, or the server warns that a commit may not be on its standby, drop the call. The request
/// then has no reply, as if the reply had been lost, and a retry finds out what was stored.
#[derive(Clone, Debug, Hash)]
pub struct DatabaseCall {
    request: Request,
    /// The part of the table that the call reads.
    part: Part,
    /// The number of times that other holders have written first.
    lost: u32,
    next: Statement,
    /// The reply to give when the write in `next` is stored; `None` if the call reads again after
    /// this write.
    reply: Option<Reply>,
    /// The row that the write in `next` stores, or that is stored.
    written: Option<Written>,
}

impl DatabaseCall {
    /// Begins a call.
    #[must_use]
    pub const fn new(request: Request) -> Self {
        let part = part(&request);
        Self { request, part, lost: 0, next: Statement::Read(part), reply: None, written: None }
    }

    /// Begins a call of a holder that has a memory. `clock_ms` is the time since any fixed moment, by
    /// the holder's clock.
    #[must_use]
    pub fn remembering(request: Request, memory: &Memory, clock_ms: u64) -> Self {
        Self::from_memory(request, memory, clock_ms).unwrap_or_else(|| Self::new(request))
    }

    fn from_memory(request: Request, memory: &Memory, clock_ms: u64) -> Option<Self> {
        let Request::Renew(renew) = request else { return None };
        let Written { node, reading } = memory.written.as_ref()?;
        let elapsed_ms = clock_ms.saturating_sub(memory.answered_ms);
        let passed_ms = elapsed_ms - elapsed_ms.div_ceil(CLOCK_RATE);
        let now_ms = reading.now_ms.saturating_add(passed_ms);
        if renew.node != *node || renew.now_ms > now_ms.saturating_add(LAG_MAX_MS) {
            return None;
        }
        let mut call = Self::new(request);
        call.read(&reading.of_row(reading.row, now_ms));
        if let Statement::Write(commit) = &mut call.next {
            commit.now_ms = now_ms;
        }
        // Only a write shows whether the memory is still true. A renewal that gains no time shows
        // that the holder's clock stands still.
        let gains = call.written.as_ref().is_some_and(|after| after.reading.end() > reading.end());
        gains.then_some(call)
    }

    /// Returns the next statement, or the reply.
    #[must_use]
    pub const fn statement(&self) -> &Statement {
        &self.next
    }

    /// Returns whether the request changes the sequencer itself. Holders do not need the right to
    /// make such a request.
    #[must_use]
    pub const fn is_administration(&self) -> bool {
        matches!(self.request, Request::Create(_) | Request::Destroy | Request::Shrink(_))
    }

    /// Notes in the holder's memory what a call for a grant or renewal has stored, when the call is
    /// done. Other calls leave the memory as it is. `clock_ms` is the time since the same moment as
    /// in [`remembering`](Self::remembering).
    pub fn remember(&mut self, memory: &mut Memory, clock_ms: u64) {
        let is_held = matches!(self.request, Request::Acquire(_) | Request::Renew(_));
        if is_held && matches!(self.next, Statement::Done(_)) {
            *memory = Memory { written: self.written.take(), answered_ms: clock_ms };
        }
    }

    /// Decides the request from the reading.
    pub fn read(&mut self, reading: &Reading) {
        let is_known = reading.known_history == reading.history;
        let is_suitable =
            |sequencer: &Sequencer| reading.settings.check(sequencer.config.layout()).is_ok();
        self.next = match (&self.request, &reading.sequencer) {
            (Request::Describe, _) => Statement::Done(Reply::Described(reading.sequencer)),
            (_, Some(sequencer)) if !self.is_administration() && !is_suitable(sequencer) => {
                Statement::Done(Reply::refused(Refusal::UnsuitableSettings, Some(sequencer)))
            }
            (_, Some(sequencer)) if !is_known => self.adopt(reading, sequencer),
            _ => self.decide(reading),
        };
    }

    fn decide(&mut self, reading: &Reading) -> Statement {
        let latest_end = reading.latest.iter().map(|(_, row)| row.end()).max().unwrap_or(0);
        let first_node = reading.sequencer.map_or(0, |sequencer| sequencer.config.first_node());
        let excerpt = Excerpt {
            shard: SHARD,
            sequencer: reading.sequencer.as_ref(),
            settings: &reading.settings,
            is_shared: true,
            row: reading.row,
            granted: &reading.granted,
            held: &reading.held,
            released: &reading.released,
            unused: &reading.unused,
            latest_end,
            used_end: reading.used_end.max(first_node),
        };
        let Decision { write, reply } = excerpt.decide(reading.now_ms, &self.request);
        // The reply to an administrator may describe only a durable sequencer. A commit, even an
        // empty one, proves that all earlier commits are durable.
        if write.is_none() && !matches!(reply, Reply::Described(Some(_))) {
            return Statement::Done(reply);
        }
        self.reply = Some(reply);
        if let Some(Write::Node { node, after, .. }) = write {
            self.written = Some(Written { node, reading: reading.of_row(Some(after), 0) });
        }
        commit(reading, Effect::Keep, Vec::from_iter(write))
    }

    /// Returns the next statement for adopting a history that the sequencer has not adopted yet.
    fn adopt(&mut self, reading: &Reading, sequencer: &Sequencer) -> Statement {
        let note = |until_tick| {
            let failover = Failover { history: reading.history.clone(), until_tick };
            commit(reading, Effect::Note(failover), Vec::new())
        };
        let noted = reading.failover.as_ref().filter(|noted| noted.history == reading.history);
        let Some(noted) = noted else { return note(None) };
        if reading.has_all_commits {
            return commit(reading, Effect::Adopt, Vec::new());
        }
        let Some(until_tick) = noted.until_tick else {
            return note(Some(forgotten_end(sequencer, &reading.settings, reading.now_ms)));
        };
        let layout = sequencer.config.layout();
        let allowed_future_ms = reading.settings.terms.allowed_future_ms;
        let ready_ms = layout.start_ms(until_tick).saturating_sub(allowed_future_ms);
        if reading.now_ms < ready_ms {
            let refusal = Refusal::NoNodeFree { retry_in_ms: ready_ms - reading.now_ms };
            return Statement::Done(Reply::refused(refusal, Some(sequencer)));
        }
        if !self.part.ends {
            self.part.ends = true;
            return Statement::Read(self.part);
        }
        let mut stamp = Stamp { sequencer: Some(*sequencer), until_tick, ..Stamp::default() };
        for (node, row) in &reading.latest {
            stamp.cover(*node, row.end());
        }
        commit(reading, Effect::Adopt, stamp.restart(SHARD, Some(*sequencer)))
    }

    /// Goes on after a write. `is_stored` says whether all conditions of the write held, so that it
    /// was stored; `now_ms` is the database's time in Unix ms.
    pub fn wrote(&mut self, is_stored: bool, now_ms: u64) {
        self.lost += u32::from(!is_stored);
        self.written = self.written.take().filter(|_| is_stored);
        if let Some(written) = &mut self.written {
            written.reading.now_ms = now_ms;
        }
        // If the write was not stored, its reply is void, because the next read may lead to another
        // reply.
        self.next = match self.reply.take().filter(|_| is_stored) {
            Some(reply) => Statement::Done(reply),
            None if self.lost > LOST_MAX => {
                let refusal = Refusal::Overloaded { retry_in_ms: LOST_PAUSE_MS };
                Statement::Done(Reply::refused(refusal, None))
            }
            None => {
                self.part.nodes = (self.part.nodes * 4).min(NODES_MAX);
                Statement::Read(self.part)
            }
        };
    }
}

/// Returns the part of the table that a request needs.
const fn part(request: &Request) -> Part {
    let part = Part { node: None, token: None, excluded_node: None, nodes: 0, ends: false };
    match request {
        Request::Acquire(acquire) => {
            let (token, excluded_node) = (Some(acquire.token), acquire.excluded_node);
            Part { token, excluded_node, nodes: NODES_MIN, ..part }
        }
        Request::Renew(renew) => Part { node: Some(renew.node), ..part },
        Request::Release(release) => Part { node: Some(release.node), ..part },
        Request::Destroy => Part { ends: true, ..part },
        _ => part,
    }
}

fn commit(reading: &Reading, effect: Effect, writes: Vec<Write>) -> Statement {
    let (history, change) = (reading.history.clone(), reading.change);
    Statement::Write(Commit { now_ms: 0, history, change, effect, writes })
}

/// Returns a tick by which every span that was granted or renewed so far has ended. This also holds
/// for spans from another server whose clock differs by the allowed disagreement.
fn forgotten_end(sequencer: &Sequencer, settings: &Settings, now_ms: u64) -> u64 {
    let terms = settings.terms;
    // The disagreement counts twice: the other server's clock may be ahead by one disagreement, and
    // the holder's clock by another. A renewal counts from the holder's tick, which may be ahead of
    // the holder's clock by the allowed future.
    let latest_ms = now_ms
        .saturating_add(settings.clock_disagreement_max_ms.saturating_mul(2))
        .saturating_add(terms.allowed_future_ms)
        .saturating_add(terms.lease_ms);
    // The returned tick is 2 ticks after the tick of `latest_ms`, because a batch may have used a
    // part of that tick, and because the lease time may end within a tick.
    let layout = sequencer.config.layout();
    layout.tick_clamped(latest_ms).saturating_add(2).min(layout.ticks())
}
