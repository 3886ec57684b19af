//! The calls of holders and administrators: statements on their way to the server and back.

use edgeflake::Span;
use edgeflake::lease::{
    CallFailure, Commit, DatabaseCall, Effect, Failover, Grant, Outcome, Reading, Reply, Request,
    Statement,
};
use edgeflake_world::{Count, Sender};

use super::server::Stored;
use super::{Event, Job, World};
use crate::fault::Phase;

#[derive(Clone, Copy)]
pub(super) enum Caller {
    /// A holder waits for the reply to its call with this number.
    Holder { process: usize, life: u64, number: u64 },
    /// A process that takes a lease but issues no ids.
    Idler { life: u64 },
    /// An administrator, who creates, shrinks or destroys the sequencer.
    Administrator,
}

pub(super) enum Answer {
    Reading(Box<Reading>),
    /// Whether a commit was stored, and the server's time in Unix ms.
    Stored(bool, u64),
    /// The connection was lost, or the server warned.
    Lost,
}

impl Caller {
    const fn life(self) -> Option<u64> {
        match self {
            Self::Holder { life, .. } | Self::Idler { life } => Some(life),
            Self::Administrator => None,
        }
    }
}

impl World {
    pub(super) fn start(&mut self, caller: Caller, request: Request) {
        self.started += 1;
        let call = self.begin(caller, request);
        self.jobs.insert(self.started, Box::new(Job { caller, request, leg: 0, call }));
        self.go_ahead(self.started);
    }

    /// Begins a call, from memory if the caller has one.
    fn begin(&mut self, caller: Caller, request: Request) -> DatabaseCall {
        let Some(life) = caller.life() else { return DatabaseCall::new(request) };
        let clock_ms = self.clock_ms(caller, &request);
        let memory = self.memories.entry(life).or_default();
        let call = DatabaseCall::remembering(request, memory, clock_ms);
        if matches!(call.statement(), Statement::Write(_)) {
            self.tally.count(Count::RememberedRenewals);
        }
        call
    }

    /// Returns the time of the caller's clock in Unix ms. When an idler renews, its clock shows the
    /// tick of the renewal.
    fn clock_ms(&self, caller: Caller, request: &Request) -> u64 {
        match (caller, request) {
            (Caller::Holder { process, .. }, _) => {
                self.processes[process].clock.now_ms(self.now_ms)
            }
            (_, Request::Renew(renew)) => self.config.layout().start_ms(renew.tick),
            _ => self.now_ms,
        }
    }

    /// Sends the next statement of a call, or delivers its reply.
    fn go_ahead(&mut self, number: u64) {
        let Some(job) = self.jobs.get_mut(&number) else { return };
        job.leg += 1;
        let (leg, caller, request) = (job.leg, job.caller, job.request);
        let statement = match job.call.statement() {
            Statement::Done(reply) => {
                let reply = *reply;
                let clock_ms = self.clock_ms(caller, &request);
                if let Some((life, mut job)) = caller.life().zip(self.jobs.remove(&number)) {
                    job.call.remember(self.memories.entry(life).or_default(), clock_ms);
                }
                return self.deliver(caller, &request, &reply);
            }
            statement => Box::new(statement.clone()),
        };
        let server = self.server.number;
        let delay_ms = self.delay_ms();
        let changes_history = |commit: &Commit| commit.effect != Effect::Keep;
        let may_sleep = matches!(&*statement, Statement::Write(commit) if changes_history(commit));
        let fate = if self.phase == Phase::Storm { self.random.below(30) } else { u64::MAX };
        if fate < 2 {
            self.tally.count(if fate == 0 { Count::StatementsLost } else { Count::StatementsLate });
            self.post(delay_ms, Event::Answer { sender: (number, leg), answer: Answer::Lost });
        }
        if fate == 0 {
            return;
        }
        // The answer to some statements is lost, although the server carries them out: they name a
        // leg that the call does not have.
        let sender = (number, if fate <= 2 { u64::MAX } else { leg });
        let event = Event::Statement { sender, statement, server };
        // A holder that wakes up after the next failover must not write what it read before.
        if may_sleep && self.phase == Phase::Storm && self.random.one_in(4) {
            return self.asleep.push(event);
        }
        let late_ms = if fate == 1 { self.delay_ms() + self.delay_ms() } else { 0 };
        self.post(delay_ms + late_ms, event);
    }

    /// Draws how long a statement or its answer is under way, or how long the sender sleeps.
    fn delay_ms(&mut self) -> u64 {
        let most = match self.phase {
            Phase::Storm => self.random.pick([1, 1, 1, 4, 4, 4, 4, 40, 40, 400]),
            Phase::Thaw | Phase::Calm => return self.random.below(3),
        };
        let most = if self.random.one_in(60) { 20_000 } else { most };
        self.random.below(most * self.unit_ms)
    }

    /// Lets the server carry out a statement if the connection still exists.
    pub(super) fn carry_out(&mut self, sender: Sender, statement: &Statement, server: u64) {
        let is_down = self.now_ms < self.server.down_until_ms;
        let is_lost = is_down || server != self.server.number && self.random.one_in(2);
        let answer = match statement {
            _ if is_lost => Answer::Lost,
            Statement::Read(part) => Answer::Reading(Box::new(self.server.read(part, self.now_ms))),
            Statement::Write(commit) => {
                let is_calm = self.phase != Phase::Storm;
                let shown_ms = self.server.clock.now_ms(self.now_ms);
                let Stored { is_stored, warns } =
                    self.server.commit(commit, shown_ms, is_calm, &mut self.random);
                if commit.now_ms > shown_ms {
                    self.tally.count(Count::WrittenTooEarly);
                }
                self.note(|| format!("{sender:?} stores {is_stored}, warned {warns}: {commit:?}"));
                if !is_stored {
                    self.tally.count(Count::LostRaces);
                } else if commit.effect == Effect::Adopt {
                    match commit.writes.len() {
                        0 => self.tally.count(Count::Adoptions),
                        1 => self.tally.count(Count::Restarts),
                        _ => self.tally.count(Count::LateRestarts),
                    }
                }
                if let Effect::Note(Failover { until_tick: Some(until_tick), .. }) = commit.effect
                    && is_stored
                {
                    // As soon as the failover is over, several processes start.
                    let settings = self.server.settings();
                    let ready_ms = self.config.layout().start_ms(until_tick)
                        - settings.terms.allowed_future_ms;
                    self.post(ready_ms.saturating_sub(shown_ms), Event::Herd);
                }
                if is_stored && sender.1 == u64::MAX {
                    self.tally.count(Count::AnswersLost);
                }
                if warns {
                    self.tally.count(Count::Warnings);
                    Answer::Lost
                } else {
                    Answer::Stored(is_stored, shown_ms)
                }
            }
            Statement::Done(_) => return,
        };
        let delay_ms = self.delay_ms();
        self.post(delay_ms, Event::Answer { sender, answer });
    }

    pub(super) fn answered(&mut self, sender: Sender, answer: Answer) {
        let (number, leg) = sender;
        let Some(job) = self.jobs.get_mut(&number).filter(|job| job.leg == leg) else { return };
        if let Caller::Holder { process, .. } = job.caller {
            let paused_until_ms = self.processes[process].paused_until_ms;
            if paused_until_ms > self.now_ms {
                let event = Event::Answer { sender, answer };
                return self.post(paused_until_ms - self.now_ms, event);
            }
        }
        match answer {
            Answer::Reading(reading) => job.call.read(&reading),
            Answer::Stored(is_stored, now_ms) => job.call.wrote(is_stored, now_ms),
            Answer::Lost => {
                let Job { caller, request, .. } = **job;
                self.jobs.remove(&number);
                return self.fail(caller, request);
            }
        }
        self.go_ahead(number);
    }

    fn fail(&mut self, caller: Caller, request: Request) {
        match caller {
            Caller::Holder { process, life, number } => {
                let process = &mut self.processes[process];
                if process.life == life {
                    let now_ms = process.clock.now_ms(self.now_ms);
                    process.holder.receive(now_ms, number, Err(CallFailure));
                }
            }
            Caller::Idler { .. } | Caller::Administrator => {
                if self.random.one_in(2) {
                    self.start(caller, request);
                }
            }
        }
    }

    fn deliver(&mut self, caller: Caller, request: &Request, reply: &Reply) {
        self.note(|| format!("{request:?}: {reply:?}"));
        match (caller, reply) {
            (Caller::Holder { process, life, number }, reply) => {
                self.receive(process, life, number, reply);
            }
            (Caller::Idler { life }, Reply::Granted(grant)) => {
                self.owners.leased(life, grant.incarnation, grant.span);
                self.idle.insert(life, *grant);
            }
            (Caller::Idler { life }, Reply::Renewed(renewal)) => {
                let grant = self.idle.get_mut(&life).expect("it was granted");
                let Grant { incarnation, config, span, .. } = *grant;
                let until_tick = renewal.until_tick.max(span.until_tick());
                let (node, from_tick) = (span.node(), span.from_tick());
                let span = Span::new(config.layout(), node, from_tick, until_tick);
                grant.span = span.expect("a span of the layout");
                self.owners.leased(life, incarnation, grant.span);
            }
            (Caller::Idler { life }, Reply::Batched(batch)) => self.owners.batched(life, batch),
            (Caller::Administrator, Reply::Described(Some(sequencer))) => {
                // A late reply may describe an earlier state of the sequencer, so only a reply with
                // the current state is checked.
                self.tally.count(Count::Administrations);
                let database = self.server.database();
                if database.sequencer() == Some(sequencer) && database.is_adopted() {
                    self.owners.told(sequencer);
                }
            }
            _ => {}
        }
    }

    fn receive(&mut self, process: usize, life: u64, number: u64, reply: &Reply) {
        let process = &mut self.processes[process];
        if process.life != life {
            return;
        }
        let now_ms = process.clock.now_ms(self.now_ms);
        let outcome = process.holder.receive(now_ms, number, Ok(*reply));
        let lease = process.holder.span().zip(process.holder.incarnation());
        self.tally.count(match (outcome, reply, lease) {
            (Outcome::Acquired, _, Some((span, incarnation))) => {
                self.owners.leased(life, incarnation, span);
                Count::DatabaseSpans
            }
            (Outcome::Renewed, _, Some((span, incarnation))) => {
                self.owners.leased(life, incarnation, span);
                Count::DatabaseRenewals
            }
            (Outcome::Prefetched, Reply::Batched(batch), _) => {
                self.owners.batched(life, batch);
                Count::DatabaseBatches
            }
            _ => return,
        });
    }
}
