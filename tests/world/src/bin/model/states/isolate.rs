//! A holder, the messages to and from it, and its last id.

use std::hash::{Hash, Hasher};

use edgeflake::Span;
use edgeflake::lease::{
    Call, CallFailure, Counter, DatabaseCall, Holder, Reply, Request, Step, Wait,
};

use super::part::Part;
use super::setting::{Setting, TICKS, TIMER_MS};

/// No id has this value.
const MISSING: u64 = u64::MAX;

#[derive(Clone, Debug, Hash)]
pub(crate) enum Message {
    Request(Request),
    /// A call to a database. The next statement of this call is on its way.
    Call(Box<DatabaseCall>),
    Reply(Reply),
}

#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// The number of the call. It is `None` if no holder waits for the reply.
    pub(crate) number: Option<u64>,
    pub(crate) message: Part<Message>,
}

#[derive(Clone, Debug)]
pub(crate) struct Isolate {
    pub(crate) holder: Holder,
    /// The messages on their way. A lost message stays here and is never delivered.
    pub(crate) mail: Vec<Letter>,
    /// The number of the newest call.
    pub(crate) newest: Option<u64>,
    /// The last counter that was issued from the holder's span.
    pub(crate) last: Option<Counter>,
}

/// Of a call's number, the hash keeps only whether the call is the newest. The hash also ignores
/// the order of the mail.
impl Hash for Isolate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { holder, mail, newest, last } = self;
        let key = |letter: &Letter| {
            let number = letter.number.map(|number| Some(number) == *newest);
            (letter.message.hash(), number)
        };
        let mut letters: Vec<_> = mail.iter().map(key).collect();
        letters.sort_unstable();
        (holder, newest.is_some(), last, letters).hash(state);
    }
}

impl Isolate {
    pub(crate) fn new() -> Self {
        Self { holder: Holder::new(), mail: Vec::new(), newest: None, last: None }
    }

    pub(crate) fn span(&self) -> Option<Span> {
        self.holder.span()
    }

    /// Handles a request for one id, and returns the id or a call. With `waits`, the request has
    /// waited for a timer of [`TIMER_MS`].
    pub(crate) fn request(
        &mut self,
        tick: u64,
        waits: bool,
        random: u128,
    ) -> (Option<u64>, Option<Call>) {
        let (mut wait, mut ids) = (Wait::default(), [MISSING]);
        let now_ms = Setting::start_ms(tick);
        let mut step = self.holder.step(now_ms, &mut wait, &mut ids, || random);
        if waits && matches!(step, Step::Done | Step::Sleep { .. }) {
            wait.fired(TIMER_MS);
            step = self.holder.step(now_ms, &mut wait, &mut ids, || random);
        }
        let call = if let Step::Send(call) = step { Some(call) } else { None };
        if let Some(call) = call {
            self.post(call);
        }
        (ids.into_iter().find(|id| *id != MISSING), call)
    }

    fn post(&mut self, Call { number, request, .. }: Call) {
        self.newest = Some(number);
        // An authority only checks that this time differs little from its own clock. In the model
        // this is always true, so every request can carry the same time.
        let request = sent_at(request, Setting::start_ms(0));
        let is_release = matches!(request, Request::Release(_));
        let message = Part::new(Message::Request(request));
        self.mail.push(Letter { number: (!is_release).then_some(number), message });
    }

    /// Takes a letter from the mail, or copies the letter if it comes again.
    pub(crate) fn take(&mut self, letter: usize, again: bool) -> Letter {
        if again { self.mail[letter].clone() } else { self.mail.remove(letter) }
    }

    /// Receives the reply to a call, or `None` if the call failed. With `passes`, the holder
    /// receives the reply so early that the time for which it uses batches is over by now.
    pub(crate) fn receive(&mut self, number: u64, reply: Option<Reply>, passes: bool) {
        let now_ms = match reply {
            // A holder corrects its clock if the clock is behind the start of a granted span. The
            // model skips this correction by a late time, because any clock may show any tick
            // anyway.
            Some(Reply::Granted(_)) => Setting::start_ms(TICKS),
            _ if passes => 0,
            _ => Setting::start_ms(0),
        };
        self.holder.receive(now_ms, number, reply.ok_or(CallFailure));
    }

    /// Replaces the isolate by a new one. Replies to the old isolate are dropped.
    pub(crate) fn crash(&mut self) {
        self.mail.retain(|letter| !matches!(*letter.message, Message::Reply(_)));
        for letter in &mut self.mail {
            letter.number = None;
        }
        *self = Self { mail: std::mem::take(&mut self.mail), ..Self::new() };
    }
}

/// Returns the request as if it had been sent at this time.
fn sent_at(mut request: Request, at_ms: u64) -> Request {
    match &mut request {
        Request::Acquire(acquire) => acquire.now_ms = at_ms,
        Request::Renew(renew) => renew.now_ms = at_ms,
        Request::Prefetch(prefetch) => prefetch.now_ms = at_ms,
        _ => {}
    }
    request
}
