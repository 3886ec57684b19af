use alloc::string::String;

use edgeflake::{Call, CallFailed, Courier, Errand, Reply, Request};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Holder;
use crate::number::{integer, number};

/// A call on its way. Outlives the request that found it due.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Delivery {
    number: u64,
    /// The shard that the call is about; the one that the courier asks may be another.
    shard: Option<u64>,
    tries: u64,
    way: Way,
}

/// To the one that knows where it belongs, or by a courier who finds that out.
#[expect(clippy::large_enum_variant, reason = "one at a time")]
#[derive(Debug)]
enum Way {
    Straight(Request),
    Courier(Courier),
    Done(Result<Reply, CallFailed>),
}

impl Delivery {
    pub(crate) fn new(call: Call, place: Option<u16>, shards: u64) -> Self {
        let Call { number, shard, request, tries } = call;
        let way = match (shard, place) {
            (None, Some(place)) => Way::Courier(Courier::new(request, place, shards, tries)),
            _ => Way::Straight(request),
        };
        Self { number, shard, tries, way }
    }

    fn errand(&self) -> Option<(Option<u64>, Request)> {
        match &self.way {
            Way::Straight(request) => Some((self.shard, *request)),
            Way::Courier(courier) => match courier.errand() {
                Errand::Send { shard, request } => Some((Some(shard), request)),
                Errand::Done(_) => None,
            },
            Way::Done(_) => None,
        }
    }
}

#[wasm_bindgen]
impl Delivery {
    /// The message to send next; none when it has its answer.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        self.errand().map(|(_, request)| edgeflake_wire::write_request(&request))
    }

    /// The shard that it goes to, if that is known.
    #[must_use]
    pub fn shard(&self) -> Option<f64> {
        self.errand()?.0.map(number)
    }

    /// How often it was sent before.
    #[must_use]
    pub fn tries(&self) -> f64 {
        number(self.tries)
    }

    /// Takes the message that came back; none if that failed. Says whether it could be read.
    pub fn receive(&mut self, text: Option<String>) -> bool {
        let reply = text.ok_or(CallFailed).and_then(|text| {
            let reply = edgeflake_wire::parse(&text);
            reply.and_then(|reply| edgeflake_wire::read_reply(&reply)).map_err(|_| CallFailed)
        });
        match &mut self.way {
            Way::Courier(courier) => courier.receive(reply),
            way => *way = Way::Done(reply),
        }
        reply.is_ok()
    }

    /// Gives the answer to the holder, at a time in Unix ms.
    pub fn end(&self, holder: &mut Holder, now_ms: f64) {
        let answer = match &self.way {
            Way::Done(reply) => Some(*reply),
            Way::Courier(courier) => match courier.errand() {
                Errand::Done(reply) => Some(reply),
                Errand::Send { .. } => None,
            },
            Way::Straight(_) => None,
        };
        holder.inner.receive(integer(now_ms), self.number, answer.unwrap_or(Err(CallFailed)));
    }
}
