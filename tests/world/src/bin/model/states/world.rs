//! The states of a few isolates and one object, and the step from one state to the next.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use edgeflake::Span;
use edgeflake::lease::{Counter, DatabaseCall, Request, Row, Token};

use super::action::Action;
use super::isolate::{Isolate, Letter, Message};
use super::object::Object;
use super::part::{Part, hash_of};
use super::server::Server;
use super::setting::{BATCH_NODE, NODES_MAX, Setting};

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) isolates: Vec<Part<Isolate>>,
    pub(crate) object: Part<Object>,
    /// The database server, in settings with a database. In these settings, the Durable Object
    /// does nothing.
    pub(crate) server: Option<Part<Server>>,
    /// By node, a bit for each tick that an ended lease has used for ids.
    used: [u16; NODES_MAX],
    /// A bit for each issued counter of the node for batches.
    pub(crate) batched: u32,
    /// Number of tokens drawn so far.
    tokens: u8,
    calls_left: u8,
    pub(crate) faults_left: u8,
    /// Describes the last id that a holder must not have issued, or the last renewal that it must
    /// not have sent.
    pub(crate) wrong: Option<String>,
}

/// The isolates are alike, so states do not differ by their order.
impl Hash for World {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { isolates, object, server, used, batched, tokens, .. } = self;
        let mut isolates: Vec<_> = isolates.iter().map(Part::hash).collect();
        isolates.sort_unstable();
        let server = server.as_ref().map(Part::hash);
        (isolates, object.hash(), server, used, batched, tokens).hash(state);
        let Self { calls_left, faults_left, wrong, .. } = self;
        (calls_left, faults_left, wrong).hash(state);
    }
}

/// Two states are equal if their hashes are equal, as in the checker.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        hash_of(self) == hash_of(other)
    }
}

impl World {
    pub(crate) fn new(setting: &Setting) -> Self {
        Self {
            isolates: vec![Part::new(Isolate::new()); setting.holders],
            object: Part::new(Object::default()),
            server: setting.has_database.then(|| Part::new(Server::new(setting))),
            used: [0; NODES_MAX],
            batched: 0,
            tokens: 0,
            calls_left: setting.calls,
            faults_left: setting.faults,
            wrong: None,
        }
    }

    /// Returns the state after an action, or `None` if the action is impossible.
    pub(crate) fn after(&self, setting: &Setting, action: Action) -> Option<Self> {
        let mut world = self.clone();
        world.faults_left = world.faults_left.checked_sub(u8::from(action.is_fault()))?;
        match action {
            Action::Request { isolate, tick, waits } => world.request(isolate, tick, waits)?,
            Action::CarryOut { isolate, letter, tick, is_replicated } => {
                let mut server = Server::clone(world.server.as_ref()?);
                world.change(isolate, |isolate| {
                    let Letter { number, message } = isolate.take(letter, false);
                    let mut call = match &*message {
                        Message::Request(request) => DatabaseCall::new(
                            request.after_wait(Setting::start_ms(0), Setting::start_ms(tick)),
                        ),
                        Message::Call(call) => DatabaseCall::clone(call),
                        Message::Reply(_) => return,
                    };
                    let message = match server.carry_out(&mut call, tick, is_replicated) {
                        Some(reply) => Message::Reply(reply),
                        None => Message::Call(Box::new(call)),
                    };
                    if number.is_some() || matches!(message, Message::Call(_)) {
                        isolate.mail.push(Letter { number, message: Part::new(message) });
                    }
                });
                world.server = Some(Part::new(server));
            }
            Action::FailOver => {
                let mut server = Server::clone(world.server.as_ref()?);
                server.fail_over();
                world.server = Some(Part::new(server));
            }
            Action::Decide { isolate, letter, instance, tick, again } => {
                let mut object = Object::clone(&world.object);
                world.change(isolate, |isolate| {
                    let Letter { number, message } = isolate.take(letter, again);
                    let Message::Request(request) = &*message else { return };
                    let now_ms = Setting::start_ms(tick);
                    let reply = object.decide(setting, instance, now_ms, request);
                    if let Some(reply) = reply.filter(|_| number.is_some()) {
                        let message = Part::new(Message::Reply(reply));
                        isolate.mail.push(Letter { number, message });
                    }
                });
                world.object = Part::new(object);
            }
            Action::Receive { isolate, letter, again, passes } => {
                world.change(isolate, |isolate| {
                    let Letter { number, message } = isolate.take(letter, again);
                    if let (Some(number), Message::Reply(reply)) = (number, &*message) {
                        isolate.receive(number, Some(*reply), passes);
                    }
                });
            }
            Action::Fail { isolate } => {
                let number = world.isolates[isolate].newest?;
                world.change(isolate, |isolate| isolate.receive(number, None, false));
            }
            // The holder attaches again at once, because a detached holder would only send its
            // release, and an attached holder may send the release, too.
            Action::Leave { isolate } => world.change(isolate, |isolate| {
                isolate.holder.detach();
                isolate.holder.attach();
            }),
            Action::Crash { isolate } => world.change(isolate, Isolate::crash),
            Action::Stop { instance } => {
                let mut object = Object::clone(&world.object);
                object.stop(instance);
                world.object = Part::new(object);
            }
        }
        Some(world)
    }

    fn request(&mut self, index: usize, tick: u64, waits: bool) -> Option<()> {
        let mut isolate = Isolate::clone(&self.isolates[index]);
        let random = Setting::random(self.tokens + 1);
        let (id, call) = isolate.request(tick, waits, random);
        if let Some(call) = call {
            self.calls_left = self.calls_left.checked_sub(1)?;
            if let Request::Renew(renew) = call.request
                && isolate.span().is_none_or(|span| span.until_tick() < renew.tick)
            {
                self.wrong = Some(format!("a renewal at tick {}, after its span", renew.tick));
            }
            let drawn = Token::from_random(random);
            if matches!(call.request, Request::Acquire(acquire) if acquire.token == drawn) {
                self.tokens += 1;
            }
        }
        if let Some(id) = id {
            self.issue(&mut isolate, id);
        }
        self.isolates[index] = Part::new(isolate);
        Some(())
    }

    /// Checks an id that a holder issues. The id must be from the holder's span and after its last
    /// id, or from a batch and new.
    fn issue(&mut self, isolate: &mut Isolate, id: u64) {
        let parts = Setting::layout().decode(id).expect("an id of the layout");
        let counter = Counter { tick: parts.tick, sequence: parts.sequence };
        if parts.node == BATCH_NODE {
            let bit = 1 << (parts.tick << 1 | parts.sequence);
            if self.batched & bit != 0 {
                self.wrong = Some(format!("{counter:?} of the batches is issued twice"));
            }
            self.batched |= bit;
            return;
        }
        let span = isolate.span();
        if span.is_none_or(|span| span.node() != parts.node || !ticks(span).contains(&parts.tick)) {
            self.wrong = Some(format!("{counter:?} of node {} is not in the span", parts.node));
        } else if isolate.last.is_some_and(|last| counter <= last) {
            self.wrong = Some(format!("{counter:?} is issued after {:?}", isolate.last));
        }
        isolate.last = Some(counter);
    }

    /// Changes an isolate. If the change ends the isolate's span, marks the ticks that the span has
    /// used.
    fn change(&mut self, index: usize, change: impl FnOnce(&mut Isolate)) {
        let mut isolate = Isolate::clone(&self.isolates[index]);
        let before = isolate.span();
        change(&mut isolate);
        let lease = |span: Span| (span.node(), span.from_tick());
        if let Some(span) = before
            && isolate.span().map(lease) != Some(lease(span))
            && let Some(last) = isolate.last.take()
        {
            let ticks = span.from_tick()..=last.tick;
            self.used[place(span)] |= ticks.fold(0, |bits, tick| bits | 1 << tick);
        }
        self.isolates[index] = Part::new(isolate);
    }

    /// Returns the stored rows.
    pub(crate) fn rows(&self) -> Vec<(u64, Row)> {
        match &self.server {
            Some(server) => server.rows().collect(),
            None => self.object.rows().collect(),
        }
    }

    pub(crate) fn has_used(&self, node: u64) -> bool {
        self.used.iter().zip(0..).any(|(used, of)| *used != 0 && of == node)
    }

    /// Finds a counter that two holders may issue, or that a holder may issue in a tick that an
    /// ended lease has used.
    pub(crate) fn two_owners(&self) -> Option<String> {
        let spans = || self.isolates.iter().filter_map(|isolate| isolate.span());
        for (index, span) in spans().enumerate() {
            let used = self.used[place(span)];
            if let Some(tick) = ticks(span).find(|tick| used & 1 << tick != 0) {
                return Some(format!("an ended lease has used tick {tick} of {}", text(span)));
            }
            let mut others = spans().skip(index + 1).filter(|other| other.node() == span.node());
            if let Some(other) =
                others.find(|other| ticks(*other).any(|tick| ticks(span).contains(&tick)))
            {
                return Some(format!("{} and {} are held at once", text(span), text(other)));
            }
        }
        None
    }
}

pub(crate) fn text(span: Span) -> String {
    format!("node {} in ticks {}..{}", span.node(), span.from_tick(), span.until_tick())
}

fn ticks(span: Span) -> Range<u64> {
    span.from_tick()..span.until_tick()
}

fn place(span: Span) -> usize {
    usize::try_from(span.node()).expect("a node of the layout")
}
