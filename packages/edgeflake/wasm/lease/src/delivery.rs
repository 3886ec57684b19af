use alloc::string::String;

use edgeflake::lease::{
    Action, Call, CallFailure, Error, Outcome, Refusal, Reply, Request, ShardRouter,
};
use edgeflake_wire::{OVERLOADED_MS, misconfiguration};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Holder;
use crate::number::{integer, number};

/// A call to the authority, and its answer. The call may outlive the request for ids that started
/// the call.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Delivery {
    number: u64,
    /// The shard that the call must go to; `None` if any shard may answer.
    shard: Option<u64>,
    tries: u64,
    /// The number of shards, as far as the holder knows.
    shards: u64,
    way: Way,
}

/// The route of the call: straight (to its shard, or to a Worker that chooses the shard), or by a
/// shard router in this process. A straight call that has its answer is done.
#[expect(clippy::large_enum_variant, reason = "one at a time")]
#[derive(Debug)]
enum Way {
    Straight(Request),
    Routed(ShardRouter),
    Done(Result<Reply, CallFailure>),
}

impl Delivery {
    pub(crate) fn new(call: Call, place: Option<u16>, shards: u64) -> Self {
        let Call { number, shard, request, tries } = call;
        let way = match (shard, place) {
            (None, Some(place)) => Way::Routed(ShardRouter::new(request, place, shards, tries)),
            _ => Way::Straight(request),
        };
        Self { number, shard, tries, shards, way }
    }

    fn take(&mut self, reply: Result<Reply, CallFailure>) {
        match &mut self.way {
            Way::Routed(router) => router.receive(reply),
            way => *way = Way::Done(reply),
        }
    }

    fn action(&self) -> Option<(Option<u64>, Request)> {
        match &self.way {
            Way::Straight(request) => Some((self.shard, *request)),
            Way::Routed(router) => match router.action() {
                Action::Send { shard, request } => Some((Some(shard), request)),
                Action::Done(_) => None,
            },
            Way::Done(_) => None,
        }
    }
}

#[wasm_bindgen]
impl Delivery {
    /// Returns the message to send next; `undefined` once the call has its answer.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        self.action().map(|(_, request)| edgeflake_wire::write(&request))
    }

    /// Returns the shard that the message goes to, if the shard is known.
    #[must_use]
    pub fn shard(&self) -> Option<f64> {
        self.action()?.0.map(number)
    }

    /// Returns the location hint for the shard's object. The platform uses the hint when it first
    /// calls the object.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let shards = match &self.way {
            Way::Routed(router) => router.shards(),
            _ => self.shards,
        };
        edgeflake_wire::location_hint(self.action()?.0?, shards).map(String::from)
    }

    /// Returns the number of times that the call was sent before.
    #[must_use]
    pub fn tries(&self) -> f64 {
        number(self.tries)
    }

    /// Takes the reply. Returns whether the reply could be read.
    pub fn receive(&mut self, text: &str) -> bool {
        let reply = edgeflake_wire::parse(text);
        let reply = reply.and_then(|reply| edgeflake_wire::read(&reply)).map_err(|_| CallFailure);
        self.take(reply);
        reply.is_ok()
    }

    /// Takes the reason why sending failed; `overloaded` says whether the platform reported that
    /// the Durable Object is overloaded. If the configuration is wrong, describes the mistake.
    pub fn fail(&mut self, reason: &str, overloaded: bool) -> Option<String> {
        let mistake = misconfiguration(reason);
        let refusal = if mistake.is_some() {
            Some(Refusal::InvalidConfiguration)
        } else {
            overloaded.then_some(Refusal::Overloaded { retry_in_ms: OVERLOADED_MS })
        };
        self.take(refusal.map(|refusal| Reply::refused(refusal, None)).ok_or(CallFailure));
        mistake.map(String::from)
    }

    /// Passes the answer to the holder. `now_ms` is the time in Unix ms. Returns the outcome as an
    /// index in `COUNTERS` of `src/leased/lease-log.ts`.
    pub fn end(&self, holder: &mut Holder, now_ms: f64) -> u8 {
        let answer = match &self.way {
            Way::Done(reply) => Some(*reply),
            Way::Routed(router) => match router.action() {
                Action::Done(reply) => Some(reply),
                Action::Send { .. } => None,
            },
            Way::Straight(_) => None,
        };
        let answer = answer.unwrap_or(Err(CallFailure));
        match holder.inner.receive(integer(now_ms), self.number, answer) {
            Outcome::Dropped | Outcome::Ended => 0,
            Outcome::Acquired => 1,
            Outcome::Renewed => 2,
            Outcome::Prefetched => 3,
            Outcome::Failed(Error::Refused(_)) => 4,
            Outcome::Failed(_) => 5,
        }
    }
}
